"""A question in, the symbols that it names out.

Only what is spelt like a name of code is taken for one: a word of prose that some symbol happens to have (``error``, ``get``) is
none, unless the question says so (``the function get``, ``callers of get``, ``from dispatch to get``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.query.lookup.disambiguate import SymbolGroup, disambiguate
from hardtack.query.lookup.symbols import look_up
from hardtack.query.request.analysis import TextAnalysis, qualified
from hardtack.query.request.issue import names_in
from hardtack.text import STOP_WORDS

MAX_NAMED: Final = 6
MAX_MEANINGS: Final = 8
"""Symbols of one name that are followed; a name of more is only told of."""
_MAX_TRIED: Final = 40
"""Words that are looked up."""

_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`")
_CAPITALISED: Final = re.compile(r"(?<=[\w,:;)] )[A-Z]\w+")
"""A word with a capital that does not begin a sentence."""
_POINTED_AT: Final = re.compile(
    r"\b(?:callers? of|calls? (?:to|of)|usages? of|uses of|references to|tests? (?:of|for)|functions?|methods?|class(?:es)?|types?"
    r"|structs?|interfaces?|traits?|from|to|between|and|symbols?|calls|uses|invokes|implements)\s+([A-Za-z_$][\w$]*(?:(?:::|->|[.#])\w+)*)"
)
_USAGES: Final = re.compile(
    r"\b(call(?:s|ed|ers?)?|us(?:e|es|ed|ages?)|references?|breaks?|affect(?:s|ed)?|impact|depends?|who)\b", re.IGNORECASE
)
_TESTS: Final = re.compile(r"\b(?:tests?|tested|covered|covers|coverage|specs?)\b", re.IGNORECASE)


class NamedSymbols(NamedTuple):
    """One name of a question, and what it can mean."""

    name: str
    groups: tuple[SymbolGroup, ...]


def named_in(bundle: Bundle, text: str, analysis: TextAnalysis) -> list[NamedSymbols]:
    """The names in a question that symbols have, in its order, each meaning once."""
    found: list[NamedSymbols] = []
    known: set[int] = set()
    for name in dict.fromkeys(_written(text, analysis)):
        if len(found) == MAX_NAMED:
            break
        symbols = look_up(bundle, name, frozenset(Kind))
        if not _is_as_written(bundle, name, symbols.ordinals):
            continue
        preferred = [each for each in symbols.ordinals if bundle.symbol_name(each).kind in FUNCTIONS | TYPES]
        groups = disambiguate(bundle, preferred or symbols.ordinals, name).groups
        if new := tuple(group for group in groups if group.symbol not in known):
            known.update(group.symbol for group in new)
            found.append(NamedSymbols(name, new))
    return found


def asks_usages(text: str) -> bool:
    """Whether a question is about who uses something."""
    return _USAGES.search(text) is not None


def asks_tests(text: str) -> bool:
    """Whether a question is about tests."""
    return _TESTS.search(text) is not None


def _written(text: str, analysis: TextAnalysis) -> Iterator[str]:
    """The words of a question that may be names, in order of their places."""
    if analysis.symbol:
        yield analysis.symbol
        return
    places: dict[int, str] = {}
    for pattern in (_CAPITALISED, _POINTED_AT, _QUOTED):
        for match in pattern.finditer(text):
            group = match.lastindex or 0
            if match[group].lower() not in STOP_WORDS:
                places[match.start(group)] = match[group]
    start = 0
    for name in names_in(text):
        start = text.index(name, start)
        places[start] = name
        start += len(name)
    for place in sorted(places)[:_MAX_TRIED]:
        yield qualified(places[place].removesuffix("()"))


def _is_as_written(bundle: Bundle, name: str, ordinals: tuple[int, ...]) -> bool:
    """Whether symbols have that name in that case: a look-up takes any case where there is no other."""
    last = name.rpartition(".")[2]
    return any(bundle.symbol_name(each).name == last for each in ordinals)
