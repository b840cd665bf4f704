"""Reciprocal rank fusion against the sum it is defined by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.query.retrieval.fuse import fuse
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL, RankedList

_LISTS = st.dictionaries(
    st.sampled_from([LEXICAL, DENSE]),
    st.lists(st.tuples(st.integers(0, 40), st.floats(0, 1)), max_size=30, unique_by=lambda pair: pair[0]),
    max_size=2,
)


def _found(pairs: list[tuple[int, float]]) -> RankedList:
    ordinals, scores = zip(*pairs, strict=True) if pairs else ((), ())
    return RankedList(np.array(ordinals, dtype=np.int64), np.array(scores, dtype=np.float64))


@given(_LISTS.filter(lambda lists: len(lists) != 1))
def test_a_score_is_the_sum_of_the_reciprocal_ranks_over_that_of_two_first_places(
    lists: dict[str, list[tuple[int, float]]],
) -> None:
    expected: dict[int, float] = {}
    for pairs in lists.values():
        for rank, (ordinal, _) in enumerate(pairs, start=1):
            expected[ordinal] = expected.get(ordinal, 0) + 61 / (60 + rank) / 2
    fused = fuse({retriever: _found(pairs) for retriever, pairs in lists.items()}).candidates()
    assert expected == pytest.approx({candidate.ordinal: candidate.score for candidate in fused})
    assert [(-candidate.score, candidate.ordinal) for candidate in fused] == sorted(
        (-candidate.score, candidate.ordinal) for candidate in fused
    )


@given(_LISTS)
def test_the_order_of_the_lists_changes_nothing(lists: dict[str, list[tuple[int, float]]]) -> None:
    made = {retriever: _found(pairs) for retriever, pairs in lists.items()}
    assert fuse(made).candidates() == fuse(dict(reversed(made.items()))).candidates()


@given(_LISTS)
def test_a_candidate_keeps_its_score_in_every_list_it_was_in(lists: dict[str, list[tuple[int, float]]]) -> None:
    for candidate in fuse({retriever: _found(pairs) for retriever, pairs in lists.items()}).candidates():
        assert dict(lists.get(LEXICAL, ())).get(candidate.ordinal) == candidate.lexical
        assert dict(lists.get(DENSE, ())).get(candidate.ordinal) == candidate.dense


@given(st.lists(st.tuples(st.integers(0, 40), st.floats(0, 1)), max_size=9, unique_by=lambda pair: pair[0]))
def test_of_a_single_list_the_scores_are_its_own(pairs: list[tuple[int, float]]) -> None:
    assert dict(pairs) == {candidate.ordinal: candidate.score for candidate in fuse({DENSE: _found(pairs)}).candidates()}


def test_a_leader_of_two_lists_scores_one_and_of_one_list_a_half() -> None:
    lists = {LEXICAL: _found([(7, 0.1)]), DENSE: _found([(7, 0.2)])}
    assert [1.0] == [candidate.score for candidate in fuse(lists).candidates()]
    assert [0.5] == [candidate.score for candidate in fuse({**lists, DENSE: _found([])}).candidates()]
