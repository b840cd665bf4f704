"""Overloads and what a call gives them in, the one that is called out, where the types of the arguments tell.

A language whose ``scoping`` says ``typed_arguments`` gives no argument another type than it has, but for numbers and supertypes. So
a text is no number, nothing outside the bundle is of a type inside it, and a value of a type of the bundle is of that type and its
supertypes alone. What is not surely impossible is possible.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from hardtack.build.relations.generics import is_array
from hardtack.build.relations.overriding import erased
from hardtack.build.relations.parameters import accepts, parameters_of
from hardtack.build.relations.scopes import UseSite
from hardtack.build.relations.typed import Value, is_type
from hardtack.build.relations.types import Meaning
from hardtack.build.relations.words import PART
from hardtack.nouns.relations import Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.chains import Chains
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.types import Types

_Given: TypeAlias = "tuple[int | None, str]"
"""The owner of a value's type, as :class:`typed.Value` has it if it is a type, and its text."""
_NUMBERS: Final = frozenset({"int", "long", "double", "float", "short", "byte", "char"})
_PLAIN: Final = _NUMBERS | {"boolean", "String"}
"""Types whose values are of no type of the bundle, and of no other of these, but for numbers."""
_NULL: Final = "null"
_MOST: Final = 100
"""Overloads that are told apart by types; each call of more would take time for each of them."""


class Overloads:
    """Tells overloads apart."""

    def __init__(self, names: SymbolNames, types: Types, chains: Chains) -> None:
        self._names = names
        self._types = types
        self._chains = chains
        self._one_of = cache(self._chosen)
        self._wanted = cache(self._find_wanted)

    def told(self, meaning: Meaning, place: UseSite, given: Sequence[str], bound: Sequence[int]) -> Meaning:
        """The meaning of a call, of an overload that its arguments tell.

        Args:
            meaning: one of several overloads that take so many arguments.
            place: where the call is.
            given: what is known of each argument: its type, or ``=`` and a name; empty for nothing.
            bound: the bindings of these names.
        """
        if not 0 < len(meaning.overloads) <= _MOST or not self._are_typed(meaning.target):
            return meaning
        values = (self._value(place, each, binding) for each, binding in zip(given, bound, strict=True))
        one = self._one_of(
            tuple(meaning.overloads),
            tuple((value.owner if isinstance(value.owner, int) else None, value.written) for value in values),
        )
        return Meaning(one, Certainty.EXACT) if one >= 0 else meaning

    def _are_typed(self, function: int) -> bool:
        symbol = self._names.symbols[function]
        return "typed_arguments" in self._names.languages[symbol.file].scoping

    def _chosen(self, overloads: tuple[int, ...], values: tuple[_Given, ...]) -> int:
        fitting = {each: fits for each in overloads if (fits := self._fits(each, values)) is not None}
        same = [each for each, fits in fitting.items() if all(fits)]
        return next(iter(fitting)) if len(fitting) == 1 else same[0] if len(same) == 1 else -1

    def _value(self, place: UseSite, given: str, bound: int) -> Value:
        if not given:
            return Value(None)
        if not given.startswith("="):
            return Value(-1, given) if given in _PLAIN or given == _NULL else self._chains.typed(place, given)
        return self._chains.value(UseSite(place.file, place.scope, bound), PART.findall(given[1:]))

    def _find_wanted(self, function: int) -> Sequence[Value]:
        """A value of the type of each parameter of a function."""
        at = UseSite(self._names.symbols[function].file, function)
        return [self._chains.typed(at, each.type) for each in parameters_of(self._names, function)]

    def _fits(self, function: int, values: Sequence[_Given]) -> Sequence[bool] | None:
        """Whether each value is of the very type of its parameter; None if one cannot be given."""
        parameters = parameters_of(self._names, function)
        if not accepts(self._names, function, len(values)):
            return None
        if len(parameters) != len(values) or any(
            "..." in each.type or each.type.startswith(("params ", "vararg ")) for each in parameters
        ):
            return [False] * len(values)
        found: list[bool] = []
        for parameter, wanted, value in zip(parameters, self._wanted(function), values, strict=True):
            fits = self._is_of(parameter.type, wanted, value)
            if fits is None:
                return None
            found.append(fits)
        return found

    def _is_of(self, parameter: str, wanted: Value, value: _Given) -> bool | None:
        """Whether a value is of the very type of a parameter; None if it cannot be of it."""
        owner, written = value
        into, given = erased(parameter), erased(written)
        if owner is None or (not given and not is_type(owner)):
            return False
        if given == _NULL:
            return None if into in _NUMBERS | {"boolean"} and into == parameter.strip() else False
        if is_array(parameter) or is_array(written):
            is_both = is_array(parameter) and is_array(written)
            return is_both and into == given if is_both or given not in _PLAIN else None
        if is_type(owner):
            if into in _PLAIN:
                return None
            if is_type(wanted.owner):
                if self._names.first[owner] == self._names.first[wanted.owner]:
                    return True
                return False if wanted.owner in self._types.ancestors(owner)[0] else None
            return False
        if is_type(wanted.owner):
            return None
        if given in _PLAIN and into in _PLAIN:
            return given == into if given == into or {given, into} <= _NUMBERS else None
        return given == into and wanted.owner == -1
