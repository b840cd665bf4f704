"""Functions of one name and the number of a call's arguments in, those that it may call out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.details import Parameter

_MANY: Final = ("...", "params ", "vararg ")
"""Marks of a parameter that takes any number of arguments."""


def accepting(names: SymbolNames, functions: Sequence[int], arguments: int) -> Sequence[int]:
    """Those of the functions that can be called with so many arguments."""
    return [each for each in functions if _accepts(_parameters(names, each), arguments)]


def are_alike(names: SymbolNames, functions: Sequence[int]) -> bool:
    """Whether all have parameters of the same types: they are declarations or variants of one function."""
    return len({tuple(each.type.replace(" ", "") for each in _parameters(names, one)) for one in functions}) <= 1


def _parameters(names: SymbolNames, function: int) -> Sequence[Parameter]:
    """What callers give: ``this`` of an extension method stands before the dot, and ``void`` for none."""
    detail = names.symbols[function].detail
    given = detail.parameters if detail is not None else ()
    return [each for each in given if not each.type.startswith("this ") and (each.name, each.type) != ("void", "void")]


def _accepts(parameters: Sequence[Parameter], arguments: int) -> bool:
    if any(mark in f"{each.name} {each.type}" for each in parameters for mark in _MANY):
        return arguments >= sum(1 for each in parameters if not each.default) - 1
    return sum(1 for each in parameters if not each.default) <= arguments <= len(parameters)
