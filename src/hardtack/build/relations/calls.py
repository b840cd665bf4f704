"""The symbols that a name may mean and the number of a call's arguments in, the one that is called out."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from hardtack.build.relations.overriding import without_overridden
from hardtack.build.relations.parameters import accepts, types_of
from hardtack.build.relations.types import Meaning
from hardtack.nouns.model import CALLABLES, TYPES, VALUES, VARIABLES, Kind
from hardtack.nouns.relations import AS_MACRO, AS_TYPE, NOT_CALLED, UNCALLED, Certainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.types import Types

CALLED_KINDS: Final = CALLABLES | TYPES | {Kind.ENUM_MEMBER}
"""Kinds of symbols that are called: functions, and types and cases that make a value."""
_FIELDS: Final = VARIABLES | {Kind.FIELD}
NO_TYPES: Final = (CALLABLES | VALUES) - {Kind.MACRO}
"""Kinds of symbols that are meant where no type can stand."""
_METHODS: Final = frozenset({Kind.METHOD, Kind.CONSTRUCTOR})
_NO_MACROS: Final = frozenset(Kind) - {Kind.MACRO}
_NONE: Final[frozenset[Kind]] = frozenset()


class Calls:
    """Tells which of several symbols is called."""

    def __init__(self, names: SymbolNames, types: Types) -> None:
        self._names = names
        self._types = types
        self.members = cache(self._members)
        self.overloads = cache(self._find_overloads)

    def meaning_of(self, found: Sequence[int], arguments: int, certainty: Certainty = Certainty.EXACT) -> Meaning:
        """The one symbol among those that a name may mean, with the overload that takes so many arguments."""
        found = self._names.once(self._fitting, found, arguments)
        one = self._names.one_of(found)
        if one < 0:
            return Meaning(-1, Certainty.POSSIBLE)
        overloads = self._names.overloads(one)
        if arguments == NOT_CALLED and certainty is Certainty.EXACT and self._is_read_alone(one):
            return Meaning(one, Certainty.LIKELY)
        if not overloads or self._names.once(self._are_alike, overloads):
            return Meaning(one, certainty)
        fitting = (self._names.once(self._accepting, overloads, arguments) if arguments >= 0 else ()) or overloads
        if self._names.once(self._are_alike, fitting):
            return Meaning(fitting[0], certainty)
        return _one_of_these(fitting, certainty)

    def member(self, owner: int, name: str, found: Sequence[int], arguments: int) -> Meaning:
        """As :meth:`meaning_of`, of members of a type: what takes so many arguments may be an overload that it inherits.

        Args:
            owner: the type.
            name: the name.
            found: its members of that name, as :attr:`members` gives them.
            arguments: their number.
        """
        meaning = self.meaning_of(found, arguments)
        overloads = self.overloads(owner, name, arguments) if arguments >= 0 and meaning.target >= 0 else ()
        return _one_of_these(overloads, Certainty.EXACT) if len(overloads) > max(1, len(meaning.overloads)) else meaning

    def _find_overloads(self, owner: int, name: str, arguments: int) -> Sequence[int]:
        """The functions of that name, own and inherited, that take so many arguments; nothing if types do not tell them apart."""
        file = self._names.symbols[owner].file
        if "typed_arguments" not in self._names.languages[file].scoping:
            return ()
        declared = (self._names.within(owner).get(name, ()), *self._types.handed_down(owner, name))
        functions = ([one for first in each for one in self._names.overloads(first) or (first,)] for each in declared)
        fitting = [found for each in functions if (found := self._accepting(each, arguments))]
        return without_overridden(self._names, fitting) if len(fitting) > 1 else ()

    def _is_read_alone(self, ordinal: int) -> bool:
        """Whether a symbol is a method whose language can only call it: a property is read, which the method may stand behind."""
        symbol = self._names.symbols[ordinal]
        scoping = self._names.languages[symbol.file].scoping
        return symbol.kind is Kind.METHOD and "uncalled_properties" in scoping

    def unmeant(self, file: int, arguments: int) -> frozenset[Kind]:
        """Kinds of symbols that a bare name in a file does not mean, where another has its name."""
        if arguments in (AS_TYPE, AS_MACRO):
            return NO_TYPES if arguments == AS_TYPE else _NO_MACROS
        if "called_methods" not in self._names.languages[file].scoping:
            return _NONE
        return _METHODS if arguments == NOT_CALLED else _FIELDS

    def _fitting(self, found: Sequence[int], arguments: int) -> Sequence[int]:
        """Of functions and values with one name those that a use can mean: what is called is a function, or makes a value."""
        if arguments == AS_TYPE:
            return self._names.without(found, NO_TYPES) or found
        file = self._names.symbols[found[0]].file if found else 0
        if "tags" in self._names.languages[file].scoping:
            found = self._names.without(found, TYPES) or found
        if arguments == NOT_CALLED:
            return self._names.without(found, CALLABLES) or found
        return [each for each in found if self._names.symbols[each].kind in CALLED_KINDS] or found

    def _members(self, owner: int, name: str, arguments: int) -> Sequence[int]:
        """The members of a type that a use can mean: for a call the nearest functions that take so many arguments, if any do."""
        if arguments in UNCALLED:
            return self._types.members(owner, name)
        declared = (self._names.within(owner).get(name, ()), *self._types.handed_down(owner, name))
        called = [found for each in declared if (found := self._called(each))]
        fitting = (found for found in called if arguments < 0 or any(self._may_take(one, arguments) for one in found))
        if called:
            return next(fitting, called[0])
        return [one for one in self._types.members(owner, name) if not self.is_uncalled(one)]

    def _called(self, declared: Sequence[int]) -> Sequence[int]:
        """Of what one type declares under a name, the functions, else the values that may hold one."""
        functions = [one for one in declared if self._names.symbols[one].kind in CALLABLES]
        return functions or [one for one in declared if self._names.symbols[one].kind in VALUES and not self.is_uncalled(one)]

    def takes(self, function: int, arguments: int) -> bool:
        """Whether a function or one of its overloads takes so many arguments; any number if that is not known."""
        return arguments < 0 or bool(self._accepting(self._names.overloads(function) or (function,), arguments))

    def _may_take(self, ordinal: int, arguments: int) -> bool:
        return self._names.symbols[ordinal].kind in VALUES or self.takes(ordinal, arguments)

    def is_uncalled(self, ordinal: int) -> bool:
        """Whether a symbol is a value that its language cannot call, as a method of the same name has a namespace of its own."""
        symbol = self._names.symbols[ordinal]
        scoping = self._names.languages[symbol.file].scoping
        return (symbol.kind in _FIELDS and "uncalled_fields" in scoping) or (
            symbol.kind is Kind.PROPERTY and "uncalled_properties" in scoping
        )

    def is_called_by_name(self, ordinal: int) -> bool:
        """Whether a symbol is a function whose name alone is a call of it."""
        symbol = self._names.symbols[ordinal]
        return symbol.kind in CALLABLES and "named_calls" in self._names.languages[symbol.file].scoping

    def _accepting(self, ordinals: Sequence[int], arguments: int) -> Sequence[int]:
        """The functions among symbols that can be called with so many arguments."""
        functions = (each for each in ordinals if self._names.symbols[each].kind in CALLABLES)
        return [each for each in functions if accepts(self._names, each, arguments)]

    def _are_alike(self, functions: Sequence[int]) -> bool:
        """Whether all have parameters of the same types: they are declarations or variants of one function."""
        return len({types_of(self._names, one) for one in functions}) <= 1


def _one_of_these(overloads: Sequence[int], certainty: Certainty) -> Meaning:
    """The meaning of what is surely one of several overloads, if ``certainty`` is exact."""
    is_sure = certainty is Certainty.EXACT
    return Meaning(overloads[0], Certainty.LIKELY if is_sure else certainty, overloads if is_sure else ())
