from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import Checkout

from hardtack.build.source.git import BlobReader, TreeEntry, find_repository, list_tree, read_commit
from hardtack.build.source.tree import open_tree
from hardtack.errors import SourceUnreadable
from hardtack.git import normalise_repository
from hardtack.nouns.outline import Skip, SkipReason, SourceFile


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/Owner/Name.git", "github.com/Owner/Name"),
        ("https://me:secret@GitHub.com:443/o/n.git/", "github.com/o/n"),
        ("https://x-access-token:ghs_1@github.com/o/n", "github.com/o/n"),
        ("ssh://git@github.com:22/o/n.git", "github.com/o/n"),
        ("git@github.com:o/n.git", "github.com/o/n"),
        ("github.com:o/n", "github.com/o/n"),
        ("git@gitlab.example.org:group/sub/n.git", "gitlab.example.org/group/sub/n"),
        ("git://example.org/n", "example.org/n"),
        ("https://github.com/o/n?token=1#x", "github.com/o/n"),
        ("/srv/git/n.git", ""),
        ("../n.git", ""),
        ("file:///srv/n.git", ""),
        ("file://host/srv/n.git", ""),
        ("C:/repos/n", ""),
        ("C:\\work\\n", ""),
        ("ext::sh -c evil", ""),
        ("https://user:pa/ss@github.com/o/n", ""),
        ("https://[bad/o/n", ""),
        ("https://github.com/../n", ""),
        ("https://github.com", ""),
        ("https://github.com/o/n\nx", ""),
        ("", ""),
    ],
)
def test_a_remote_is_named_by_host_owner_and_name_and_never_by_a_secret(url: str, expected: str) -> None:
    assert expected == normalise_repository(url)


def test_a_hostile_configuration_starts_no_program(checkout: Checkout, tmp_path: Path) -> None:
    commit = checkout.commit({"a.txt": "one\n", ".gitattributes": "* filter=evil\n"})
    fired = tmp_path / "fired"
    program = tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\necho $0 $* >> {fired}\ncat\n")
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-checkout", "fsmonitor-watchman", "post-index-change", "reference-transaction", "pre-commit"):
        shutil.copy(program, hooks / hook)
    for key in (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "core.sshCommand",
        "gpg.program",
    ):
        checkout.git("config", key, str(program))
    for key, value in (
        ("core.hooksPath", str(hooks)),
        ("filter.evil.required", "true"),
        ("log.showSignature", "true"),
        ("diff.external", str(program)),
        ("core.pager", str(program)),
        ("status.submoduleSummary", "true"),
    ):
        checkout.git("config", key, value)
    checkout.write({"a.txt": "two\n"})
    # The bait works: without our protections git starts the program to compare the changed file.
    os.utime(checkout.root / "a.txt", (1, 1))
    checkout.git(
        "-c", "core.fsmonitor=false", "-c", "filter.evil.process=", "-c", "filter.evil.required=false", "status", "--porcelain"
    )
    assert fired.exists()
    fired.unlink()

    tree = open_tree(checkout.root)
    assert [file.text for file in tree.files() if isinstance(file, SourceFile)] == [b"* filter=evil\n", b"one\n"]
    on_disk = open_tree(checkout.root, worktree=True)
    assert len(list(on_disk.files())) == 2

    assert (commit, True) == (tree.provenance.commit, on_disk.provenance.is_dirty)
    assert not fired.exists()


def test_a_filter_that_cannot_be_switched_off_means_that_git_is_not_asked(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    checkout.git("config", "filter.a=b.clean", "false")
    tree = open_tree(checkout.root)
    assert tuple(note.partition(" commit ")[0] for note in tree.notes) == ("Tracked files may differ from",)
    assert open_tree(checkout.root, worktree=True).provenance.is_dirty


def test_the_caller_s_git_variables_do_not_redirect_git(
    checkout: Checkout, make_checkout: Callable[[str], Checkout], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = checkout.commit({"a.txt": "one\n"})
    other = make_checkout("other")
    other.commit({"b.txt": "two\n"})
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    assert commit == open_tree(checkout.root).provenance.commit


def test_replacement_objects_are_not_looked_at(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    original = checkout.git("rev-parse", "HEAD:a.txt")
    checkout.git("replace", original, checkout.git("hash-object", "-w", "--stdin", stdin=b"two\n"))
    assert [file.text for file in open_tree(checkout.root).files() if isinstance(file, SourceFile)] == [b"one\n"]


def test_more_blobs_than_the_window_come_back_whole_and_in_order(checkout: Checkout) -> None:
    files: dict[str, str | bytes] = {f"{number:03}.txt": f"{number}\n" * 5000 for number in range(3 * BlobReader.MAX_AHEAD)}
    checkout.commit(files)
    assert files == {file.path: file.text.decode() for file in open_tree(checkout.root).files() if isinstance(file, SourceFile)}


def test_a_missing_blob_is_a_skip_that_names_it(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n", "b.txt": "two\n"})
    blob = checkout.git("rev-parse", "HEAD:b.txt")
    (checkout.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    file, skip = open_tree(checkout.root).files()
    assert ("a.txt", "b.txt") == (file.path, skip.path)
    assert isinstance(skip, Skip)
    assert (SkipReason.UNREADABLE, True) == (skip.reason, blob in skip.detail)


def test_a_corrupt_blob_is_never_indexed(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n", "b.txt": "two\n"})
    blob = checkout.git("rev-parse", "HEAD:b.txt")
    place = checkout.root / ".git" / "objects" / blob[:2] / blob[2:]
    place.chmod(0o644)
    other = checkout.git("rev-parse", "HEAD:a.txt")
    place.write_bytes((checkout.root / ".git" / "objects" / other[:2] / other[2:]).read_bytes())
    with pytest.raises(SourceUnreadable, match=blob):
        list(open_tree(checkout.root).files())
    place.write_bytes(b"no zlib")
    _, skip = open_tree(checkout.root).files()
    assert isinstance(skip, Skip)
    assert (SkipReason.UNREADABLE, True) == (skip.reason, blob in skip.detail)


def test_a_partial_clone_fetches_nothing_and_says_what_it_lacks(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit({"a.txt": "one\n"})
    checkout.git("config", "uploadpack.allowFilter", "true")
    checkout.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{checkout.root}", str(tmp_path / "partial"))
    blob = checkout.git("rev-parse", "HEAD:a.txt")
    objects_before = sorted((tmp_path / "partial" / ".git" / "objects").rglob("*"))
    with pytest.raises(SourceUnreadable, match=blob):
        list(open_tree(tmp_path / "partial").files())
    assert objects_before == sorted((tmp_path / "partial" / ".git" / "objects").rglob("*"))


def test_a_blob_that_git_does_not_know_is_an_error_not_an_endless_wait(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    repository = find_repository(checkout.root)
    assert repository is not None
    with BlobReader(repository) as blobs:
        blobs.request("0" * 40)
        with pytest.raises(SourceUnreadable, match=r"x\.txt"):
            blobs.read(TreeEntry(b"x.txt", b"100644", "0" * 40, 1))


def test_the_listing_of_a_commit_is_in_order_of_path_bytes(checkout: Checkout) -> None:
    checkout.commit(dict.fromkeys(("a/b", "a.b", "a-b", "a0", "B", "é", "z/y/x", "z/y.x"), "x"))
    repository = find_repository(checkout.root)
    assert repository is not None
    paths = [entry.path for entry in list_tree(repository, read_commit(repository).tree)]
    assert [b"B", b"a-b", b"a.b", b"a/b", b"a0", b"z/y.x", b"z/y/x", "é".encode()] == paths


def test_the_inside_of_a_git_directory_is_refused(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    with pytest.raises(SourceUnreadable, match="inside of a git directory"):
        open_tree(checkout.root / ".git")
