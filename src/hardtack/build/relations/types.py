"""A type in, what it rests on and has out; and the text of a type in, the type that it means out.

What a type has is what is declared in it, wherever its language lets that be done, and what the types have that it rests on.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hardtack.build.outline.expressions import chain_of
from hardtack.build.relations.names import VALUES, VARIABLES
from hardtack.build.relations.scopes import UseSite
from hardtack.build.relations.words import parts_of, split, words_of
from hardtack.nouns.model import CALLABLES, NAMESPACES, TYPES, Kind
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames

_MOST_ALIASES: Final = 5
"""SymbolNames for the same type that may stand for each other."""
_MOST_SUPERTYPES: Final = 100
_DEEPEST: Final = 20
"""Scopes around a place that are looked in."""


class Meaning(NamedTuple):
    """What a name was found to mean."""

    target: int
    """Ordinal of the symbol; -1 when it is one of several."""
    certainty: Certainty


class Meanings(Protocol):
    """Gives what a name means after a qualifier; None when it is none of the bundle's symbols."""

    def __call__(self, place: UseSite, qualifier: str, name: str, /) -> Meaning | None: ...  # noqa: D102


class Types:
    """What types rest on and have. Remembers what it found."""

    def __init__(self, names: SymbolNames, meaning: Meanings) -> None:
        self._names = names
        self._meaning = meaning
        self.members = cache(self._members)
        self.supertypes = cache(self._supertypes)
        self.ancestors = cache(self._ancestors)

    def _members(self, ordinal: int, name: str) -> Sequence[int]:
        """The members of that name that a type has, its own or else those of the nearest type that it rests on."""
        found = [each for each in self._names.within(ordinal).get(name, ()) if not self._is_local(each)]
        if direct := [each for each in found if not self._is_inside_member(each)]:
            return direct
        holders = (self._names.within(ancestor).get(name, ()) for ancestor in self.ancestors(ordinal)[0])
        return next((inherited for inherited in holders if inherited), found)

    def _is_local(self, ordinal: int) -> bool:
        """Whether a symbol is a variable of a function that is no symbol itself: one written inside an object's literal."""
        symbol = self._names.symbols[ordinal]
        return symbol.kind in VARIABLES and symbol.parent >= 0 and self._names.symbols[symbol.parent].kind in VALUES

    def _is_inside_member(self, ordinal: int) -> bool:
        """Whether a symbol is named after a type but stands inside one of its members, as what a constructor declares."""
        parent = self._names.symbols[ordinal].parent
        return parent >= 0 and self._names.symbols[parent].kind in CALLABLES

    def _ancestors(self, ordinal: int) -> tuple[Sequence[int], bool]:
        """The types of the bundle that a type rests on, the nearest first; and whether any of them rests on one from outside."""
        found: dict[int, None] = {ordinal: None}
        is_open = False
        waiting = [ordinal]
        for each in waiting:
            for _, target, _ in self.supertypes(each):
                is_open |= target < 0
                if target >= 0 and target not in found and len(found) <= _MOST_SUPERTYPES:
                    found[target] = None
                    waiting.append(target)
        return tuple(found)[1:], is_open

    def _supertypes(self, ordinal: int) -> Sequence[tuple[str, int, Certainty]]:
        """(relation as declared, ordinal or -1, certainty) of what a type is declared to rest on, wherever that is said."""
        found: list[tuple[str, int, Certainty]] = []
        for each in self._declarations(ordinal):
            detail = self._names.symbols[each].detail
            for base in detail.supertypes if detail is not None else ():
                place = UseSite(self._names.symbols[each].file, self._names.symbols[each].parent)
                target, certainty = self.type_named(place, base.name)
                found.append((base.relation, target, certainty))
            if detail is not None and detail.value and self._names.symbols[each].kind is Kind.TYPE:
                place = UseSite(self._names.symbols[each].file, self._names.symbols[each].parent)
                found += (("inherits", *self.type_named(place, part)) for part in parts_of(detail.value))
        return found[:_MOST_SUPERTYPES]

    def _declarations(self, ordinal: int) -> Sequence[int]:
        """All places that declare the same type: parts of a class, ``impl`` blocks, a class that is opened again."""
        symbol = self._names.symbols[ordinal]
        owner = symbol.parent
        if owner >= 0 and self._names.symbols[owner].kind not in NAMESPACES:
            return self._names.within(owner).get(symbol.name, (ordinal,))
        same = self._names.at_home(symbol.file).get(symbol.name, ())
        return same if ordinal in same else (ordinal,)

    def type_named(self, place: UseSite, written: str) -> tuple[int, Certainty]:
        """The type that a text of the source means, its ordinal or -1, and how sure that is."""
        target, certainty, _ = self._type_of_text(place, written)
        return target, certainty

    def thing_named(self, place: UseSite, written: str) -> int | None:
        """The type that a text means; -1 for one from outside, None for a name of the bundle that is not known to be one."""
        target, _, is_here = self._type_of_text(place, written)
        return None if target < 0 and is_here else target

    def _type_of_text(self, place: UseSite, written: str, depth: int = _MOST_ALIASES) -> tuple[int, Certainty, bool]:
        """As :meth:`type_named`; and whether the bundle has the name, be it a type's or not."""
        is_here = False
        for qualifier, name in map(split, words_of(written)):
            scope = place.scope
            for _ in range(_DEEPEST):  # a member may have the name of a type: such a one is further out
                meaning = self._meaning(UseSite(place.file, scope), qualifier, name)
                if meaning is None or meaning.target < 0:
                    break
                symbol, is_here = self._names.symbols[meaning.target], True
                if symbol.kind in TYPES:
                    return meaning.target, meaning.certainty, True
                if symbol.kind in VARIABLES and symbol.detail is not None and symbol.detail.value and depth:
                    target, certainty, _ = self._type_of_text(UseSite(symbol.file, symbol.parent), symbol.detail.value, depth - 1)
                    if target >= 0 and not chain_of(symbol.detail.value).endswith("()"):
                        return target, certainty, True
                if scope < 0:
                    break
                scope = self._names.symbols[scope].parent
        return -1, Certainty.POSSIBLE, is_here

    def has_attribute(self, ordinal: int, name: str) -> bool:
        """Whether instances of a type have something of that name that is no symbol."""
        types = (each for holder in (ordinal, *self.ancestors(ordinal)[0]) for each in self._declarations(holder))
        details = (self._names.symbols[each].detail for each in types)
        return any(attribute.name == name for detail in details if detail is not None for attribute in detail.attributes)

    def type_of_attribute(self, ordinal: int, name: str) -> int | None:
        """The type of what instances have though no definition says so: ``self.name``."""
        for owner in (ordinal, *self.ancestors(ordinal)[0]):
            for each in self._declarations(owner):
                symbol = self._names.symbols[each]
                for attribute in symbol.detail.attributes if symbol.detail is not None else ():
                    if attribute.name == name and attribute.type:
                        return self.thing_named(UseSite(symbol.file, each), attribute.type)
        return None

    def enclosing(self, scope: int) -> int:
        """The type around a symbol, by where it stands or by what it is declared on; -1 for none."""
        for _ in range(_DEEPEST):
            if scope < 0 or self._names.symbols[scope].kind in TYPES:
                return scope
            parent = self._names.symbols[scope].parent
            scope = parent if parent >= 0 else self._names.owner(scope)
        return -1
