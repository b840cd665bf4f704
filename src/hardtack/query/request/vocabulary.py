"""Words with a meaning of their own in a query: request verbs, names of kinds, languages and sorts of files, and learned weights.

The rarity of a word says how well it tells files apart, not whether the answer contains it: few files contain ``fix``, and those
are not the ones to fix. So the rarity of a word is multiplied by a weight, from 1 for a name to nearly 0 for ``fix`` and ``add``.
These weights are learned from the histories of repositories that no benchmark uses (``training/ranking/learn_word_weights.py`` has
the formula), after the relevance weights of Robertson and Spaerck Jones (JASIS 27(3), 1976).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

from hardtack.nouns.model import Kind

_Meaning = TypeVar("_Meaning")


class Subject(StrEnum):
    """A sort of file that a query can ask for by a word."""

    TEST = "test"
    DOCUMENTATION = "documentation"
    EXAMPLE = "example"
    CONFIGURATION = "configuration"
    BENCHMARK = "benchmark"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _meanings(pairs: Iterable[tuple[_Meaning, str]]) -> Mapping[str, _Meaning]:
    """Maps each word of each text to the meaning beside that text."""
    return {word: meaning for meaning, text in pairs for word in text.split()}


REQUEST_VERBS: Final = _words("find show locate explain describe list give tell get search look")
"""Verbs of a request, if they begin the query; elsewhere most are names of functions too."""

KIND_WORDS: Final = _meanings(
    (
        (Kind.CLASS, "class classes"),
        (Kind.STRUCT, "struct structs structure"),
        (Kind.INTERFACE, "interface interfaces protocol protocols"),
        (Kind.TRAIT, "trait traits"),
        (Kind.ENUM, "enum enums enumeration"),
        (Kind.TYPE, "type types typedef alias"),
        (Kind.FUNCTION, "function functions func fn def"),
        (Kind.METHOD, "method methods"),
        (Kind.CONSTRUCTOR, "constructor constructors"),
        (Kind.PROPERTY, "property properties"),
        (Kind.FIELD, "field fields"),
        (Kind.CONSTANT, "constant constants"),
        (Kind.VARIABLE, "variable variables"),
        (Kind.MACRO, "macro macros"),
        (Kind.MODULE, "module modules"),
        (Kind.NAMESPACE, "namespace namespaces"),
        (Kind.PACKAGE, "package packages"),
    )
)
"""Word to the kind of symbol it names."""

SUBJECT_WORDS: Final = _meanings(
    (
        (Subject.TEST, "test tests testing tested spec specs unittest unittests"),
        (Subject.DOCUMENTATION, "doc docs documentation readme guide tutorial manual changelog"),
        (Subject.EXAMPLE, "example examples sample samples demo demos"),
        (Subject.CONFIGURATION, "config configs configuration settings"),
        (Subject.BENCHMARK, "benchmark benchmarks bench benches"),
    )
)
"""Word to the sort of file it names."""

BEFORE_A_PATH: Final = _words("in inside under within from at of file folder directory path module")
BEFORE_A_LANGUAGE: Final = _words("in using with")
AFTER_A_LANGUAGE: Final = _words("code source sources file files side implementation api bindings binding")
AMBIGUOUS_LANGUAGES: Final = _words("text make compose properties json jsonc xml html yaml yml toml ini css svg sql")
"""Names of languages that are common words too: they count only before ``file`` and ``files``."""


UNKNOWN_WEIGHT: Final = 1.0
"""The weight of a word that few projects use: a word of one project is the best evidence."""

INFORMATIVE_WEIGHT: Final = 0.5
"""A query needs one word of this weight; otherwise all of its weights are scaled up."""

LITTLE_WEIGHT: Final = 0.2
"""A word of less weight says almost nothing about the subject of a question."""

_SHIPPED: Final = Path(__file__).parent / "word_weights.tsv"


def weight_of(stem: str) -> float:
    """The weight of the words of a stem; :data:`UNKNOWN_WEIGHT` for a stem that few projects use."""
    return _shipped().get(stem, UNKNOWN_WEIGHT)


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, float]:
    """The weight of each stem that many projects use."""
    lines = (line.split("\t") for line in _SHIPPED.read_text("utf-8").splitlines())
    return {stem: float(weight) for stem, weight in lines}
