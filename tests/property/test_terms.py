"""What holds for the terms of any text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.engines.lexical import document_of
from hardtack.text import MAX_TERM_CHARACTERS, parts_of, term_text, terms_of, whole_name

_TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("aAbB01__ .-/")), max_size=200)
_WORDS = re.compile(r"\w+")


@given(_TEXTS)
def test_every_word_is_among_the_terms_in_lower_case_and_in_order(text: str) -> None:
    remaining = iter(terms_of(text))
    for word in _WORDS.findall(text):
        whole = word[:MAX_TERM_CHARACTERS].lower().strip("_") or word[:MAX_TERM_CHARACTERS]
        assert whole in remaining  # an iterator: found after what was found before


@given(_TEXTS)
def test_terms_are_single_words_of_bounded_length_without_upper_case(text: str) -> None:
    for term in terms_of(text):
        assert term.split() == [term]
        assert term == term.lower()
        assert len(term) <= 3 * MAX_TERM_CHARACTERS  # lower-casing can lengthen a letter


@given(_TEXTS, _TEXTS)
def test_terms_of_two_texts_are_those_of_each(left: str, right: str) -> None:
    assert terms_of(left) + terms_of(right) == terms_of(f"{left} {right}")


@given(_TEXTS)
def test_asking_twice_gives_the_same(text: str) -> None:
    assert term_text(text) == term_text(text)
    assert " ".join(terms_of(text)) == term_text(text)


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=1, max_size=6))
def test_an_identifier_gives_its_parts_however_it_is_spelt(words: list[str]) -> None:
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    for name in ("_".join(words), "_".join(words).upper(), camel, "__" + "_".join(words) + "__"):
        assert words == parts_of(name)


@given(_TEXTS.filter(str.strip))
def test_both_halves_split_a_text_alike(text: str) -> None:
    document = document_of(path="a", language="python", file=0, symbols=(), enclosing=None, body=text)
    assert set(terms_of(text)) == set(document.texts[-1].split())


@given(_TEXTS)
def test_a_whole_name_is_one_term(name: str) -> None:
    assert len(whole_name(name).split()) <= 1
