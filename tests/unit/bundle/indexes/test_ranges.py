"""Stretches of an array are told from what would read beyond it, or read more of it than there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.indexes.posting_lists import are_ascending, are_within, places_of

STRETCHES = st.lists(st.tuples(st.integers(0, 12), st.integers(-1, 12)), max_size=6)


@given(stretches=STRETCHES, of=st.integers(0, 14))
def test_stretches_within_an_array_lie_in_it_and_share_no_place_beyond_its_length(
    stretches: list[tuple[int, int]], of: int
) -> None:
    starts, lengths = (np.array([each[at] for each in stretches], dtype=np.int64) for at in (0, 1))
    inside = all(length >= 0 and start + length <= of for start, length in stretches)
    distinct = {(start, start + length) for start, length in stretches if length > 0}
    apart = sum(end - start for start, end in distinct) == len({place for start, end in distinct for place in range(start, end)})
    expected = inside and (apart or sum(length for _, length in stretches) <= of)
    assert are_within(starts, lengths, of, of=of) is expected
    if inside:
        assert [place for start, length in stretches for place in range(start, start + length)] == places_of(
            starts, lengths
        ).tolist()


@given(lists=st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=5))
def test_lists_that_ascend_each_may_begin_anywhere(lists: list[list[int]]) -> None:
    ordinals = np.array([number for each in lists for number in each], dtype=np.uint32)
    assert are_ascending(ordinals, np.array([*map(len, lists)], dtype=np.int64)) is all(each == sorted(set(each)) for each in lists)


@pytest.mark.parametrize("times", [1, 3])
def test_one_stretch_may_come_again(times: int) -> None:
    assert are_within(np.array([2, 0] * times), np.array([4, 2] * times), 6, of=6)
