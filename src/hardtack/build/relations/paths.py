"""The beginning of a path in, the module that it is out, or whether the bundle can have it at all."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from hardtack.build.relations.targets import Target
from hardtack.build.relations.words import OUTER_MODULE, PATH, is_type_name
from hardtack.nouns.model import NAMESPACES, Kind
from hardtack.nouns.relations import OWN_MODULE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.relations.imports import Imports
    from hardtack.build.relations.names import SymbolNames
    from hardtack.build.relations.scopes import UseSite

_MEMBERLESS: Final = frozenset({Kind.BLOCK, Kind.ENUM_MEMBER})
"""Kinds that only add members to what has their name, or have none."""


def may_be_type(names: SymbolNames, file: int, word: str) -> bool:
    """Whether a name is not written as types are, or anything in the bundle that may have members is called so."""
    return not is_type_name(word) or any(names.symbols[each].kind not in _MEMBERLESS for each in names.named(file, word))


def outer_module(names: SymbolNames, imports: Imports, place: UseSite, parts: Sequence[str]) -> tuple[int | Target, int]:
    """(the module that ``self::`` or ``super`` before a path is, number of parts that say so): The Rust Reference, "Paths".

    It is a symbol if it is written inside the file.
    """
    own = parts[0] == OWN_MODULE
    outward = len(list(takewhile(OUTER_MODULE.__eq__, parts[own:])))
    around, scope = list[int](), place.scope
    while scope >= 0:
        around += [scope] * (names.symbols[scope].kind in NAMESPACES)
        scope = names.symbols[scope].parent
    if outward < len(around):
        return around[outward], outward + own
    module = PATH.join([OUTER_MODULE] * (outward - len(around))) or "self"
    files, certainty = imports.module(place.file, module)
    return Target(files=files, module=module, certainty=certainty, origin=place.file), outward + own
