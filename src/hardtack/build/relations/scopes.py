"""A bare name and where it stands in, the symbols that it may mean out: scoping.

The steps are those of the languages' own rules, which agree far enough for one procedure: enclosing scopes, the file, its imports,
its package, what it imports whole. Where they differ (does a bare name reach the members of its class, or other files?)
``language.toml`` says how.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardtack.build.languages.registry import languages
from hardtack.build.relations.names import PARTS, dotted
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, Kind
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import Group, SymbolNames

_DEEPEST: Final = 20
"""Scopes around a name that are looked in."""


class UseSite(NamedTuple):
    """Where a name is used."""

    file: int
    scope: int
    """Ordinal of the innermost symbol that holds it, or -1."""
    bound: int = -1
    """Of the first name of a chain, as in :class:`relations.Use`."""


class _Way(Enum):
    """How a bare name is looked for in a scope."""

    MEMBERS = "among what a type has, its own or inherited"
    BODY = "in a type's body"
    INSIDE = "in what is no type, whose parts are reached through it"


class Members(Protocol):
    """Gives the members of a name that a type has, its own or inherited."""

    def __call__(self, ordinal: int, name: str, /) -> Sequence[int]: ...  # noqa: D102


class Scopes:
    """What bare names may mean."""

    def __init__(self, names: SymbolNames, imports: Imports, members: Members) -> None:
        self._names = names
        self._imports = imports
        self._members = members
        self._in_open = cache(self._opened)
        self._around = cache(self._scopes_around)

    def found(self, place: UseSite, name: str) -> tuple[Sequence[int], Certainty]:
        """The symbols that a bare name may mean, those of the nearest scope that has any, and how sure it is to be one of them."""
        if found := self._in_scopes(place, name) or self._at_top(place, name):
            return found, Certainty.EXACT
        if (entries := self._imports.named(place.file).get(name)) is not None:
            target = entries[0][1]
            return target.symbols, target.certainty
        reach = languages()[self._names.files[place.file].language].bare_names
        if reach != "everywhere" and (found := self._names.at_home(place.file).get(name, ())):
            return found, Certainty.EXACT
        if found := self._in_outer(place.file, name):
            return found, Certainty.EXACT
        if found := self._in_open(place.file, name):
            return found, Certainty.EXACT
        if reach == "everywhere" and (found := self._names.at_home(place.file).get(name, ())):
            return found, Certainty.LIKELY
        return (), Certainty.POSSIBLE

    def _in_scopes(self, place: UseSite, name: str) -> Sequence[int]:
        """The symbols of that name that the scopes around a place hold, innermost first."""
        if place.scope < 0:
            return ()
        for way, scope, inside in self._around(place.file, place.scope):
            if way is _Way.MEMBERS:
                found = [each for each in self._members(scope, name) if self._names.symbols[each].kind is not Kind.CONSTRUCTOR]
            elif name not in inside:
                continue
            elif way is _Way.BODY:
                return inside[name]
            else:
                found = [each for each in inside[name] if self._names.symbols[each].kind not in PARTS]
            if found:
                return found
        return ()

    def _scopes_around(self, file: int, scope: int) -> Sequence[tuple[_Way, int, Group]]:
        """The scopes around a place that may hold what a bare name means, innermost first: the way, the symbol, its inside."""
        scoping = languages()[self._names.files[file].language].scoping
        found: list[tuple[_Way, int, Group]] = []
        is_inside_callable = False
        for _ in range(_DEEPEST):
            if scope < 0:
                break
            symbol, inside = self._names.symbols[scope], self._names.within(scope)
            is_type = symbol.kind in TYPES
            if is_type and "members" in scoping:
                found.append((_Way.MEMBERS, scope, inside))
            elif inside and is_type and not is_inside_callable and "bodies" in scoping:
                found.append((_Way.BODY, scope, inside))
            elif inside and not is_type:
                found.append((_Way.INSIDE, scope, inside))
            is_inside_callable |= symbol.kind in CALLABLES
            scope = symbol.parent if symbol.parent >= 0 else self._names.owner(scope) if "members" in scoping else -1
        return found

    def _at_top(self, place: UseSite, name: str) -> Sequence[int]:
        """The symbols of that name at the top of the file; of namespaces inside others only those that the place is in, too."""
        found = self._names.at_top(place.file, name)
        symbols = self._names.symbols
        if all(symbols[each].parent < 0 or symbols[each].kind not in NAMESPACES for each in found):
            return found
        around, scope = {-1}, place.scope
        for _ in range(_DEEPEST):
            around.add(scope)
            scope = symbols[scope].parent if scope >= 0 else -1
        return [each for each in found if symbols[each].kind not in NAMESPACES or symbols[each].parent in around]

    def _in_outer(self, file: int, name: str) -> Sequence[int]:
        """The symbols of that name in the namespaces around the file's own, the nearest that has any."""
        entry = self._names.files[file]
        package = dotted(entry.package) if "outer_packages" in languages()[entry.language].scoping else ""
        while package:
            package = package.rpartition(".")[0]
            if package and (found := self._names.full(file, f"{package}.{name}")):
                return found
        return ()

    def _opened(self, file: int, name: str) -> Sequence[int]:
        """The symbols of that name in what the file imports whole."""
        for target in self._imports.open(file):
            if target.package and (found := self._names.full(file, f"{target.package}.{name}")):
                return found
            if found := [each for owner in target.symbols for each in self._members(owner, name)]:
                return found
            if target.files and (found := self._imports.exported(target.files, name)):
                return found
        return ()
