"""A value and a part of a chain in, what the value holds out: a thing in a collection, what a pointer points to.

A collection of the bundle says it by its own members; of one outside only the arguments of its type are known, as in
``Vec<Tank>``, and what the members of such collections give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.build.relations.generics import arguments_of, element_of, is_array
from hardtack.build.relations.standard import standard_members
from hardtack.build.relations.typed import BEYOND, UNKNOWN, Value, is_type
from hardtack.build.relations.words import ITEMS, POINTED, SAME, THINGS, called
from hardtack.nouns.relations import EACH, ITEM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.results import Results
    from hardtack.build.relations.typed import TypeTexts
    from hardtack.build.relations.types import Types

_MAX_POINTERS: Final = 3
"""Pointers to pointers that are followed."""


class Contents:
    """Gives what values hold."""

    def __init__(self, names: SymbolNames, types: Types, texts: TypeTexts, results: Results) -> None:
        self._names = names
        self._types = types
        self._texts = texts
        self._results = results

    def is_kept(self, file: int, value: Value, name: str) -> bool:
        """Whether a member of a value's type or of a wrapper around it gives the value itself, or what the wrapper holds."""
        members = standard_members(self._names.family(file))
        return name in SAME or (value.is_wrapped and (name in members.keeps or name in members.gives))

    def pointed(self, value: Value) -> Iterator[Value]:
        """What a value of the bundle's own pointer types points to, and what that does: Rust's ``Deref``, C++'s ``->``."""
        for _ in range(_MAX_POINTERS):
            owner = value.owner
            found = next((found for name in POINTED if (found := self._types.members(owner, name))), ()) if is_type(owner) else ()
            detail = self._names.symbols[found[0]].detail if found else None
            written = "" if detail is None else detail.type or (detail.returns[0].type if detail.returns else "")
            if not written:
                return
            value = self._texts.substituted(found[0], written, value)
            yield value

    def item(self, file: int, value: Value, part: str) -> Value:
        """A thing in a collection that is a type of the bundle, or around one: ``Iterator[Tank]``, ``Option<Tank>``."""
        if is_array(value.written):
            return self._texts.typed(value.at, arguments_of(value.written)[0]) if arguments_of(value.written) else UNKNOWN
        for each in (value, *self.pointed(value)):
            if each.owner == -1:
                return self.of_outside(file, each, part)
            if not is_type(each.owner):
                break
            ways = [
                (found, then)
                for name, then in (ITEMS if part == ITEM else THINGS)
                if (found := self._types.members(each.owner, name))
            ]
            if len(ways) > 1:
                return UNKNOWN
            if ways:
                result = self._results.of(ways[0][0][0], each)
                onward = self._types.members(result.owner, ways[0][1]) if is_type(result.owner) and not result.is_wrapped else ()
                return self._results.of(onward[0], result) if onward else result
        return value if part == EACH and value.is_wrapped else UNKNOWN

    def of_outside(self, file: int, value: Value, part: str) -> Value:
        """The value of a member of a type outside the bundle, whose arguments may be types inside it: ``list[Tank]``."""
        arguments = self._texts.arguments(value)
        name, members = called(part)[0], standard_members(self._names.family(file))
        is_thing = part in (ITEM, EACH)
        if not arguments or (is_thing and element_of(value.written, 0)):
            return UNKNOWN if is_thing else value if name in SAME else Value(BEYOND)
        if part == ITEM or name in members.gives or (part == EACH and len(arguments) == 1):
            return self._texts.typed(value.at, arguments[-1])
        if name in members.values:
            return Value(-1, f"<{arguments[-1]}>", value.at)
        if name in members.keeps or name in SAME:
            return value
        is_outside = all(self._texts.typed(value.at, each).owner == -1 for each in arguments)
        return Value(BEYOND if is_outside and part != EACH else None)
