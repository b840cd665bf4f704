"""Plurals and names as Laravel makes them; ``benchmarks/inflection_oracle.py`` asks for a whole dictionary."""

from __future__ import annotations

import pytest

from hardtack.build.frameworks.laravel.inflection import plural, plural_studly, singular, snake


@pytest.mark.parametrize(
    ("one", "many"),
    [
        *(("post", "posts"), ("category", "categories"), ("box", "boxes"), ("status", "statuses"), ("person", "people")),
        *(("analysis", "analyses"), ("leaf", "leaves"), ("medium", "media"), ("matrix", "matrices"), ("Quiz", "Quizzes")),
    ],
)
def test_a_word_has_the_plural_and_the_singular_that_doctrine_gives_it(one: str, many: str) -> None:
    assert (plural(one), singular(many)) == (many, one)


@pytest.mark.parametrize(
    "word", ["news", "equipment", "audio", "Feedback", "metadata", "software", "socialmedia", "related", "post_"]
)
def test_a_word_that_doctrine_or_laravel_does_not_inflect_stays_as_it_is(word: str) -> None:
    assert plural(word) == word


def test_the_case_of_a_word_is_kept() -> None:
    assert [plural("CHILD"), plural("Child"), plural("child")] == ["CHILDREN", "Children", "children"]


def test_only_the_last_word_of_a_name_is_put_in_the_plural() -> None:
    assert [plural_studly("PersonPerson"), plural_studly("UserFeedback")] == ["PersonPeople", "UserFeedback"]


def test_every_capital_begins_a_word_of_a_snake_case_name() -> None:
    assert [snake("UserProfile"), snake("URLList"), snake("post2Tag"), snake("plain")] == [
        "user_profile",
        "u_r_l_list",
        "post2_tag",
        "plain",
    ]
