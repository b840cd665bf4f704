"""Text in, search terms and stems out: the tokeniser and the stemmer that builds and searches share.

A word is a run of letters, digits and underscores. Its terms are the word itself, lower-cased, and, when it is a compound
identifier (``parseHTTPRequest``, ``max_retry_count``), its parts. The lexical index stores every term as it is: none is stemmed or
dropped.

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
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

# 1: first version. Any change to the rules or word lists here needs a higher one: bundles store terms, stems of them, and pairs of
# stems, without those of stop words.
TERMS_VERSION = 1

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

_WORD = re.compile(r"\w+")
_SPACED = bytes(byte if _WORD.match(chr(byte)) else ord(" ") for byte in range(128)) + bytes(range(128, 256))
"""For ``bytes.translate``: an ASCII byte that is no part of a word becomes a space."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


class _TermsByWord(dict[str, str]):
    """A word's terms, joined by spaces, made when they are first looked up: source code repeats its words."""

    def __missing__(self, word: str) -> str:
        if len(self) >= 1_000_000:
            self.clear()
        terms = self[word] = " ".join(_terms_of_word(word[:MAX_TERM_CHARACTERS]))
        return terms


def _terms_of_word(word: str) -> list[str]:
    whole = word.lower().strip("_") or word
    parts = parts_of(word)
    return [whole] if len(parts) <= 1 else [whole, *parts]


_terms_by_word = _TermsByWord()


def words_in(text: str) -> list[str]:
    """The words of ``text`` in order, repeats kept, as they are written; its terms are those of each of them."""
    # Splitting ASCII text at spaces finds the same words in half the time.
    return text.encode().translate(_SPACED).decode().split() if text.isascii() else _WORD.findall(text)


def term_text(text: str) -> str:
    """The terms of ``text`` in order, joined by single spaces: what the lexical index stores."""
    return " ".join(map(_terms_by_word.__getitem__, words_in(text)))


def terms_of(text: str) -> list[str]:
    """The terms of ``text`` in order, repeats kept."""
    return term_text(text).split()


def parts_of(name: str) -> list[str]:
    """The lower-cased parts of one name: ``parseHTTPRequest`` -> ``parse``, ``http``, ``request``.

    Case marks word borders in ASCII names only; other scripts are split at underscores.
    """
    if name.isascii():
        return [part.lower() for part in _PART.findall(name)]
    return [part for part in name.lower().split("_") if part]


def whole_name(name: str) -> str:
    """One term for a whole name, however it is spelt: ``Getting Started`` -> ``getting_started``."""
    return "_".join(name.lower().split())[:MAX_TERM_CHARACTERS]


def fingerprint() -> str:
    """Digest of the rules: equal exactly when two programs split text alike, and cut its terms to the same stems."""
    rules: Iterable[str] = (str(TERMS_VERSION), str(MAX_TERM_CHARACTERS), _WORD.pattern, _PART.pattern)
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
