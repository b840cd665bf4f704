"""A question in, the symbols that it names out.

Only what is spelt like a name of code is taken for one: a word of prose that some symbol happens to have (``error``, ``get``) is
none, unless the question says so (``the function get``, ``callers of get``, ``from dispatch to get``), and then only for a symbol
of the kind that it says. The name of a language (``TypeScript``) and an abbreviation (``API``) are none. A word that is a name by
its capital alone (``Context``) is perhaps one: what a search for the question finds has to bear it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from itertools import islice
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import CALLABLES, FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Relation
from hardtack.query.lookup.disambiguate import SymbolGroup, disambiguate
from hardtack.query.lookup.references import HERITAGE, unresolved_relations
from hardtack.query.lookup.symbols import look_up, module_of
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.query.request.analysis import TextAnalysis, language_names, qualified
from hardtack.query.request.issue import names_in
from hardtack.text import STOP_WORDS

MAX_NAMED: Final = 6
MAX_MEANINGS: Final = 8
"""Symbols of one name that are followed; a name of more is only told of."""
_FEW: Final = 2
"""Symbols of one name; a word of prose that more of them have is not taken for one of them without a word more."""
_MAX_TRIED: Final = 40
"""Words that are looked up."""
_MOST_READ: Final = 8000
"""Characters of a question in which names are looked for."""

_ANY: Final = frozenset(Kind)
_CODE: Final = CALLABLES | TYPES
_NAME: Final = r"([A-Za-z_$][\w$]{0,99}(?:(?:::|->|[.#])\w{1,99}){0,9})"
_ONE_NAME: Final = re.compile(rf"{_NAME}(?:\(\))?")
_NEAREST: Final = 3
_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`")
_CAPITALISED: Final = re.compile(r"(?<=[\w,:;)] )[A-Z]\w*[a-z]\w*")
"""A word with a capital that does not begin a sentence and is no abbreviation."""
_END: Final = r"(\S[^?\n;]{1,99}?)"
_TRACES: Final = (
    re.compile(
        rf"\b(?:from|between)\s+{_END}\s+(?:all the way to|through to|down to|up to|to|into|and)\s+{_END}\s*(?=[?;,\n]|\.\s|\.?\Z)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bhow\s+(?:does|do|is|are|can)\s+{_END}\s+(?:reach|get\s+to|end\s+up\s+(?:in|at)|lead\s+to|arrive\s+at|flow\s+(?:in)?to|travel\s+to)"
        rf"\s+{_END}\s*(?=[?;,\n]|\.\s|\.?\Z)",
        re.IGNORECASE,
    ),
)
"""The two ends of a trace, in words or as names."""
_IS_TRACE: Final = re.compile(
    r"\b(?:trace|path|ways?|flows?|steps|call chain|calls?|leads?|goe?s?|gets?|travels?|reach(?:es)?|pass(?:es)?"
    r"|ends? up|arrives?)\b",
    re.IGNORECASE,
)
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
_PRODUCTS: Final = frozenset(
    {"GitHub", "GitLab", "JavaScript", "TypeScript", "GraphQL", "OpenSSL", "PostgreSQL", "MySQL", "NumPy", "macOS", "iOS"}
)
"""Names of the world that are spelt like names of code; in backquotes they are taken for such."""
_USAGES: Final = re.compile(
    r"\b(?:calls?|called|callers?|uses|used by|usages?|references?|breaks?|affect(?:s|ed)?|impact|depends? on|who)\b", re.IGNORECASE
)
_TESTS: Final = re.compile(r"\b(?:tests?|tested|covered|covers|coverage|specs?)\b", re.IGNORECASE)


class NamedSymbols(NamedTuple):
    """One name of a question, and what it can mean."""

    name: str
    groups: tuple[SymbolGroup, ...]
    is_sure: bool = True
    """Not if its capital alone makes it a name."""
    is_common: bool = False
    """A word that several symbols have for a name (``the hash function``): it is one only if the question says which."""


def named_in(bundle: Bundle, text: str, analysis: TextAnalysis) -> list[NamedSymbols]:
    """The names in a question that symbols have, in its order, each meaning once."""
    found: list[NamedSymbols] = []
    known: set[int] = set()
    written: dict[str, _Written] = {}
    for each in _written(bundle, text[:_MOST_READ], analysis):
        one = written.get(each.name, each)
        written[each.name] = _Written(each.name, one.kinds | each.kinds, min(one.how, each.how))
    for name, kinds, how in written.values():
        if len(found) == MAX_NAMED:
            break
        symbols = _symbols(bundle, name, kinds)
        groups = disambiguate(bundle, _preferred(bundle, symbols), name).groups
        if new := tuple(group for group in groups if group.symbol not in known):
            known.update(group.symbol for group in new)
            is_common = how is _How.POINTED_AT and len(groups) > _FEW and name.islower() and name.isalpha()
            found.append(NamedSymbols(name, new, is_sure=how is not _How.CAPITAL, is_common=is_common))
    return found


def unknown_in(bundle: Bundle, text: str, analysis: TextAnalysis) -> dict[str, tuple[str, ...]]:
    """Names in backquotes, and a name that is all of the question, that nothing here has, each with the nearest ones."""
    quoted = (match[1] for match in _QUOTED.finditer(text[:_MOST_READ]) if _ONE_NAME.fullmatch(match[1]))
    written = [*dict.fromkeys(qualified(each.removesuffix("()")) for each in quoted)]
    if analysis.is_symbol_like and _ONE_NAME.fullmatch(analysis.symbol):
        written = [analysis.symbol]
    found: dict[str, tuple[str, ...]] = {}
    for name in written[:MAX_NAMED]:
        if not _is_of_path(bundle, name) and not unresolved_relations(bundle, name, HERITAGE, any_case=False):
            symbols = look_up(bundle, name, _ANY)
            if not symbols.ordinals:
                found[name] = tuple(symbols.suggestions[:_NEAREST])
    return found


def _is_of_path(bundle: Bundle, name: str) -> bool:
    """Whether a name is that of a file, a module or a package."""
    return any(f".{name}." in f".{module_of(file.path)}." or f"/{file.path}".endswith(f"/{name}") for file in bundle.files)


def trace_in(text: str) -> tuple[str, str] | None:
    """The two ends of the trace that a question asks for, as it writes them; None if it asks for none."""
    if text.lstrip().lower().startswith("from ") or _IS_TRACE.search(text[:_MOST_READ]):
        for pattern in _TRACES:
            if match := pattern.search(text, 0, _MOST_READ):
                return match[1], match[2]
    return None


def supertypes_in(bundle: Bundle, text: str, analysis: TextAnalysis) -> Iterator[tuple[str, list[Relation]]]:
    """The names in a question that types build on and that no symbol has, each with the relations of these types."""
    names = dict.fromkeys(each.name for each in _written(bundle, text[:_MOST_READ], analysis))
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


class _How(IntEnum):
    """What makes a word of a question a name, the surest first."""

    SPELT = 0
    POINTED_AT = 1
    CAPITAL = 2


class _Written(NamedTuple):
    """A word of a question that may be a name, and the kinds of symbols that it can mean."""

    name: str
    kinds: frozenset[Kind]
    how: _How


def _written(bundle: Bundle, text: str, analysis: TextAnalysis) -> Iterator[_Written]:
    """The words of a question that may be names, in order of their places."""
    if analysis.symbol:
        yield _Written(analysis.symbol, _ANY, _How.SPELT)
        return
    places: dict[int, _Written] = {}
    for match in _CAPITALISED.finditer(text):
        places[match.start()] = _Written(match[0], _CODE | {Kind.CONSTANT}, _How.CAPITAL)
    for pattern, kinds in _POINTED_AT:
        for match in pattern.finditer(text):
            if match[1].lower() not in STOP_WORDS:
                places[match.start(1)] = _Written(match[1], kinds, _How.POINTED_AT)
    for pattern in _TOGETHER:
        for match in islice(pattern.finditer(text), MAX_NAMED):
            groups = [group for group in range(1, pattern.groups + 1) if match[group]]
            if all(_symbols(bundle, qualified(match[group]), _CODE) for group in groups):
                places |= {match.start(group): _Written(match[group], _CODE, _How.SPELT) for group in groups}
    languages = language_names(bundle.manifest.languages)
    start = 0
    for name in names_in(text):
        start = text.index(name, start)
        if name.lower() not in languages and name not in _PRODUCTS:
            places[start] = _Written(name, _ANY, _How.SPELT)
        start += len(name)
    places = {start: each for start, each in places.items() if each.name.lower() not in languages or each.how is _How.POINTED_AT}
    for match in _QUOTED.finditer(text):
        places[match.start(1)] = _Written(match[1], _ANY, _How.SPELT)
    for place in sorted(places)[:_MAX_TRIED]:
        each = places[place]
        yield each._replace(name=qualified(each.name.removesuffix("()")))


def _preferred(bundle: Bundle, symbols: list[int]) -> list[int]:
    """The functions and types among symbols; all where only tests have such (``const create = ...`` in the source)."""
    preferred = [each for each in symbols if bundle.symbol_name(each).kind in FUNCTIONS | TYPES]
    is_test = {each: is_in_test(bundle, bundle.symbol(each).file, each) for each in symbols}
    return preferred if any(not is_test[each] for each in preferred) or all(is_test.values()) else symbols


def _symbols(bundle: Bundle, name: str, kinds: frozenset[Kind]) -> list[int]:
    """The symbols of that name in that case: a look-up takes any case where there is no other."""
    last = name.rpartition(".")[2]
    return [each for each in look_up(bundle, name, kinds, suggest=False).ordinals if bundle.symbol_name(each).name == last]
