"""Lines and characters of an index as bytes of the text, whatever its indexer counts."""

from __future__ import annotations

from typing import Any

import pytest

from hardtack.build.scip.ranges import Lines
from hardtack.build.scip.schema import UTF_8, UTF_16, UTF_32, message_classes

_TEXT = "one two\nGröße 🫙 two\r\n🫙\nlast two".encode()


def _occurrence(**fields: Any) -> Any:
    return message_classes()[0]["Occurrence"](**fields)


@pytest.mark.parametrize(
    ("encoding", "place"),
    [
        (UTF_8, [0, 4, 7]),
        (UTF_16, [0, 4, 7]),
        (UTF_8, [1, 13, 16]),
        (UTF_16, [1, 9, 12]),
        (UTF_32, [1, 8, 11]),
        (UTF_32, [1, 8, 1, 11]),
        (UTF_8, [3, 5, 8]),
    ],
)
def test_a_character_is_a_byte_a_utf_16_unit_or_a_code_point(encoding: int, place: list[int]) -> None:
    span = Lines(_TEXT).reader(encoding).span(_occurrence(range=place))
    assert span is not None
    assert b"two" == _TEXT[slice(*span)]


@pytest.mark.parametrize(
    "fields",
    [
        {"single_line_range": {"line": 1, "start_character": 9, "end_character": 12}},
        {"multi_line_range": {"start_line": 1, "start_character": 9, "end_line": 1, "end_character": 12}},
        {"single_line_range": {"line": 1, "start_character": 9, "end_character": 12}, "range": [0, 0, 1]},
    ],
)
def test_typed_ranges_go_before_the_older_form(fields: dict[str, Any]) -> None:
    span = Lines(_TEXT).reader(UTF_16).span(_occurrence(**fields))
    assert span is not None
    assert b"two" == _TEXT[slice(*span)]


@pytest.mark.parametrize(
    "place",
    [
        [],
        [0],
        [0, 1],
        [0, 0, 1, 1, 1],
        [-1, 0, 1],
        [0, -1, 2],
        [0, 5, 4],
        [0, 5, 9],
        [9, 0, 1],
        [1, 0, 99],
        [2, 0, 4],
        [0, 0, 1, 2],
    ],
)
@pytest.mark.parametrize("encoding", [UTF_8, UTF_16, UTF_32])
def test_a_range_that_the_text_does_not_have_is_none(place: list[int], encoding: int) -> None:
    span = Lines(_TEXT).reader(encoding).span(_occurrence(range=place))
    assert span is None or (place, encoding, b"\xf0\x9f\xab\x99") == ([2, 0, 4], UTF_8, _TEXT[slice(*span)])


def test_encodings_are_tried_only_where_they_differ() -> None:
    assert ((UTF_16, UTF_8, UTF_32), (UTF_32,)) == (Lines(_TEXT).encodings(0), Lines(_TEXT).encodings(UTF_32))
    assert 1 == len(Lines(b"plain").encodings(0))
