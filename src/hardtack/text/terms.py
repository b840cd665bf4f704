"""Text in, search terms out: the one tokeniser that the build and the query half share.

A word is a run of letters, digits and underscores. Each word gives itself, lower-cased, and, when it is a compound identifier
(``parseHTTPRequest``, ``max_retry_count``), its parts after it. Nothing is stemmed and nothing is dropped, so what is written in
the code can be found as it is written. The bundle's manifest carries :func:`fingerprint`, which speaks for stems
(:mod:`hardtack.text.stems`) as well; a reader whose own differs must not search the bundle's terms.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Final

# 1: first version. It rises with the rules and words here and with the rules of text/stems.py: bundles store terms, stems of them,
# and pairs of stems, those of stop words left out.
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
"""Terms that hold a sentence together and say little of what it is about."""

_WORD = re.compile(r"\w+")
_SPACED = bytes(byte if _WORD.match(chr(byte)) else ord(" ") for byte in range(128)) + bytes(range(128, 256))
"""For ``bytes.translate``: what is no part of an ASCII word becomes a space."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


class _Memo(dict[str, str]):
    """Word -> its terms joined by spaces; source code repeats its words, so most look-ups are hits."""

    def __missing__(self, word: str) -> str:
        if len(self) >= 1_000_000:
            self.clear()
        terms = self[word] = " ".join(_terms_of_word(word[:MAX_TERM_CHARACTERS]))
        return terms


def _terms_of_word(word: str) -> list[str]:
    whole = word.lower().strip("_") or word
    parts = parts_of(word)
    return [whole] if len(parts) <= 1 else [whole, *parts]


_memo = _Memo()


def words_in(text: str) -> list[str]:
    """The words of ``text`` in order, repeats kept, as they are written; its terms are those of each of them."""
    # splitting ASCII text at spaces finds the same words in half the time
    return text.encode().translate(_SPACED).decode().split() if text.isascii() else _WORD.findall(text)


def term_text(text: str) -> str:
    """The terms of ``text`` in order, joined by single spaces: what the lexical index stores."""
    return " ".join(map(_memo.__getitem__, words_in(text)))


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
