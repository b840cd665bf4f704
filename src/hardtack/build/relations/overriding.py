"""The functions of one name in a type and its supertypes in, those out that no other of them overrides.

A function overrides one of a supertype whose parameters have the same types, as Java erases them: without arguments, and with
anything for a type parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.build.relations.generics import is_array, name_and_bound
from hardtack.build.relations.parameters import parameters_of
from hardtack.build.relations.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hardtack.build.relations.names import SymbolNames

_SAME: Final = {
    "Integer": "int",
    "Int": "int",
    "Long": "long",
    "Double": "double",
    "Float": "float",
    "Boolean": "boolean",
    "bool": "boolean",
    "Character": "char",
    "Char": "char",
    "Byte": "byte",
    "Short": "short",
    "string": "String",
    "object": "Object",
}
"""Types of Kotlin, C# and boxed ones of Java -> the same as Java writes them."""


def erased(written: str) -> str:
    """The last name of a type, as Java writes it."""
    words = words_of(written)
    word = words[-1].rpartition(".")[2] if words else ""
    return _SAME.get(word, word)


def without_overridden(names: SymbolNames, declared: Iterable[Sequence[int]]) -> Sequence[int]:
    """Those functions that are not overridden, in order.

    Args:
        names: the declarations of all files.
        declared: the functions of each type that has any, the type itself first, then its supertypes.
    """
    kept: list[int] = []
    for functions in declared:
        kept += [each for each in functions if not any(_overrides(names, nearer, each) for nearer in kept)]
    return kept


def _overrides(names: SymbolNames, function: int, inherited: int) -> bool:
    given, wanted = parameters_of(names, function), parameters_of(names, inherited)
    free = set(_type_parameters(names, inherited))
    return len(given) == len(wanted) and all(
        erased(theirs.type) in free or (erased(ours.type), _are_many(ours.type)) == (erased(theirs.type), _are_many(theirs.type))
        for ours, theirs in zip(given, wanted, strict=True)
    )


def _are_many(written: str) -> bool:
    return is_array(written) or "..." in written


def _type_parameters(names: SymbolNames, ordinal: int) -> Iterator[str]:
    """The type parameters of a function and of what is around it."""
    while ordinal >= 0:
        symbol = names.symbols[ordinal]
        yield from (name_and_bound(each)[0] for each in (symbol.detail.type_parameters if symbol.detail is not None else ()))
        ordinal = symbol.parent
