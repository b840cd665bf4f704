"""A member of a value of unknown type in, what its name alone tells out."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hardtack.build.relations.calls import CALLED_KINDS
from hardtack.build.relations.standard import standard_members
from hardtack.build.relations.types import Meaning
from hardtack.nouns.model import CALLABLES, TYPES, Kind
from hardtack.nouns.relations import UNCALLED, Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.calls import Calls
    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.scopes import UseSite

_MAX_DEPTH = 20
"""Maximum number of enclosing symbols that are searched."""
_MAX_NAMESAKES = 1000
"""Maximum number of members with one name that are compared by position."""


class UnknownOwners:
    """Finds the members that names alone decide."""

    def __init__(self, names: SymbolNames, imports: Imports, calls: Calls) -> None:
        self._names = names
        self._imports = imports
        self._calls = calls
        self._member_named = cache(self._find_member)
        self._fields_named = cache(self._find_fields)

    def member(self, place: UseSite, name: str, arguments: int) -> Meaning | None:
        """The possible meaning of ``name`` after a value of unknown type: the only member of that name."""
        near = self._in_same_function(place, name)
        one = near if near >= 0 else self._member_named(self._names.family(place.file), name, arguments not in UNCALLED)
        if one is None or one < 0:
            return None if one is None else Meaning(-1, Certainty.POSSIBLE)
        holders = {self._names.symbols[each].file for each in self._names.joined(one)}
        is_near = place.file in holders or not holders.isdisjoint(self._imports.files_of(place.file))
        is_home = self._names.home(self._names.symbols[one].file) == self._names.home(place.file) != ""
        common = standard_members(self._names.family(place.file)).common
        is_near = is_near or (name not in common and self._is_passed(place.file, one))
        is_alone = near >= 0 or (self._is_of_type(one) and not self._names.is_attribute(place.file, name))
        return self._calls.meaning_of(
            (one,), arguments, Certainty.LIKELY if (is_near or is_home) and is_alone else Certainty.POSSIBLE
        )

    def _is_passed(self, file: int, member: int) -> bool:
        parent = self._names.symbols[member].parent
        return parent >= 0 and self._imports.is_passed(file, parent)

    def of_traits(self, file: int, name: str, arguments: int) -> Sequence[int]:
        """The members of that name that traits declare, any of which may be implemented for any type."""
        members, symbols = self._names.members_named(self._names.family(file), name), self._names.symbols
        kinds = CALLED_KINDS if arguments not in UNCALLED else CALLED_KINDS | {Kind.CONSTANT, Kind.TYPE}
        return [each for each in members if symbols[each].kind in kinds and symbols[symbols[each].parent].kind is Kind.TRAIT]

    def _is_of_type(self, ordinal: int) -> bool:
        """Whether a member belongs to a type, not to a single object."""
        symbol = self._names.symbols[ordinal]
        is_qualified = symbol.qualified_name != symbol.name  # by a type elsewhere; else its object has no name
        return self._names.symbols[symbol.parent].kind in TYPES if symbol.parent >= 0 else is_qualified

    def _in_same_function(self, place: UseSite, name: str) -> int:
        """The field of that name in an anonymous type that the innermost enclosing function with such a field declares."""
        members, scope = self._names.members_named(self._names.family(place.file), name), place.scope
        if scope < 0 or len(members) > _MAX_NAMESAKES:
            return -1
        members, parents = self._fields_named(self._names.family(place.file), name)
        if not parents:
            return -1
        for _ in range(_MAX_DEPTH):
            if scope < 0 or scope in parents:
                break
            scope = self._names.symbols[scope].parent
        if scope not in parents or self._names.symbols[scope].kind not in CALLABLES:
            return -1
        return self._names.one_of([each for each in members if self._names.symbols[each].parent == scope])

    def _find_fields(self, family: str, name: str) -> tuple[Sequence[int], frozenset[int]]:
        """The fields of that name in the languages of a family, and their parents."""
        members = self._names.members_named(family, name)
        fields = [each for each in members if self._names.symbols[each].kind is Kind.FIELD]
        return fields, frozenset(self._names.symbols[each].parent for each in fields) - {-1}

    def _find_member(self, family: str, name: str, is_call: bool) -> int | None:
        """The only member of that name in the languages of a family; -1 for several, None for none."""
        members = self._names.members_named(family, name)
        if is_call:
            called = [ordinal for ordinal in members if self._names.symbols[ordinal].kind in CALLED_KINDS]
            members = called or [ordinal for ordinal in members if not self._calls.is_uncalled(ordinal)]
        # What a type declares goes before the single objects that may have it.
        members = [ordinal for ordinal in members if self._is_of_type(ordinal)] or members
        return self._names.one_of(members) if members else None
