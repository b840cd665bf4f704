"""Comparisons of drawn sources: none with itself, and what one direction adds the other removes."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bundles import built
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.reader import open_bundle
from hardtack.diff.comparison import compare
from hardtack.nouns.changes import ChangeKind, Comparison

NAMES = st.sampled_from(["weigh", "pour", "sell", "_inner", "close"])
BODIES = st.sampled_from(
    [
        "return 1",
        "return total * 2 if crate.full else total + crate.lid - crate.rest",
        "cup.add(jug.take(1), jug.rest, jug.lid.turn(2))",
    ]
)
FUNCTIONS = st.tuples(NAMES, st.sampled_from(["", "a", "a, b=1", "*, a"]), BODIES).map(
    lambda each: f"def {each[0]}({each[1]}):\n    {each[2]}\n\n\n"
)
MODULES = st.lists(FUNCTIONS, min_size=1, max_size=4).map("".join)
CLASSES = st.lists(FUNCTIONS, min_size=1, max_size=3).map(
    lambda each: "class Shop:\n" + "".join(f"    {line}\n" if line else "\n" for line in "".join(each).split("\n"))
)
TREES = st.dictionaries(st.sampled_from(["a.py", "b.py", "shop/c.py"]), MODULES | CLASSES, min_size=1, max_size=3)


def both(old: dict[str, str], new: dict[str, str]) -> tuple[Comparison, Comparison, Comparison]:
    with tempfile.TemporaryDirectory() as place:
        one, other = built(Path(place) / "old", old), built(Path(place) / "new", new)
        with open_bundle(one) as before, open_bundle(other) as after:
            return compare(before, after), compare(after, before), compare(before, before)


@settings(deadline=None, max_examples=10)
@given(old=TREES, new=TREES)
def test_what_one_direction_adds_the_other_removes_and_nothing_differs_from_itself(
    old: dict[str, str], new: dict[str, str]
) -> None:
    there, back, itself = both(old, new)
    assert () == itself.symbols
    removed = [each for each in back.symbols if ChangeKind.REMOVED in each.kinds and each.old and each.old.kind != "module"]
    definitions = {(each.old.path, each.old.name) for each in removed if each.old}
    added = {(each.new.path, each.new.name) for each in there.symbols if ChangeKind.ADDED in each.kinds and each.new}
    assert definitions == added
    for comparison in (there, back):
        for change in comparison.symbols:
            assert change.kinds
            assert not change.breakages or change.is_exported
