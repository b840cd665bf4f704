"""A name in, what the bundle knows of it out: the look-ups of library, command line and tools alike.

    define, function                        name    -> typed accounts          symbols.py, meant.py, describe.py exports
    package -> symbols in short        exports.py references, callers, implementations    name    -> places, how sure each
    nouns/relations.py, implementations.py, nouns/usages.py

A name is what :func:`query.symbols.look_up` makes of it: as it is, then as the end of a qualified name, then in any case. Whether
one thing is meant by it :func:`query.meant.meant` tells; what is ambiguous is listed, all of it; a name that is not there gets the
nearest ones. Each answer is complete, unless a page of it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

from hardtack.bundle.reader import Bundle
from hardtack.errors import NotFound, UsageError
from hardtack.nouns.descriptors import ClassDescriptor, Descriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.nouns.model import FUNCTIONS, TYPES, Kind
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.nouns.usages import CallingSymbol, Mention
from hardtack.query.lookup import implementations
from hardtack.query.lookup import references as relations
from hardtack.query.lookup.describe import describe_symbol, describe_thing, seed_kind
from hardtack.query.lookup.disambiguate import Meant, meant, things_of
from hardtack.query.lookup.exports import exports, packages_near
from hardtack.query.lookup.symbols import LookUp, look_up
from hardtack.query.lookup.usages import calling_symbols, implementing, mentions_of
from hardtack.query.request.filter_words import parse_kinds, parse_tags
from hardtack.query.request.parse import check_limit

MAX_NAME_CHARACTERS: Final = 1000
"""Of a name that is looked up."""
CANDIDATES: Final = 20
"""Symbols that are listed where a name could mean more, in an error or beside a page."""

_Result = TypeVar("_Result", bound=Descriptor | Mention | CallingSymbol)
_Entry = TypeVar("_Entry")
_Word = TypeVar("_Word", bound=StrEnum)


class Page(NamedTuple):
    """Some of many results."""

    first: int
    """How many come before them."""
    limit: int
    """How many are wanted."""

    def of(self, entries: Sequence[_Entry]) -> Sequence[_Entry]:
        """Those of ``entries`` that are wanted."""
        return entries[self.first : self.first + self.limit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked(Generic[_Result]):
    """What a look-up found."""

    results: tuple[_Result, ...]
    total: int
    """How many there are; more than ``results`` where a page was asked for."""
    symbols: tuple[SymbolDescriptor, ...] = ()
    """Those that the name may mean, where the results are not these symbols themselves; beside a page the first of them."""
    symbol_count: int = 0
    """How many of them there are."""
    suggestions: tuple[str, ...] = ()
    """Nearest qualified names, best first, when nothing has the name."""


class LookUps:
    """Looks names up in one open bundle. Holds nothing of its own; safe to share between threads.

    Every look-up raises :class:`UsageError` for a name that is empty (QUERY_EMPTY) or absurdly long (QUERY_TOO_LONG).
    """

    def __init__(self, bundle: Bundle) -> None:
        """``bundle`` is that of a :class:`Searcher`."""
        self._bundle = bundle

    # -- what something is ------------------------------------------------------------------------------------------------------

    def define(self, name: str, *, package: str = "", file: str = "") -> Looked[ClassDescriptor]:
        """The type of that name: its fields, methods and relations; every type it may mean where none can be told to be meant.

        Args:
            name: a name, or a qualified name joined as any language joins it.
            package: only of this package or namespace, or of one that has it as a part.
            file: path of a file that it was met in: what is declared there, else in its language, is meant before the rest.
        """
        return self._accounts(*self._types(name, package, file))

    def type_meant(self, name: str, *, package: str = "", file: str = "") -> ClassDescriptor:
        """The one type that is meant; arguments as for :meth:`define`.

        Raises:
            NotFound: SYMBOL_NOT_FOUND, with ``suggestions``.
            UsageError: SYMBOL_AMBIGUOUS, with ``candidates``.
        """
        return self._the_one("type", TYPES, name, *self._types(name, package, file))  # type: ignore[return-value]

    def function(self, name: str, *, package: str = "", owner: str = "", file: str = "") -> Looked[FunctionDescriptor]:
        """The function, method or constructor of that name, with its code; ``owner`` is the type that is to have it.

        Arguments and what is ambiguous as for :meth:`define`.
        """
        return self._accounts(*self._functions(name, package, owner, file))

    def function_meant(self, name: str, *, package: str = "", owner: str = "", file: str = "") -> FunctionDescriptor:
        """The one function that is meant; arguments as for :meth:`function`, errors as for :meth:`type_meant`."""
        return self._the_one("function", FUNCTIONS, name, *self._functions(name, package, owner, file))  # type: ignore[return-value]

    def exports(
        self, package: str, *, kinds: Sequence[str] = (), tags: Sequence[str] = (), page: Page | None = None
    ) -> Looked[SymbolDescriptor]:
        """All that a package, namespace or module offers to others, each once, by kind and then by name.

        Raises:
            UsageError: there is no such kind or tag, or the page's limit is less than one.
        """
        _check(package, page)
        wanted, asked = parse_kinds(kinds), set(parse_tags(tags))
        bundle = self._bundle
        found = exports(bundle, package, frozenset(wanted) if wanted else None)
        kept = (each for each in found if not asked or asked.intersection(bundle.tags_of(each)))
        listed = sorted((thing.symbol for thing in things_of(bundle, kept)), key=self._by_kind)
        shown = page.of(listed) if page else listed
        return Looked(
            results=tuple(describe_symbol(bundle, each) for each in shown),
            total=len(listed),
            suggestions=() if found else packages_near(bundle, package),
        )

    # -- where it is used -------------------------------------------------------------------------------------------------------

    def references(
        self,
        name: str,
        *,
        package: str = "",
        owner: str = "",
        certainty: Certainty | str = Certainty.POSSIBLE,
        paths: Sequence[str] = (),
        kinds: Sequence[RelationKind | str] = (),
        page: Page | None = None,
    ) -> Looked[Mention]:
        """Every place that refers to the symbols of that name: uses, calls, imports, and what inherits from them.

        Args:
            name: as for :meth:`define`, of any symbol.
            package: as for :meth:`define`.
            owner: only members of a type of this name.
            certainty: the least that is wanted.
            paths: globs of the places' files, any of which may match; none is any file.
            kinds: how a place refers to the symbol; none is any way.
            page: only some of the places.
        """
        _check(name, page)
        wanted = {_known(kind, RelationKind, "relation") for kind in kinds}
        found = relations.references(self._bundle, name, package=package, owner=owner)
        sites = [site for site in self._wanted(found.sites, certainty, paths) if not wanted or site.relation in wanted]
        return self._told(found.symbols, sites, mentions_of, page)

    def callers(
        self,
        name: str,
        *,
        package: str = "",
        owner: str = "",
        certainty: Certainty | str = Certainty.POSSIBLE,
        paths: Sequence[str] = (),
        page: Page | None = None,
    ) -> Looked[CallingSymbol]:
        """Who calls the functions of that name, or instantiates the types, and where; arguments as for :meth:`references`."""
        _check(name, page)
        found = relations.callers(self._bundle, name, package=package, owner=owner)
        grouped = relations.by_caller(self._wanted(found.sites, certainty, paths))
        return self._told(found.symbols, grouped, calling_symbols, page)

    def implementations(
        self,
        name: str,
        *,
        package: str = "",
        owner: str = "",
        certainty: Certainty | str = Certainty.POSSIBLE,
        paths: Sequence[str] = (),
        page: Page | None = None,
    ) -> Looked[Mention]:
        """What inherits, implements, embeds or uses the types of that name, directly or not; of a method, what overrides it.

        The name may be one that types rest on and the bundle does not hold. Arguments as for :meth:`references`.
        """
        _check(name, page)
        is_wanted = self._filter(certainty, paths)
        found = implementations.implementations(self._bundle, name, package=package, owner=owner)
        kept = [each for each in found.found if is_wanted(each.certainty, self._bundle.symbol(each.symbol).file)]
        return self._told(found.symbols, kept, implementing, page)

    # -- what they share --------------------------------------------------------------------------------------------------------

    def _types(self, name: str, package: str, file: str) -> tuple[LookUp, Meant]:
        _check(name)
        found = look_up(self._bundle, name, TYPES, package=package)
        return found, meant(self._bundle, found.found, name, file=file)

    def _functions(self, name: str, package: str, owner: str, file: str) -> tuple[LookUp, Meant]:
        _check(name)
        found = look_up(self._bundle, name, FUNCTIONS, package=package, owner=owner)
        return found, meant(self._bundle, found.found, name, file=file)

    def _accounts(self, found: LookUp, told: Meant) -> Looked[_Result]:
        is_told = len(told.things) == 1
        listed = told.things if is_told else (*told.things, *told.passed_over)
        results = tuple(describe_thing(self._bundle, each, told.passed_over if is_told else ()) for each in listed)
        return Looked(results=results, total=len(results), suggestions=found.suggestions)  # type: ignore[arg-type]

    def _the_one(self, what: str, kinds: frozenset[Kind], name: str, found: LookUp, told: Meant) -> Descriptor:
        if len(told.things) == 1:
            return describe_thing(self._bundle, told.things[0], told.passed_over)
        if told.things:
            raise self._ambiguous(what, name, told)
        hint = "Take one of the suggestions, or search for it." if found.suggestions else "Search for it in words."
        if other := look_up(self._bundle, name, frozenset(Kind)).found:
            symbol = min((self._bundle.symbol_name(each) for each in other), key=lambda each: each.kind not in kinds)
            why = "but not where you asked for it" if symbol.kind in kinds else f"which is no {what}"
            hint = f"There is a {symbol.kind.value} {symbol.qualified_name}, {why}. {hint}"
        raise NotFound(
            f"No {what} is called {name!r} here.",
            code="SYMBOL_NOT_FOUND",
            details={"suggestions": list(found.suggestions)} if found.suggestions else {},
            hint=hint,
        )

    def _ambiguous(self, what: str, name: str, told: Meant) -> UsageError:
        listed = [each.symbol for each in told.things[:CANDIDATES]]
        return UsageError(
            f"{len(told.things)} {what}s are called {name!r}.",
            code="SYMBOL_AMBIGUOUS",
            details={"count": len(told.things), "candidates": [_candidate(self._bundle, symbol) for symbol in listed]},
            hint=f"Say which one by its {_told_apart_by(self._bundle, [each.symbol for each in told.things])}.",
        )

    def _by_kind(self, ordinal: int) -> tuple[str, str, int]:
        symbol = self._bundle.symbol_name(ordinal)
        return seed_kind(symbol.kind), symbol.name, ordinal

    def _told(
        self,
        symbols: LookUp,
        found: Sequence[_Entry],
        tell: Callable[[Bundle, Iterable[_Entry]], Iterable[_Result]],
        page: Page | None,
    ) -> Looked[_Result]:
        """What was found, or a page of it, as it is told, and what the name may mean."""
        listed = symbols.found[:CANDIDATES] if page else symbols.found
        return Looked(
            results=tuple(tell(self._bundle, page.of(found) if page else found)),
            total=len(found),
            symbols=tuple(describe_symbol(self._bundle, each) for each in listed),
            symbol_count=len(symbols.found),
            suggestions=() if symbols.found or found else symbols.suggestions,
        )

    def _wanted(
        self, sites: Sequence[relations.Site], certainty: Certainty | str, paths: Sequence[str]
    ) -> Sequence[relations.Site]:
        is_wanted = self._filter(certainty, paths)
        if certainty == Certainty.POSSIBLE and not paths:
            return sites
        return [site for site in sites if is_wanted(site.certainty, site.file)]

    def _filter(self, certainty: Certainty | str, paths: Sequence[str]) -> Callable[[Certainty, int], bool]:
        return relations.is_wanted_by(self._bundle, _known(certainty, Certainty, "certainty"), paths)


def _candidate(bundle: Bundle, ordinal: int) -> dict[str, Any]:
    """One of the symbols that a name may mean, as JSON values."""
    symbol = bundle.symbol(ordinal)
    said = {
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "kind": symbol.kind.value,
        "package": symbol.package,
        "file_path": bundle.file(symbol.file).path,
        "start_line": symbol.start_line,
        "signature": symbol.signature,
    }
    return {key: value for key, value in said.items() if value}


def _told_apart_by(bundle: Bundle, ordinals: Sequence[int]) -> str:
    """What is another for each of several symbols, in words; at worst what is for some."""
    symbols = [bundle.symbol(ordinal) for ordinal in ordinals]
    values: dict[str, set[str] | set[int]] = {
        "qualified name": {symbol.qualified_name for symbol in symbols},
        "package": {symbol.package for symbol in symbols},
        "file": {symbol.file for symbol in symbols},
    }
    ways = [way for way, different in values.items() if len(different) == len(symbols)]
    return " or ".join(ways or [way for way, different in values.items() if len(different) > 1] or ["file"])


def _check(name: str, page: Page | None = None) -> None:
    """Refuse what cannot be looked up."""
    if len(name) > MAX_NAME_CHARACTERS:
        raise UsageError(
            f"The name has {len(name)} characters; at most {MAX_NAME_CHARACTERS} are taken.",
            code="QUERY_TOO_LONG",
            details={"characters": len(name), "most": MAX_NAME_CHARACTERS},
        )
    if not name.strip():
        raise UsageError("The name is empty.", code="QUERY_EMPTY", hint="Give a name, or the end of a qualified one.")
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise UsageError("The name is no text: it has half of a surrogate pair.", code="INVALID_REQUEST")
    if page:
        check_limit(page.limit)


def _known(word: str, words: type[_Word], what: str) -> _Word:
    """The word of a closed list.

    Raises:
        UsageError: it is not on it.
    """
    available = [str(each) for each in words]
    if word not in available:
        raise UsageError(
            f"There is no {what} {str(word)!r}.",
            code="INVALID_REQUEST",
            details={"param": what, "available": available},
            hint=f"There are: {', '.join(available)}.",
        )
    return words(word)
