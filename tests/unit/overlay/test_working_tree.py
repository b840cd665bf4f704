"""Which bundle answers for a working tree: the one of the tree itself, or the one below with the reason why."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from checkouts import commit, git, init, write

from hardtack.build.options import BuildOptions, options_like
from hardtack.build.pipeline import build_bundle
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.encoders import EncoderSettings
from hardtack.errors import BuildError, FormatError
from hardtack.overlay import process
from hardtack.overlay.working_tree import Over, Overlays
from hardtack.query.checkout import changes
from hardtack.query.checkout.head import Checkout
from hardtack.store.cache import BundleCache
from hardtack.store.collect import collect
from hardtack.store.overlays import KEPT, KeptOverlays

FILES = {
    "shelf/jar.py": "def close(jar):\n    return seal(jar)\n\n\ndef seal(jar):\n    return jar\n",
    "shelf/lid.py": "from shelf.jar import close\n\n\ndef put(jar):\n    return close(jar)\n",
    "shelf/wide.py": "WIDTH = 3\n",
    "docs/read.md": "# Shelves\n\nHow jars are put.\n",
    ".gitignore": "*.log\n",
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A checkout and its bundle; nothing may write into them."""
    place = tmp_path_factory.mktemp("indexed")
    commit(init(write(place / "tree", FILES)))
    return place / "tree", built(place / "tree", place / "base")


@pytest.fixture
def tree(indexed: tuple[Path, Path], tmp_path: Path) -> Path:
    shutil.copytree(indexed[0], tmp_path / "tree", symlinks=True)
    return tmp_path / "tree"


@pytest.fixture
def cache(tmp_path: Path) -> BundleCache:
    return BundleCache(tmp_path / "cache")


def built(root: Path, place: Path, **options: Any) -> Path:
    build_bundle(root, place, BuildOptions(jobs=1, **{"profile": "keyword", **options}))
    return place


@pytest.fixture
def base(indexed: tuple[Path, Path]) -> Iterator[Bundle]:
    with open_bundle(indexed[1]) as bundle:
        yield bundle


@pytest.fixture
def over(tree: Path, base: Bundle, cache: BundleCache) -> Callable[[], Over]:
    return lambda: Overlays(lambda: cache).over(base, Checkout(tree))


def edit(tree: Path) -> None:
    write(tree, {"shelf/jar.py": FILES["shelf/jar.py"].replace("seal", "press")})


def remove(tree: Path) -> None:
    (tree / "shelf/jar.py").unlink()


def add(tree: Path) -> None:
    write(tree, {"shelf/new.py": "from shelf.jar import seal\n\n\ndef again(jar):\n    return seal(jar)\n"})


def stage(tree: Path) -> None:
    add(tree)
    git(tree, "add", "shelf/new.py")


def rename(tree: Path) -> None:
    git(tree, "mv", "shelf/jar.py", "shelf/pot.py")


def move_a_directory(tree: Path) -> None:
    (tree / "shelf").rename(tree / "cupboard")


def commit_more(tree: Path) -> None:
    edit(tree)
    commit(tree, "more")


def switch(tree: Path) -> None:
    git(tree, "checkout", "--quiet", "-b", "other")
    commit_more(tree)
    add(tree)


def forget(tree: Path) -> None:
    git(tree, "rm", "--quiet", "--cached", "shelf/wide.py")
    write(tree, {".gitignore": "*.log\nwide.py\n"})


def link(tree: Path) -> None:
    (tree / "shelf/jar.py").unlink()
    (tree / "shelf/jar.py").symlink_to("lid.py")


EDITS = {
    "edit": (edit, {"shelf/jar.py"}),
    "delete": (remove, {"shelf/jar.py"}),
    "add": (add, {"shelf/new.py"}),
    "stage": (stage, {"shelf/new.py"}),
    "rename": (rename, {"shelf/jar.py", "shelf/pot.py"}),
    "move": (
        move_a_directory,
        {f"{folder}/{name}.py" for folder in ("shelf", "cupboard") for name in ("jar", "lid", "wide")},
    ),
    "commit": (commit_more, {"shelf/jar.py"}),
    "switch": (switch, {"shelf/jar.py", "shelf/new.py"}),
    "forget": (forget, {".gitignore", "shelf/wide.py"}),
    "link": (link, {"shelf/jar.py"}),
}


@pytest.mark.parametrize("named", EDITS)
def test_what_answers_is_the_bundle_of_the_tree_and_what_is_told_is_what_changed(
    tree: Path, tmp_path: Path, over: Callable[[], Over], named: str
) -> None:
    do, changed = EDITS[named]
    do(tree)
    path, moved = over()
    assert path and moved and moved.is_laid_over and not moved.reason
    assert changed == {*moved.changed_paths}
    whole = built(tree, tmp_path / "whole", worktree=True, repository="")
    assert read_manifest(whole)[1] == read_manifest(path)[1]


def test_a_tree_that_does_not_differ_is_answered_by_the_bundle_without_a_word(over: Callable[[], Over], cache: BundleCache) -> None:
    assert Over(None, None) == over()
    assert not cache.root.exists()


def test_ignored_files_and_what_lies_below_dot_hardtack_do_not_differ(tree: Path, over: Callable[[], Over]) -> None:
    write(tree, {"a.log": "x", ".hardtack/bundle/x": "y"})
    assert Over(None, None) == over()


def test_a_file_that_is_touched_or_changed_back_does_not_differ(tree: Path, over: Callable[[], Over]) -> None:
    os.utime(tree / "shelf/jar.py", (1, 1))
    assert Over(None, None) == over()
    edit(tree)
    assert over().path
    write(tree, FILES)
    assert Over(None, None) == over()


def test_a_commit_that_changes_no_file_is_told_of_and_answered_by_the_bundle(tree: Path, over: Callable[[], Over]) -> None:
    commit(tree, "nothing")
    path, moved = over()
    assert path is None and moved
    assert (0, False, "") == (moved.files_changed, moved.is_laid_over, moved.reason)


def test_the_same_tree_is_built_once_and_each_edit_anew(
    tree: Path, over: Callable[[], Over], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(tree)
    first = over().path
    add(tree)
    second = over().path
    assert first != second
    monkeypatch.setattr(process, "build_over", _fails)
    assert second == over().path
    (tree / "shelf/new.py").unlink()
    assert first == over().path


def _fails(*_: object) -> None:
    raise BuildError("nobody may build")


def test_a_failure_is_told_and_not_tried_again_for_a_while(
    tree: Path, over: Callable[[], Over], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(tree)
    monkeypatch.setattr(process, "build_over", _fails)
    path, moved = over()
    assert path is None and moved
    assert ("nobody may build", ("shelf/jar.py",), False) == (moved.reason, moved.changed_paths, moved.is_laid_over)
    assert moved.sentence.endswith(": 1 file changed; this is of the bundle: nobody may build")
    monkeypatch.undo()
    assert over() == (None, moved), "for ten minutes"
    add(tree)
    assert over().path, "another state is tried at once"


def test_a_tree_that_takes_too_long_to_read_is_not_read_after_every_edit(
    tree: Path, over: Callable[[], Over], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "SECONDS", 0.1)
    edit(tree)
    path, moved = over()
    assert path is None and moved and "it was not read within 0.1 seconds, and is tried again in a while" == moved.reason
    monkeypatch.undo()
    add(tree)
    assert over().path is None


@pytest.mark.parametrize("holds", ["none", "read-only"])
def test_without_a_cache_it_lies_in_a_temporary_directory_that_is_removed(
    tree: Path, base: Bundle, cache: BundleCache, holds: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    if holds == "read-only":
        cache.root.write_text("a file, which no cache can be made in")
    overlays = Overlays(lambda: None if holds == "none" else cache)
    edit(tree)
    path, _ = overlays.over(base, Checkout(tree))
    assert path and path.is_relative_to(temporary)
    assert path == overlays.over(base, Checkout(tree)).path
    add(tree)
    assert path != overlays.over(base, Checkout(tree)).path
    assert 1 == len([*temporary.iterdir()]), "the one before is gone"
    overlays.close()
    assert [] == [*temporary.iterdir()]


def test_a_cache_that_others_may_write_to_is_not_used(tree: Path, base: Bundle, cache: BundleCache) -> None:
    edit(tree)
    cache.root.mkdir(mode=0o777)
    cache.root.chmod(0o777)
    overlays = Overlays(lambda: cache)
    path, _ = overlays.over(base, Checkout(tree))
    assert path and not path.is_relative_to(cache.root)
    overlays.close()


# -- trees that cannot be told ----------------------------------------------------------------------------------------------------


def _conflict(tree: Path) -> None:
    git(tree, "checkout", "--quiet", "-b", "one")
    write(tree, {"shelf/wide.py": "WIDTH = 1\n"})
    commit(tree)
    git(tree, "checkout", "--quiet", "-b", "two", "main")
    write(tree, {"shelf/wide.py": "WIDTH = 2\n"})
    commit(tree)
    with pytest.raises(subprocess.CalledProcessError):
        git(tree, "merge", "one")


def _too_many(tree: Path) -> None:
    write(tree, {f"many/{number}.py": "" for number in range(changes.MOST_FILES + 1)})


def _too_large(tree: Path) -> None:
    write(tree, {"large.txt": "x" * changes.MOST_BYTES, "larger.txt": "x"})


def _foreign_filter(tree: Path) -> None:
    git(tree, "config", "filter.a=b.clean", "touch started")
    edit(tree)


def _sparse(tree: Path) -> None:
    git(tree, "sparse-checkout", "set", "docs")


def _another(tree: Path) -> None:
    shutil.rmtree(tree / ".git")
    commit(init(tree), "unrelated", time=1)


def _gone(tree: Path) -> None:
    shutil.rmtree(tree / ".git")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (_conflict, "a merge with conflicts is under way"),
        (_too_many, "more than 500 files differ"),
        (_too_large, "what differs has more than 5 MB"),
        (_foreign_filter, "git is missing, or cannot read the checkout safely"),
        (_sparse, "the checkout is sparse: files that git tracks are not on the disk"),
        (_another, "the checkout does not have the bundle's commit, or far too much differs from it"),
        (_gone, "there is no checkout any more"),
    ],
)
def test_of_a_tree_that_cannot_be_told_the_bundle_answers_and_says_why(
    tree: Path, over: Callable[[], Over], make: Callable[[Path], None], why: str
) -> None:
    make(tree)
    path, moved = over()
    assert path is None and moved
    assert (why, False) == (moved.reason, moved.is_laid_over)
    assert moved.sentence.endswith(f"; this is of the bundle: {why}")
    if make in (_too_many, _too_large):
        assert moved.changed_paths and len(moved.changed_paths) == min(moved.files_changed or 0, 500), (
            "the changed files are listed"
        )


def test_without_git_the_bundle_answers_and_says_so(
    tree: Path, over: Callable[[], Over], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edit(tree)
    monkeypatch.setenv("PATH", str(tmp_path))
    path, moved = over()
    assert path is None and moved and moved.reason.startswith("git is missing")


def test_a_file_that_may_not_be_read_is_named(tree: Path, over: Callable[[], Over]) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    edit(tree)
    (tree / "shelf/jar.py").chmod(0)
    path, moved = over()
    assert path is None and moved and moved.reason == "shelf/jar.py cannot be read"


def test_a_tree_that_changes_while_it_is_read_is_read_again_and_then_given_up(
    tree: Path, over: Callable[[], Over], cache: BundleCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(tree)
    widths, real = [b"WIDTH = 100\n"], process.build_over

    def build(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        if widths:
            write(tree, {"shelf/wide.py": widths.pop()})

    monkeypatch.setattr(process, "build_over", build)
    path, moved = over()
    assert path and moved and {"shelf/jar.py", "shelf/wide.py"} == {*moved.changed_paths}
    with open_bundle(path) as bundle:
        assert b"WIDTH = 100\n" == bundle.text_of(bundle.files[-1])
    widths += [b"WIDTH = 300\n", b"WIDTH = 200\n"]
    add(tree)
    kept = {*cache.overlays.iterdir()}
    path, moved = over()
    assert path is None and moved and moved.reason == "it changes while it is read"
    assert kept == {*cache.overlays.iterdir()}, "what was built of two states answers for none"


# -- bundles that nothing can be laid over ----------------------------------------------------------------------------------------


def test_a_bundle_without_what_builds_read_says_so(tree: Path, base: Bundle, cache: BundleCache, tmp_path: Path) -> None:
    write_pack(base.path, tmp_path / "light.hardtack")
    write_pack(base.path, tmp_path / "whole.hardtack", for_builds=True)
    edit(tree)
    with open_bundle(tmp_path / "light.hardtack") as light, open_bundle(tmp_path / "whole.hardtack") as whole:
        path, moved = Overlays(lambda: cache).over(light, Checkout(tree))
        assert path is None and moved and moved.reason == "it was packed without what builds read"
        cache = BundleCache(tmp_path / "other")
        assert Overlays(lambda: cache).over(whole, Checkout(tree)).path


def test_without_the_build_extra_answers_are_of_the_bundle_and_say_so(
    tree: Path, over: Callable[[], Over], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(tree)
    monkeypatch.setattr(process, "find_spec", lambda _: None)
    path, moved = over()
    assert path is None and moved and moved.reason == "the extra hardtack[build] is not installed"


def test_over_a_bundle_of_another_tool_or_with_odd_options_nothing_is_built(tree: Path, base: Bundle, tmp_path: Path) -> None:
    manifest = base.manifest
    odd: tuple[dict[str, object], ...] = ({"tests": 1}, {"keep": "all"}, {"keep": [1]}, {"text": "half"}, {"more": 1})
    for options in ({}, *({**manifest.options, **each} for each in odd)):
        with pytest.raises(FormatError):
            options_like(manifest._replace(options=options), base.path)
    shutil.copytree(base.path, tmp_path / "replaced")
    with pytest.raises(BuildError, match="replaced meanwhile"):
        process.build_over(tmp_path / "replaced", "sha256:" + "0" * 64, tree, tmp_path / "made")


def test_the_options_of_the_bundle_below_are_those_of_the_tree(tree: Path, cache: BundleCache, tmp_path: Path) -> None:
    write(tree, {"tests/test_jar.py": "def test_it():\n    assert True\n"})
    commit(tree, "a test")
    from hardtack.build.source.decode import SourceOptions

    source = SourceOptions(tests=False, keep=("*.log",), max_file_size=5000)
    below = built(tree, tmp_path / "below", source=source, profile="hybrid", encoder=EncoderSettings())
    edit(tree)
    with open_bundle(below) as bundle:
        path, _ = Overlays(lambda: cache).over(bundle, Checkout(tree))
    whole = built(tree, tmp_path / "whole", source=source, profile="hybrid", worktree=True, repository="")
    assert path and read_manifest(whole)[1] == read_manifest(path)[1]


def test_a_bundle_of_files_on_the_disk_is_held_against_the_disk(tree: Path, cache: BundleCache, tmp_path: Path) -> None:
    edit(tree)
    (tree / "shelf/wide.py").unlink()
    with open_bundle(built(tree, tmp_path / "dirty", worktree=True)) as dirty:
        overlays = Overlays(lambda: cache)
        assert Over(None, None) == overlays.over(dirty, Checkout(tree)), "it was built of just that"
        write(tree, FILES)
        path, moved = overlays.over(dirty, Checkout(tree))
        assert path and moved and {"shelf/jar.py", "shelf/wide.py"} == {*moved.changed_paths}


def test_a_bundle_of_a_part_of_a_repository_is_laid_over_with_that_part(tree: Path, cache: BundleCache, tmp_path: Path) -> None:
    with open_bundle(built(tree / "shelf", tmp_path / "part")) as part:
        edit(tree)
        write(tree, {"docs/read.md": "elsewhere\n"})
        path, moved = Overlays(lambda: cache).over(part, Checkout(tree / "shelf"))
    assert path and moved and ("jar.py",) == moved.changed_paths


def test_a_linked_worktree_on_another_branch_is_served_by_the_same_bundle(
    tree: Path, base: Bundle, cache: BundleCache, tmp_path: Path
) -> None:
    git(tree, "worktree", "add", "--quiet", tmp_path / "linked", "-b", "side")
    edit(tmp_path / "linked")
    overlays = Overlays(lambda: cache)
    assert Over(None, None) == overlays.over(base, Checkout(tree))
    path, moved = overlays.over(base, Checkout(tmp_path / "linked"))
    assert path and moved and "side" == moved.current_branch


def test_no_filter_and_no_hook_of_a_repository_is_run(tree: Path, over: Callable[[], Over], tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    write(tree, {".gitattributes": "*.py filter=evil diff=evil\n"})
    for key in ("filter.evil.clean", "filter.evil.process", "diff.evil.textconv", "core.fsmonitor", "core.hooksPath"):
        git(tree, "config", key, str(trap))
    edit(tree)
    path, moved = over()
    assert path and moved and {".gitattributes", "shelf/jar.py"} == {*moved.changed_paths}
    assert not (tmp_path / "sprung").exists()


# -- what is kept -----------------------------------------------------------------------------------------------------------------


def test_few_are_kept_and_those_that_were_used_last(tree: Path, over: Callable[[], Over], cache: BundleCache) -> None:
    edit(tree)
    first = over().path
    assert first
    paths = []
    for number in range(KEPT):
        write(tree, {"shelf/wide.py": f"WIDTH = 1{number}\n"})
        paths.append(over().path)
        os.utime(first)
    kept = {path for path in cache.overlays.iterdir() if path.is_dir()}
    assert KEPT == len(kept)
    assert first in kept and paths[-1] in kept and paths[0] not in kept


def test_they_take_so_many_bytes_at_most_and_the_last_one_stays(
    tree: Path, over: Callable[[], Over], cache: BundleCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(tree)
    assert over().path
    monkeypatch.setattr("hardtack.store.overlays.KEPT_BYTES", 1)
    add(tree)
    assert [over().path] == [path for path in cache.overlays.iterdir() if path.is_dir()]


def test_collecting_garbage_removes_what_was_not_used_for_a_day(tree: Path, over: Callable[[], Over], cache: BundleCache) -> None:
    edit(tree)
    path = over().path
    assert path
    KeptOverlays(cache).fail("0" * 64, "why")
    collect(cache)
    assert path.exists()
    done = collect(cache, grace=-60)
    assert [] == [*cache.overlays.iterdir()]
    assert done.bytes > 0
