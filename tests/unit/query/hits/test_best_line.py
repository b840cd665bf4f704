"""The best line for the words of a query."""

from __future__ import annotations

import pytest

from hardtack.query.hits.best_line import BestLine

LINES = [
    "// Opens a jar.",  # 0
    "void open(Jar jar) {",  # 1
    "  check(jar);",  # 2
    "",  # 3
    "  lid.twist(jar);",  # 4
    "  lid.lift();",  # 5
    "  log(jar);",  # 6
    "}",  # 7
]
TEXT = "\n".join(LINES).lower()


@pytest.mark.parametrize(
    ("stems", "line"),
    [
        (["twist"], 4),
        (["lift", "jar"], 5),  # the rare word outweighs the frequent one, wherever that is thickest
        (["lift", "lid"], 5),  # two words on one line
        (["check", "log"], 2),  # the first of equals
        (["lid"], 4),
        (["jar"], 1),  # neighbours count: three lines with it stand together, and this is in their midst
        (["missing"], None),
        (["", "missing", "twist"], 4),
        ([], None),
    ],
)
def test_the_words_that_stand_closest_are_found(stems: list[str], line: int | None) -> None:
    assert line == BestLine(stems).find(TEXT)


def test_the_definition_comes_before_a_line_as_good() -> None:
    assert (0, 1) == (BestLine(["open"]).find(TEXT), BestLine(["open"]).find(TEXT, definition=1))


def test_a_definition_without_the_words_is_not_the_match() -> None:
    assert 4 == BestLine(["twist"]).find(TEXT, definition=1)


@pytest.mark.parametrize(("first", "stop", "line"), [(0, None, 0), (1, None, 1), (2, 4, None), (5, None, None)])
def test_only_the_lines_that_are_meant_count(first: int, stop: int | None, line: int | None) -> None:
    assert line == BestLine(["open"]).find(TEXT, first, stop)


def test_a_definition_outside_of_the_lines_that_are_meant_does_not_count() -> None:
    assert 4 == BestLine(["jar"]).find(TEXT, 3, None, definition=1)


@pytest.mark.parametrize(
    ("stems", "name", "expected"),
    [(["jar", "open"], "Shelf.openJar", True), (["jar", "clos"], "Shelf.openJar", False), ([], "Shelf", False)],
)
def test_a_name_may_have_all_of_the_words(stems: list[str], name: str, expected: bool) -> None:
    assert expected is BestLine(stems).is_all_in(name)


def test_plurals_in_ies_are_found_by_their_stem() -> None:
    assert 1 == BestLine(["dependency"]).find("depend\ndependencies\n")
    assert None is BestLine(["key"]).find("kept")
    assert None is BestLine(["array"]).find("arrange arra")
