"""Which symbols are the same, moved or renamed; what a comparison refuses, and what it says that it could not compare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bundles import KEYWORD, built

from hardtack.build.pipeline import build_bundle
from hardtack.bundle.reader import open_bundle
from hardtack.diff.comparison import compare
from hardtack.errors import PolicyError, UsageError
from hardtack.nouns.changes import Comparison

WEIGH = "def weigh(crate):\n    total = crate.weight + crate.lid\n    return total * 2 if crate.full else total\n"
POUR = "def pour(jug, cup):\n    while not cup.full and jug.rest:\n        cup.add(jug.take(1))\n    return cup\n"


def compared(place: Path, old: dict[str, str], new: dict[str, str], **options: object) -> Comparison:
    with open_bundle(built(place / "old", old)) as before, open_bundle(built(place / "new", new)) as after:
        return compare(before, after, **options)  # type: ignore[arg-type]


def told(comparison: Comparison) -> list[tuple[str, str, str]]:
    """(old place, new place, kinds) of each symbol."""
    return [
        (
            f"{each.old.path} {each.old.name}" if each.old else "",
            f"{each.new.path} {each.new.name}" if each.new else "",
            ", ".join(each.kinds),
        )
        for each in comparison.symbols
    ]


def test_a_bundle_does_not_differ_from_itself(tmp_path: Path) -> None:
    bundle = built(tmp_path, {"a.py": WEIGH, "b.go": "package b\n\nfunc B() {}\n"})
    with open_bundle(bundle) as one, open_bundle(bundle) as other:
        found = compare(one, other)
    assert ((), (), (), 0) == (found.symbols, found.relations, found.projects, found.files_changed)


def test_added_removed_moved_and_renamed(tmp_path: Path) -> None:
    old = {"a.py": f"{WEIGH}\n\n{POUR}\n\ndef gone(): ...\n", "b.py": "X = 1\n"}
    new = {"a.py": f"{POUR.replace('pour', 'fill')}\n\ndef fresh(): ...\n", "b.py": f"X = 1\n\n\n{WEIGH}"}
    assert [
        ("a.py pour", "a.py fill", "renamed"),
        ("", "a.py fresh", "added"),
        ("a.py gone", "", "removed"),
        ("a.py weigh", "b.py weigh", "moved"),
    ] == sorted(told(compared(tmp_path, old, new)), key=lambda each: each[1] or each[0])


def test_each_way_to_change_in_place(tmp_path: Path) -> None:
    old = (
        'def a(x):\n    """Say."""\n    return x\n\n\ndef b():\n    """Say."""\n\n\ndef c():\n'
        "    return 1\n\n\nclass D:\n    def e(self): ...\n"
    )
    new = (
        'def a(x, y=1):\n    """Say."""\n    return x\n\n\ndef b():\n    """Tell."""\n\n\n'
        "def c():\n    return 2\n\n\nclass D:\n    def e(self): ...\n\n    def f(self): ...\n"
    )
    assert [
        ("a.py a", "a.py a", "signature"),
        ("a.py b", "a.py b", "documentation"),
        ("a.py c", "a.py c", "body"),
        ("", "a.py D.f", "added"),
    ] == told(compared(tmp_path, {"a.py": old}, {"a.py": new}))


def test_white_space_quotes_and_what_is_inside_of_a_class_are_no_change_of_it(tmp_path: Path) -> None:
    old = "class A:\n    def b(self):\n        return self.go('x', 1)\n"
    new = 'class A:\n\n    def b(self):\n        return self.go(\n            "x", 1)\n'
    assert [] == told(compared(tmp_path, {"a.py": old}, {"a.py": new}))


def test_members_go_with_their_type(tmp_path: Path) -> None:
    shop = "class Shop:\n    def sell(self, what):\n        return what.price * self.rate + self.tax\n\n    def close(self): ...\n"
    other = shop.replace("Shop", "Store").replace("def close(self)", "def close(self, now)")
    found = told(compared(tmp_path, {"a.py": shop}, {"a.py": other}))
    assert ("a.py Shop.close", "a.py Store.close", "signature") in found or ("a.py Shop", "", "removed") in found
    same = compared(tmp_path / "same", {"a.py": shop}, {"b.py": shop})
    assert [("a.py Shop", "b.py Shop", "moved")] == [each for each in told(same) if each[1]]


def test_overloads_are_told_apart(tmp_path: Path) -> None:
    old = "public class A {\n    public void f(int a) { one(); }\n    public void f(String a) { two(); }\n}\n"
    new = (
        "public class A {\n    public void f(String a) { two(); }\n"
        "    public void f(int a) { three(); }\n    public void f(int a, int b) {}\n}\n"
    )
    found = compared(tmp_path, {"A.java": old}, {"A.java": new})
    assert [("A.java A.f", "A.java A.f", "body"), ("", "A.java A.f", "added")] == told(found)
    assert [()] * 2 == [each.breakages for each in found.symbols]


def test_relations_and_projects(tmp_path: Path) -> None:
    old = {"a.py": "import os\n\n\nclass A(os.B): ...\n", "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n'}
    new = {"a.py": "import sys\n\n\nclass A(os.B, sys.C): ...\n", "pyproject.toml": '[project]\nname = "shop"\nversion = "2"\n'}
    found = compared(tmp_path, old, new)
    assert [(False, "imports", "os"), (True, "imports", "sys"), (True, "inherits", "sys.C")] == [
        (each.is_gained, each.relation, each.target) for each in found.relations
    ]
    assert [("version", "1", "2")] == [(each.field, each.old, each.new) for each in found.projects]


def test_calls_that_a_changed_function_gained_and_lost(tmp_path: Path) -> None:
    old = {
        "a.py": "from b import weigh, pour\n\n\ndef sell(x):\n    weigh(x)\n    pour(x)\n\n\ndef same():\n    pour(1)\n\n\n"
        "def gone():\n    pour(2)\n",
        "b.py": f"{WEIGH}\n\n{POUR}\n\ndef lock(): ...\n",
    }
    new = {
        "a.py": "from b import weigh, fill, lock\n\n\ndef sell(x):\n    def inner():\n        lock()\n\n    fill(x)\n"
        "    inner()\n\n\ndef same():\n    fill(1)\n",
        "b.py": f"{WEIGH}\n\n{POUR.replace('def pour', 'def fill')}\n\ndef lock(): ...\n",
    }
    found = [each for each in compared(tmp_path, old, new).relations if each.relation == "calls"]
    assert [(False, "sell", "weigh"), (True, "sell", "lock"), (True, "sell", "inner")] == [
        (each.is_gained, each.source, each.target.rpartition(".")[2]) for each in found
    ]
    assert {"exact"} == {each.certainty.value for each in found}
    assert () == compared(tmp_path / "again", old, new, exported=True).relations


def test_what_narrows(tmp_path: Path) -> None:
    old = {"a.py": "def a(): ...\n\n\ndef _b(): ...\n", "c.py": "def c(): ...\n"}
    new = {"a.py": "def a(x=1): ...\n", "c.py": "def c(x): ...\n"}
    with open_bundle(built(tmp_path / "old", old)) as before, open_bundle(built(tmp_path / "new", new)) as after:
        assert 3 == len(compare(before, after).symbols)
        assert 2 == len(compare(before, after, exported=True).symbols)
        assert ["c"] == [each.old.name for each in compare(before, after, breaking=True).symbols if each.old]
        assert ["c"] == [each.old.name for each in compare(before, after, takes=lambda path: path == "c.py").symbols if each.old]


def test_a_bundle_without_text_says_what_was_not_compared(tmp_path: Path) -> None:
    old, new = {"a.py": WEIGH}, {"a.py": WEIGH.replace("2", "3").replace("(crate)", "(crate, more)")}
    bare = replace(KEYWORD, text="none")
    with open_bundle(built(tmp_path / "old", old, bare)) as before, open_bundle(built(tmp_path / "new", new)) as after:
        found = compare(before, after)
    assert [("a.py weigh", "a.py weigh", "signature")] == told(found)
    assert any(note.startswith("the old bundle has no source text") for note in found.notes)


def test_a_file_that_the_new_build_left_out_only_may_have_lost_something(tmp_path: Path) -> None:
    small = replace(KEYWORD, source=replace(KEYWORD.source, max_file_size=200))
    old, new = {"a.py": WEIGH, "b.py": "X = 1\n"}, {"a.py": f"{WEIGH}# {'long ' * 100}\n", "b.py": "X = 1\n"}
    with open_bundle(built(tmp_path / "old", old)) as before, open_bundle(built(tmp_path / "new", new, small)) as after:
        found = compare(before, after)
    assert [["may break"]] == [[each.verdict.value for each in change.breakages] for change in found.symbols]
    assert any("a.py" in note for note in found.notes)
    assert any("max_file_size" in note for note in found.notes)


def test_bundles_of_different_repositories_and_directories_are_refused(tmp_path: Path) -> None:
    def named(name: str, **options: object) -> Path:
        source = tmp_path / name.replace("/", "_")
        built(source, {"a.py": WEIGH})
        build_bundle(source, tmp_path / f"{source.name}.out", replace(KEYWORD, repository=name, **options))  # type: ignore[arg-type]
        return tmp_path / f"{source.name}.out"

    with open_bundle(named("example.org/acme/shop")) as one, open_bundle(named("example.org/other/shop")) as other:
        with pytest.raises(PolicyError, match=r"example.org/acme/shop and example.org/other/shop"):
            compare(one, other)
        assert not compare(one, other, any_repository=True).symbols
        provenance = one.manifest.provenance._replace(subdirectory="api")
        one.manifest = one.manifest._replace(provenance=provenance)
        with pytest.raises(UsageError, match="different directories"):
            compare(one, other, any_repository=True)
