"""A bundle in; of each symbol the definition that it belongs to and the type that it is a member of, out.

Look-ups find both for one name at a time (``disambiguate.py``, ``members.py``); here they are asked for all. Symbols of one
qualified name are found by a hash of it, so that no names are kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, VARIABLES, Kind
from hardtack.query.lookup.disambiguate import group_symbols
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.symbols import module_of

_OTHERS: Final = VARIABLES | {Kind.MACRO}
"""Further kinds that may be defined in several places, for one system each."""
_TYPES_AT_ONCE: Final = 1000
"""Types after which what was read of their members is let go."""


class Grouping(NamedTuple):
    """One ordinal for each symbol."""

    definitions: NDArray[np.int32]
    """The symbol that stands for it: of a declaration its definition, of overloads and parts of a type the first; else itself."""
    owners: NDArray[np.int32]
    """The type that it is a member of, wherever it is written; -1 for none."""


def grouping_of(bundle: Bundle) -> Grouping:
    """The definitions and owners of a bundle's symbols."""
    count = bundle.manifest.counts.symbols
    found = Grouping(np.arange(count, dtype=np.int32), np.full(count, -1, dtype=np.int32))
    for kinds in (TYPES, FUNCTIONS, _OTHERS):
        for namesakes in _namesakes(bundle, kinds):
            for group in group_symbols(bundle, namesakes):
                for each in (*group.others, *group.declarations):
                    # A header may declare for several definitions: that of the source file of its name, else the first.
                    if found.definitions[each] == each or _module(bundle, each) == _module(bundle, group.symbol):
                        found.definitions[each] = group.symbol
    for are_definitions in (True, False):  # a member of a type and of what only declares it is the type's
        types = (
            ordinal
            for ordinal in range(count)
            if (found.definitions[ordinal] == ordinal) == are_definitions and bundle.symbol_name(ordinal).kind in TYPES
        )
        while some := list(islice(types, _TYPES_AT_ONCE)):
            _own_members(bundle, some, found)
    return found


def _module(bundle: Bundle, ordinal: int) -> str:
    return module_of(bundle.file(bundle.symbol(ordinal).file).path)


def _own_members(bundle: Bundle, types: Iterable[int], found: Grouping) -> None:
    """Note to which type the members and blocks of each of these types belong."""
    finder = MemberFinder(bundle)
    for ordinal in types:
        definition, parts = found.definitions[ordinal], finder.of(ordinal)
        for part in parts.parts:
            if bundle.symbol_name(part).kind is Kind.BLOCK and found.definitions[part] == part:
                found.definitions[part] = definition
        for member in parts.members:
            if found.owners[member] < 0:
                found.owners[member] = ordinal


def _namesakes(bundle: Bundle, kinds: frozenset[Kind]) -> Iterator[list[int]]:
    """The symbols of these kinds that share a qualified name, ascending; by chance others with them, whose name has its hash."""
    hashes = np.zeros(bundle.manifest.counts.symbols, dtype=np.uint32)
    is_asked = np.zeros(len(hashes), dtype=np.bool_)
    for ordinal in range(len(hashes)):
        symbol = bundle.symbol_name(ordinal)
        if symbol.kind in kinds:
            hashes[ordinal], is_asked[ordinal] = zlib.crc32(symbol.qualified_name.encode()), True
    asked = is_asked.nonzero()[0]
    asked = asked[np.argsort(hashes[asked], kind="stable")]
    for same in np.split(asked, np.diff(hashes[asked]).nonzero()[0] + 1):
        if len(same) > 1:
            yield same.tolist()
