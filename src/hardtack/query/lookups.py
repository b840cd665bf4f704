"""A name in, what the bundle knows of it out: the look-ups of library and command line alike, each complete and without a limit.

    define, function                        name    -> typed accounts          symbols.py, describe.py
    exports                                 package -> symbols in short        symbols.py
    references, callers, implementations    name    -> places, how sure each   relations.py, implementations.py, mentions.py

A name is what :func:`query.symbols.look_up` makes of it: as it is, then as the end of a qualified name, then in any case. What is
ambiguous is listed, all of it; a name that is not there gets the nearest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from hardtack.bundle.reader import Bundle
from hardtack.descriptors import ClassDescriptor, Descriptor, FunctionDescriptor, SymbolDescriptor
from hardtack.errors import UsageError
from hardtack.mentions import CallingSymbol, Mention
from hardtack.model import FUNCTIONS, TYPES
from hardtack.query import implementations, relations
from hardtack.query.describe import describe_all, describe_symbol
from hardtack.query.filters import kinds_named, tags_named
from hardtack.query.mentions import calling_symbols, implementing, mentions_of
from hardtack.query.symbols import LookUp, exports, look_up
from hardtack.relations import Certainty

_Result = TypeVar("_Result", bound=Descriptor | Mention | CallingSymbol)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked(Generic[_Result]):
    """What a look-up found."""

    results: tuple[_Result, ...]
    symbols: tuple[SymbolDescriptor, ...] = ()
    """Those that the name may mean, where the results are not these symbols themselves."""
    suggestions: tuple[str, ...] = ()
    """Nearest qualified names, best first, when nothing has the name."""


class LookUps:
    """Looks names up in one open bundle. Holds nothing of its own; safe to share between threads."""

    def __init__(self, bundle: Bundle) -> None:
        """``bundle`` is that of a :class:`Searcher`."""
        self._bundle = bundle

    def define(self, name: str, *, package: str = "") -> Looked[ClassDescriptor]:
        """The types of that name: their fields, methods and relations.

        Args:
            name: a name, or a qualified name joined as any language joins it.
            package: only of this package or namespace, or of one that ends in it.
        """
        return self._described(look_up(self._bundle, name, TYPES, package=package))

    def function(self, name: str, *, package: str = "", owner: str = "") -> Looked[FunctionDescriptor]:
        """The functions, methods and constructors of that name, with their code; ``owner`` is the type that is to have them."""
        return self._described(look_up(self._bundle, name, FUNCTIONS, package=package, owner=owner))

    def exports(self, package: str, *, kinds: Sequence[str] = (), tags: Sequence[str] = ()) -> Looked[SymbolDescriptor]:
        """All that a package, namespace or module offers to others, in path order.

        Raises:
            UsageError: there is no such kind or tag.
        """
        wanted, asked = kinds_named(kinds), set(tags_named(tags))
        found = exports(self._bundle, package, frozenset(wanted)) if wanted else exports(self._bundle, package)
        kept = (each for each in found if not asked or asked.intersection(self._bundle.tags_of(each)))
        return Looked(results=tuple(describe_symbol(self._bundle, each) for each in kept))

    def references(
        self, name: str, *, package: str = "", owner: str = "", certainty: Certainty | str = "possible", paths: Sequence[str] = ()
    ) -> Looked[Mention]:
        """Every place that refers to the symbols of that name: uses, calls, imports, and what inherits from them.

        Args:
            name: as for :meth:`define`, of any symbol.
            package: as for :meth:`define`.
            owner: only members of a type of this name.
            certainty: the least that is wanted.
            paths: globs of the places' files, any of which may match; none is any file.
        """
        found = relations.references(self._bundle, name, package=package, owner=owner)
        sites = self._wanted(found.sites, certainty, paths)
        return self._told(found.symbols, mentions_of(self._bundle, sites))

    def callers(
        self, name: str, *, package: str = "", owner: str = "", certainty: Certainty | str = "possible", paths: Sequence[str] = ()
    ) -> Looked[CallingSymbol]:
        """Who calls the functions of that name, or instantiates the types, and where; arguments as for :meth:`references`."""
        found = relations.callers(self._bundle, name, package=package, owner=owner)
        grouped = relations.by_caller(self._wanted(found.sites, certainty, paths))
        return self._told(found.symbols, calling_symbols(self._bundle, grouped))

    def implementations(
        self, name: str, *, package: str = "", owner: str = "", certainty: Certainty | str = "possible", paths: Sequence[str] = ()
    ) -> Looked[Mention]:
        """What inherits, implements, embeds or uses the types of that name, directly or not; of a method, what overrides it.

        The name may be one that types rest on and the bundle does not hold. Arguments as for :meth:`references`.
        """
        found = implementations.implementations(self._bundle, name, package=package, owner=owner)
        is_wanted = self._filter(certainty, paths)
        kept = [each for each in found.found if is_wanted(each.certainty, self._bundle.symbol(each.symbol).file)]
        return self._told(found.symbols, implementing(self._bundle, kept))

    def _described(self, found: LookUp) -> Looked[_Result]:
        return Looked(results=describe_all(self._bundle, found.found), suggestions=found.suggestions)  # type: ignore[arg-type]

    def _told(self, symbols: LookUp, results: Iterable[_Result]) -> Looked[_Result]:
        described = tuple(describe_symbol(self._bundle, each) for each in symbols.found)
        told = tuple(results)
        return Looked(results=told, symbols=described, suggestions=() if described or told else symbols.suggestions)

    def _wanted(self, sites: Iterable[relations.Site], certainty: Certainty | str, paths: Sequence[str]) -> list[relations.Site]:
        is_wanted = self._filter(certainty, paths)
        return [site for site in sites if is_wanted(site.certainty, site.file)]

    def _filter(self, certainty: Certainty | str, paths: Sequence[str]) -> Callable[[Certainty, int], bool]:
        if certainty not in set(Certainty):
            raise UsageError(f"There is no certainty {certainty!r}.", hint=f"Certainties: {', '.join(Certainty)}.")
        return relations.is_wanted_by(self._bundle, Certainty(certainty), paths)
