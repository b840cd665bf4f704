"""What is called in, the value that the call gives out: one of the declared type of its result."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hardtack.build.relations.generics import element_of
from hardtack.build.relations.parameters import accepts
from hardtack.build.relations.typed import UNKNOWN, Value, is_type
from hardtack.build.relations.words import CALLED, MAKERS, SELF_TYPE, words_of
from hardtack.nouns.model import TYPES, Kind
from hardtack.nouns.relations import UNCOUNTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.typed import TypeTexts
    from hardtack.build.relations.types import Types


class Results:
    """Gives what calls give."""

    def __init__(self, names: SymbolNames, types: Types, texts: TypeTexts) -> None:
        self._names = names
        self._types = types
        self._texts = texts
        self._overload = cache(self._find_overload)

    def of(self, ordinal: int, value: Value, called_with: int = UNCOUNTED, result: int = 0) -> Value:
        """What calling a symbol gives; unknown if it is not declared.

        Args:
            ordinal: the symbol that is called.
            value: the value of which it is a member, which is the result if the declaration says ``Self``.
            called_with: how many arguments it is called with, or :data:`UNCOUNTED`.
            result: which of several results, from 1; 0 for the only one.
        """
        if (ordinal := self._overload(ordinal, called_with)) < 0:
            return UNKNOWN
        symbol = self._names.symbols[ordinal]
        if symbol.kind in TYPES:
            return Value(ordinal)
        if symbol.kind is Kind.CONSTRUCTOR:
            return Value(symbol.parent if symbol.parent >= 0 else None)
        returns = symbol.detail.returns if symbol.detail is not None else ()
        if not returns:
            return value if is_type(value.owner) and symbol.name in MAKERS else UNKNOWN
        written = returns[result - 1 if 0 < result <= len(returns) else 0].type
        if result and len(returns) == 1 and not (written := element_of(written, result - 1)):
            return UNKNOWN
        if is_type(value.owner) and SELF_TYPE.match(written):
            return value
        if is_type(value.owner) and any(map(SELF_TYPE.fullmatch, words_of(written))):
            return value._replace(is_wrapped=True)
        return self._texts.substituted(ordinal, written, value)

    def _find_overload(self, ordinal: int, arguments: int) -> int:
        """The function that is called so, of those of its name; -1 if several are that give values of several types."""
        overloads = self._names.overloads(ordinal)
        if not overloads:
            return ordinal
        fitting = [each for each in overloads if arguments < 0 or accepts(self._names, each, arguments)] or overloads
        return fitting[0] if self.give_one(fitting) else -1

    def give_one(self, functions: Sequence[int]) -> bool:
        """Whether all functions give values of one type, as it is written."""
        details = [self._names.symbols[each].detail for each in functions]
        return len({detail.returns[0].type if detail is not None and detail.returns else "" for detail in details}) <= 1

    def of_value(self, value: Value) -> Value:
        """What calling a value of a type gives; the value itself if the type has no call member."""
        found = next((found for name in CALLED if (found := self._types.members(value.owner, name))), ())
        return self.of(found[0], value) if found else value
