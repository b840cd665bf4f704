"""Assignments to instances and the details of functions in, the attributes of types out.

Python, Ruby and JavaScript declare a field by setting it: ``self.x = x``. Such a field is not a symbol, but a fact about the type.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hardtack.nouns.details import Attribute, Detail
from hardtack.nouns.model import FUNCTIONS, Kind

if TYPE_CHECKING:
    from hardtack.build.outline.statements import Assigned
    from hardtack.nouns.outline import Symbol

_OWNERS: Final = frozenset({Kind.CLASS, Kind.STRUCT, Kind.TRAIT, Kind.ENUM, Kind.INTERFACE, Kind.MODULE})
_FROM_VALUE: Final = "inferred"


def attributes_of(
    symbols: Sequence[Symbol], assigned: Sequence[Assigned], details: Mapping[int, Detail]
) -> dict[int, tuple[Attribute, ...]]:
    """The attributes of each type, by the type's index, in the order in which they are first set.

    An attribute that is set several times has the first declared type, else the first that is inferred from a value or a parameter.
    One that the type also defines as a field or a property is left out: it is that symbol.
    """
    found: dict[int, dict[str, Attribute]] = {}
    starts = [symbol.extent.start for symbol in symbols]
    for each in _merged(assigned):
        owner, function = _around(symbols, bisect_right(starts, each.place) - 1, each.place)
        if owner >= 0:
            of_owner = found.setdefault(owner, {})
            now = _attribute(each, details.get(function))
            before = of_owner.get(each.name, now)
            is_better = (not before.type and now.type) or (before.source_hint and now.type and not now.source_hint)
            of_owner[each.name] = now if is_better else before
    members: dict[int, set[str]] = {owner: set() for owner in found}
    for symbol in symbols if found else ():
        if symbol.parent in members:
            members[symbol.parent].add(symbol.name)
    return {
        owner: tuple(each for name, each in of_owner.items() if name.lstrip("@") not in members[owner])
        for owner, of_owner in found.items()
    }


def _merged(assigned: Sequence[Assigned]) -> list[Assigned]:
    """One value for each position, in order: several matches may state facts of one assignment."""
    found: dict[int, Assigned] = {}
    for each in assigned:
        before = found.get(each.place, each)
        found[each.place] = each._replace(
            **{part: getattr(before, part) or getattr(each, part) for part in ("type", "value", "inferred", "origin", "modifier")}
        )
    return [found[place] for place in sorted(found)]


def _around(symbols: Sequence[Symbol], index: int, place: int) -> tuple[int, int]:
    """(innermost type, innermost function inside it) around a position; -1 for none. ``index`` is the last symbol before it."""
    function = -1
    while index >= 0:
        symbol = symbols[index]
        if symbol.span.end > place:
            if symbol.kind in _OWNERS:
                return index, function
            if symbol.kind in FUNCTIONS and function < 0:
                function = index
        index = symbol.parent
    return -1, -1


def _attribute(assigned: Assigned, function: Detail | None) -> Attribute:
    """The attribute of one assignment; if it is set to a parameter, it has the parameter's type."""
    type_, hint = assigned.type, ""
    if not type_ and assigned.inferred:
        type_, hint = assigned.inferred, _FROM_VALUE
    elif not type_ and assigned.origin and function is not None:
        source = next((each for each in function.parameters if each.name == assigned.origin and each.type), None)
        if source is not None:
            type_, hint = source.type, source.source_hint or _FROM_VALUE
    return Attribute(name=assigned.name, type=type_, value=assigned.value, visibility=assigned.modifier, source_hint=hint)


def merged(attributes: Sequence[Attribute], documented: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Attributes with their documentation: descriptions, types that are not declared, and attributes that only it names."""
    remaining = {each.name: each for each in documented}
    found = []
    for attribute in attributes:
        doc = remaining.pop(attribute.name, None)
        if doc is not None:
            is_typed = bool(attribute.type) and attribute.source_hint != _FROM_VALUE
            typed = attribute if is_typed or not doc.type else replace(attribute, type=doc.type, source_hint=doc.source_hint)
            attribute = replace(typed, description=doc.description)
        found.append(attribute)
    return (*found, *remaining.values())
