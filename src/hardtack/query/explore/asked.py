"""A question in, the symbols that it names out.

Only what is spelt like a name of code is taken for one: a word of prose that some symbol happens to have (``error``, ``get``) is
none, unless the question says so (``the function get``, ``callers of get``, ``from dispatch to get``), and then only for a symbol
of the kind that it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import CALLABLES, FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Relation
from hardtack.query.lookup.disambiguate import SymbolGroup, disambiguate
from hardtack.query.lookup.references import HERITAGE, unresolved_relations
from hardtack.query.lookup.symbols import look_up
from hardtack.query.request.analysis import TextAnalysis, qualified
from hardtack.query.request.issue import names_in
from hardtack.text import STOP_WORDS

MAX_NAMED: Final = 6
MAX_MEANINGS: Final = 8
"""Symbols of one name that are followed; a name of more is only told of."""
_MAX_TRIED: Final = 40
"""Words that are looked up."""
_MOST_READ: Final = 8000
"""Characters of a question in which names are looked for."""

_ANY: Final = frozenset(Kind)
_CODE: Final = CALLABLES | TYPES
_NAME: Final = r"([A-Za-z_$][\w$]{0,99}(?:(?:::|->|[.#])\w{1,99}){0,9})"
_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`")
_CAPITALISED: Final = re.compile(r"(?<=[\w,:;)] )[A-Z]\w+")
"""A word with a capital that does not begin a sentence."""
_TOGETHER: Final = (
    re.compile(rf"\b(?:from|between)\s+{_NAME}\s+(?:to|and)\s+{_NAME}", re.IGNORECASE),
    re.compile(rf"\A\s*{_NAME}\s+to\s+{_NAME}\s*\Z", re.IGNORECASE),
    re.compile(rf"\A\s*{_NAME}\s*,\s*{_NAME}(?:\s*,\s*{_NAME})?(?:\s*,\s*{_NAME})?(?:\s*,\s*{_NAME})?\s*\Z"),
)
"""Names that are named together: a way, or a list and nothing else. They are names only if each of them is one."""
_POINTED_AT: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), kinds)
    for pattern, kinds in (
        (rf"\b(?:callers?|calls?|usages?|uses|references|implementations|subclasses|tests?)\s+(?:of|to|for)\s+{_NAME}", _CODE),
        (rf"\btests?\s+(?:that\s+)?(?:reach|cover|exercise|hit|call|use|run)(?:s|es|ing)?\s+{_NAME}", _CODE),
        (rf"\b(?:who|what|which \w+)\s+(?:calls?|uses?|invokes?|implements?|overrides?|extends?|subclasses)\s+{_NAME}", _CODE),
        (rf"\b(?:functions?|methods?|macros?)\s+{_NAME}", CALLABLES),
        (rf"\b{_NAME}\s+(?:function|method|macro)\b", CALLABLES),
        (rf"\b(?:class|classes|types?|structs?|interfaces?|traits?|enums?)\s+{_NAME}", TYPES),
        (rf"\b{_NAME}\s+(?:class|type|struct|interface|trait|enum)\b", TYPES),
        (rf"\bsymbols?\s+{_NAME}", _ANY),
    )
)
"""What a question says before or after a name, and the kinds of symbols that it can then mean."""
_USAGES: Final = re.compile(
    r"\b(?:calls?|called|callers?|uses|used by|usages?|references?|breaks?|affect(?:s|ed)?|impact|depends? on|who)\b", re.IGNORECASE
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
    written: dict[str, frozenset[Kind]] = {}
    for name, kinds in _written(bundle, text[:_MOST_READ], analysis):
        written[name] = written.get(name, frozenset()) | kinds
    for name, kinds in written.items():
        if len(found) == MAX_NAMED:
            break
        symbols = _symbols(bundle, name, kinds)
        preferred = [each for each in symbols if bundle.symbol_name(each).kind in FUNCTIONS | TYPES]
        groups = disambiguate(bundle, preferred or symbols, name).groups
        if new := tuple(group for group in groups if group.symbol not in known):
            known.update(group.symbol for group in new)
            found.append(NamedSymbols(name, new))
    return found


def supertypes_in(bundle: Bundle, text: str, analysis: TextAnalysis) -> Iterator[tuple[str, list[Relation]]]:
    """The names in a question that types build on and that no symbol has, each with the relations of these types."""
    names = dict.fromkeys(name for name, _ in _written(bundle, text[:_MOST_READ], analysis))
    for name in names:
        if not look_up(bundle, name, _ANY, suggest=False).ordinals:
            found = unresolved_relations(bundle, name, HERITAGE, any_case=False)
            if on_it := [each for each in found if each.source >= 0]:
                yield name, on_it


def asks_usages(text: str) -> bool:
    """Whether a question is about who uses something."""
    return _USAGES.search(text) is not None


def asks_tests(text: str) -> bool:
    """Whether a question is about tests."""
    return _TESTS.search(text) is not None


def _written(bundle: Bundle, text: str, analysis: TextAnalysis) -> Iterator[tuple[str, frozenset[Kind]]]:
    """The words of a question that may be names, each with the kinds it can mean, in order of their places."""
    if analysis.symbol:
        yield analysis.symbol, _ANY
        return
    places: dict[int, tuple[str, frozenset[Kind]]] = {}
    for match in _CAPITALISED.finditer(text):
        places[match.start()] = match[0], _CODE | {Kind.CONSTANT}
    for pattern, kinds in _POINTED_AT:
        for match in pattern.finditer(text):
            if match[1].lower() not in STOP_WORDS:
                places[match.start(1)] = match[1], kinds
    for pattern in _TOGETHER:
        for match in islice(pattern.finditer(text), MAX_NAMED):
            groups = [group for group in range(1, pattern.groups + 1) if match[group]]
            if all(_symbols(bundle, qualified(match[group]), _CODE) for group in groups):
                places |= {match.start(group): (match[group], _CODE) for group in groups}
    for match in _QUOTED.finditer(text):
        places[match.start(1)] = match[1], _ANY
    start = 0
    for name in names_in(text):
        start = text.index(name, start)
        places[start] = name, _ANY
        start += len(name)
    for place in sorted(places)[:_MAX_TRIED]:
        name, kinds = places[place]
        yield qualified(name.removesuffix("()")), kinds


def _symbols(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> list[int]:
    """The symbols of that name in that case: a look-up takes any case where there is no other."""
    last = name.rpartition(".")[2]
    return [each for each in look_up(bundle, name, kinds, suggest=False).ordinals if bundle.symbol_name(each).name == last]
