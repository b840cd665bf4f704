"""Repositories and directories that are small to write and endless to read: a build ends at a limit, with one sentence."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkouts import Checkout

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.build.source.git import BlobReader, find_repository, list_tree
from hardtack.build.source.git_stream import GitSilent, GitStream
from hardtack.build.source.limits import Deadline, TreeLimits
from hardtack.build.source.tree import SourceOptions, open_tree
from hardtack.errors import BuildError, SourceUnreadable
from hardtack.git import MEMORY_LIMIT, git_output
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

LIMITED = SourceOptions(limits=TreeLimits(paths=20_000))


def _tree(checkout: Checkout, entries: str) -> str:
    return checkout.git("mktree", stdin=entries.encode())


def _bomb(checkout: Checkout, innermost: str, *, levels: int = 10) -> None:
    """A commit whose tree holds ten times ten times ... the innermost entries."""
    inner = _tree(checkout, innermost)
    for _ in range(levels):
        inner = _tree(checkout, "".join(f"040000 tree {inner}\td{number}\n" for number in range(10)))
    checkout.git("update-ref", "HEAD", checkout.git("commit-tree", inner, "-m", "bomb"))


@pytest.fixture(params=["files", "empty trees", "submodules", "links", "one deep line of trees"])
def bomb(request: pytest.FixtureRequest, checkout: Checkout) -> Checkout:
    """A repository of a few kilobytes that has ten thousand million paths."""
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"one\n")
    innermost = {
        "files": "".join(f"100644 blob {blob}\tf{number}\n" for number in range(10)),
        "empty trees": "",
        "submodules": f"160000 commit {'1' * 40}\tm\n",
        "links": f"120000 blob {blob}\tl\n",
        "one deep line of trees": f"100644 blob {blob}\tf\n",
    }[request.param]
    _bomb(checkout, innermost)
    return checkout


def _peak_of(program: str, *arguments: Path) -> tuple[int, int, str]:
    """(bytes of memory that a program took at most, the same of git that it ran, what it printed)."""
    # Not ru_maxrss of the program itself: Linux hands that on from the process that started it, this one.
    code = f"""
import re, resource, sys
from pathlib import Path
{program}
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=True
    )
    *said, own, children = done.stdout.splitlines()
    return 1024 * int(own), 1024 * int(children), "\n".join(said)


COUNTING = """
from hardtack.build.source.limits import TreeLimits
from hardtack.build.source.tree import SourceOptions, open_tree
from hardtack.errors import BuildError
try:
    open_tree(Path(sys.argv[1]), options=SourceOptions(limits=TreeLimits(paths=300_000))).count()
except BuildError as error:
    print(error)
"""


def test_a_tree_of_endless_paths_ends_at_the_limit_with_little_memory(bomb: Checkout) -> None:
    started = time.monotonic()
    with pytest.raises(BuildError, match="more than 20000 files and directories") as refused:
        list(open_tree(bomb.root, options=LIMITED).files())
    assert time.monotonic() - started < 60  # some seconds, on a machine that does nothing else
    assert "--max-files" in refused.value.hint


def test_no_listing_is_held_in_memory(checkout: Checkout) -> None:
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"one\n")
    _bomb(checkout, "".join(f"100644 blob {blob}\tf{number}\n" for number in range(10)))
    own, of_git, said = _peak_of(COUNTING, checkout.root)
    assert (True, True) == ("more than 300000 files" in said, own < 256 << 20)
    assert of_git < MEMORY_LIMIT * 1.1  # it compares the tree with the index until it has taken that, or too much time


def test_a_tree_within_the_limit_is_read_and_one_path_more_is_too_many(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n", "b/c.txt": "two\n"})
    for worktree in (False, True):
        options = SourceOptions(limits=TreeLimits(paths=4 if worktree else 3))  # on the disk there is .git as well
        assert 2 == len(list(open_tree(checkout.root, worktree=worktree, options=options).files()))
        options = SourceOptions(limits=TreeLimits(paths=1 if worktree else 2))
        with pytest.raises(BuildError, match="files and directories"):
            list(open_tree(checkout.root, worktree=worktree, options=options).files())


def test_paths_that_are_long_are_skipped_and_end_the_build_when_they_are_many(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"one\n")
    _bomb(checkout, "".join(f"100644 blob {blob}\t{number}{'x' * 1_000_000}\n" for number in range(3)), levels=0)
    tree = open_tree(checkout.root)
    assert {SkipReason.UNSAFE_PATH} == {item.reason for item in tree.files() if isinstance(item, Skip)}
    assert 3 == tree.count()
    monkeypatch.setattr("hardtack.build.source.limits._LISTING_BYTES", 10_000)
    with pytest.raises(BuildError, match="more than 10000 bytes"):
        tree.count()


def test_a_blob_of_gigabytes_is_skipped_by_its_size_and_never_unfolded(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    size = 1 << 30
    packer = zlib.compressobj(1)
    piece = b"\0" * (1 << 20)
    packed = packer.compress(b"blob %d\0" % size) + b"".join(packer.compress(piece) for _ in range(size >> 20)) + packer.flush()
    # Under a name that is not its own: git looks at the name only when it checks.
    name = "12" + "3" * 38
    (checkout.root / ".git" / "objects" / "12").mkdir(exist_ok=True)
    (checkout.root / ".git" / "objects" / "12" / name[2:]).write_bytes(packed)
    small = checkout.git("rev-parse", "HEAD:a.txt")
    _bomb(checkout, f"100644 blob {name}\tlarge.txt\n100644 blob {small}\ta.txt\n100644 blob {name}\t.hardtackkeep2\n", levels=0)
    program = """
from hardtack.build.source.tree import open_tree
for item in open_tree(Path(sys.argv[1])).files():
    print(item.path, getattr(item, "reason", ""))
"""
    own, of_git, said = _peak_of(program, checkout.root)
    assert ("a.txt" in said, "large.txt too large" in said) == (True, True), said
    assert (own < 256 << 20, of_git < 256 << 20) == (True, True)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process's memory")
def test_git_s_own_memory_is_limited(checkout: Checkout) -> None:
    with GitStream(checkout.root, "cat-file", "--batch", has_input=True) as git:
        process = git._git.pid
        assert (1 << 30, 1 << 30) == resource.prlimit(process, resource.RLIMIT_DATA)


def test_a_blob_of_another_size_than_was_listed_is_not_read(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    repository = find_repository(checkout.root)
    assert repository is not None
    (entry,) = list_tree(repository, checkout.git("rev-parse", "HEAD^{tree}"))
    with BlobReader(repository) as blobs:
        blobs.request(entry.object_id)
        with pytest.raises(SourceUnreadable, match=entry.object_id):
            blobs.read(type(entry)(entry.path, entry.mode, entry.object_id, 2))


@pytest.mark.parametrize("worktree", [False, True], ids=["commit", "files"])
def test_source_that_is_more_than_the_limit_ends_the_build_with_a_remedy(checkout: Checkout, worktree: bool) -> None:
    checkout.commit({f"{number}.txt": "x" * 1000 for number in range(20)})
    assert 20 == len(list(open_tree(checkout.root, worktree=worktree).files()))
    options = SourceOptions(limits=TreeLimits(bytes=10_000))
    with pytest.raises(BuildError, match="more than 10000 bytes of source") as refused:
        list(open_tree(checkout.root, worktree=worktree, options=options).files())
    assert "--max-source" in refused.value.hint


def test_one_blob_at_endless_paths_is_that_much_source(checkout: Checkout) -> None:
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"x = 1\n" * 10_000)
    _bomb(checkout, f"100644 blob {blob}\tf.py\n", levels=3)
    with pytest.raises(BuildError, match="bytes of source"):
        list(open_tree(checkout.root, options=SourceOptions(limits=TreeLimits(bytes=1_000_000))).files())


def test_ignore_files_of_many_bytes_or_many_lines_are_refused(checkout: Checkout) -> None:
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"#" * 1_000_000)
    _bomb(checkout, f"100644 blob {blob}\t.hardtackignore\n", levels=3)
    with pytest.raises(SourceUnreadable, match="ignore files up to"):
        list(open_tree(checkout.root).files())
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"*a?\n" * 100_000)
    _bomb(checkout, f"100644 blob {blob}\t.hardtackkeep\n", levels=0)
    with pytest.raises(SourceUnreadable, match="more than 20000 lines"):
        list(open_tree(checkout.root).files())


def test_an_index_of_endless_entries_ends_at_the_limit(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    blob = checkout.git("rev-parse", "HEAD:a.txt")
    checkout.git("update-index", "--index-info", stdin=b"".join(b"100644 %s\tf%d\n" % (blob.encode(), n) for n in range(5_000)))
    with pytest.raises(BuildError, match="files and directories"):
        open_tree(checkout.root, worktree=True, options=SourceOptions(limits=TreeLimits(paths=1_000)))


def test_a_directory_of_many_entries_ends_at_the_limit_before_it_is_sorted(directory: Checkout) -> None:
    for number in range(3_000):
        (directory.root / f"{number}.txt").touch()
    with pytest.raises(BuildError, match="more than 1000 files"):
        open_tree(directory.root, options=SourceOptions(limits=TreeLimits(paths=1_000))).count()


def test_a_directory_that_is_deeper_than_any_path_is_left_out_with_a_reason(directory: Checkout) -> None:
    import os

    at = os.open(directory.root, os.O_RDONLY)
    (directory.root / "a.txt").write_text("one\n")
    for _ in range(3_000):  # 6,000 bytes of path
        os.mkdir("d", dir_fd=at)
        inner = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)
    items = list(open_tree(directory.root).files())
    subprocess.run(["rm", "-r", directory.root / "d"], check=True)  # shutil.rmtree, with which pytest cleans up, recurses as deep
    assert ["a.txt"] == [item.path for item in items if isinstance(item, SourceFile)]
    assert 1 == len([item for item in items if isinstance(item, Skip)])


def test_git_that_says_nothing_is_killed_and_one_that_is_read_slowly_is_not(checkout: Checkout) -> None:
    checkout.commit({f"{number}.txt": "x" * 200_000 for number in range(3)})
    with GitStream(checkout.root, "cat-file", "--batch", has_input=True, idle_seconds=0.5) as git, pytest.raises(GitSilent):
        git.piece()
    asked = ("cat-file", "--batch-all-objects", "--batch")
    with GitStream(checkout.root, *asked, idle_seconds=0.5) as git:
        pieces: list[bytes] = []
        while piece := git.piece():
            pieces.append(piece)
            time.sleep(0.2 if len(pieces) < 6 else 0)
        assert (0, True) == (git.end(), sum(map(len, pieces)) > 200_000)


def test_what_git_complains_of_does_not_hold_it_up(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    with GitStream(checkout.root, "cat-file", "--batch-check", has_input=False) as git:
        assert b"" == git.piece()
    with GitStream(checkout.root, "rev-parse", "--verify", "x" * 2000) as git:
        assert (b"", 128, True) == (git.piece(), git.end(), git.said.startswith(b"fatal:"))


def test_an_answer_of_more_bytes_than_are_wanted_is_none(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "x" * 10_000})
    assert 10_000 == len(git_output(checkout.root, "cat-file", "blob", "HEAD:a.txt", seconds=10) or b"")
    assert git_output(checkout.root, "cat-file", "blob", "HEAD:a.txt", seconds=10, most=9_999) is None


def test_a_message_of_many_megabytes_is_no_commit_to_build(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    message = checkout.root.parent / "message"
    message.write_bytes(b"x" * (20 << 20))
    checkout.git("commit", "--quiet", "--allow-empty", "-F", str(message))
    with pytest.raises(SourceUnreadable, match="an answer of more than"):
        open_tree(checkout.root)


def test_a_build_that_is_over_its_time_is_refused_and_leaves_nothing(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout.commit({"a.py": "x = 1\n"})
    with pytest.raises(BuildError, match="took more than 0 seconds") as refused:
        build_bundle(checkout.root, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1, max_seconds=0))
    assert ("--max-time" in refused.value.hint, False) == (True, (tmp_path / "bundle").exists())
    Deadline(60).check()


def _records(data: bytes, most: int, piece: int) -> Iterator[bytes]:
    stream = GitStream.__new__(GitStream)
    pieces = [data[start : start + piece] for start in range(0, len(data), piece)]
    stream.piece = lambda: pieces.pop(0) if pieces else b""  # type: ignore[method-assign]
    yield from stream.records(most)


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 100])
def test_records_are_cut_wherever_the_pieces_end(piece: int) -> None:
    assert [b"a", b"", b"bcdef", b"gh"] == list(_records(b"a\0\0bcdefxyz\0gh\0unfinished", 5, piece))
