"""Whatever asks what, an answer follows from its question and not from what was asked before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.build.relations import memo
from hardtack.build.relations.memo import Memo

QUESTIONS = 60
Asked = Mapping[int, Sequence[tuple[int, bool]]]

question = st.integers(0, QUESTIONS - 1)
few = st.dictionaries(question, st.lists(st.tuples(question, st.booleans()), max_size=3), max_size=12)
chain = st.integers(2, QUESTIONS).map(lambda length: {number: [((number + 1) % length, False)] for number in range(length)})
asked = st.one_of(few, st.tuples(chain, few).map(lambda both: {**both[0], **both[1]}))


def answers_to(questions: Sequence[int], asked: Asked) -> Mapping[int, int | None]:
    """The answers to questions asked in that order: each asks others, and looks no further once one has, or has not, an answer."""

    def answer(question: int) -> int:
        total = question
        for other, is_enough in asked.get(question, ()):
            found = known.answer(other)
            total += 7 if found is None else found % 1000
            if (found is None) == is_enough:
                break
        return total

    known = Memo(answer)
    return {question: known.answer(question) for question in questions}


@given(asked, st.permutations(range(QUESTIONS)))
def test_the_order_of_questions_changes_no_answer(asked: Asked, order: list[int]) -> None:
    assert answers_to(range(QUESTIONS), asked) == answers_to(order, asked)


@given(asked)
def test_answers_that_were_forgotten_are_found_again(asked: Asked) -> None:
    remembered = answers_to(range(QUESTIONS), asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memo, "_MAX_ANSWERS", 1)
        assert remembered == answers_to([*range(QUESTIONS), *range(QUESTIONS)], asked)


def test_those_on_a_circle_have_no_answer_and_those_beside_it_have() -> None:
    asked = {0: [(1, False)], 1: [(2, False)], 2: [(1, False)], 3: [(0, False)]}
    assert {0: 7, 1: None, 2: None, 3: 10} == answers_to(range(4), asked)


def test_a_chain_of_any_length_is_followed_to_its_end() -> None:
    asked = {number: [(number + 1, False)] for number in range(5000)}
    assert 0 < (answers_to([0], asked)[0] or 0)
