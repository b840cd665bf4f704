"""Reference groups in, what only declares them in other files out: a prototype in a header, whose callers are the definition's.

The build resolves a call to what the calling file sees, which in C and C++ is the header. Where one header declares several
definitions (one for each system), a call of it is ``likely`` one of each, whichever the build booked it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS
from hardtack.query.lookup.disambiguate import SymbolGroup, group_symbols
from hardtack.query.lookup.symbols import symbols_qualified

_WITH_HEADERS: Final = frozenset({"c", "cpp", "objc", "cuda"})
_MOST: Final = 60
"""Symbols of one qualified name that are compared."""


class Declared(NamedTuple):
    """The symbol that the callers of another belong to."""

    definition: int
    """One of the groups that were asked for."""
    is_only: bool
    """Whether no other definition is what it declares."""


def declarations_of(bundle: Bundle, groups: Sequence[int]) -> dict[int, Declared]:
    """For functions of languages with headers: each symbol that is one function with one of these, or may be.

    Args:
        bundle: where to look.
        groups: first symbols of reference groups. Of a definition and its declaration among them, all is the definition's.
    """
    found: dict[int, Declared] = {}
    asked = frozenset(groups)
    for group in groups:
        symbol = bundle.symbol(group)
        if group in found or symbol.kind not in FUNCTIONS or bundle.file(symbol.file).language not in _WITH_HEADERS:
            continue
        named = symbols_qualified(bundle, symbol.qualified_name)
        if not 1 < len(named) <= _MOST or all(bundle.symbol(each).file == symbol.file for each in named):
            continue
        of_each = group_symbols(bundle, [each for each in named if bundle.symbol_name(each).kind in FUNCTIONS])
        for one in of_each:
            members = _members(one)
            if group not in members:
                continue
            first = one.symbol if one.symbol in asked else group
            twins = [other for other in map(_members, of_each) if other != members and not other.isdisjoint(members)]
            others = frozenset[int]().union(*twins) - members - asked
            kept = (members | others) if twins else members - {first}
            found |= {each: Declared(first, not twins) for each in kept}
    return found


def _members(group: SymbolGroup) -> frozenset[int]:
    return frozenset((group.symbol, *group.others, *group.declarations))
