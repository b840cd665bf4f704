"""A function in, the parameters for which its callers give arguments out, and whether it takes so many.

They are asked for every call of a name that several functions have, so what is found of a function is kept with the names.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.names import SymbolNames
    from hardtack.nouns.details import Parameter

_MANY: Final = ("...", "params ", "vararg ")
"""Marks of a parameter that takes any number of arguments."""


class Parameters(NamedTuple):
    """The parameters of a function that callers give."""

    given: Sequence[Parameter]
    types: tuple[str, ...]
    """Their types as written, without spaces."""
    least: int
    most: int
    """How many arguments the function takes."""


def parameters_of(names: SymbolNames, function: int) -> Sequence[Parameter]:
    """The parameters that callers give: ``this`` of an extension method stands before the dot, and ``void`` for none."""
    return _found(names, function).given


def types_of(names: SymbolNames, function: int) -> tuple[str, ...]:
    """The types of these parameters as written, without spaces."""
    return _found(names, function).types


def accepts(names: SymbolNames, function: int, arguments: int) -> bool:
    """Whether a function takes so many arguments."""
    found = _found(names, function)
    return found.least <= arguments <= found.most


def _found(names: SymbolNames, function: int) -> Parameters:
    if (known := names.parameters.get(function)) is not None:
        return known
    detail = names.symbols[function].detail
    written = detail.parameters if detail is not None else ()
    given = [each for each in written if not each.type.startswith("this ") and (each.name, each.type) != ("void", "void")]
    needed = sum(1 for each in given if not each.default)
    takes_many = any(mark in f"{each.name} {each.type}" for each in given for mark in _MANY)
    found = names.parameters[function] = Parameters(
        given,
        tuple(each.type.replace(" ", "") for each in given),
        needed - 1 if takes_many else needed,
        sys.maxsize if takes_many else len(given),
    )
    return found
