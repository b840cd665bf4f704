"""Text in, search terms and stems out: the tokeniser and the stemmer that builds and searches share.

A word is a run of letters, digits and underscores. Its terms are the word itself, lower-cased, and, when it is a compound
identifier (``parseHTTPRequest``, ``max_retry_count``), its parts. The lexical index stores every term as it is: none is stemmed or
dropped.

Text beyond ASCII is folded first: accents go, compatibility characters become plain ones (:func:`folded`). A word that loses
accents has a further term, the word with them, so that what is spelt as the query comes first.

Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese write no spaces between words, or not between all of them. There the terms
are the characters and the pairs of neighbours, after Lucene's CJKBigramFilter: a query of two characters or more asks for pairs,
which also say that they stand in order, and a query of one character for the character. Vowel signs and tone marks are characters
too, so that any piece of a word is found. Segmenters were rejected: they need a dictionary of megabytes for each language, and a
word that they cut otherwise in the query than in the text is not found.

Stems serve to compare words with words. Plurals lose their ending by Harman's S-stemmer ("How effective is suffixing?", JASIS
42(1), 1991). ``-ing`` and ``-ed`` go where a stem with a vowel is left, a doubled consonant becomes one, and a last ``e`` is
dropped, after step 1b of Porter's algorithm (Program 14(3), 1980), so that ``cache``, ``caches``, ``cached`` and ``caching`` have
one stem. Nothing else is cut: ``encoder`` and ``encode`` stay apart.

A bundle's manifest carries :func:`fingerprint`, which covers the rules of both. A reader with other rules must not search the
bundle's terms.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from operator import add
from typing import Final

# 1: first version.
# 2: beyond ASCII, accents go, and scripts without spaces are cut into characters and pairs of them.
# 3: a word that loses accents has a term with them, too.
# Any change to the rules or word lists here needs a higher one: bundles store terms, stems of them, and pairs of
# stems, without those of stop words.
TERMS_VERSION = 3

MAX_TERM_CHARACTERS = 100
"""Longer words (encoded data, mostly) are cut to this; both halves cut alike."""

# The 33 stop words of Lucene's English list, question words, auxiliaries, pronouns, prepositions.
_STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will "
    "with how what where which who whom whose when why do does did done can could should would may might must shall has have had "
    "having been being am were i me my we us our you your he she him his her its them those from about after before between "
    "through during over under above below up down out off than so too very just also each any some all both either via per using "
    "used use uses while within without upon across"
)
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Terms so common that they say little about a text."""

_WORD = re.compile(r"[^\x00-/:-@\[-^`{-\x7f]+")
"""Letters, digits and underscores of ASCII, and any characters beyond it, which :func:`_runs_in` splits further."""
_SPACED = bytes(byte if _WORD.match(chr(byte)) else ord(" ") for byte in range(128)) + bytes(range(128, 256))
"""For ``bytes.translate``: an ASCII byte that is no part of a word becomes a space."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")

_INVISIBLE = r"\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"
"""Hyphens, joiners and variation selectors, as the inside of a set."""
_is_invisible = re.compile(rf"[{_INVISIBLE}]").match
_DROPPED = re.compile(
    # Й, Ў and Ї are letters of their own; Ё is not, as Russian prints it as Е.
    r"(?<![\u0418\u0423\u0438\u0443])\u0306|(?<![\u0406\u0456])\u0308|[\u0300-\u0305\u0307\u0309-\u036f\u1ab0-\u1aff\u1dc0-\u1dff"
    r"\u20d0-\u20ff\ufe20-\ufe2f"  # other accents
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u0652\u0670"  # what Hebrew and Arabic mostly leave out
    rf"{_INVISIBLE}]"
)
"""What decomposed text loses."""
_MARKS_IN_FRONT = re.compile(rf"\A(?:{_DROPPED.pattern})+")
"""They belong to what stands before the word."""
_LETTERS = str.maketrans(
    {
        **dict(zip("ÐĐðđĦħıĸŁłŊŋØøŦŧ", "DDddHhikLlNnOoTt", strict=True)),
        "Æ": "AE",
        "æ": "ae",
        "Œ": "OE",
        "œ": "oe",
        "Þ": "TH",
        "þ": "th",
        "ß": "ss",
        "ẞ": "SS",
    }
)
"""Letters that Unicode does not decompose."""
_MANY_MARKS = re.compile(r"((?:[^\w\x00-\x7f]|[\uff9e\uff9f]){32})")
"""Sorting the marks on one letter takes the square of their number; words have few."""

_UNSPACED = (
    r"\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"  # as Lucene
    r"\u0e01-\u0e4e\u0e80-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1780-\u17d3\u17d7-\u17dd\u1950-\u19c9"
    r"\u1a20-\u1a7f\ua9e0-\ua9ef\uaa60-\uaadf"  # where Unicode breaks lines by dictionary (UAX 14, class SA)
)
"""Letters and marks of scripts without spaces between words, as the inside of a set."""
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\s{_UNSPACED}]+")
_begins_unspaced = re.compile(rf"[{_UNSPACED}]").match
_has_unspaced = re.compile(rf"[{_UNSPACED}]").search
_has_no_accent = re.compile(rf"[\x00-\x7f{_UNSPACED}\uff00-\uffef]*").fullmatch


class _TermsByWord(dict[str, str]):
    """A word's terms, joined by spaces, made when they are first looked up: source code repeats its words."""

    def __missing__(self, word: str) -> str:
        terms = " ".join(_terms_of_word(word[:MAX_TERM_CHARACTERS]) if word.isascii() else _terms_beyond_ascii(word))
        if len(word) > MAX_TERM_CHARACTERS:
            return terms
        if len(self) >= 1_000_000:
            self.clear()
        self[word] = terms
        return terms


def _terms_of_word(word: str) -> list[str]:
    whole = _lower(word).strip("_") or word
    parts = parts_of(word) if word.isascii() else _parts_at_underscores(word)
    return [whole] if len(parts) <= 1 else [whole, *parts]


def _terms_beyond_ascii(text: str, *, is_query: bool = False) -> list[str]:
    terms: list[str] = []
    for word in written_words(unicodedata.normalize("NFKC", _MANY_MARKS.sub(r"\1 ", text))):
        for run in _runs_in(word):
            terms += _pairs_in(run, is_query=is_query) if _begins_unspaced(run) else _terms_of_word(run[:MAX_TERM_CHARACTERS])
        if accented := _accented(word):
            terms.append(accented[:MAX_TERM_CHARACTERS])
    return terms


def _accented(word: str) -> str:
    """A word that loses accents, in lower case with them, else nothing. A query of such a word finds the same spelling first."""
    word = _lower(_MARKS_IN_FRONT.sub("", word)).strip("_")
    return "" if _has_no_accent(word) or _has_unspaced(word) or _unaccented(word) in ("", word) else word


class _Spaced(dict[int, str]):
    """A table for ``str.translate``: what is no letter, digit, underscore or mark becomes a space; what is invisible goes."""

    def __missing__(self, ordinal: int) -> str:
        character = chr(ordinal)
        is_part = character.isalnum() or character == "_" or unicodedata.category(character) in ("Mn", "Mc")
        self[ordinal] = becomes = "" if _is_invisible(character) else character if is_part else " "
        return becomes


_spaced = _Spaced()


def written_words(text: str) -> list[str]:
    """The runs of letters, digits, underscores and marks, as they are written."""
    return text.translate(_spaced).split()


def _runs_in(text: str) -> list[str]:
    """The folded runs of a text, in order, in the case it has: of letters without spaces between words, and all others."""
    plain = _unaccented(text)
    return [run for run in _RUN.findall(plain if plain.isalnum() else plain.translate(_spaced)) if run.strip("_")]


def _pairs_in(run: str, *, is_query: bool) -> list[str]:
    """The characters of an unspaced run and each two neighbours; for a query the pairs alone, if there are any."""
    pairs = [*map(add, run, run[1:])]
    return pairs if is_query and pairs else [*run, *pairs]


def _unaccented(text: str) -> str:
    text = _MANY_MARKS.sub(r"\1 ", text)
    if _has_no_accent(text) and unicodedata.is_normalized("NFKC", text):
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _DROPPED.sub("", decomposed)).translate(_LETTERS)


def folded(text: str) -> str:
    """The text in lower case, as its terms are spelt: without accents, in compatibility form (NFKC); it has the same line ends."""
    return text.lower() if text.isascii() else _lower(_unaccented(text))


def _lower(text: str) -> str:
    return text.lower().replace("ς", "σ")  # one letter, written otherwise at the end of a word


_terms_by_word = _TermsByWord()


def words_in(text: str) -> list[str]:
    """The words of ``text`` in order, repeats kept, as they are written; its terms are those of each of them.

    Beyond ASCII a word may be several, with what stands between them.
    """
    # Splitting ASCII text at spaces finds the same words in half the time.
    return text.encode().translate(_SPACED).decode().split() if text.isascii() else _WORD.findall(text)


def term_text(text: str) -> str:
    """The terms of ``text`` in order, joined by single spaces: what the lexical index stores."""
    terms = map(_terms_by_word.__getitem__, words_in(text))
    return " ".join(terms if text.isascii() else filter(None, terms))


def terms_of(text: str) -> list[str]:
    """The terms of ``text`` in order, repeats kept."""
    return term_text(text).split()


def query_terms(text: str) -> list[str]:
    """The terms to search for ``text`` by: those of :func:`terms_of`, without the single characters of what its pairs cover."""
    if text.isascii():
        return terms_of(text)
    return [
        term
        for word in words_in(text)
        for term in (_terms_by_word[word].split() if word.isascii() else _terms_beyond_ascii(word, is_query=True))
    ]


def unspaced_words(text: str) -> list[list[str]]:
    """The terms to search for each unspaced run of ``text`` by: together they are as good as a word, apart they say little."""
    if text.isascii():
        return []
    runs = (run for word in words_in(text) if not word.isascii() for run in _runs_in(word))
    return [_pairs_in(run, is_query=True) for run in runs if _begins_unspaced(run)]


def parts_of(name: str) -> list[str]:
    """The lower-cased parts of one name: ``parseHTTPRequest`` -> ``parse``, ``http``, ``request``.

    Case marks word borders in names that are ASCII without their accents; other scripts are split at underscores, and unspaced
    ones into pairs.
    """
    if name.isascii():
        return [part.lower() for part in _PART.findall(name)]
    parts: list[str] = []
    for run in _runs_in(name):
        if _begins_unspaced(run):
            parts += _pairs_in(run, is_query=True)
        else:
            parts += parts_of(run) if run.isascii() else _parts_at_underscores(run)
    return parts


def _parts_at_underscores(word: str) -> list[str]:
    return [part for part in _lower(word).split("_") if part]


def whole_name(name: str) -> str:
    """One term for a whole name, however it is spelt: ``Getting Started`` -> ``getting_started``. It keeps its accents."""
    return "_".join(composed(name).lower().split())[:MAX_TERM_CHARACTERS]


def composed(text: str) -> str:
    """The text in NFC, so that a name is the same however its accents are encoded; as it is if it has very many marks together."""
    return text if text.isascii() or _MANY_MARKS.search(text) else unicodedata.normalize("NFC", text)


def is_unspaced(term: str) -> bool:
    """Whether a term is a character of an unspaced script or a pair of them, and no word."""
    return not term.isascii() and _begins_unspaced(term) is not None


def fingerprint() -> str:
    """Digest of the rules: equal exactly when two programs split text alike, and cut its terms to the same stems."""
    rules: Iterable[str] = (str(TERMS_VERSION), str(MAX_TERM_CHARACTERS), _WORD.pattern, _PART.pattern, _DROPPED.pattern, _UNSPACED)
    return "sha256:" + hashlib.sha256("\n".join(rules).encode()).hexdigest()


_VOWELS = frozenset("aeiouy")
_LEAST = 4
"""Characters of the shortest word that is cut."""
_LEAST_STEM = 3
"""Characters that must be left before ``-ing`` and ``-ed``: ``string`` and ``speed`` stay."""
LONGEST_ENDING = 5
"""The most characters that stemming removes: ``settings``, ``set``. All of the stem but its last character begins the term."""
_KEPT_DOUBLE = frozenset("lsz")


@lru_cache(maxsize=1 << 16)
def stem_of(term: str) -> str:
    """The stem of one lower-case term; a term that is not all ASCII letters is its own."""
    if len(term) < _LEAST or not (term.isascii() and term.isalpha()):
        return term
    return _without_e(_without_verb_ending(_singular(term)))


def _singular(term: str) -> str:
    if term.endswith("ies") and not term.endswith(("eies", "aies")):
        return term[:-3] + "y"
    if term.endswith("es") and not term.endswith(("aes", "ees", "oes")):
        return term[:-1]
    if term.endswith("s") and not term.endswith(("us", "ss", "is", "ias")):
        return term[:-1]
    return term


def _without_verb_ending(term: str) -> str:
    if term.endswith("ied") and len(term) > _LEAST:
        return term[:-3] + "y"
    ending = 3 if term.endswith("ing") else 2 if term.endswith("ed") and not term.endswith("eed") else 0
    stem = term[:-ending] if ending else term
    if stem is term or len(stem) < _LEAST_STEM or _VOWELS.isdisjoint(stem):
        return term
    is_doubled = stem[-1] == stem[-2] and stem[-1] not in _KEPT_DOUBLE and stem[-1] not in _VOWELS
    return stem[:-1] if is_doubled else stem


def _without_e(term: str) -> str:
    return term[:-1] if term.endswith("e") and len(term) > _LEAST_STEM else term
