"""Which hits say the same as one before them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardtack.query.collapse import Collapse, Shown

LINES = [f"    statement number {number};" for number in range(10)]
JAR = Shown(file=1, symbol=7, name="fill", first=10, last=19, match=12, lines=LINES)


def _twin(shown: Shown, *kept: Shown) -> int | None:
    collapse = Collapse()
    for each in kept:
        assert collapse.twin_of(each) is None
    return collapse.twin_of(shown)


def _changed(count: int) -> list[str]:
    """The lines with so many of them others."""
    return [f"    other{number}(word{number});" for number in range(count)] + LINES[count:]


@pytest.mark.parametrize(
    ("other", "twin"),
    [
        (replace(JAR, file=2, symbol=70), 0),  # a copy
        (replace(JAR, file=2, symbol=70, lines=["\t" + line.strip() for line in LINES]), 0),  # indented otherwise
        (replace(JAR, file=2, symbol=70, lines=[*LINES, "    one_more();"]), 0),
        (replace(JAR, file=2, symbol=70, lines=_changed(1)), 0),  # nine of ten
        (replace(JAR, file=2, symbol=70, lines=_changed(2)), None),
        (replace(JAR, file=2, symbol=70, lines=[*LINES, "    one_more();", "    and_another();"]), None),
        (replace(JAR, file=2, symbol=70, name="empty"), None),  # called otherwise: not compared
        (replace(JAR, file=2, symbol=-1, name=""), None),
        (replace(JAR, first=10, last=15, match=10, symbol=8, name="x"), 0),  # inside the lines shown already
        (replace(JAR, first=10, last=15, match=10, symbol=8, name="x", file=2), None),
        (replace(JAR, first=15, last=24, match=18, name="x", lines=[]), None),  # without text nothing is shown
        (replace(JAR, first=15, last=24, match=18, lines=_changed(9)), 0),  # the same function, its match seen already
        (replace(JAR, first=15, last=24, match=20, lines=_changed(9)), None),  # another part of it
        (
            replace(JAR, first=20, last=29, match=20, lines=[f"number {number} statement" for number in range(10)]),
            None,
        ),  # same words
        (replace(JAR, first=15, last=24, match=18, symbol=8, lines=_changed(9)), None),  # another function
    ],
)
def test_a_hit_that_says_the_same_has_a_twin(other: Shown, twin: int | None) -> None:
    assert twin == _twin(other, JAR)


def test_hits_without_a_name_are_compared_by_how_they_begin() -> None:
    one = replace(JAR, symbol=-1, name="")
    assert 0 == _twin(replace(one, file=2), one)


def test_an_overload_of_one_file_is_a_twin_and_the_same_name_elsewhere_is_none() -> None:
    def overload(kind: str, file: int, first: int) -> Shown:
        lines = [
            f"public void write({kind} value) throws IOException {{",
            f"    _verifyValueWrite(value, {kind});",
            "    if (_outputTail + BYTES_MAX >= _outputEnd) { _flushBuffer(); }",
            f"    _outputTail = NumberOutput.output({kind}, value, _outputBuffer, _outputTail);",
        ]
        return Shown(file=file, symbol=first, name="write", first=first, last=first + 3, match=first, lines=lines)

    assert 0 == _twin(overload("long", 1, 20), overload("int", 1, 10))
    assert None is _twin(overload("long", 2, 20), overload("int", 1, 10))


def test_the_number_is_that_of_the_hit_that_was_kept() -> None:
    other = replace(JAR, file=3, symbol=9, name="other", lines=_changed(9))
    third = replace(JAR, file=4, symbol=10, lines=_changed(8))
    assert 2 == _twin(replace(third, file=5), JAR, other, third)
