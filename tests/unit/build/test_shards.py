"""Shards of a tree, merged: the bytes of a build of the whole tree, and what is refused."""

from __future__ import annotations

import filecmp
import hashlib
import resource
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from checkouts import commit, git, init, write
from embedding_server import EmbeddingServer
from own_work import users_cache
from scip_indexes import document, index, occurrences, symbol

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.sharding import build_shard, merge_shards
from hardtack.build.shards.shard_file import ShardFile, ShardWriter
from hardtack.build.source.limits import TreeLimits
from hardtack.build.source.part import Part, digest_of_paths, parse_part
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.source.tree import SourceOptions
from hardtack.build.workers.executors import Analysed
from hardtack.bundle.reader import open_bundle
from hardtack.encoders import EncoderSettings
from hardtack.errors import (
    BuildError,
    BundleError,
    BundleNotFound,
    FormatError,
    HardtackError,
    IntegrityError,
    NothingIndexed,
    PolicyError,
    SourceError,
    UnsupportedFormat,
    UsageError,
)
from hardtack.nouns.outline import Skip, SkipReason
from hardtack.store.built import BuiltHere

SECRET = "ghp_" + "Zq3vN8sK2mX7cB4tR9wL1yH6dF0gJ5pA2e1T"[:36]
_PLAIN = BuildOptions(jobs=1, profile="keyword")
_FILES: dict[str, str | bytes] = {
    **{f"shop/shelf{n}.py": f"from shop.jar import Jar\n\ndef shelf_{n}(jar: Jar):\n    return jar.open({n})\n" for n in range(9)},
    "shop/jar.py": "class Jar:\n    def open(self, number):\n        return number\n",
    "web/page.ts": "export function show(text: string) { return text }\n",
    "web/package.json": '{"name": "web", "version": "1.0.0"}',
    "shop/keys.py": f'TOKEN = "{SECRET}"\n',
    f"notes/{SECRET}.md": "# Notes\n",
    "node_modules/lid.js": "function lid() { return 1 }\n",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0",
    "old.txt": "Schön ist die Straße über den Fluß, größer als früher\n".encode("latin-1"),
    ".gitattributes": "old.txt working-tree-encoding=iso-8859-1\n",
}


def _made(place: Path) -> Path:
    """A checkout of two commits, with secrets, skipped files and one in another encoding."""
    root = init(write(place, _FILES))
    commit(root, "the beginning")
    git(root, "mv", "shop/shelf0.py", "shop/shelf_zero.py")
    commit(root, f"a shelf is moved, by {SECRET}")
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout that a test may change."""
    return _made(tmp_path / "tree")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Path]]:
    """How many shards -> the shards of the checkout; not to be written to."""
    place = tmp_path_factory.mktemp("built")
    tree = _made(place / "tree")
    return {of: _shards(tree, of) for of in (1, 2, 8)}


@pytest.fixture
def whole(built: dict[int, list[Path]], tmp_path: Path) -> Path:
    """The only shard of the checkout, which a test may damage."""
    return Path(shutil.copy(built[1][0], tmp_path))


def _change(tree: Path) -> None:
    jar = tree / "shop" / "jar.py"
    jar.write_text(jar.read_text() + "\n\ndef lid():\n    return Jar()\n")
    commit(tree)


def _shards(tree: Path, of: int, options: BuildOptions = _PLAIN) -> list[Path]:
    paths = [tree.parent / f"shard-{number}-of-{of}" for number in range(1, of + 1)]
    for number, path in enumerate(paths, 1):
        build_shard(tree, Part(number, of), path, options)
    return paths


def _are_same(one: Path, other: Path) -> bool:
    members = [sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()) for root in (one, other)]
    return members[0] == members[1] and filecmp.cmpfiles(one, other, members[0], shallow=False) == (members[0], [], [])


def _told(report: BuildReport) -> dict[str, Any]:
    """What a report says of the tree and the bundle, not of this machine."""
    own = ("bundle", "seconds", "peak_memory_bytes")
    return {name: value for name, value in report.to_json().items() if name not in own}


def _merged_is_whole(tree: Path, of: int, options: BuildOptions = _PLAIN, merging: BuildOptions | None = None) -> BuildReport:
    """Build the tree whole and in shards, compare both bundles and reports; gives the report of the merge."""
    root = tree.parent
    whole = build_bundle(tree, root / "whole", options)
    shards = _shards(tree, of, replace(options, scip=()))
    away = tree.rename(root / "away")
    merged = merge_shards(shards, root / "merged", merging)
    away.rename(tree)
    assert _are_same(root / "whole", root / "merged")
    assert _told(whole) == _told(merged)
    return merged


# -- the same bytes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [1, 4])
def test_shards_merged_without_the_source_are_the_bundle_of_the_whole_tree_to_the_byte(tree: Path, of: int) -> None:
    report = _merged_is_whole(tree, of, replace(_PLAIN, profile="hybrid", history=10))
    assert {"secret": 1, "vendored": 1, "binary": 1} == report.skipped
    assert [1, 2] == [len(report.secrets_by_rule), len(report.secrets)]
    assert report.manifest is not None
    assert (2, "root") == (report.manifest.history and report.manifest.history.commits, report.manifest.history.end)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "options",
    [
        replace(_PLAIN, text="none"),
        replace(_PLAIN, profile="hybrid", encoder=EncoderSettings(name="hashing")),
        replace(_PLAIN, worktree=True, history=3),
        replace(_PLAIN, source=SourceOptions(tests=False, vendor=True, keep=("*.png",), secrets="warn"), history=10),
        replace(_PLAIN, repository="example.org/team/shop"),
    ],
    ids=["no text", "another encoder", "working tree", "secrets kept", "another name"],
)
def test_options_of_a_build_are_those_of_its_shards(tree: Path, options: BuildOptions) -> None:
    _merged_is_whole(tree, 3, options)


def test_files_that_are_in_no_repository_can_be_shared_too(tmp_path: Path) -> None:
    _merged_is_whole(write(tmp_path / "tree", _FILES), 3)


def test_several_roots_can_be_shared(tree: Path, tmp_path: Path) -> None:
    roots = (("web", tree / "web"), ("shop", tree / "shop"))
    options = replace(_PLAIN, roots=roots)
    build_bundle(tree, tmp_path / "whole", options)
    merge_shards(_shards(tree, 3, options), tmp_path / "merged")
    assert _are_same(tmp_path / "whole", tmp_path / "merged")


def test_shards_without_files_are_shards(tmp_path: Path) -> None:
    tree = write(tmp_path / "tree", {"jar.py": "class Jar:\n    pass\n", "lid.py": "class Lid:\n    pass\n"})
    _merged_is_whole(tree, 5)
    counts = []
    for number in range(1, 6):
        shard = ShardFile(tmp_path / f"shard-{number}-of-5")
        counts.append(len(list(shard.files())))
        shard.close()
    assert (2, True) == (sum(counts), 0 in counts)


def test_a_tree_with_nothing_to_index_is_refused_by_the_merge(tmp_path: Path) -> None:
    shards = _shards(write(tmp_path / "tree", {"logo.png": b"\0"}), 2)
    with pytest.raises(NothingIndexed, match=r"^The tree of the shards holds nothing to index \(1 paths skipped: 1 binary\)\.$"):
        merge_shards(shards, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_file_whose_parser_failed_is_told_as_by_the_whole_build(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if 'hardtack.build.workers.worker' in sys.orig_argv:\n"
        "    import hardtack.build.workers.analyse as analyse\n"
        "    real = analyse.outline_of\n"
        "    def outline_of(text, language, *, use_grammar):\n"
        "        if text.startswith(b'ALWAYS') or (text.startswith(b'ONCE') and use_grammar): os._exit(9)\n"
        "        return real(text, language, use_grammar=use_grammar)\n"
        "    analyse.outline_of = outline_of\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    write(tree, {"a.py": "ONCE = 1\n", "b.py": "ALWAYS = 1\n"})
    commit(tree)
    report = _merged_is_whole(tree, 3)
    assert (["a.py", "b.py"], 1) == ([path for path, _ in report.failures], report.skipped["unreadable"])
    monkeypatch.setattr("hardtack.build.lost_time._MOST_SECONDS", 4.0)  # each of the two took three at most
    with pytest.raises(BuildError, match="parsers of 2 files crashed"):
        merge_shards([tmp_path / f"shard-{number}-of-3" for number in (1, 2, 3)], tmp_path / "other")


def test_vectors_of_a_service_are_merged_without_it(tree: Path, tmp_path: Path) -> None:
    with EmbeddingServer() as server:
        options = replace(_PLAIN, profile="hybrid", encoder=EncoderSettings(name="openai:small", url=server.url))
        build_bundle(tree, tmp_path / "whole", options)
        shards = _shards(tree, 3, options)
    merge_shards(shards, tmp_path / "merged")
    assert _are_same(tmp_path / "whole", tmp_path / "merged")
    with EmbeddingServer(dimension=32) as server:
        other = replace(options, encoder=EncoderSettings(name="openai:small", url=server.url))
        build_shard(tree, Part(2, 3), shards[1], other)
    with pytest.raises(BuildError, match=r"shard-2-of-3 has the vectors of another encoder than \S+shard-1-of-3\.$"):
        merge_shards(shards, tmp_path / "merged")


def test_the_index_of_a_compiler_is_the_merges(tree: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.scip"
    jar, text = symbol("jar.py", "Jar#"), _FILES["shop/jar.py"]
    assert isinstance(text, str)
    known.write_bytes(index(document("shop/jar.py", occurrences(text, ("Jar", jar, 1)))))
    options = replace(_PLAIN, scip=(known,))
    assert _merged_is_whole(tree, 2, options, BuildOptions(scip=(known,))).manifest.indexers  # type: ignore[union-attr]
    with pytest.raises(UsageError, match="The index of a compiler is no matter of a shard") as refused:
        build_shard(tree, Part(1, 2), tmp_path / "shard", options)
    assert "hardtack merge" in refused.value.hint


def test_a_shard_takes_over_from_a_base_that_is_named(tree: Path, tmp_path: Path) -> None:
    options = replace(_PLAIN, profile="hybrid")
    build_bundle(tree, tmp_path / "base", options)
    _change(tree)
    taken_over = [
        build_shard(tree, Part(number, 2), tmp_path / f"{number}", replace(options, base=tmp_path / "base")).built.taken_over
        for number in (1, 2)
    ]
    build_bundle(tree, tmp_path / "whole", options)
    merge_shards([tmp_path / "1", tmp_path / "2"], tmp_path / "merged")
    assert sum(taken_over) > 0
    assert _are_same(tmp_path / "whole", tmp_path / "merged")


# -- parts --------------------------------------------------------------------------------------------------------------------


def test_a_path_belongs_to_the_shard_that_its_documented_hash_names(built: dict[int, list[Path]]) -> None:
    for path in built[8]:
        shard = ShardFile(path)
        for name in [each.file.path for each in shard.files()] + [skip.path for skip in shard.skips()]:
            number = int(hashlib.sha256(name.encode()).hexdigest()[:16], 16) % 8 + 1
            assert shard.head.part == Part(number, 8), name
        shard.close()


@pytest.mark.parametrize("text", ["", "1", "0/4", "5/4", "1/0", "1/257", "-1/4", "1/4 ", "a/b", "1/4/4", "1.0/4", "²/4"])
def test_what_names_no_shard_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="There is no shard") as refused:
        parse_part(text)
    assert "1/4" in refused.value.hint
    assert Part(2, 4) == parse_part("2/4")


def test_no_secret_is_in_a_shard(tree: Path) -> None:
    for path in _shards(tree, 2, replace(_PLAIN, profile="hybrid", history=10)):
        assert SECRET.encode() not in path.read_bytes()
        shard = ShardFile(path)
        assert SECRET not in repr([shard.head, list(shard.files()), list(shard.commits())])  # where parses are inflated
        shard.close()
    refusing = replace(_PLAIN, source=SourceOptions(secrets="fail"))
    with pytest.raises(PolicyError, match="holds"):
        _shards(tree, 1, refusing)


@pytest.mark.parametrize("name", ["shop", SECRET])
def test_the_history_of_a_subdirectory_is_that_of_the_whole_build_and_its_own_name_is_in_no_shard(
    tmp_path: Path, name: str
) -> None:
    root = init(write(tmp_path / "repository", {f"{name}/jar.py": "class Jar:\n    pass\n", "lid.py": "class Lid:\n    pass\n"}))
    commit(root, "the beginning")
    git(root, "mv", "lid.py", f"{name}/lid.py")
    git(root, "mv", f"{name}/jar.py", "jar.py")
    write(root, {f"{name}/cork.py": "class Cork:\n    pass\n", f"{name}/{SECRET}.md": "# Notes\n"})
    commit(root, "a lid moves in")
    git(root, "mv", f"{name}/{SECRET}.md", f"{name}/notes.md")
    write(root, {f"{name}/cork.py": "class Cork:\n    size = 1\n"})
    commit(root, "a cork has a size")
    _merged_is_whole(root / name, 2, replace(_PLAIN, history=50))
    bundle = open_bundle(root / "merged")
    history = bundle.history
    assert history is not None
    assert [True] * 3 == [len(history.files_of(row)) > 0 for row in range(3)]
    for path in root.glob("shard-*"):
        shard = ShardFile(path)
        assert SECRET not in repr([shard.head, list(shard.files()), list(shard.commits())])
        shard.close()


# -- what does not fit together -----------------------------------------------------------------------------------------------


def _refusal(shards: Sequence[Path], place: Path) -> str:
    """The sentence with which a merge is refused; nothing is left behind."""
    before = sorted(place.iterdir())
    with pytest.raises(HardtackError) as refused:
        merge_shards(shards, place / "refused")
    assert before == sorted(place.iterdir())
    assert refused.value.hint
    said = str(refused.value).replace(f"{place}/", "")
    assert said.endswith(".")
    assert "\n" not in said
    return said


def test_a_shard_that_is_missing_or_given_twice_is_named(built: dict[int, list[Path]], tmp_path: Path) -> None:
    shards = [Path(shutil.copy(path, tmp_path)) for path in built[8]]
    assert "Shard 3/8 is missing; nothing was built." == _refusal([*shards[:2], *shards[3:]], tmp_path)
    assert "Shards 1, 2, 3, 4, 5 and 1 more of 8 are missing; nothing was built." == _refusal(shards[6:], tmp_path)
    again = Path(shutil.copy(shards[1], tmp_path / "again"))
    assert "shard-2-of-8 and again are both shard 2/8." == _refusal([*shards, again], tmp_path)
    with pytest.raises(UsageError, match="There is no shard to merge"):
        merge_shards([], tmp_path / "merged")
    assert "absent cannot be read: No such file or directory." == _refusal([tmp_path / "absent"], tmp_path)


def _other_commit(tree: Path) -> BuildOptions:
    _change(tree)
    return _PLAIN


def _edited(tree: Path) -> BuildOptions:
    """Only a file of the first shard of three is another, which the second shard does not hold."""
    (tree / "shop" / "shelf1.py").write_text("shelf = 1\n")
    return replace(_PLAIN, worktree=True)


_HYBRID = replace(_PLAIN, profile="hybrid")
_HASHING = replace(_HYBRID, encoder=EncoderSettings(name="hashing"))


@pytest.mark.parametrize(
    ("first", "other", "said"),
    [
        (_PLAIN, lambda _: replace(_PLAIN, text="none"), "was built with other options than"),
        (_PLAIN, lambda _: replace(_PLAIN, history=2), "was built with another --history than"),
        (_PLAIN, lambda _: replace(_PLAIN, profile="hybrid"), "was built with other options than"),
        (_HYBRID, lambda _: _HASHING, "has the vectors of another encoder than"),
        (_PLAIN, _other_commit, "is of another commit or repository than"),
        (replace(_PLAIN, worktree=True), _edited, "is of another commit or repository than"),
        (_PLAIN, lambda _: replace(_PLAIN, repository="example.org/other"), "is of another commit or repository than"),
    ],
    ids=["options", "history", "profile", "encoder", "commit", "dirty", "repository"],
)
def test_a_shard_of_another_build_is_named(
    tree: Path, tmp_path: Path, first: BuildOptions, other: Callable[[Path], BuildOptions], said: str
) -> None:
    shards = _shards(tree, 2, first)
    build_shard(tree, Part(2, 2), shards[1], other(tree))
    assert f"shard-2-of-2 {said} shard-1-of-2." == _refusal(shards, tmp_path)


def test_a_file_that_differs_between_two_machines_is_seen_whichever_shard_holds_it(tmp_path: Path) -> None:
    tree = write(tmp_path / "tree", _FILES)
    shards = _shards(tree, 3)
    for name in ("shop/shelf1.py", "shop/shelf2.py", "shop/shelf3.py", "shop/shelf4.py"):
        before = (tree / name).read_text()
        (tree / name).write_text(before + "# edited\n")
        build_shard(tree, Part(2, 3), shards[1], _PLAIN)
        assert "shard-2-of-3 is of other files than shard-1-of-3." == _refusal(shards, tmp_path)
        (tree / name).write_text(before)
    (tree / "link").symlink_to("shop")
    build_shard(tree, Part(2, 3), shards[1], _PLAIN)
    assert "shard-2-of-3 is of other files than shard-1-of-3." == _refusal(shards, tmp_path)


def test_shards_of_another_number_are_no_shards_of_one_build(built: dict[int, list[Path]], tmp_path: Path) -> None:
    shards = [Path(shutil.copy(path, tmp_path)) for path in (built[2][0], built[8][1])]
    assert "shard-2-of-8 is shard 2/8, and shard-1-of-2 is shard 1/2: they are no shards of one build." == _refusal(
        shards, tmp_path
    )


def test_a_shard_of_another_version_is_named_with_what_differs(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shards = _shards(tree, 2)
    real = "hardtack.build.reuse.maker.engines"
    with monkeypatch.context() as patched:
        patched.setattr(real, lambda: {"tantivy": "0.1"})
        build_shard(tree, Part(2, 2), shards[1], _PLAIN)
    said = _refusal(shards, tmp_path)
    assert said.startswith("shard-2-of-2 was built by another version of Hardtack, of an engine or of Python than shard-1-of-2 (")
    with monkeypatch.context() as patched:
        patched.setattr("hardtack.build.reuse.maker.tool_fingerprint", lambda: bytes(32))
        shards = _shards(tree, 2)
    assert _refusal(shards, tmp_path).startswith(f"The shards were built with hardtack 0.1.0 ({bytes(32).hex()}), not 0.1.0 (")


# -- damage -------------------------------------------------------------------------------------------------------------------


def test_no_damage_to_a_shard_is_accepted(whole: Path, tmp_path: Path) -> None:
    path = whole
    data = path.read_bytes()
    for place in range(0, len(data), 997):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BundleError, match="shard-1-of-1"):
            ShardFile(path)
    for length in (0, 1, 8, 40, 100, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(BundleError, match="shard-1-of-1"):
            ShardFile(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(IntegrityError, match=r"^The shard \S+ is damaged: it is not what was written\.$") as refused:
        ShardFile(path)
    assert "again" in refused.value.hint


def test_what_is_no_shard_of_this_version_is_told_so(whole: Path, tmp_path: Path) -> None:
    path = whole
    data = path.read_bytes()
    path.write_bytes(data[:7] + b"\x02" + data[8:])
    with pytest.raises(UnsupportedFormat, match=r"has version 2 of the shard format; this Hardtack reads version 1\.$"):
        ShardFile(path)
    path.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(BundleNotFound, match=r"is no Hardtack shard\.$"):
        ShardFile(path)
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(FormatError, match="is a link"):
        ShardFile(tmp_path / "link")


def _forged(
    path: Path, forge: Callable[[list[Analysed]], list[Analysed]], skips: Sequence[Skip] | None = None, **head: Any
) -> Path:
    """Write the shard again with other files and another head, its hashes right, and the digest of its paths."""
    shard = ShardFile(path)
    files, old = forge([replace(each, messages=None) for each in shard.files()]), shard.head
    kept = list(shard.skips()) if skips is None else skips
    shard.close()
    shown = [each.file.path for each in files] + [skip.path for skip in kept]
    paths = map(path_without_secret, shown)
    head = {"tree": old.tree._replace(paths=digest_of_paths(paths)), **head}
    with path.open("wb") as file:
        writer = ShardWriter(file, path)
        for each in files:
            writer.add(each)
        writer.finish(kept, old._replace(**head))
    return path


def _renamed(path: str) -> Callable[[list[Analysed]], list[Analysed]]:
    return lambda files: [replace(files[0], file=replace(files[0].file, path=path)), *files[1:]]


def _indexed(**fields: object) -> Callable[[list[Analysed]], list[Analysed]]:
    def forge(files: list[Analysed]) -> list[Analysed]:
        assert files[0].indexed is not None
        return [replace(files[0], indexed=replace(files[0].indexed, reading=b"", **fields)), *files[1:]]  # type: ignore[arg-type]

    return forge


@pytest.mark.parametrize(
    "forge",
    [
        _renamed("../outside.py"),
        _renamed("/etc/passwd"),
        _renamed("zz.py"),
        lambda files: [files[0], *files],
        lambda files: [*files[1:], files[0]],
        lambda files: [replace(files[0], file=replace(files[0].file, text=b"\xff")), *files[1:]],
        lambda files: [replace(files[0], indexed=None), *files[1:]],
        lambda files: [replace(files[0], file=replace(files[0].file, size=-1)), *files[1:]],
        lambda files: [replace(files[0], file=replace(files[0].file, size="1")), *files[1:]],
        _indexed(vectors=b"1234"),
        _indexed(codes=b"1234"),
        _indexed(symbols=[("no", "symbol")]),
        _indexed(chunks=[(1,)]),
        _indexed(uses=b"\xc1"),
        _indexed(words=b"no"),
    ],
    ids=[
        *(
            "outside",
            "absolute",
            "not in order",
            "twice",
            "last first",
            "no text",
            "no analysis",
            "negative size",
            "size of text",
            "vectors",
            "codes",
        ),
        *("symbols", "chunks", "uses", "words"),
    ],
)
def test_rows_that_no_build_writes_are_refused_though_the_hashes_are_right(
    whole: Path, tmp_path: Path, forge: Callable[[list[Analysed]], list[Analysed]]
) -> None:
    assert "hard" in _refusal([_forged(whole, forge)], tmp_path)


def test_a_path_that_is_in_no_shard_is_missed(whole: Path, tmp_path: Path) -> None:
    shard = ShardFile(whole)
    tree = shard.head.tree
    shard.close()
    said = "The shards cannot be merged: they do not hold exactly the paths of their tree."
    assert said == _refusal([_forged(whole, lambda files: files[1:], tree=tree)], tmp_path)
    assert said == _refusal([_forged(whole, list, tree=tree, skips=())], tmp_path)


@pytest.mark.parametrize(
    "head",
    [
        {"part": (2, 1)},
        {"options": {}},
        {"options": {"profile": "vector"}},
        {"provenance": ("a", 1, 2)},
        {"encoder": ("static", "sha256:0", 1 << 40)},
        {"notes": (1,)},
        {"maker": ()},
        {"history": "many"},
        {"maker": {b"hardtack": b"1"}},
        {"maker": {"hardtack": "1" * 300}},
        {"has_commits": b"yes"},
    ],
    ids=lambda head: next(iter(head)),
)
def test_a_head_that_no_build_writes_is_refused(whole: Path, tmp_path: Path, head: dict[str, Any]) -> None:
    assert "shard" in _refusal([_forged(whole, list, **head)], tmp_path)


@pytest.mark.parametrize(
    "skip",
    [
        Skip(path="a", reason=SkipReason.BINARY, detail=b""),  # type: ignore[arg-type]
        Skip(path="a", reason=SimpleNamespace(value="no reason"), detail=""),  # type: ignore[arg-type]
    ],
    ids=["detail", "reason"],
)
def test_a_skip_that_no_build_writes_is_refused(whole: Path, tmp_path: Path, skip: Skip) -> None:
    assert "a record is none of a path that was left out" in _refusal([_forged(whole, list, skips=[skip])], tmp_path)


def test_what_is_known_of_a_file_and_has_no_room_in_a_shard_is_told(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.build.shards.shard_file._RECORD_LIMIT", 500)
    with pytest.raises(BuildError, match=r"takes [0-9,]+ bytes, more than the 500 that a shard has room for\.$") as refused:
        build_shard(tree, Part(1, 1), tmp_path / "shard", _PLAIN)
    assert ".hardtackignore" in refused.value.hint


def test_a_tree_over_the_limits_is_refused_by_the_merge(tree: Path, built: dict[int, list[Path]], tmp_path: Path) -> None:
    shards = built[2]
    for limits, said in ((TreeLimits(bytes=300), "300 bytes of source"), (TreeLimits(paths=9), "9 files and directories")):
        options = BuildOptions(source=SourceOptions(limits=limits))
        with pytest.raises(BuildError, match=f"^The tree of the shards has more than {said}; nothing was built"):
            merge_shards(shards, tmp_path / "merged", options)
    with pytest.raises(BuildError, match="The bundle would have"):
        merge_shards(shards, tmp_path / "merged", BuildOptions(max_size=100))
    with pytest.raises(BuildError, match="300 bytes of source"):  # counted, not believed
        liar = _forged(
            Path(shutil.copy(built[1][0], tmp_path)),
            lambda files: [replace(each, file=replace(each.file, size=0)) for each in files],
        )
        merge_shards([liar], tmp_path / "merged", BuildOptions(source=SourceOptions(limits=TreeLimits(bytes=300))))
    few = replace(_PLAIN, source=SourceOptions(limits=TreeLimits(bytes=300)))
    with pytest.raises(BuildError, match="300 bytes of source"):  # of the whole tree, though each shard reads only its own files
        build_shard(tree, Part(1, 200), tmp_path / "small", few)


# -- places -------------------------------------------------------------------------------------------------------------------


def test_a_shard_goes_beside_its_source_and_replaces_nothing_but_a_shard(tree: Path, tmp_path: Path) -> None:
    for _ in range(2):
        report = build_shard(tree, Part(1, 2), None, _PLAIN)
    assert tree / ".hardtack" / "shard-1-of-2" == report.path
    assert [".gitignore", "shard-1-of-2"] == sorted(path.name for path in (tree / ".hardtack").iterdir())
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UsageError, match="mine is there and is no shard; it was not touched"):
        build_shard(tree, Part(1, 2), tmp_path / "mine", _PLAIN)
    assert "mine" == (tmp_path / "mine").read_text()


def test_a_shard_that_fails_leaves_nothing(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    refusing = replace(_PLAIN, source=SourceOptions(secrets="fail"))
    with pytest.raises(PolicyError):
        build_shard(tree, Part(1, 1), tmp_path / "out" / "shard", refusing)
    assert [] == list((tmp_path / "out").iterdir())


def test_a_shard_that_cannot_be_written_to_its_end_is_told_and_not_put_in_place(tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "out" / "shard"
    place.parent.mkdir()
    size = build_shard(tree, Part(1, 1), place, _PLAIN).size
    place.unlink()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (size - 1, 100):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
        try:
            with pytest.raises(SourceError, match=r"out/shard cannot be written: File too large\.$") as refused:
                build_shard(tree, Part(1, 1), place, _PLAIN)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert "-o" in refused.value.hint
        assert [] == list(place.parent.iterdir())


def test_what_fails_while_files_are_read_is_not_told_of_the_shard(tree: Path, tmp_path: Path) -> None:
    def fail(_: int) -> None:
        raise OSError(5, "of another file")

    with pytest.raises(OSError, match="of another file"):
        build_shard(tree, Part(1, 1), tmp_path / "shard", _PLAIN, progress=fail)


def test_a_merge_whose_time_is_over_looks_at_no_further_shard(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="The build took more than"):
        merge_shards([tmp_path / "absent"], tmp_path / "merged", BuildOptions(max_seconds=-1))


def test_a_merged_bundle_is_no_base_unless_it_is_named(tree: Path, tmp_path: Path) -> None:
    place, own = tree / ".hardtack" / "bundle", BuiltHere(users_cache)
    merge_shards(_shards(tree, 2), place)
    assert "*\n" == (tree / ".hardtack" / ".gitignore").read_text()
    named = build_bundle(tree, tmp_path / "other", replace(_PLAIN, base=place), own=own)
    unnamed = build_bundle(tree, None, _PLAIN, own=own)
    assert (True, 0) == (named.taken_over > 0, unnamed.taken_over)
