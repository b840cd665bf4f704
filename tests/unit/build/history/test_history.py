"""The history of a bundle: which commits it has, what they say, and which files and symbols each changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkouts import ENVIRONMENT, commit, git, init, write
from own_work import users_cache

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.build.report import BuildReport
from hardtack.build.source.tree import SourceOptions
from hardtack.bundle.indexes.history import CommitHistory
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import BuildError, PolicyError
from hardtack.store.built import BuiltHere

CART = """def total(prices):
    amount = 0
    for price in prices:
        amount += price
    return amount


def names(items):
    found = []
    for item in items:
        found.append(item)
    return found


class Cart:
    limit = 10

    def add(self, item):
        self.items.append(item)
        self.count += 1
        return self.count

    def clear(self):
        self.items = []
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return init(tmp_path / "source")


def build(root: Path, place: Path, *, history: int = 50, **options: Any) -> BuildReport:
    chosen = BuildOptions(profile="keyword", jobs=options.pop("jobs", 1), history=history, **options)
    return build_bundle(root, place, chosen, own=BuiltHere(users_cache))


class Opened:
    """A bundle with a history, asked by paths and names."""

    def __init__(self, bundle: Bundle) -> None:
        assert bundle.history is not None
        bundle.check_records()
        self.bundle = bundle
        self.history: CommitHistory = bundle.history

    def subjects(self) -> list[str]:
        return [self.history.commit(each).subject for each in range(len(self.history))]

    def of_file(self, path: str) -> list[str]:
        places = {file.path: ordinal for ordinal, file in enumerate(self.bundle.files)}
        return [self.history.commit(each).subject for each in self.history.of_file(places[path]).tolist()]

    def of_symbol(self, name: str) -> list[str]:
        places = [n for n in range(self.bundle.manifest.counts.symbols) if self.bundle.symbol(n).qualified_name == name]
        return [self.history.commit(each).subject for place in places for each in self.history.of_symbol(place).tolist()]

    def symbols_of(self, commit: int) -> set[str]:
        return {self.bundle.symbol(each).qualified_name for each in self.history.symbols_of(commit).tolist()}


@pytest.fixture
def opened(root: Path, tmp_path: Path) -> Iterator[Any]:
    bundles: list[Bundle] = []

    def open_it(**options: Any) -> Opened:
        build(root, tmp_path / "bundle", **options)
        bundles.append(open_bundle(tmp_path / "bundle"))
        return Opened(bundles[-1])

    yield open_it
    for bundle in bundles:
        bundle.close()


def change(root: Path, path: str, old: str, new: str, message: str) -> str:
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))
    return commit(root, message)


def test_commits_are_listed_newest_first_with_the_files_and_symbols_that_each_changed(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART, "other.py": "x = 1\n"}), "begin")
    change(root, "cart.py", "amount += price", "amount += price * 2", "double prices\n\nAs customers asked.")
    change(root, "cart.py", "self.count += 1", "self.count += 2", "count twice")
    found = opened()
    assert ["count twice", "double prices", "begin"] == found.subjects()
    assert "As customers asked." == found.history.commit(1).body
    assert ["count twice", "double prices", "begin"] == found.of_file("cart.py")
    assert ["begin"] == found.of_file("other.py")
    assert {"Cart.add"} == found.symbols_of(0)
    assert {"total"} == found.symbols_of(1)
    assert ["double prices", "begin"] == found.of_symbol("total")
    assert [1, 1, 2] == [found.history.commit(each).paths for each in range(3)]
    assert git(root, "rev-parse", "HEAD") == found.history.commit(0).id.hex() == found.history.extent.newest
    assert "root" == found.history.extent.end


def test_lines_that_moved_since_lead_to_the_symbol_that_has_them_now(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "found.append(item)", "found.append(str(item))", "names are text")
    change(root, "cart.py", "def total(prices):", '"""Carts."""\n\nimport os\n\n\ndef total(prices):', "a docstring")
    assert ["names are text", "begin"] == opened().of_symbol("names")


def test_a_file_that_was_renamed_twice_is_known_by_its_present_path(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART, "pad.py": "y = 2\n"}), "begin")
    git(root, "mv", "cart.py", "basket.py")
    change(root, "basket.py", "amount = 0", "amount = 1", "a basket")
    (root / "shop").mkdir()
    git(root, "mv", "basket.py", "shop/bag.py")
    commit(root, "a bag")
    change(root, "shop/bag.py", "found = []", "found = list()", "a list")
    found = opened()
    assert ["a list", "a bag", "a basket", "begin"] == found.of_file("shop/bag.py")
    assert ["a basket", "begin"] == found.of_symbol("total")
    assert ["begin"] == found.of_file("pad.py")


def test_two_files_that_changed_places_keep_their_own_commits(root: Path, opened: Any) -> None:
    commit(write(root, {"one.py": CART}), "one begins")
    commit(write(root, {"two.py": "".join(f"value_{n} = {n}\n" for n in range(40))}), "two begins")
    git(root, "mv", "one.py", "spare.py")
    commit(root, "make room")
    git(root, "mv", "two.py", "one.py")
    commit(root, "two becomes one")
    git(root, "mv", "spare.py", "two.py")
    commit(root, "one becomes two")
    found = opened()
    assert ["two becomes one", "two begins"] == found.of_file("one.py")
    assert ["one becomes two", "make room", "one begins"] == found.of_file("two.py")


def test_a_merge_counts_with_all_that_it_brought_and_the_commits_of_its_branch_are_not_listed(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    git(root, "checkout", "--quiet", "-b", "work")
    change(root, "cart.py", "amount = 0", "amount = 5", "five")
    commit(write(root, {"new.py": "z = 3\n"}), "a new file")
    git(root, "checkout", "--quiet", "main")
    commit(write(root, {"main.py": "m = 1\n"}), "meanwhile")
    message = "Merge pull request #12 from someone/work\n\nStart at five\n\nSince four was too few."
    git(root, "merge", "--quiet", "--no-ff", "-m", message, "work")
    found = opened()
    assert ["Start at five (#12)", "meanwhile", "begin"] == found.subjects()
    assert "Since four was too few." == found.history.commit(0).body
    assert {"cart.py", "new.py"} == {found.bundle.file(each).path for each in found.history.files_of(0).tolist()}
    assert ["Start at five (#12)", "begin"] == found.of_symbol("total")


def test_a_merge_without_a_title_keeps_its_own_subject(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    git(root, "checkout", "--quiet", "-b", "work")
    commit(write(root, {"new.py": "z = 3\n"}), "a new file")
    git(root, "checkout", "--quiet", "main")
    git(root, "merge", "--quiet", "--no-ff", "-m", "Merge branch 'work'\n\nAll of it.", "work")
    assert ["Merge branch 'work'", "begin"] == opened().subjects()


def test_a_commit_that_only_deletes_lines_changed_the_symbol_around_the_gap(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "        self.count += 1\n", "", "count no more")
    found = opened()
    assert {"Cart.add"} == found.symbols_of(0)


def test_a_commit_whose_lines_were_all_replaced_since_still_changed_its_symbol(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "amount += price", "amount += price * 2", "twice")
    change(root, "cart.py", "amount += price * 2", "amount += price * 3", "thrice")
    assert ["thrice", "twice", "begin"] == opened().of_symbol("total")


def test_a_revert_is_a_commit_like_others(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    git(root, "revert", "--no-edit", "HEAD")
    found = opened()
    assert ['Revert "seven"', "seven", "begin"] == found.of_file("cart.py") == found.of_symbol("total")


def test_a_file_that_was_deleted_and_came_back_keeps_its_earlier_commits(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART, "pad.py": "y = 2\n"}), "begin")
    (root / "cart.py").unlink()
    commit(root, "no cart")
    git(root, "revert", "--no-edit", "HEAD")
    found = opened()
    assert ['Revert "no cart"', "begin"] == found.of_file("cart.py")
    assert ['Revert "no cart"'] == found.of_symbol("total")


def test_commits_without_changes_and_of_submodules_and_binary_files_are_listed(root: Path, opened: Any, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    commit(root, "nothing")
    commit(write(root, {"picture.png": b"\x89PNG\x00\x01" * 400}), "a picture")
    commit(write(root, {"picture.png": b"\x89PNG\x00\x02" * 400}), "another picture")
    commit(write(init(tmp_path / "module"), {"a.py": "a = 1\n"}), "inside")
    git(root, "submodule", "--quiet", "add", str(tmp_path / "module"), "module")
    commit(root, "a module")
    found = opened()
    assert ["a module", "another picture", "a picture", "nothing", "begin"] == found.subjects()
    assert [2, 1, 1, 0, 1] == [found.history.commit(each).paths for each in range(5)]
    assert ["begin"] == found.of_file("cart.py")


def test_a_binary_change_ends_what_is_known_of_symbols_and_not_of_the_file(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    commit(write(root, {"cart.py": b"\0" + CART.encode()}), "a mistake")
    commit(write(root, {"cart.py": CART}), "mended")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    found = opened()
    assert ["seven", "mended", "a mistake", "begin"] == found.of_file("cart.py")
    assert ["seven"] == found.of_symbol("total")


def test_paths_with_quotes_line_feeds_and_letters_beyond_ascii_are_followed(root: Path, opened: Any) -> None:
    strange = {
        'say "hi".py': "q = 1\n",
        "späße.py": "s = 1\n",
        "a\nb.py": "n = 1\n",
        "tab\tb.py": "t = 1\n",
        "back\\slash.py": "b = 1\n",
    }
    commit(write(root, strange | {"cart.py": CART}), "begin")
    commit(write(root, {'say "hi".py': "q = 2\n", "a\nb.py": "n = 2\n", "späße.py": "s = 2\n"}), "more")
    found = opened()
    assert ["more", "begin"] == found.of_file('say "hi".py') == found.of_file("späße.py")
    assert ["begin"] == found.of_file("cart.py")
    assert 3 == found.history.commit(0).paths


def test_messages_and_lines_that_look_like_the_output_of_git_are_text(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART, "x.txt": "one\n"}), "begin")
    fake = "diff --git a/cart.py b/cart.py\n@@ -1,2 +1,2 @@\n:100644 100644 " + "a" * 40 + " " + "b" * 40 + " M\tcart.py\n"
    commit(write(root, {"x.txt": fake + "-- a\n++ b\n@@ -1 +1 @@\n"}), "fakes")
    commit(write(root, {"x.txt": "plain\n"}), f"a message\n\n{fake}")
    found = opened()
    assert ["begin"] == found.of_file("cart.py")
    assert ["a message", "fakes", "begin"] == found.of_file("x.txt")
    assert found.history.commit(0).body.startswith("diff --git")


def test_a_message_that_is_no_utf8_is_read_as_latin_1(root: Path, opened: Any) -> None:
    write(root, {"cart.py": CART})
    git(root, "add", "--all")
    git(root, "-c", "i18n.commitEncoding=UTF-8", "commit", "--quiet", "--file=-", stdin="Häufig\n\nÜber alles".encode("latin-1"))
    found = opened()
    assert "Häufig" == found.history.commit(0).subject
    assert "Über alles" == found.history.commit(0).body


def test_no_names_of_people_and_no_addresses_are_stored(root: Path, opened: Any) -> None:
    commit(
        write(root, {"cart.py": CART}),
        "begin\n\nAsk someone@example.org first.\n\nCo-authored-by: Some One <some@example.org>\nCc: Some One <one@example.org>",
    )
    found = opened()
    assert "Ask [address] first." == found.history.commit(0).body
    data = b"".join(path.read_bytes() for path in found.bundle.path.glob("history.*"))
    for private in (b"Some One", b"example.org"):
        assert private not in data


def test_secrets_of_messages_are_taken_out_kept_or_refused_as_those_of_files(root: Path, opened: Any, tmp_path: Path) -> None:
    secret = "ghp_" + "Zq3vN8sK2mX7cB4tR9wL1yH6dF0gJ5pA2e1T"[:36]
    commit(write(root, {"cart.py": CART}), f"begin with {secret}")
    report = build(root, tmp_path / "redacted")
    with open_bundle(tmp_path / "redacted") as bundle:
        assert bundle.history
        assert "[REDACTED:" in bundle.history.commit(0).subject
    assert any("secret" in note for note in report.notes)
    with pytest.raises(PolicyError, match=r"commit [0-9a-f]{12} holds a secret"):
        build(root, tmp_path / "refused", source=SourceOptions(secrets="fail"))
    build(root, tmp_path / "kept", source=SourceOptions(secrets="warn"))
    with open_bundle(tmp_path / "kept") as bundle:
        assert bundle.history
        assert secret in bundle.history.commit(0).subject


def test_a_sweep_over_many_files_keeps_its_count_and_not_its_rows(root: Path, opened: Any) -> None:
    commit(write(root, {f"d{n % 7}/f{n}.txt": f"line {n}\n" for n in range(1001)}), "begin")
    commit(write(root, {f"d{n % 7}/f{n}.txt": f"line {n} again\n" for n in range(1001)}), "sweep")
    commit(write(root, {"d0/f0.txt": "alone\n"}), "one")
    found = opened()
    assert (1001, 2) == (found.history.commit(1).paths, found.history.commit(1).left_out)
    assert [] == found.history.files_of(1).tolist()
    assert ["one"] == found.of_file("d0/f0.txt")


def test_long_messages_are_cut_at_a_character(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "ä" * 400 + "\n\n" + "ö" * 5000)
    record = opened().history.commit(0)
    assert 512 >= len(record.subject.encode()) > 500
    assert 4096 >= len(record.body.encode()) > 4085
    assert record.subject.endswith("ä…")


def test_a_shallow_clone_gives_what_it_has_and_says_so(root: Path, tmp_path: Path) -> None:
    for number in range(6):
        commit(write(root, {"cart.py": CART.replace("10", str(number))}), f"number {number}")
    subprocess.run(
        ["git", "clone", "--quiet", "--depth", "4", f"file://{root}", str(tmp_path / "shallow")], env=ENVIRONMENT, check=True
    )
    report = build(tmp_path / "shallow", tmp_path / "few", history=5, repository="")
    assert report.manifest
    assert report.manifest.history
    assert (5, 3, "shallow") == (report.manifest.history.asked, report.manifest.history.commits, report.manifest.history.end)
    assert any("3 of the 5 commits" in note and "shallow" in note for note in report.notes)
    with open_bundle(tmp_path / "few") as bundle:
        assert bundle.history
        assert {"Cart"} >= {bundle.symbol(each).qualified_name for each in bundle.history.symbols_of(2).tolist()}
    enough = build(tmp_path / "shallow", tmp_path / "enough", history=3, repository="")
    assert enough.digest == build(root, tmp_path / "whole", history=3, repository="").digest
    assert [] == enough.notes


def test_a_bundle_without_a_history_is_the_same_from_a_shallow_clone_and_names_no_history(root: Path, tmp_path: Path) -> None:
    for number in range(3):
        commit(write(root, {"cart.py": CART.replace("10", str(number))}), f"number {number}")
    subprocess.run(
        ["git", "clone", "--quiet", "--depth", "1", f"file://{root}", str(tmp_path / "shallow")], env=ENVIRONMENT, check=True
    )
    whole = build(root, tmp_path / "whole", history=0, repository="")
    assert whole.digest == build(tmp_path / "shallow", tmp_path / "few", history=0, repository="").digest
    assert b"history" not in (tmp_path / "whole" / "manifest.json").read_bytes()
    with open_bundle(tmp_path / "whole") as bundle:
        assert bundle.history is None


def test_a_bundle_of_files_has_no_history_and_the_report_says_so(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    report = build(root, tmp_path / "files", worktree=True)
    assert report.manifest
    assert report.manifest.history is None
    assert any("no history" in note for note in report.notes)


def test_jobs_and_what_was_there_before_change_no_byte(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART, **{f"m{n}.py": f"def f{n}():\n    return {n}\n" for n in range(30)}}), "begin")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    build(root, tmp_path / "grown")
    change(root, "m3.py", "return 3", "return 33", "three")
    anew = build(root, tmp_path / "anew", jobs=2, base="none")
    grown = build(root, tmp_path / "grown")
    assert grown.taken_over
    assert anew.digest == grown.digest


def test_a_bundle_is_built_again_for_another_history_and_only_then(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    assert not build(root, tmp_path / "b", history=0).is_unchanged
    assert build(root, tmp_path / "b", history=0).is_unchanged
    assert not build(root, tmp_path / "b", history=1).is_unchanged
    assert build(root, tmp_path / "b", history=1).is_unchanged
    assert not build(root, tmp_path / "b", history=2).is_unchanged
    assert not build(root, tmp_path / "b", history=0).is_unchanged


def test_the_configuration_and_attributes_of_a_checkout_change_no_byte(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    one, two = "def one():\n    first = 1\n    second = 2\n", "def two():\n" + "    step()\n" * 6
    commit(write(root, {"order.py": one + two}), "in order")
    commit(write(root, {"order.py": two + one}), "the other way round")  # of which two algorithms keep another function
    plain = build(root, tmp_path / "plain")
    for name, value in {
        "diff.algorithm": "patience",
        "diff.context": "9",
        "diff.noprefix": "true",
        "diff.renames": "false",
        "diff.external": "/bin/false",
        "color.ui": "always",
        "log.showSignature": "true",
        "log.date": "raw",
        "format.pretty": "oneline",
        "diff.odd.textconv": "cat -n",
        "diff.odd.binary": "true",
    }.items():
        git(root, "config", name, value)
    (root / ".gitattributes").write_text("*.py diff=odd -diff binary\n")
    assert plain.digest == build(root, tmp_path / "configured").digest


def test_a_bundle_of_a_directory_lists_the_commits_of_the_repository_with_the_files_of_the_directory(
    root: Path, tmp_path: Path
) -> None:
    commit(write(root, {"shop/cart.py": CART, "top.py": "t = 1\n"}), "begin")
    commit(write(root, {"top.py": "t = 2\n"}), "the top")
    change(root, "shop/cart.py", "amount = 0", "amount = 7", "seven")
    build(root / "shop", tmp_path / "bundle")
    with open_bundle(tmp_path / "bundle") as bundle:
        found = Opened(bundle)
        assert ["seven", "the top", "begin"] == found.subjects()
        assert ["seven", "begin"] == found.of_file("cart.py")
        assert [] == found.history.files_of(1).tolist()


def test_words_of_messages_lead_to_commits(root: Path, opened: Any) -> None:
    commit(write(root, {"cart.py": CART}), "begin the carts")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven\n\nCarts need seven carts.")
    found = opened()
    commits, counts, lengths = found.history.words.postings(["cart", "seven", "nowhere"])
    assert ([0, 1, 0], [2, 1, 2], [2, 1, 0]) == (commits.tolist(), counts.tolist(), lengths.tolist())


def test_a_partial_clone_gives_the_commits_whose_objects_it_has_and_says_so(root: Path, tmp_path: Path) -> None:
    for number in range(3):
        commit(write(root, {"cart.py": CART.replace("10", str(number)), "late.py": f"n = {number // 2}\n"}), f"number {number}")
    for name in ("nothing", "nothing again"):
        commit(root, name)
    git(root, "config", "uploadpack.allowFilter", "true")
    place = tmp_path / "partial"
    subprocess.run(["git", "clone", "--quiet", "--filter=blob:none", f"file://{root}", str(place)], env=ENVIRONMENT, check=True)
    report = build(place, tmp_path / "bundle", repository="")
    assert report.manifest
    assert report.manifest.history
    assert (1, "missing") == (report.manifest.history.commits, report.manifest.history.end)
    assert any("1 of the 50 commits" in note and "lacks objects" in note for note in report.notes)


@pytest.mark.parametrize(
    ("limit", "most", "expected"),
    [("log._MOST_BYTES", 1, 2), ("log._MOST_PATHS", 2, 2), ("collect._MOST_LISTED", 2, 1), ("collect.MOST_TEXT", 20, 2)],
)
def test_what_is_over_a_limit_ends_the_history_and_is_told(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, expected: int
) -> None:
    commit(write(root, {"cart.py": CART, "b.txt": "b\n", "c.txt": "c\n"}), "the beginning")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    change(root, "cart.py", "amount = 7", "amount = 8", "eight")
    monkeypatch.setattr(f"hardtack.build.history.{limit}", most)
    report = build(root, tmp_path / "bundle")
    assert report.manifest
    assert expected == (report.manifest.history.commits if report.manifest.history else 0)
    assert any(f"{expected} of the 50 commits" in note and "limit" in note for note in report.notes)


def test_of_a_commit_with_too_many_hunks_the_files_are_known(root: Path, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    (root / "cart.py").write_text(CART.replace("amount = 0", "amount = 7").replace("limit = 10", "limit = 11"))
    commit(root, "two hunks")
    change(root, "cart.py", "found = []", "found = list()", "one hunk")
    monkeypatch.setattr("hardtack.build.history.log._MOST_HUNKS", 1)
    found = opened()
    assert ["one hunk", "two hunks", "begin"] == found.of_file("cart.py")
    assert {"names"} == found.symbols_of(0)
    assert set() == found.symbols_of(1)


def test_a_git_that_takes_too_long_ends_the_build(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    monkeypatch.setattr("hardtack.build.history.log._SECONDS", 0)
    with pytest.raises(BuildError, match="more than 0 seconds to read the last 1 commits"):
        build(root, tmp_path / "bundle")
    assert not (tmp_path / "bundle").exists()


def test_git_that_is_silent_for_too_long_ends_the_build(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    programs = tmp_path / "programs"
    programs.mkdir()
    slow = programs / "git"
    slow.write_text(f'#!/bin/sh\ncase " $* " in *" log "*) sleep 60 ;; esac\nexec {shutil.which("git")} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr("hardtack.build.history.log._IDLE_SECONDS", 1.0)
    with pytest.raises(BuildError, match="silent for too long"):
        build(root, tmp_path / "bundle")


def test_a_commit_of_very_many_parents_is_over_a_limit_and_that_is_said(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit(write(root, {"cart.py": CART}), "begin")
    tree = git(root, "rev-parse", "HEAD^{tree}")
    people = "author A <a@example.org> 1 +0000\ncommitter C <c@example.org> 2 +0000\n\nmany\n"
    text = f"tree {tree}\n" + f"parent {first}\n" * 5_000 + people
    many = git(root, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=text.encode())
    git(root, "update-ref", "HEAD", many)
    monkeypatch.setattr("hardtack.build.history.log._LONGEST_LIST", 20)
    report = build(root, tmp_path / "bundle")
    assert [note for note in report.notes if "0 of the 50 commits" in note and "over a limit" in note]


def test_a_message_of_many_megabytes_ends_the_history_before_it(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    message = tmp_path / "message"
    message.write_bytes(b"x" * (17 << 20))
    git(root, "commit", "--quiet", "--allow-empty", "-F", message)
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    change(root, "cart.py", "amount = 7", "amount = 8", "eight")
    report = build(root, tmp_path / "bundle")
    assert [note for note in report.notes if "1 of the 50 commits" in note and "over a limit" in note]


def test_a_commit_of_endless_paths_in_the_history_costs_bounded_memory_and_is_said(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardtack.build.history.log._MEMORY", 64 << 20)
    first = commit(write(root, {"cart.py": CART}), "begin")
    inner = git(root, "rev-parse", "HEAD^{tree}")
    for _ in range(8):
        inner = git(root, "mktree", stdin="".join(f"040000 tree {inner}\td{number}\n" for number in range(10)).encode())
    bomb = git(root, "commit-tree", inner, "-p", first, "-m", "bomb")
    git(root, "update-ref", "HEAD", git(root, "commit-tree", f"{first}^{{tree}}", "-p", bomb, "-m", "after"))
    report = build(root, tmp_path / "bundle")
    assert [note for note in report.notes if "of the 50 commits" in note and "over a limit" in note]


def test_linked_worktrees_bare_repositories_and_longer_ids_have_their_history(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"cart.py": CART}), "begin")
    change(root, "cart.py", "amount = 0", "amount = 7", "seven")
    whole = build(root, tmp_path / "whole", repository="").digest
    git(root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert whole == build(tmp_path / "linked", tmp_path / "of_linked", repository="").digest
    git(root, "clone", "--quiet", "--bare", str(root), str(tmp_path / "bare"))
    assert whole == build(tmp_path / "bare", tmp_path / "of_bare", repository="").digest
    longer = tmp_path / "longer"
    longer.mkdir()
    git(longer, "init", "--quiet", "--object-format=sha256")
    commit(write(longer, {"cart.py": CART}), "begin")
    build(longer, tmp_path / "of_longer")
    with open_bundle(tmp_path / "of_longer") as bundle:
        assert ["begin"] == Opened(bundle).of_symbol("total")


def test_several_roots_have_no_history(root: Path, tmp_path: Path) -> None:
    commit(write(root, {"one/cart.py": CART, "two/b.py": "b = 1\n"}), "begin")
    report = build(root, tmp_path / "bundle", roots=(("one", root / "one"), ("two", root / "two")))
    assert report.manifest
    assert report.manifest.history is None
    assert any("no history" in note for note in report.notes)
