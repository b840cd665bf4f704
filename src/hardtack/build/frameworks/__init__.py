"""Facts and tags from frameworks and naming conventions.

A framework is read in two steps: the raw facts of one file, in a worker, and their confirmation, when all files are known. To add a
framework, write a module or package and add an entry to each of the two tables here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hardtack.build.frameworks import laravel

if TYPE_CHECKING:
    from tree_sitter import Tree

    from hardtack.build.relations.declarations import Declaration, File
    from hardtack.nouns.model import Tag
    from hardtack.nouns.outline import Symbol
    from hardtack.nouns.relations import Fact

Reader = Callable[["Tree", bytes, "Sequence[Symbol]"], "tuple[tuple[Symbol, ...], tuple[Fact, ...]]"]
"""A file's tree, text and symbols in; its symbols with those that the framework adds, and their raw facts, out."""

Confirmer = Callable[
    ["Sequence[Declaration]", "Sequence[File]", "Sequence[Fact]"], "tuple[tuple[Fact, ...], Mapping[int, frozenset[Tag]]]"
]
"""Every declaration, file and raw fact of a bundle in; the confirmed facts, and tags by symbol, out."""

READERS: Final[Mapping[str, Reader]] = {"php": laravel.facts_of}
"""By id of the language."""

CONFIRMERS: Final[Sequence[Confirmer]] = (laravel.confirm,)
"""In this order; each gets the facts that the one before returned."""
