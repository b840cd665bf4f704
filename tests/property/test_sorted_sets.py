"""Sets of ordinals as numpy's own set routines give them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardtack.query.retrieval.sorted_sets import distinct, grouped

_LISTS = st.lists(st.lists(st.integers(0, 30), max_size=20), min_size=1, max_size=4)


def _ordinals(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


@given(_LISTS)
def test_distinct_gives_each_ordinal_of_any_list_once(lists: list[list[int]]) -> None:
    assert (
        np.unique(_ordinals([number for numbers in lists for number in numbers])).tolist()
        == distinct(*map(_ordinals, lists)).tolist()
    )


@given(st.lists(st.integers(0, 30), max_size=40).map(sorted))
def test_groups_are_those_of_unique(ascending: list[int]) -> None:
    expected = np.unique(_ordinals(ascending), return_index=True, return_inverse=True)
    assert [column.tolist() for column in expected] == [column.tolist() for column in grouped(_ordinals(ascending))]
