"""What frameworks and naming conventions add to what a language says.

A framework is read in two steps: what one file says, in a worker, and what holds of it, when all files are known. Adding one is a
module or package of its own, and an entry in each of the two tables here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks import laravel

if TYPE_CHECKING:
    from tree_sitter import Tree

    from hardtack.build.relations.names import Declaration, File
    from hardtack.nouns.model import Tag
    from hardtack.nouns.outline import Symbol
    from hardtack.nouns.relations import Fact

Reader = Callable[["Tree", bytes, "Sequence[Symbol]"], "tuple[tuple[Symbol, ...], tuple[Fact, ...]]"]
"""A file's tree, text and symbols in; its symbols with those that the framework adds, and raw facts of them, out."""

Confirmer = Callable[
    ["Sequence[Declaration]", "Sequence[File]", "Sequence[Fact]"], "tuple[tuple[Fact, ...], Mapping[int, frozenset[Tag]]]"
]
"""Every declaration, file and raw fact of a bundle in; the facts that hold, and tags by symbol, out."""

READERS: Final[Mapping[str, Reader]] = {"php": laravel.facts_of}
"""By id of the language whose files they read."""

CONFIRMERS: Final[Sequence[Confirmer]] = (laravel.confirm,)
"""In this order, each seeing what the one before left."""
