"""A function in, the parameters for which its callers give arguments out, and whether it takes so many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.details import Parameter

_MANY: Final = ("...", "params ", "vararg ")
"""Marks of a parameter that takes any number of arguments."""


def parameters_of(names: SymbolNames, function: int) -> Sequence[Parameter]:
    """The parameters that callers give: ``this`` of an extension method stands before the dot, and ``void`` for none."""
    detail = names.symbols[function].detail
    given = detail.parameters if detail is not None else ()
    return [each for each in given if not each.type.startswith("this ") and (each.name, each.type) != ("void", "void")]


def accepts(parameters: Sequence[Parameter], arguments: int) -> bool:
    """Whether a function with these parameters takes so many arguments."""
    if any(mark in f"{each.name} {each.type}" for each in parameters for mark in _MANY):
        return arguments >= sum(1 for each in parameters if not each.default) - 1
    return sum(1 for each in parameters if not each.default) <= arguments <= len(parameters)
