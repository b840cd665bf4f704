"""What resolving a name needs to know of symbols and files, and how names of all languages are compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from hardtack.nouns.details import Detail
    from hardtack.nouns.model import Kind

_JOINTS: Final = re.compile(r"[\\.:>?!&#$/-]+")
"""What languages put between the parts of a qualified name."""


class Declaration(NamedTuple):
    """The facts about one symbol that resolving a name needs."""

    file: int
    """Ordinal of its file."""
    kind: Kind
    name: str
    qualified_name: str
    package: str
    parent: int
    """Ordinal of the innermost enclosing symbol, or -1."""
    line: int
    """The line of its name."""
    end_line: int
    detail: Detail | None


class File(NamedTuple):
    """The facts about one file that resolving a name needs."""

    path: str
    language: str
    package: str
    """The first package that it declares; empty if there is none."""
    first_symbol: int
    symbol_count: int


@lru_cache(maxsize=1 << 16)
def dotted(name: str) -> str:
    """A qualified name with its language's separators replaced by dots."""
    return _JOINTS.sub(".", name).strip(".")
