"""What holds for the terms of any text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from hardtack.bundle.engines.documents import document_of
from hardtack.text import MAX_TERM_CHARACTERS, folded, parts_of, query_terms, term_text, terms_of, unspaced_words, whole_name

_TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("aAbB01__ .-/")), max_size=200)
_ASCII = st.text(st.one_of(st.characters(max_codepoint=127), st.sampled_from("aAbB01__ .-/")), max_size=200)
_UNSPACED = st.sampled_from("設定登录ファイルひらがな한국어ไทยລາວខ្មែរမြန်မာ")
_LATIN = st.text(st.sampled_from("aZéÀüñçÖåşğıșửộ"), min_size=1, max_size=20).filter(lambda word: "ı" not in word)
_WORDS = re.compile(r"\w+")


@given(_ASCII)
def test_the_terms_of_ascii_are_its_words_in_lower_case_and_the_parts_of_compound_ones(text: str) -> None:
    expected: list[str] = []
    for word in _WORDS.findall(text):
        cut = word[:MAX_TERM_CHARACTERS]
        parts = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+", cut)
        expected += [cut.lower().strip("_") or cut, *(part.lower() for part in parts if len(parts) > 1)]
    assert " ".join(expected) == term_text(text)
    assert expected == query_terms(text)


@given(_TEXTS)
def test_ascii_beside_other_characters_keeps_its_terms(text: str) -> None:
    words = [word for word in text.split() if word.isascii()]
    assert Counter(terms_of(" ".join(words))) <= Counter(terms_of(text))


@given(_TEXTS, _TEXTS, _TEXTS)
def test_a_text_has_the_terms_that_it_is_searched_by(text: str, before: str, after: str) -> None:
    assert set(query_terms(text)) <= set(terms_of(f"{before} {text} {after}"))
    assert bool(query_terms(text)) == bool(terms_of(text))


@given(st.text(_UNSPACED, min_size=1, max_size=40), st.data())
def test_any_piece_of_a_run_without_spaces_is_found(run: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(run) - 1))
    piece = run[first : data.draw(st.integers(first + 1, len(run)))]
    assert set(query_terms(piece)) <= set(terms_of(f"x{run}y"))
    assert [query_terms(piece)] == unspaced_words(piece)


@given(_TEXTS)
def test_a_text_has_the_same_terms_however_its_accents_are_encoded(text: str) -> None:
    for form in ("NFC", "NFD"):
        again = unicodedata.normalize(form, text)
        assert terms_of(text) == terms_of(again)
        assert folded(text) == folded(again)
        assert whole_name(unicodedata.normalize("NFC", text)) == whole_name(again)


@given(_TEXTS)
def test_folding_twice_changes_nothing_and_no_line_is_added_or_lost(text: str) -> None:
    assert folded(text) == folded(folded(text))
    assert text.count("\n") == folded(text).count("\n")


@given(_LATIN)
def test_a_word_with_accents_has_the_terms_of_the_word_without_and_one_with_them(word: str) -> None:
    plain = "".join(each for each in unicodedata.normalize("NFD", word) if each.isascii())
    accented = [] if plain == word else [unicodedata.normalize("NFC", word).lower()]
    assert [*terms_of(plain), *accented] == terms_of(word)


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
    assert set(query_terms(text)) <= set(document.texts[-1].split())


@given(_TEXTS)
def test_a_whole_name_is_one_term(name: str) -> None:
    assert len(whole_name(name).split()) <= 1
