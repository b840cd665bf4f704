from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import Checkout
from planted import RULES, planted

from hardtack.build.source.tree import SourceOptions, SourceTree, open_tree, open_trees
from hardtack.errors import SourceUnreadable, UsageError
from hardtack.nouns.model import Provenance
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

COMMIT_TIME = 981173107
"""2001-02-03T04:05:07Z, the committer time that ``conftest.py`` sets."""


def texts_of(tree: SourceTree) -> dict[str, str]:
    return {item.path: item.text.decode() for item in tree.files() if isinstance(item, SourceFile)}


def reasons_of(tree: SourceTree) -> dict[str, SkipReason]:
    return {item.path: item.reason for item in tree.files() if isinstance(item, Skip)}


def test_a_clean_checkout_is_read_from_its_commit(checkout: Checkout) -> None:
    commit = checkout.commit({"src/a.py": "x = 1\n", "README.md": "# A\n"})
    checkout.git("remote", "add", "origin", "https://me:secret@github.com/Owner/name.git")
    tree = open_tree(checkout.root)
    expected = Provenance(repository="github.com/Owner/name", commit=commit, commit_time=COMMIT_TIME, source="commit")
    assert expected == tree.provenance
    assert tree.notes == ()
    assert texts_of(tree) == {"README.md": "# A\n", "src/a.py": "x = 1\n"}
    assert texts_of(tree) == texts_of(tree)


def test_the_disk_does_not_leak_into_a_commit(checkout: Checkout) -> None:
    commit = checkout.commit({"a.txt": "committed\n", "b.txt": "b\n", "c.txt": "c\n"})
    checkout.write({"a.txt": "changed\n", "untracked.txt": "x", ".hardtackignore": "*\n"})
    (checkout.root / "b.txt").unlink()
    checkout.write({"staged.txt": "x"})
    checkout.git("add", "staged.txt")
    tree = open_tree(checkout.root)
    assert texts_of(tree) == {"a.txt": "committed\n", "b.txt": "b\n", "c.txt": "c\n"}
    assert (
        f"3 tracked files differ from commit {commit[:7]}; the bundle holds the commit (use --worktree for the files)",
    ) == tree.notes
    assert not tree.provenance.is_dirty


def test_a_commit_that_is_named_is_read_wherever_head_is(checkout: Checkout) -> None:
    first = checkout.commit({"a.txt": "first\n"})
    second = checkout.commit({"a.txt": "second\n", "part/b.txt": "b\n"})
    checkout.write({"a.txt": "changed\n"})
    tree = open_tree(checkout.root, commit=first)
    assert (first, "commit", ()) == (tree.provenance.commit, tree.provenance.source, tree.notes)
    assert {"a.txt": "first\n"} == texts_of(tree)
    assert second == open_tree(checkout.root).provenance.commit
    with pytest.raises(SourceUnreadable, match="is no part of commit"):
        open_tree(checkout.root / "part", commit=first)
    with pytest.raises(SourceUnreadable):
        open_tree(checkout.root, commit="f" * 40)


def test_a_directory_without_a_checkout_has_no_commit_to_name(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="is no checkout"):
        open_tree(tmp_path, commit="f" * 40)


def test_a_worktree_build_holds_the_files_and_says_whether_they_are_the_commit_s(checkout: Checkout) -> None:
    commit = checkout.commit({"a.txt": "committed\n", ".gitignore": "*.log\n"})
    checkout.write({"new.txt": "new\n", "x.log": "x"})
    clean = open_tree(checkout.root, worktree=True)
    assert Provenance(commit=commit, commit_time=COMMIT_TIME, source="files") == clean.provenance
    checkout.write({"a.txt": "changed\n"})
    dirty = open_tree(checkout.root, worktree=True)
    assert dirty.provenance.is_dirty
    assert texts_of(dirty) == {".gitignore": "*.log\n", "a.txt": "changed\n", "new.txt": "new\n"}


def test_what_version_control_and_we_keep_for_ourselves_is_no_part_of_a_commit(checkout: Checkout) -> None:
    checkout.commit({".hg/a.txt": "x", ".hardtack/bundle/b.txt": "x", "c.txt": "c"})
    assert [item.path for item in open_tree(checkout.root).files()] == ["c.txt"]


def test_a_shallow_clone_gives_the_same_as_a_full_one(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit({"a.txt": "one\n"})
    checkout.commit({"a.txt": "two\n", "b.txt": "b\n"})
    checkout.git("clone", "--quiet", "--depth=1", f"file://{checkout.root}", str(tmp_path / "shallow"))
    full, shallow = open_tree(checkout.root), open_tree(tmp_path / "shallow")
    assert full.provenance == shallow.provenance
    assert list(full.files()) == list(shallow.files())


def test_a_bare_repository_is_read_and_has_no_files_to_offer(checkout: Checkout, tmp_path: Path) -> None:
    commit = checkout.commit({"a.txt": "one\n"})
    checkout.git("clone", "--quiet", "--bare", str(checkout.root), str(tmp_path / "bare.git"))
    tree = open_tree(tmp_path / "bare.git")
    assert (commit, {"a.txt": "one\n"}, ()) == (tree.provenance.commit, texts_of(tree), tree.notes)
    with pytest.raises(UsageError, match="no working tree"):
        open_tree(tmp_path / "bare.git", worktree=True)


def test_a_part_of_a_checkout_has_paths_of_its_own(checkout: Checkout) -> None:
    commit = checkout.commit({"lib/deep/a.txt": "a\n", "lib/b.txt": "b\n", "other.txt": "o\n"})
    checkout.write({"other.txt": "changed\n"})
    tree = open_tree(checkout.root / "lib")
    assert texts_of(tree) == {"b.txt": "b\n", "deep/a.txt": "a\n"}
    assert ("lib", commit, ()) == (tree.provenance.subdirectory, tree.provenance.commit, tree.notes)


def test_a_part_whose_directory_s_name_holds_a_secret_does_not_tell_it(checkout: Checkout) -> None:
    value = planted(RULES[0], 1).value
    checkout.commit({f"dumps/{value}/in/a.txt": "a\n"})
    root = checkout.root / "dumps" / value / "in"
    for worktree in (False, True):
        tree = open_tree(root, worktree=worktree)
        assert f"dumps/[REDACTED:{RULES[0].name}]" == tree.provenance.subdirectory
        assert {"a.txt": "a\n"} == texts_of(tree)
    assert f"dumps/{value}/in" == open_tree(root, options=SourceOptions(secrets="warn")).provenance.subdirectory


def test_a_linked_worktree_is_a_checkout(checkout: Checkout, tmp_path: Path) -> None:
    commit = checkout.commit({"a.txt": "one\n"})
    checkout.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    tree = open_tree(tmp_path / "linked")
    assert (commit, {"a.txt": "one\n"}) == (tree.provenance.commit, texts_of(tree))
    assert texts_of(open_tree(tmp_path / "linked", worktree=True)) == {"a.txt": "one\n"}


def test_links_submodules_and_pointers_in_a_commit_are_named(checkout: Checkout, make_checkout: Callable[[str], Checkout]) -> None:
    inner = make_checkout("inner")
    inner.commit({"x.txt": "x"})
    checkout.write({"a.txt": "a", "big.bin2": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"})
    (checkout.root / "link").symlink_to("/etc/passwd")
    checkout.git("submodule", "--quiet", "add", str(inner.root), "sub")
    checkout.commit({"vendor/v.go": "package v\n", "big.txt": "x" * 1001})
    expected = {
        "big.bin2": SkipReason.LFS_POINTER,
        "big.txt": SkipReason.TOO_LARGE,
        "link": SkipReason.SYMLINK,
        "sub": SkipReason.SUBMODULE,
        "vendor/v.go": SkipReason.VENDORED,
    }
    options = SourceOptions(max_file_size=1000)
    assert expected == reasons_of(open_tree(checkout.root, options=options))
    assert expected == reasons_of(open_tree(checkout.root, options=options, worktree=True))


def test_hardtackignore_is_read_from_the_commit_at_every_depth(checkout: Checkout) -> None:
    checkout.commit(
        {
            ".hardtackignore": "*.gen\ndata/\n!keep.gen\n",
            "a.gen": "",
            "keep.gen": "",
            "data/keep.gen": "",
            "x/data/y": "",
            "x/data/z/y": "",
        }
    )
    checkout.commit(
        {"sub/.hardtackignore": "/only\n!b.gen\n", "sub/b.gen": "", "sub/only": "", "sub/deep/only": "", "sub/c.gen": ""}
    )
    checkout.write({".hardtackignore": "", "sub/.hardtackignore": ""})
    expected = dict.fromkeys(("a.gen", "data/keep.gen", "sub/c.gen", "sub/only", "x/data/y", "x/data/z/y"), SkipReason.IGNORED)
    assert expected == reasons_of(open_tree(checkout.root))
    below = dict.fromkeys(("c.gen", "only"), SkipReason.IGNORED)
    assert below == reasons_of(open_tree(checkout.root / "sub"))
    checkout.git("checkout", "--quiet", ".")
    assert list(open_tree(checkout.root).files()) == list(open_tree(checkout.root, worktree=True).files())


def test_a_directory_called_hardtackignore_is_no_ignore_file(checkout: Checkout) -> None:
    checkout.commit({".hardtackignore/a.txt": "a", "sub/b.txt": "b"})
    assert texts_of(open_tree(checkout.root / "sub")) == {"b.txt": "b"}
    assert list(texts_of(open_tree(checkout.root, worktree=True))) == [".hardtackignore/a.txt", "sub/b.txt"]


def test_a_commit_s_hostile_paths_are_named_and_not_kept(checkout: Checkout) -> None:
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    names = [b"a\nb", b"back\\slash", b"caf\xe9", "rtl\u202e".encode(), b"$(id)", b"]($(id))", b"::set-output name=a::b"]
    listing = b"".join(b"100644 blob %s\t%s\0" % (blob.encode(), name) for name in names)
    tree = checkout.git("mktree", "-z", stdin=listing)
    checkout.git("update-ref", "HEAD", checkout.git("commit-tree", tree, "-m", "x"))
    opened = open_tree(checkout.root)
    assert dict.fromkeys(("a\\x0ab", "back\\\\slash", "caf\\xe9", "rtl\\u202e"), SkipReason.UNSAFE_PATH) == reasons_of(opened)
    assert list(texts_of(opened)) == ["$(id)", "::set-output name=a::b", "]($(id))"]


def test_a_repository_without_a_commit_is_read_as_files(checkout: Checkout) -> None:
    checkout.write({"a.txt": "a", "x.log": "", ".gitignore": "*.log\n"})
    tree = open_tree(checkout.root)
    assert Provenance() == tree.provenance
    assert list(texts_of(tree)) == [".gitignore", "a.txt"]


def test_a_directory_that_its_checkout_does_not_know_is_read_as_files_and_says_so(checkout: Checkout) -> None:
    commit = checkout.commit({"a.txt": "a", ".gitignore": "out/\n"})
    checkout.write({"out/b.txt": "b"})
    tree = open_tree(checkout.root / "out")
    assert (Provenance(), {"b.txt": "b"}) == (tree.provenance, texts_of(tree))
    assert [f"no part of commit {commit[:7]}" in note for note in tree.notes] == [True]


def test_without_a_git_program_a_checkout_is_read_as_files_and_says_so(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout.commit({"a.txt": "a"})
    monkeypatch.setenv("PATH", "/nowhere")
    tree = open_tree(checkout.root)
    assert (Provenance(), {"a.txt": "a"}) == (tree.provenance, texts_of(tree))
    assert (f"The git program was not found, so {checkout.root} was read as a plain directory",) == tree.notes


def test_a_broken_git_directory_is_mentioned(directory: Checkout) -> None:
    directory.write({"a.txt": "a", ".git/config": "x"})
    tree = open_tree(directory.root)
    assert (texts_of(tree), "is no usable repository" in tree.notes[0]) == ({"a.txt": "a"}, True)


def test_the_caller_may_name_the_repository(checkout: Checkout) -> None:
    checkout.commit({"a.txt": "a"})
    assert open_tree(checkout.root, repository="example.org/o/n").provenance.repository == "example.org/o/n"


def test_a_root_that_is_no_directory_is_refused_with_its_name(directory: Checkout) -> None:
    directory.write({"file": "x"})
    with pytest.raises(SourceUnreadable, match="nowhere does not exist"):
        open_tree(directory.root / "nowhere")
    with pytest.raises(SourceUnreadable, match="file is not a directory"):
        open_tree(directory.root / "file")


def test_several_parts_of_one_checkout_share_its_provenance(checkout: Checkout) -> None:
    commit = checkout.commit({"docs/a.md": "a", "src/b.py": "b", "src-2/tests/c.py": "c"})
    tree = open_trees([("src", checkout.root / "src"), ("src-2", checkout.root / "src-2"), ("manual", checkout.root / "docs")])
    expected = Provenance(commit=commit, commit_time=COMMIT_TIME, source="commit", roots=("manual", "src-2", "src"))
    assert expected == tree.provenance
    assert list(texts_of(tree)) == ["manual/a.md", "src-2/tests/c.py", "src/b.py"]


def test_roots_of_different_origin_have_no_common_commit(checkout: Checkout, directory: Checkout) -> None:
    checkout.commit({"a.txt": "a"})
    directory.write({"b.txt": "b"})
    tree = open_trees([("one", checkout.root), ("two", directory.root)])
    assert Provenance(source="files", roots=("one", "two")) == tree.provenance
    assert texts_of(tree) == {"one/a.txt": "a", "two/b.txt": "b"}


def test_a_root_s_name_decides_nothing_about_its_files(directory: Checkout) -> None:
    directory.write({"b.py": "b"})
    items = list(open_trees([("vendor", directory.root), ("tests", directory.root)]).files())
    assert [(item.path, item.is_test) for item in items if isinstance(item, SourceFile)] == [
        ("tests/b.py", False),
        ("vendor/b.py", False),
    ]


@pytest.mark.parametrize("names", [[], ["a/b"], [".."], [""], ["a", "a"], ["ä"]])
def test_names_of_roots_that_cannot_be_path_components_are_refused(names: list[str], tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        open_trees([(name, Path(tmp_path)) for name in names])


def test_a_path_that_its_root_s_name_makes_too_long_is_skipped(checkout: Checkout) -> None:
    blob = checkout.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    deep = "/".join(["d" * 200] * 20) + "/" + "f" * 76
    checkout.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{deep}")
    checkout.git("update-ref", "HEAD", checkout.git("commit-tree", checkout.git("write-tree"), "-m", "x"))
    assert len(deep) == 4096
    assert [deep] == list(texts_of(open_tree(checkout.root)))
    assert {f"r/{deep}": SkipReason.UNSAFE_PATH} == reasons_of(open_trees([("r", checkout.root)]))


GENERATED = "// Code generated by a tool. DO NOT EDIT.\n"
LINES = "let x=1,y=2;" * 900


@pytest.mark.parametrize("worktree", [False, True])
def test_hardtackkeep_brings_back_what_rules_leave_out(checkout: Checkout, worktree: bool) -> None:
    checkout.commit(
        {
            ".hardtackkeep": "api/*.go\nvendor/ours/\n",
            "sub/.hardtackkeep": "*.js\n",
            "api/client.go": GENERATED,
            "api/deep/client.go": GENERATED,
            "vendor/ours/a.c": "int a;\n",
            "vendor/theirs/a.c": "int a;\n",
            "sub/table.js": LINES,
            "table.js": LINES,
        }
    )
    tree = open_tree(checkout.root, worktree=worktree)
    kept = {item.path: item.is_kept for item in tree.files() if isinstance(item, SourceFile) and not item.path.endswith("keep")}
    assert kept == {"api/client.go": True, "sub/table.js": True, "vendor/ours/a.c": False}


@pytest.mark.parametrize("worktree", [False, True])
def test_keep_lines_of_a_build_count_as_the_last_lines_at_its_root(checkout: Checkout, worktree: bool) -> None:
    checkout.commit({"part/.hardtackkeep": "*.go\n", "part/a.go": GENERATED, "part/b.go": GENERATED, "part/sub/c.js": LINES})
    tree = open_tree(checkout.root / "part", worktree=worktree, options=SourceOptions(keep=("/sub/*.js", "!a.go")))
    found = [item.path for item in tree.files() if isinstance(item, SourceFile)]
    assert found == [".hardtackkeep", "b.go", "sub/c.js"]


def test_keeping_brings_back_no_secret_and_nothing_that_is_ignored(checkout: Checkout) -> None:
    checkout.commit({".hardtackkeep": "*\n", ".hardtackignore": "a.txt\n", "a.txt": "x", "id_rsa": "x", "b.bin": "a\0b"})
    reasons = {item.path: item.reason for item in open_tree(checkout.root).files() if isinstance(item, Skip)}
    assert reasons == {"a.txt": SkipReason.IGNORED, "b.bin": SkipReason.BINARY, "id_rsa": SkipReason.SECRET}
