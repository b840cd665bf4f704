"""Any tree of files: each path leads to its own file, no spelling leads out, a walk of the directories reaches every file once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.format.records import FileRecord
from hardtack.errors import NotFound, UsageError
from hardtack.query.files.did_you_mean import nearest_paths
from hardtack.query.files.tree import CODE, DOCS, Tree

_CODES = {"PATH_EMPTY", "PATH_OUT_OF_ROOT", "PATH_AMBIGUOUS", "FILE_NOT_FOUND", "DIR_NOT_FOUND"}

_odd = st.sampled_from(["docs", "code", "~", "C:", "%2e%2e", "...", ".a", "a b", "é", "-", "a%2Fb", "*", "a:b", "0"])
_names = st.text("ab.0%", min_size=1, max_size=4).filter(lambda name: name not in (".", "..")) | _odd
_paths = st.lists(_names, min_size=1, max_size=4).map("/".join)
_PIECES = [
    "..",
    ".",
    "a",
    "b",
    "docs",
    "code",
    "/",
    "//",
    "\\",
    "%2e",
    "%2F",
    "%5c",
    "~",
    "C:",
    ":1",
    "#L2",
    "file://",
    "hardtack://a/",
    "\0",
    "\ud800",
    "\n",
    "x" * 5000,
]
_spellings = st.tuples(st.sampled_from(["", "/"]), st.lists(st.sampled_from(_PIECES), max_size=8)).map(
    lambda spelt: spelt[0].join(spelt[1])
)


def _without_clashes(paths: list[str]) -> list[str]:
    """Paths of which none is the directory of another."""
    return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


_trees = st.lists(_paths, unique=True, max_size=12).map(_without_clashes)


class _NoSkips:
    """The table of a build that left nothing out."""

    def __len__(self) -> int:
        return 0

    def text(self, ordinal: int) -> bytes:
        raise IndexError(ordinal)


def _tree(paths: list[str], roots: tuple[str, ...] = ()) -> Tree:
    """The tree of files at these paths, every other one documentation; it asks no more of a bundle than stands here."""
    ordered = sorted(paths, key=str.encode)
    files = tuple(
        SimpleNamespace(path=path, content="documentation" if number % 2 else "code") for number, path in enumerate(ordered)
    )
    by_path = {file.path: file for file in files}
    manifest = SimpleNamespace(provenance=SimpleNamespace(roots=roots))
    bundle: Any = SimpleNamespace(files=files, file_at=by_path.get, manifest=manifest, places=tuple, skips=_NoSkips())
    return Tree(bundle)


@given(_trees)
def test_every_path_means_its_own_file(paths: list[str]) -> None:
    tree = _tree(paths)
    for path in paths:
        assert path == tree.file(path).path == tree.file(path, tree.part_of(tree.file(path))).path


@given(_trees)
def test_walking_the_directories_reaches_every_file_once(paths: list[str]) -> None:
    tree = _tree(paths)
    for part in (None, DOCS, CODE):
        reached, waiting = [], ["."]
        while waiting:
            directory, within = tree.directory(waiting.pop(), part)
            entries = tree.entries(directory, within)
            assert entries == sorted(set(entries))
            reached += [entry.path for entry in entries if entry.type == "file"]
            waiting += [entry.path for entry in entries if entry.type == "directory"]
        assert sorted(reached) == sorted(path for path in paths if part in (None, tree.part_of(tree.file(path))))


@given(_trees, _spellings, st.sampled_from([None, DOCS, CODE]))
def test_whatever_is_spelt_leads_to_a_file_that_is_there_or_is_refused(paths: list[str], spelt: str, part: str | None) -> None:
    for tree in (_tree(paths), _tree([f"{root}/{path}" for root in ("docs", "web") for path in paths], ("docs", "web"))):
        for ask in (tree.file, tree.directory):
            try:
                found = ask(spelt, part)
            except (UsageError, NotFound) as refused:
                assert refused.code in _CODES
                assert f"{refused} {refused.details} {refused.hint}".encode()
            else:
                assert not isinstance(found, FileRecord) or found is tree.file(found.path)


@given(_trees, st.sampled_from(["**", "*", "**/*", "a", "a/", "**/a*", "docs/**", "code/**", "*/a?"]))
def test_a_selection_has_documentation_first_and_each_file_once(paths: list[str], glob: str) -> None:
    tree, ordered = _tree(paths), sorted(paths)
    for selection in (tree.select(), tree.select(None, (glob,)), tree.select(None, (glob, "**"))):
        chosen = [(tree.part_of(tree.file(ordered[ordinal])) != DOCS, ordered[ordinal]) for ordinal in selection.files]
        assert chosen == sorted(set(chosen))
    halves = [*tree.select(DOCS, (glob,)).files, *tree.select(CODE, (glob,)).files]
    assert set(halves) <= {*range(len(paths))}
    assert [*tree.select(None, (glob,)).files] == halves


@given(_paths, _trees)
def test_what_is_suggested_is_there_and_not_much(path: str, paths: list[str]) -> None:
    suggested = nearest_paths(path, sorted(paths))
    assert len(suggested) == len(set(suggested)) <= 5
    assert set(suggested) <= set(paths)
