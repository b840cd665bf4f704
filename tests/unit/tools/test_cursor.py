"""Cursors: they give back their position, and only with the bundle and the request that they were made with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.errors import UsageError
from hardtack.tools.cursor import cursor_of, position_of

_DIGEST = "sha256:" + "0" * 64
_VALUES = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(), max_size=3)
_REQUESTS = st.text() | st.dictionaries(st.text(), _VALUES, max_size=4)
_POSITIONS = st.lists(st.integers(min_value=0, max_value=2**63 - 1), max_size=4)


def _refused(cursor: str, digest: str = _DIGEST, request: str = "asked") -> str:
    with pytest.raises(UsageError) as refused:
        position_of(cursor, digest, request)
    return refused.value.code


@given(request=_REQUESTS, position=_POSITIONS)
def test_a_cursor_leads_back_to_its_position(request: object, position: list[int]) -> None:
    assert tuple(position) == position_of(cursor_of(_DIGEST, request, position), _DIGEST, request)  # type: ignore[arg-type]


@given(asked=_REQUESTS, other=_REQUESTS, position=_POSITIONS)
def test_a_cursor_of_another_request_is_refused(asked: object, other: object, position: list[int]) -> None:
    cursor = cursor_of(_DIGEST, asked, position)  # type: ignore[arg-type]
    if asked != other:
        assert "CURSOR_INVALID" == _refused(cursor, request=other)  # type: ignore[arg-type]


def test_a_cursor_of_another_bundle_is_refused() -> None:
    assert "CURSOR_INVALID" == _refused(cursor_of("sha256:" + "1" * 64, "asked", [7]))


@given(st.text())
def test_what_is_no_cursor_is_refused(word: str) -> None:
    assert "CURSOR_INVALID" == _refused(word)


@given(position=_POSITIONS, at=st.integers(min_value=0), letter=st.sampled_from("AQgw019_-zé= \n"))
def test_a_cursor_with_another_letter_is_refused(position: list[int], at: int, letter: str) -> None:
    cursor = cursor_of(_DIGEST, "asked", position)
    at %= len(cursor)
    changed = cursor[:at] + letter + cursor[at + 1 :]
    if changed != cursor:
        assert "CURSOR_INVALID" == _refused(changed)


def test_a_cursor_is_short() -> None:
    assert 12 >= len(cursor_of(_DIGEST, {"symbol_name": "a rather long name of something" * 10}, [100, 3]))


def test_the_order_of_a_requests_keys_does_not_matter() -> None:
    assert (5,) == position_of(cursor_of(_DIGEST, {"a": 1, "b": [2]}, [5]), _DIGEST, {"b": [2], "a": 1})


def test_a_position_counts_from_nothing_upwards() -> None:
    with pytest.raises(ValueError, match="no place"):
        cursor_of(_DIGEST, "asked", [-1])
