"""A name that its language's rules lead nowhere in, the only symbol of that name out: a name that one symbol alone has is not lost.

After a name, as in ``Utils.slugify``, one that only one thing called ``Utils`` has is not lost either: what a file is run with may
open the namespace of ``Shop::Utils`` for it.

Unless what is known speaks against it: an import of another package, a declared type of another package, a place where such a
symbol cannot stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks.laravel.abilities import POLICY
from hardtack.build.relations.declarations import dotted
from hardtack.build.relations.targets import Target
from hardtack.build.relations.typed import BEYOND
from hardtack.build.relations.types import Meaning
from hardtack.build.relations.words import PARENT, PART
from hardtack.nouns.model import CALLABLES, NAMESPACES, PARTS, TYPES, VARIABLES, Kind
from hardtack.nouns.relations import RECEIVER, UNCALLED, Certainty

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardtack.build.relations.calls import Calls
    from hardtack.build.relations.chains import Chains
    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.scopes import UseSite
    from hardtack.build.relations.types import Types

_ASKS: Final = frozenset({"class"})
"""Words that ask a type for itself, as members of it: ``Jar::class``."""
_MOST: Final = 1000
"""Symbols of one name that are looked at."""
_MIXED_IN: Final = frozenset({Kind.TRAIT, Kind.INTERFACE, Kind.MODULE})
"""Types whose ``self`` is a value of another type, which has more members."""


class OnlySymbols:
    """Finds the symbols whose names no other symbol of their language family has."""

    def __init__(
        self,
        names: SymbolNames,
        imports: Imports,
        types: Types,
        calls: Calls,
        chains: Chains,
        is_outside: Callable[[UseSite, str, Sequence[str]], bool],
    ) -> None:
        """``is_outside`` says whether a chain, as text and in parts, is a type or a path that the bundle does not have."""
        self._names = names
        self._imports = imports
        self._types = types
        self._calls = calls
        self._chains = chains
        self._is_outside = is_outside
        self._known: dict[tuple[str, str], int] = {}

    def meaning(self, place: UseSite, qualifier: str, name: str, arguments: int) -> Meaning | None:
        """What a name means that the rules of its language lead nowhere; arguments as for :meth:`Resolver.meaning`."""
        one = self._named(place.file, name)
        if one < 0 and place.bound == -1:
            one = self._inside_of(place.file, qualifier, name)
        if one < 0 or self._names.symbols[one].kind in self._calls.unmeant(place.file, arguments):
            return None
        if arguments not in UNCALLED and (self._calls.is_uncalled(one) or self._names.symbols[one].kind in NAMESPACES):
            return None
        if not qualifier or qualifier.endswith(RECEIVER):
            is_reached = bool(qualifier) or not self._is_owned(one) or self._may_reach_members(place)
            return self._bare(place.file, one, name) if is_reached else None
        parts = PART.findall(qualifier)
        if parts[-1:] == [POLICY] or name in _ASKS or (place.bound == -1 and self._is_outside(place, qualifier, parts)):
            return None
        kind = self._names.symbols[one].kind
        if self._names.is_top(one) and kind not in PARTS and (place.bound != -1 or kind in VARIABLES):
            return None  # a value has no such member, and what is before a top-level symbol is a module
        return self._member(
            one,
            name,
            self._chains.value(place, parts).owner if parts else None,
            is_self=len(parts) == 1 and self._is_self(place.file, parts[0]),
        )

    def _is_self(self, file: int, word: str) -> bool:
        return word in self._names.languages[file].receivers and word not in PARENT

    def _named(self, file: int, name: str) -> int:
        """The only symbol of that name in the file's language family; -1 for none or several, or for a variable of a function."""
        key = (self._names.family(file), name)
        if key not in self._known:
            found = self._names.named(file, name)
            one = self._names.one_of(found) if found else -1
            self._known[key] = -1 if one >= 0 and self._is_local(one) else one
        return self._known[key]

    def _inside_of(self, file: int, qualifier: str, name: str) -> int:
        """The only symbol of that name that stands in something called as the last name before it; -1 for none or several."""
        parts = PART.findall(qualifier)
        if not parts or qualifier.endswith((RECEIVER, ")")):
            return -1
        key = (self._names.family(file), f"{parts[-1]}.{name}")
        if key not in self._known:
            named, symbols = self._names.named(file, name), self._names.symbols
            found = [
                each for each in named[:_MOST] if symbols[each].parent >= 0 and symbols[symbols[each].parent].name == parts[-1]
            ]
            self._known[key] = self._names.one_of(found) if found and len(named) <= _MOST else -1
        return self._known[key]

    def _is_inside(self, ordinal: int, name: str) -> bool:
        parent = self._names.symbols[ordinal].parent
        return parent >= 0 and self._names.symbols[parent].name == name

    def _is_local(self, ordinal: int) -> bool:
        symbol = self._names.symbols[ordinal]
        return symbol.kind in VARIABLES and symbol.parent >= 0 and self._names.symbols[symbol.parent].kind in CALLABLES

    def _bare(self, file: int, one: int, name: str) -> Meaning | None:
        """What a bare name means that neither its scopes nor its file's imports lead to."""
        imported = self._imports.named(file).get(name, ())
        is_outside = any(each.target.is_external for each in imported) and not self._imports.is_unread(file, name)
        return None if is_outside else Meaning(one, Certainty.POSSIBLE)

    def _is_owned(self, ordinal: int) -> bool:
        """Whether a symbol is a member of a type, or a type inside one; a macro may say whose a constant is: ``border!(TOP)``."""
        symbol = self._names.symbols[ordinal]
        if symbol.kind is Kind.ENUM_MEMBER and "item_macros" in self._names.languages[symbol.file].scoping:
            return False
        return symbol.kind in PARTS or (symbol.parent >= 0 and self._names.symbols[symbol.parent].kind in TYPES)

    def _may_reach_members(self, place: UseSite) -> bool:
        """Whether bare names at a place may be members that its scopes do not tell: of a receiver, or inherited from outside."""
        scoping = self._names.languages[place.file].scoping
        opened = (entry.module for entry in self._names.imports[place.file] if entry.name == "*")
        if "receiver_lambdas" in scoping or any(self._is_type(place.file, dotted(each).rpartition(".")[2]) for each in opened):
            return True
        around = self._types.enclosing(place.scope) if "members" in scoping else -1
        return around >= 0 and (self._names.symbols[around].kind is Kind.TRAIT or self._types.ancestors(around)[1])

    def _is_type(self, file: int, name: str) -> bool:
        return any(self._names.symbols[each].kind in TYPES for each in self._names.named(file, name))

    def _member(self, one: int, name: str, owner: int | Target | None, *, is_self: bool) -> Meaning | None:
        """What a name means after a value, type or module that has no such member.

        Args:
            one: the only symbol of that name.
            name: the name.
            owner: what is before it.
            is_self: the owner is the type around.
        """
        if isinstance(owner, Target):
            return None if owner.is_external else Meaning(one, Certainty.POSSIBLE)
        if owner is not None and owner < 0:
            if self._is_extension(one):
                return Meaning(one, Certainty.LIKELY)
            return Meaning(one, Certainty.POSSIBLE) if owner == BEYOND else None
        if owner is not None and self._types.has_attribute(owner, name):
            return None
        if is_self and owner is not None and self._names.symbols[owner].kind in _MIXED_IN and not self._names.is_top(one):
            return Meaning(one, Certainty.LIKELY)
        return Meaning(one, Certainty.POSSIBLE)

    def _is_extension(self, ordinal: int) -> bool:
        """Whether a symbol is a member that the bundle adds to a type of another package."""
        symbol = self._names.symbols[ordinal]
        parent = self._names.symbols[symbol.parent] if symbol.parent >= 0 else None
        if symbol.detail is not None and symbol.detail.parameters and symbol.detail.parameters[0].type.startswith("this "):
            return True
        if parent is not None and parent.kind is not Kind.BLOCK:
            return False
        if parent is None and symbol.kind is Kind.METHOD and symbol.qualified_name == symbol.name:
            return True  # of an extension without a name
        return symbol.qualified_name != symbol.name and self._types.extended(ordinal if parent is None else symbol.parent) < 0
