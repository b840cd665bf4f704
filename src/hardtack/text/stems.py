"""A term in, its stem out: light, for English, and for comparing words with words; the index holds terms as they are written.

Plurals go by Harman's S-stemmer ("How effective is suffixing?", JASIS 42(1), 1991); ``-ing`` and ``-ed`` go where a stem with a
vowel is left, a doubled consonant is made one, and a last ``e`` is dropped, after step 1b of Porter's algorithm (Program 14(3),
1980), so that ``cache``, ``caches``, ``cached`` and ``caching`` meet. Nothing else is cut: ``encoder`` is not ``encode``.
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_LEAST = 4
"""Characters of the shortest word that is cut."""
_LEAST_STEM = 3
"""Characters that must be left before ``-ing`` and ``-ed``: ``string`` and ``speed`` stay."""
LONGEST_ENDING = 5
"""Characters at most by which a term is longer than its stem, all of which but the last begin it: ``settings``, ``set``."""
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
