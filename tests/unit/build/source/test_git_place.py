"""Checkouts whose git directory leads into another repository, or holds what git would wait for, told apart from honest ones."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import Checkout, git

from hardtack.build.source.git_place import place_of
from hardtack.build.source.tree import open_tree
from hardtack.errors import HardtackError, PolicyError, SourceUnreadable
from hardtack.nouns.outline import SourceFile

Attack = Callable[[Path, Path], None]


@pytest.fixture
def private(make_checkout: Callable[[str], Checkout]) -> Path:
    """Another repository of this machine, which nobody means to publish."""
    other = make_checkout("private")
    other.commit({"private.txt": "not to be published\n"})
    other.git("gc", "--quiet")
    return other.root


def _git_file(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").write_text(f"gitdir: {private / '.git'}\n")


def _relative_git_file(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").write_text("gitdir: ../private/.git")


def _link(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").symlink_to(private / ".git")


def _git_file_to_a_link(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / "real").symlink_to(private / ".git")
    (root / ".git").write_text("gitdir: real\n")


def _common_directory(root: Path, private: Path) -> None:
    (root / ".git" / "commondir").write_text(f"{private / '.git'}\n")


def _common_directory_alone(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "commondir").write_text("../../private/.git\n")


def _forged_worktree(root: Path, private: Path) -> None:
    """A worktree whose administrative files the attacker wrote, back-pointer and all."""
    shutil.rmtree(root / ".git")
    own = root / "admin" / "worktrees" / "x"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "commondir").write_text(f"{private / '.git'}\n")
    (own / "gitdir").write_text(f"{root / '.git'}\n")
    (root / ".git").write_text(f"gitdir: {own}\n")


def _linked_objects(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git" / "objects")
    (root / ".git" / "objects").symlink_to(private / ".git" / "objects")
    (root / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD") + "\n")


def _linked_pack(root: Path, private: Path) -> None:
    pack = root / ".git" / "objects" / "pack"
    pack.mkdir(exist_ok=True)
    for file in (private / ".git" / "objects" / "pack").iterdir():
        (pack / file.name).symlink_to(file)
    (root / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD") + "\n")


def _linked_packs_behind_a_link(root: Path, private: Path) -> None:
    """The link in ``.git`` stays in the checkout; what is there leads out of it."""
    shutil.rmtree(root / ".git" / "objects")
    (root / "theirs" / "info").mkdir(parents=True)
    (root / "theirs" / "pack").symlink_to(private / ".git" / "objects" / "pack")
    (root / ".git" / "objects").symlink_to("../theirs")
    (root / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD") + "\n")


def _linked_references(root: Path, private: Path) -> None:
    shutil.rmtree(root / ".git" / "refs")
    (root / ".git" / "refs").symlink_to(private / ".git" / "refs")


def _alternates(root: Path, private: Path) -> None:
    (root / ".git" / "objects" / "info" / "alternates").write_text(f"{private / '.git' / 'objects'}\n")
    (root / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD") + "\n")


def _alternates_of_alternates(root: Path, private: Path) -> None:
    (root / "mine" / "info").mkdir(parents=True)
    (root / "mine" / "info" / "alternates").write_text(f"# theirs\n{private / '.git' / 'objects'}\n")
    (root / ".git" / "objects" / "info" / "alternates").write_text("../../mine\n")
    (root / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD") + "\n")


def _quoted_alternates(root: Path, private: Path) -> None:
    (root / ".git" / "objects" / "info" / "alternates").write_text(f'"{private}/.git/obj\\145cts"\n')
    (root / ".git" / "refs" / "heads" / "main").write_text(git(private, "rev-parse", "HEAD") + "\n")


def _work_tree(root: Path, private: Path) -> None:
    git(root, "config", "core.worktree", str(private))


ATTACKS = [
    *(_git_file, _relative_git_file, _link, _git_file_to_a_link, _common_directory, _common_directory_alone, _forged_worktree),
    *(_linked_objects, _linked_pack, _linked_packs_behind_a_link, _linked_references),
    *(_alternates, _alternates_of_alternates, _quoted_alternates, _work_tree),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__.strip("_"))
@pytest.mark.parametrize("worktree", [False, True], ids=["commit", "files"])
def test_a_checkout_that_leads_into_another_repository_is_refused_with_where_it_leads(
    checkout: Checkout, private: Path, attack: Attack, worktree: bool
) -> None:
    checkout.commit({"a.txt": "one\n"})
    attack(checkout.root, private)
    with pytest.raises(PolicyError, match=str(private)) as refused:
        open_tree(checkout.root, worktree=worktree)
    assert "--follow-git" in refused.value.hint
    assert 6 == refused.value.exit_code


@pytest.mark.parametrize("attack", [_git_file, _alternates, _linked_objects], ids=lambda attack: attack.__name__.strip("_"))
def test_what_a_person_asks_for_is_followed_and_noted(checkout: Checkout, private: Path, attack: Attack) -> None:
    checkout.commit({"a.txt": "one\n"})
    attack(checkout.root, private)
    tree = open_tree(checkout.root, follow_git=True)
    assert ["private.txt"] == [file.path for file in tree.files() if isinstance(file, SourceFile)]
    assert [note for note in tree.notes if str(private) in note]


def test_a_bare_repository_that_borrows_from_another_is_refused(checkout: Checkout, private: Path, tmp_path: Path) -> None:
    checkout.git("clone", "--quiet", "--bare", "--shared", str(private), str(tmp_path / "bare"))
    with pytest.raises(PolicyError, match=str(private)):
        open_tree(tmp_path / "bare")
    checkout.git("clone", "--quiet", "--bare", str(private), str(tmp_path / "whole"))
    assert () == open_tree(tmp_path / "whole").notes


def test_a_part_of_a_checkout_leads_where_the_checkout_leads(checkout: Checkout, private: Path) -> None:
    checkout.commit({"part/a.txt": "one\n"})
    assert () == open_tree(checkout.root / "part").notes
    _common_directory(checkout.root, private)
    with pytest.raises(PolicyError, match="commondir"):
        open_tree(checkout.root / "part")


def test_a_worktree_and_a_submodule_pass_as_their_repositories_name_them(
    checkout: Checkout, make_checkout: Callable[[str], Checkout], tmp_path: Path
) -> None:
    checkout.commit({"a.txt": "one\n"})
    checkout.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    outer = make_checkout("outer")
    outer.git("submodule", "--quiet", "add", str(checkout.root), "inner")
    outer.commit()
    git(outer.root / "inner", "worktree", "add", "--quiet", str(tmp_path / "of submodule"), "-b", "third")
    for place in (tmp_path / "linked", outer.root / "inner", tmp_path / "of submodule"):
        assert ([], ["a.txt"]) == ([*(tree := open_tree(place)).notes], [file.path for file in tree.files()])
        assert 1 == len(list(open_tree(place, worktree=True).files()))


def test_a_worktree_that_its_repository_does_not_name_any_more_is_refused(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit({"a.txt": "one\n"})
    checkout.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    shutil.copytree(tmp_path / "linked", tmp_path / "copied")
    with pytest.raises(PolicyError, match="worktrees"):
        open_tree(tmp_path / "copied")


def test_links_that_stay_in_the_checkout_are_taken(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "one\n"})
    head = checkout.root / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("refs/heads/main")
    (checkout.root / ".git").rename(checkout.root / ".real")
    (checkout.root / ".git").symlink_to(".real")
    assert ("a.txt",) == tuple(file.path for file in open_tree(checkout.root).files() if isinstance(file, SourceFile))[-1:]


def test_a_linked_head_is_no_repository_s(checkout: Checkout, private: Path) -> None:
    checkout.commit({"a.txt": "one\n"})
    (checkout.root / ".git" / "HEAD").unlink()
    (checkout.root / ".git" / "HEAD").symlink_to(private / ".git" / "HEAD")
    tree = open_tree(checkout.root)
    assert (["a.txt"], True) == ([file.path for file in tree.files()], "no usable repository" in tree.notes[0])


def test_replacements_and_grafts_change_nothing(checkout: Checkout, tmp_path: Path) -> None:
    first = checkout.commit({"a.txt": "one\n"})
    second = checkout.commit({"a.txt": "two\n"})
    (checkout.root / ".git" / "info").mkdir(exist_ok=True)
    (checkout.root / ".git" / "info" / "grafts").write_text(f"{second} {first} {first}\n")
    checkout.git("replace", second, first)
    tree = open_tree(checkout.root)
    assert (second, [b"two\n"]) == (tree.provenance.commit, [file.text for file in tree.files() if isinstance(file, SourceFile)])


def test_the_caller_s_variables_lead_to_no_other_objects(
    checkout: Checkout, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = checkout.commit({"a.txt": "one\n"})
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(private / ".git" / "objects"))
    monkeypatch.setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", str(private / ".git" / "objects"))
    monkeypatch.setenv("GIT_COMMON_DIR", str(private / ".git"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.worktree")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(private))
    assert commit == open_tree(checkout.root).provenance.commit


FIFOS = [
    *("HEAD", "config", "index", "packed-refs", "shallow", "commondir", "config.worktree"),
    *("info/exclude", "info/attributes", "info/grafts", "info/sparse-checkout", "refs/heads/main", "refs/heads/x/y"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index", "objects/pack/pack-1.idx"),
    "objects/00/00000000000000000000000000000000000000",
]


@pytest.mark.parametrize("place", FIFOS)
def test_a_fifo_where_git_reads_is_named_at_once(checkout: Checkout, place: str) -> None:
    checkout.commit({"a.txt": "one\n"})
    fifo = checkout.root / ".git" / place
    fifo.parent.mkdir(parents=True, exist_ok=True)
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    for worktree in (False, True):
        started = time.monotonic()
        with pytest.raises(SourceUnreadable, match=fifo.name):
            open_tree(checkout.root, worktree=worktree)
        assert time.monotonic() - started < 25  # less than git's own time for a question


@pytest.mark.parametrize("place", ["HEAD", "packed-refs", "info/exclude"])
def test_a_link_to_a_device_is_named_at_once(checkout: Checkout, place: str) -> None:
    checkout.commit({"a.txt": "one\n"})
    link = checkout.root / ".git" / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to("/dev/zero")
    with pytest.raises(HardtackError, match=link.name):
        open_tree(checkout.root)


def test_a_fifo_that_a_configuration_includes_ends_after_git_s_time(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.build.source.git._SECONDS", 1.0)
    checkout.commit({"a.txt": "one\n"})
    os.mkfifo(tmp_path / "fifo")
    checkout.git("config", "include.path", str(tmp_path / "other"))
    config = checkout.root / ".git" / "config"
    config.write_text(config.read_text().replace("other", "fifo"))
    with pytest.raises(SourceUnreadable, match="git said nothing for 1 seconds"):
        open_tree(checkout.root)


@pytest.mark.parametrize("place", [".gitattributes", "part/.gitattributes", ".gitignore", ".hardtackkeep", ".hardtackignore"])
def test_a_fifo_in_the_working_tree_is_not_waited_for(checkout: Checkout, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.build.source.git._USUAL_SECONDS", 1.0)
    checkout.commit({"a.txt": "one\n", "part/b.txt": "two\n"})
    os.mkfifo(checkout.root / place)
    for path in ("a.txt", "part/b.txt"):
        os.utime(checkout.root / path, (1, 1))  # git has to look into them
    for worktree in (False, True):
        started = time.monotonic()
        paths = [file.path for file in open_tree(checkout.root, worktree=worktree).files() if isinstance(file, SourceFile)]
        assert time.monotonic() - started < 25  # less than git's own time for a question
        assert ["a.txt", "part/b.txt"] == paths


def test_a_git_directory_of_more_entries_than_are_looked_at_is_refused(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.build.source.git_place._MOST_ENTRIES", 5)
    with pytest.raises(SourceUnreadable, match="more than 5 entries"):
        place_of(checkout.root)
