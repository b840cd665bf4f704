"""A bare name and its position in, the symbols that it may mean out: scoping.

The scoping rules of the languages are similar enough for one procedure: enclosing scopes, the file, its imports, its package, its
wildcard imports. ``language.toml`` says where a language differs, as whether a bare name reaches the members of its class or other
files.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardtack.build.relations.declarations import dotted
from hardtack.build.relations.reach import reach_of
from hardtack.nouns.model import CALLABLES, NAMESPACES, PARTS, TYPES, VARIABLES, Kind
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import Group, SymbolNames
    from hardtack.build.relations.targets import Target

_MAX_DEPTH: Final = 20
"""Maximum number of enclosing scopes that are searched."""
_MOST_ALIKE: Final = 1_000
"""Symbols of one name that are looked for among included files."""
_CONSTRUCTORS: Final = frozenset({Kind.CONSTRUCTOR})
_EXTENSIONS: Final = frozenset({Kind.BLOCK})
"""What adds members to a type has its name, and is not what the name means where the type is known."""
_EXTENSIONS_AND_PACKAGES: Final = _EXTENSIONS | NAMESPACES
"""Nor is a package, which may be called like a type in it, where it is named in full: ``Composer\\Composer``."""
_UNREACHED: Final = PARTS | VARIABLES
_NONE: Final[frozenset[Kind]] = frozenset()


class UseSite(NamedTuple):
    """The position of a use of a name."""

    file: int
    scope: int
    """Ordinal of the innermost enclosing symbol, or -1."""
    bound: int = -1
    """The binding of the first name of a chain, as in :class:`relations.Use`."""


class _Lookup(Enum):
    """Where a bare name is looked up in a scope."""

    MEMBERS = "the members of a type, its own and inherited ones"
    BODY = "the body of a type"
    INSIDE = "a scope that is no type; its fields and methods are reached only through it"
    FUNCTION = "a function whose variables are symbols; they were found already, by their blocks"


class _Scope(NamedTuple):
    """A scope around a position."""

    lookup: _Lookup
    symbol: int
    inside: Group


class Members(Protocol):
    """Gives the members of that name of a type, its own or inherited."""

    def __call__(self, ordinal: int, name: str, /) -> Sequence[int]: ...  # noqa: D102


class Scopes:
    """Looks up bare names."""

    def __init__(self, names: SymbolNames, imports: Imports, members: Members, extended: Callable[[int], int]) -> None:
        """``extended`` gives the type that a symbol outside of it adds to, or -1."""
        self._names = names
        self._imports = imports
        self._members = members
        self._extended = extended
        self._in_targets = cache(self._find_in_targets)
        self._in_headers = cache(self._find_in_headers)
        self._around = cache(self._scopes_around)

    def found(self, place: UseSite, name: str, unmeant: frozenset[Kind] = _NONE) -> tuple[Sequence[int], Certainty]:
        """The symbols that a bare name may mean, from the nearest scope that has any, and the certainty.

        Symbols of kinds that are ``unmeant`` do not count; in a language where a value may be a class, if there is another.
        """
        found, certainty = self._found(place, name, unmeant)
        is_strict = not unmeant or "default_exports" not in self._names.languages[place.file].scoping
        return (found, certainty) if found or is_strict else self._found(place, name, _NONE)

    def _found(self, place: UseSite, name: str, unmeant: frozenset[Kind]) -> tuple[Sequence[int], Certainty]:
        if (found := self._in_scopes(place, name, unmeant)) and self._names.without(found, self._weaker(place.file)):
            return found, Certainty.EXACT
        top = () if found else self._meant(self._names.at_top(place.file, name), unmeant)
        seen = self._seen(place, top)
        if seen and self._names.without(seen, self._weaker(place.file)):
            return self._or_included(place, name, seen) or self._or_imported(place, name, seen)
        elsewhere, certainty = self._found_elsewhere(place, name, unmeant)
        if elsewhere or self._imports.seen(place.file, place.scope, name):
            return elsewhere, certainty
        if found or seen:
            is_named = self._names.without(found or seen, _EXTENSIONS)  # else it is a type outside that the bundle adds to
            return found or seen, Certainty.EXACT if is_named else Certainty.POSSIBLE
        return self._unseen(place, name, top), Certainty.POSSIBLE

    def _weaker(self, file: int) -> frozenset[Kind]:
        """Kinds of symbols that a name does not mean where it means another as well."""
        reach = self._names.languages[file].bare_names
        return _EXTENSIONS_AND_PACKAGES if reach == "package" else _EXTENSIONS

    def _unseen(self, place: UseSite, name: str, top: Sequence[int]) -> Sequence[int]:
        """What a file has in namespaces that are not around a position, or imports in functions that are not."""
        if top:
            return top
        hidden = self._imports.named(place.file).get(name, ())
        return next((found for each in hidden if (found := self._imports.value(each.target))), ())

    def _or_included(self, place: UseSite, name: str, found: Sequence[int]) -> tuple[Sequence[int], Certainty] | None:
        """What a file or those that it includes have, where its own is in a namespace that does not enclose the position."""
        if "headers" not in self._names.languages[place.file].scoping or self._is_enclosed(place.scope, found[0]):
            return None
        included = self._in_headers(place.file, name)
        return self._outermost(place.file, (*found, *included)) if included else None

    def _is_enclosed(self, scope: int, ordinal: int) -> bool:
        """Whether the namespaces around a symbol are around a position, too."""
        symbols, parent = self._names.symbols, self._names.symbols[ordinal].parent
        if parent < 0 or symbols[parent].kind not in NAMESPACES:
            return True
        namespace = f"{symbols[parent].qualified_name}."
        while scope >= 0:
            if symbols[scope].qualified_name.startswith(namespace) or scope == parent:
                return True
            scope = symbols[scope].parent
        return False

    def _or_imported(self, place: UseSite, name: str, found: Sequence[int]) -> tuple[Sequence[int], Certainty]:
        """What a file has at its top, or what it imports under the name of that.

        An import in a function or namespace counts there. Where no file can have both at its top, its own is local.
        """
        imported = next(iter(self._imports.seen(place.file, place.scope, name)), None)
        if imported is None:
            return found, Certainty.EXACT
        entry, target = imported
        if entry.start in self._imports.scopes(place.file):
            return (self._imports.value(target) or found), target.certainty
        is_local = "local_symbols" in self._names.languages[place.file].scoping
        if not is_local or entry.line in {self._names.symbols[each].line for each in found}:
            return found, Certainty.EXACT
        return (self._imports.value(target) or found), Certainty.LIKELY

    def _meant(self, found: Sequence[int], unmeant: frozenset[Kind]) -> Sequence[int]:
        return self._names.without(found, unmeant) if unmeant else found

    def _found_elsewhere(self, place: UseSite, name: str, unmeant: frozenset[Kind]) -> tuple[Sequence[int], Certainty]:
        """As :meth:`found`, beyond the file."""
        if entries := self._imports.seen(place.file, place.scope, name):
            target = entries[0].target
            return self._imports.value(target), target.certainty
        reach = self._names.languages[place.file].bare_names
        at_home = self._names.without(self._in_package(place, name), _EXTENSIONS | unmeant)
        if reach == "package":
            at_home = self._names.without(at_home, NAMESPACES) or at_home
        if reach != "everywhere" and at_home:
            return at_home, Certainty.EXACT
        if found := self._meant(self._in_outer(place.file, name), unmeant):
            return found, Certainty.EXACT
        if found := self._meant(self._opened(place, name), unmeant):
            return self._outermost(place.file, found)
        if found := self._global(place.file, name):
            return found, Certainty.EXACT
        if reach == "everywhere" and at_home:
            return at_home, Certainty.LIKELY
        return (), Certainty.POSSIBLE

    def _in_package(self, place: UseSite, name: str) -> Sequence[int]:
        """The symbols of that name at the top of all files of the position's package, or in all files if names reach everywhere."""
        at_home, package = self._names.at_home(place.file).get(name, ()), self._package_at(place)
        if not package or reach_of(self._names.files[place.file].language) != ("package", False):
            return at_home
        own = self._names.once(self._of_package, at_home, package)
        return own or self._names.full(place.file, f"{package}.{name}")

    def _of_package(self, ordinals: Sequence[int], package: str) -> Sequence[int]:
        return [each for each in ordinals if dotted(self._names.symbols[each].package) == package]

    def _package_at(self, place: UseSite) -> str:
        """The package of a position, dotted: a file may declare several."""
        own = self._names.symbols[place.scope] if place.scope >= 0 else self._names.files[place.file]
        return dotted(own.package)

    def _in_scopes(self, place: UseSite, name: str, unmeant: frozenset[Kind]) -> Sequence[int]:
        """The symbols of that name in the innermost enclosing scope that has any."""
        if place.scope < 0:
            return ()
        for lookup, scope, inside in self._around(place.file, place.scope):
            if lookup is _Lookup.MEMBERS:
                found = self._names.without(self._members(scope, name), _CONSTRUCTORS | unmeant)
            elif name not in inside:
                continue
            elif lookup is _Lookup.BODY:
                found = self._meant(inside[name], unmeant)
            else:
                found = self._names.without(inside[name], (_UNREACHED if lookup is _Lookup.FUNCTION else PARTS) | unmeant)
            if found:
                return found
        return ()

    def _scopes_around(self, file: int, scope: int) -> Sequence[_Scope]:
        """The enclosing scopes in which bare names are looked up, innermost first."""
        scoping = self._names.languages[file].scoping
        found: list[_Scope] = []
        is_inside_callable = False
        for _ in range(_MAX_DEPTH):
            if scope < 0:
                break
            symbol, inside = self._names.symbols[scope], self._names.within(scope)
            is_type = symbol.kind in TYPES
            if symbol.kind is Kind.BLOCK and "members" in scoping and (extended := self._extended(scope)) >= 0:
                found.append(_Scope(_Lookup.MEMBERS, extended, inside))
            elif is_type and "members" in scoping:
                found.append(_Scope(_Lookup.MEMBERS, scope, inside))
            elif inside and is_type and not is_inside_callable and "bodies" in scoping:
                found.append(_Scope(_Lookup.BODY, scope, inside))
            elif inside and not is_type and (symbol.kind is not Kind.BLOCK or "members" in scoping):
                is_local = symbol.kind in CALLABLES and "local_symbols" in scoping
                found.append(_Scope(_Lookup.FUNCTION if is_local else _Lookup.INSIDE, scope, inside))
            is_inside_callable |= symbol.kind in CALLABLES
            owner = self._extended(scope) if "members" in scoping and symbol.kind is not Kind.BLOCK else -1
            scope = owner if owner >= 0 else symbol.parent
        return found

    def _seen(self, place: UseSite, top: Sequence[int]) -> Sequence[int]:
        """Of the symbols at the top of the position's file those whose package and namespaces are around it.

        In a language with headers all but namespaces if none is: what opens a namespace may stand in another file, or be a macro.
        """
        if not self._names.once(self._are_inside, top):
            return top
        found = [each for each in top if self._is_seen(place, each)]
        is_open = "headers" in self._names.languages[place.file].scoping
        return found or (self._names.without(top, NAMESPACES) if is_open else ())

    def _are_inside(self, ordinals: Sequence[int]) -> bool:
        """Whether some symbols at the top of a file are in a namespace, or in another package than its first."""
        symbols, files = self._names.symbols, self._names.files
        return any(symbols[each].parent >= 0 or symbols[each].package != files[symbols[each].file].package for each in ordinals)

    def _is_seen(self, place: UseSite, ordinal: int) -> bool:
        symbols = self._names.symbols
        package = dotted(symbols[ordinal].package)
        if not package or symbols[ordinal].kind in NAMESPACES:
            return self._is_enclosed(place.scope, ordinal)
        own = self._package_at(place)
        is_outer = "outer_packages" in self._names.languages[place.file].scoping and own.startswith(f"{package}.")
        return own == package or is_outer

    def _in_outer(self, file: int, name: str) -> Sequence[int]:
        """The symbols of that name in the nearest enclosing package of the file's own that has any."""
        entry = self._names.files[file]
        package = dotted(entry.package) if "outer_packages" in self._names.languages[file].scoping else ""
        while package:
            package = package.rpartition(".")[0]
            if package and (found := self._names.full(file, f"{package}.{name}")):
                return found
        return ()

    def _global(self, file: int, name: str) -> Sequence[int]:
        """The functions and constants of that name in no package, where the package has none (PHP, "Name resolution rules")."""
        entry = self._names.files[file]
        if not entry.package or "global_functions" not in self._names.languages[file].scoping:
            return ()
        found = self._names.full(file, name)
        return [each for each in found if self._names.symbols[each].kind in (Kind.FUNCTION, Kind.CONSTANT)]

    def _opened(self, place: UseSite, name: str) -> Sequence[int]:
        """The symbols of that name in the targets of the wildcard imports that a position sees; in all that are headers."""
        if "headers" in self._names.languages[place.file].scoping:
            return self._in_headers(place.file, name)
        opened = self._imports.opened(place.file, place.scope)
        return next((found for scope in opened if (found := self._in_targets(place.file, scope, name))), ())

    def _find_in_targets(self, file: int, scope: int, name: str) -> Sequence[int]:
        targets = self._imports.wildcards(file)[scope]
        return next((found for target in targets if (found := self._in_target(file, target, name))), ())

    def _find_in_headers(self, file: int, name: str) -> Sequence[int]:
        targets = self._imports.wildcards(file).get(-1, ())
        given = [each for target in targets for each in self._in_target(file, target, name)]
        return list(dict.fromkeys((*given, *self._in_included(file, name))))

    def _in_included(self, file: int, name: str) -> Sequence[int]:
        """The symbols of that name at the top of all files that a file includes, directly or not; nothing if they are too many."""
        named, included = self._names.named(file, name), self._imports.included(file)
        found = (each for each in named if self._names.symbols[each].file in included) if len(named) <= _MOST_ALIKE else ()
        return [each for each in found if each in self._names.at_top(self._names.symbols[each].file, name)]

    def _in_target(self, file: int, target: Target, name: str) -> Sequence[int]:
        if target.package and (found := self._names.full(file, f"{target.package}.{name}")):
            return found
        if members := [each for owner in target.symbols for each in self._members(owner, name)]:
            return members
        return self._imports.inside(target, name).symbols

    def _outermost(self, file: int, found: Sequence[int]) -> tuple[Sequence[int], Certainty]:
        """Of what included files have in several namespaces, or as overloads of several headers, one that is in the fewest."""
        if "headers" not in self._names.languages[file].scoping or self._names.one_of(found) >= 0:
            return found, Certainty.EXACT
        best = self._names.first[min(found, key=self._namespaces_around)]
        return [each for each in found if self._names.first[each] == best], Certainty.LIKELY

    def _namespaces_around(self, ordinal: int) -> int:
        symbols, parent, count = self._names.symbols, self._names.symbols[ordinal].parent, 0
        while parent >= 0:
            count += symbols[parent].kind in NAMESPACES
            parent = symbols[parent].parent
        return count
