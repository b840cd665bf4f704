from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from checkouts import Checkout

from hardtack.build.source.tree import SourceOptions, open_tree
from hardtack.errors import SourceUnreadable
from hardtack.nouns.outline import Skip, SkipReason, SourceFile


def items_of(root: Path, **arguments: Any) -> list[SourceFile | Skip]:
    return list(open_tree(root, **arguments).files())


def paths_of(root: Path, **arguments: Any) -> list[str]:
    return [item.path for item in items_of(root, **arguments)]


def reasons_of(root: Path, **arguments: Any) -> dict[str, SkipReason | None]:
    return {item.path: item.reason if isinstance(item, Skip) else None for item in items_of(root, **arguments)}


def test_files_come_in_order_of_their_path_bytes(directory: Checkout) -> None:
    directory.write(dict.fromkeys(("a/b", "a.b", "a-b", "a0", "B", "é", "z/y/x", "z/y.x"), "x"))
    assert paths_of(directory.root) == ["B", "a-b", "a.b", "a/b", "a0", "z/y.x", "z/y/x", "é"]


def test_paths_that_differ_by_case_or_normalisation_are_both_kept(directory: Checkout) -> None:
    directory.write({"A": "1", "a": "2", "\u00e9": "3", "e\u0301": "4"})
    assert paths_of(directory.root) == ["A", "a", "e\u0301", "\u00e9"]


def test_links_and_special_files_are_named_and_never_opened(directory: Checkout) -> None:
    directory.write({"real/a.txt": "x"})
    (directory.root / "link").symlink_to("real/a.txt")
    (directory.root / "out").symlink_to("/etc")
    os.mkfifo(directory.root / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(directory.root / "socket"))
    expected = {
        "link": SkipReason.SYMLINK,
        "out": SkipReason.SYMLINK,
        "pipe": SkipReason.SPECIAL,
        "real/a.txt": None,
        "socket": SkipReason.SPECIAL,
    }
    assert expected == reasons_of(directory.root)


def test_a_path_that_is_no_label_is_skipped_with_a_printable_name(directory: Checkout) -> None:
    (directory.root / os.fsdecode(b"caf\xe9")).write_text("x")
    (directory.root / "a\nb").write_text("x")
    (directory.root / "back\\slash").write_text("x")
    assert reasons_of(directory.root) == {
        "a\\x0ab": SkipReason.UNSAFE_PATH,
        "back\\\\slash": SkipReason.UNSAFE_PATH,
        "caf\\xe9": SkipReason.UNSAFE_PATH,
    }


def test_gitignore_rules_apply_to_a_directory_that_is_no_checkout(directory: Checkout) -> None:
    directory.write({".gitignore": "*.log\n/out/\n", "x.log": "", "out/a": "", "src/out/a": "", "src/.gitignore": "!keep.log\n"})
    directory.write({"src/keep.log": "", "src/x.log": ""})
    assert paths_of(directory.root) == [".gitignore", "src/.gitignore", "src/keep.log", "src/out/a"]


def test_an_ignore_file_that_is_a_link_is_not_followed(directory: Checkout) -> None:
    directory.write({"rules": "*.txt\n", "a.txt": "x"})
    (directory.root / ".gitignore").symlink_to("rules")
    assert reasons_of(directory.root) == {".gitignore": SkipReason.SYMLINK, "a.txt": None, "rules": None}


def test_a_file_in_an_ignored_directory_cannot_be_included_again(directory: Checkout) -> None:
    directory.write({".gitignore": "out/\n!out/keep\n", "out/keep": "", "out/.gitignore": "!keep\n"})
    assert paths_of(directory.root) == [".gitignore"]


def test_housekeeping_and_the_place_of_the_bundle_are_not_entered(directory: Checkout) -> None:
    directory.write(dict.fromkeys((".hg/a", ".svn/a", ".hardtack/bundle/a", "out/bundle/a", "out/a", "a"), "x"))
    assert paths_of(directory.root, exclude=directory.root / "out" / "bundle") == ["a", "out/a"]


def test_a_checkout_s_files_are_those_git_tracks_and_those_it_would_add(checkout: Checkout) -> None:
    checkout.commit({".gitignore": "*.log\nbuild/\n", "tracked.log": "x", "build/kept.txt": "x", "a.txt": "x"})
    checkout.write({"new.txt": "x", "new.log": "x", "build/made.txt": "x", "local.txt": "x", ".git/info/exclude": "/local.txt\n"})
    assert paths_of(checkout.root, worktree=True) == [".gitignore", "a.txt", "build/kept.txt", "new.txt", "tracked.log"]


def test_ignore_rules_above_the_root_apply_below_it(checkout: Checkout) -> None:
    checkout.commit({".gitignore": "*.log\n/sub/out/\n", "sub/a.txt": "x", ".hardtackignore": "sub/big.txt\n", "sub/big.txt": "x"})
    checkout.write({"sub/new.log": "x", "sub/out/x": "x", "sub/deep/out/x": "x"})
    assert reasons_of(checkout.root / "sub", worktree=True) == {"a.txt": None, "big.txt": SkipReason.IGNORED, "deep/out/x": None}


def test_a_repository_inside_is_named_and_not_entered(checkout: Checkout, make_checkout: Callable[[str], Checkout]) -> None:
    checkout.commit({"a.txt": "x"})
    make_checkout("checkout/inner").commit({"b.txt": "x"})
    (checkout.root / "worktree").mkdir()
    (checkout.root / "worktree" / ".git").write_text("gitdir: /nowhere\n")
    (checkout.root / "plain" / ".git").mkdir(parents=True)
    (checkout.root / "plain" / "c.txt").write_text("x")
    assert reasons_of(checkout.root, worktree=True) == {
        "a.txt": None,
        "inner": SkipReason.SUBMODULE,
        "plain/c.txt": None,
        "worktree": SkipReason.SUBMODULE,
    }


def test_hardtackignore_applies_to_tracked_files_and_says_which_line(directory: Checkout) -> None:
    directory.write(
        {".hardtackignore": "data/\n", "data/a.csv": "", "src/.hardtackignore": "# x\n*.gen\n", "src/b.gen": "", "b.gen": ""}
    )
    skips = {item.path: item.detail for item in items_of(directory.root) if isinstance(item, Skip)}
    assert skips == {"data/a.csv": ".hardtackignore line 1", "src/b.gen": "src/.hardtackignore line 2"}


def test_a_file_over_the_limit_is_not_read(directory: Checkout) -> None:
    with (directory.root / "huge.txt").open("wb") as file:
        file.truncate(1 << 40)
    directory.write({"a.txt": "x"})
    skips = [item for item in items_of(directory.root, options=SourceOptions(max_file_size=1)) if isinstance(item, Skip)]
    assert skips == [Skip(path="huge.txt", reason=SkipReason.TOO_LARGE, detail=f"{1 << 40} bytes, over the limit of 1")]


def test_a_tree_deeper_than_python_recurses_is_walked(directory: Checkout) -> None:
    depth = 1200
    here = os.open(directory.root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    try:
        assert ["d/" * depth + "f"] == paths_of(directory.root)
    finally:  # pytest's own cleaning up recurses, and would fail in every later run
        subprocess.run(["rm", "-rf", str(directory.root)], check=True)


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A directory that user 65534 may enter, in a process that runs as that user if it would otherwise be root."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_what_may_not_be_read_is_skipped_and_the_rest_is_kept(unprivileged: Path) -> None:
    root = unprivileged
    (root / "a.txt").write_text("x")
    (root / "b.txt").write_text("x")
    (root / "shut").mkdir()
    (root / "b.txt").chmod(0)
    (root / "shut").chmod(0)
    tree = open_tree(root)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    try:
        items = list(tree.files())
    finally:
        if is_root:
            os.seteuid(0)
        (root / "shut").chmod(0o755)
    assert [(item.path, item.detail if isinstance(item, Skip) else None) for item in items] == [
        ("a.txt", None),
        ("b.txt", "Permission denied"),
        ("shut", "Permission denied"),
    ]


def test_an_ignore_file_that_cannot_be_used_stops_the_walk(directory: Checkout) -> None:
    directory.write({"sub/.hardtackignore": b"x\n" * (1 << 20)})
    with pytest.raises(SourceUnreadable, match=r"sub/\.hardtackignore has 2097152 bytes"):
        paths_of(directory.root)
