"""The shortlist's arithmetic on whole columns gives what plain loops give."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.query.ranking.shortlist import Shortlist, WordMatches

COUNT = 12
ordinals = st.lists(st.integers(0, COUNT - 1), max_size=30).map(lambda numbers: np.array(numbers, dtype=np.int64))
some = st.sets(st.integers(0, COUNT - 1)).map(lambda numbers: np.array(sorted(numbers), dtype=np.int64))


@st.composite
def matches(draw: st.DrawFn) -> WordMatches:
    """Of three words with any files."""
    files = draw(ordinals)
    numbers = st.lists(st.tuples(st.integers(0, 2), st.floats(0, 1)), min_size=len(files), max_size=len(files))
    pairs = np.array(draw(numbers)).reshape(-1, 2)
    return WordMatches(files, pairs[:, 0].astype(np.int64), pairs[:, 1])


@given(some, st.lists(matches(), min_size=1, max_size=3), st.integers(0, 2))
def test_of_several_matches_of_a_word_the_strongest_counts(files: np.ndarray, lists: list[WordMatches], spare: int) -> None:
    expected = np.zeros((len(lists) + spare, len(files), 3))
    for number, each in enumerate(lists):
        for file, term, strength in zip(*(column.tolist() for column in each), strict=True):
            if file in files:
                place = files.tolist().index(file)
                expected[number, place, term] = max(expected[number, place, term], strength)
    assert expected.tolist() == Shortlist(files, of=COUNT).strongest(lists, 3, room=len(lists) + spare).tolist()


@given(some, st.lists(ordinals, min_size=1, max_size=2), st.randoms(use_true_random=False))
def test_a_file_gets_its_best_number_and_the_sum_of_its_three_best(
    files: np.ndarray, lists: list[np.ndarray], random: Random
) -> None:
    scores = [np.array(sorted((random.random() for _ in each), reverse=True)) for each in lists]
    best, three = Shortlist(files, of=COUNT).best_and_three(list(zip(lists, scores, strict=True)))
    for row, (own, given_) in enumerate(zip(lists, scores, strict=True)):
        of_files = [sorted(given_[own == file].tolist(), reverse=True)[:3] for file in files.tolist()]
        assert [max(each, default=0.0) for each in of_files] == best[row].tolist()
        assert [sum(each) for each in of_files] == pytest.approx(three[row].tolist())


@given(some, some)
def test_a_number_that_is_told_of_a_file_is_found_at_its_place(files: np.ndarray, known: np.ndarray) -> None:
    shortlist = Shortlist(files, of=COUNT)
    column = shortlist.column(shortlist.places(known), known + 100, missing=-1)
    assert [file + 100 if file in known else -1 for file in files.tolist()] == column.tolist()
