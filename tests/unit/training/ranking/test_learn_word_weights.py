"""What a word is learned to tell: nothing when it stands in every touched file alike, all when only its own answers have it."""

from __future__ import annotations

import random

from learn_word_weights import LEAST, MOST, Sighting, fitted


def _sightings(stem: str, *, answers: float, usual: float, count: int = 60) -> list[Sighting]:
    """As many subjects with a word, spread over six repositories, of whose answers this share has it."""
    return [
        Sighting(f"repository {number % 6}", stem, float(number < answers * count), usual)
        for number in random.Random(stem).sample(range(count), count)
    ]


def test_a_word_that_answers_have_no_more_often_than_other_files_tells_nothing() -> None:
    usual = (0.05, 0.1, 0.2, 0.4)
    rare = [each for number in range(80) for each in _sightings(f"name{number}", answers=0.9, usual=usual[number % 4], count=10)]
    weights = fitted([*rare, *_sightings("fix", answers=0.2, usual=0.2), *_sightings("websocket", answers=0.85, usual=0.1)])
    assert {"fix", "websocket"} == weights.keys()  # the others stand in too few subjects
    assert weights["fix"] < 0.15 < 0.7 < weights["websocket"]
    assert all(LEAST <= weight <= MOST for weight in weights.values())


def test_a_word_of_one_repository_alone_has_no_weight_of_its_own() -> None:
    alone = [Sighting("one", "frobnicator", 1.0, 0.1)] * 100
    assert {} == fitted([*alone, *(Sighting(f"r{number}", f"w{number}", 1.0, 0.1) for number in range(20))])
