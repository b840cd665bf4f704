"""Words of one family meet in one stem, and words that only look inflected stay."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.text.stems import LONGEST_ENDING, stem_of


@pytest.mark.parametrize(
    "family",
    [
        "cache caches cached caching",
        "retry retries retried retrying",
        "match matches matched matching",
        "class classes",
        "process processes processed processing",
        "stop stops stopped stopping",
        "box boxes boxing boxed",
        "alias aliases",
        "parse parses parsed parsing",
        "fill fills filled filling",
        "status",
    ],
)
def test_the_words_of_a_family_have_one_stem(family: str) -> None:
    assert 1 == len({stem_of(word) for word in family.split()})


@pytest.mark.parametrize(
    "word", ["string", "speed", "this", "his", "bus", "need", "thing", "king", "red", "http2", "max_size", "ünder", "oled", "id"]
)
def test_a_word_that_only_looks_inflected_is_its_own_stem(word: str) -> None:
    assert word == stem_of(word)


def test_what_a_word_is_made_of_is_not_cut() -> None:
    assert stem_of("encoder") != stem_of("encode")
    assert stem_of("connection") != stem_of("connect")


ROOTS = "cach retr match al tr stop box fil miss fizz ag sh b y quer se re e stat ser"
ENDINGS = "- e s es ed ing ies ied ees eed ss us is ias aes oes aies eies ping pped lling zzed ying"


@given(
    st.text("abeginsuyd", max_size=5), st.lists(st.sampled_from(["ing", "ed", "s", "es", "ies", "ied", "tt", "e", "y"]), max_size=4)
)
def test_a_term_begins_as_its_stem_does_and_is_not_much_longer(root: str, endings: list[str]) -> None:
    term = root + "".join(endings)
    stem = stem_of(term)
    assert term.startswith(stem[:-1])
    assert 0 <= len(term) - len(stem) <= LONGEST_ENDING


def test_the_longest_ending_is_as_long_as_that() -> None:
    assert LONGEST_ENDING == len("settings") - len(stem_of("settings"))


def test_the_stems_are_pinned_since_bundles_store_them() -> None:
    stems = [stem_of(f"{root}{ending.strip('-')}") for root in ROOTS.split() for ending in ENDINGS.split()]
    assert (
        "7de2064e2c37f863" == hashlib.sha256(" ".join(stems).encode()).hexdigest()[:16]
    )  # another digest, another terms.TERMS_VERSION
