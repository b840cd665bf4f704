"""How symbols and files hang together: what a file imports, where names are used, and what each use was found to mean.

Values only, like :mod:`hardtack.nouns.model`. Reading a file gives :class:`Import` and :class:`Use`, which know nothing of other
files; relating all files of a bundle turns them into :class:`Relation` and :class:`Reference`, which name symbols of the bundle.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class RelationKind(StrEnum):
    """How one thing rests on another. A closed list that only ever grows at its end: stored bundles number these."""

    IMPORTS = "imports"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    EMBEDS = "embeds"
    USES = "uses"
    """Takes the members of a trait or mixin."""
    CALLS = "calls"
    REFERENCES = "references"


class Certainty(StrEnum):
    """How sure it is that a name means this symbol. A closed list that only ever grows at its end."""

    EXACT = "exact"
    """Scope, an import, a declared type or a set of methods leads to it, and to it alone."""
    LIKELY = "likely"
    """The only symbol of that name in the bundle that could be meant."""
    POSSIBLE = "possible"
    """One of several of that name, or a name met where nothing tells what it belongs to."""


class Import(NamedTuple):
    """One name, or one whole module, that a file takes from elsewhere."""

    module: str
    """As it is written, without quotes: ``click.core``, ``./router``, ``github.com/go-chi/chi``. Empty where a file
    only offers one of its own names under another."""
    name: str
    """What is taken from the module; empty for the module itself, ``*`` for all it offers."""
    alias: str
    """What the file calls it; empty where nothing is named (``#include``, ``import "./effects"``)."""
    start: int
    """First byte of the statement's part that says so."""
    line: int


class Use(NamedTuple):
    """One place where a name is used and not defined."""

    name: str
    qualifier: str
    """What stands before the name and its ``.``, ``->``, ``::`` or ``\\``, as it is written: ``self``, ``http``, ``a.b``. A call in
    it is ``name()``. Empty for a bare name, ``()`` for anything that is no chain of names and calls."""
    is_call: bool
    """Called, or instantiated."""
    bound: int
    """Index of the :class:`Binding` of the qualifier's first name; -1 when that is no variable of a function, -2 for a variable of
    which nothing is known."""
    symbol: int
    """Index of the innermost symbol of the file whose span holds it, or -1."""
    start: int
    """First byte of the name."""
    line: int


class Binding(NamedTuple):
    """What a variable of a function is declared as, or set to."""

    symbol: int
    """Index of the innermost symbol of the file that holds it."""
    name: str
    value: str
    """A type as it is written, or a chain of names and calls: ``click.Context()``, ``self.client``."""
    is_type: bool
    result: int
    """Which of several results of a call it is set to, from 0."""
    start: int
    """First byte of the name where it is bound."""
    bound: int
    """As in :class:`Use`, for the first name of ``value``."""


class Relation(NamedTuple):
    """A tie between two declarations, or between a file and what it imports."""

    file: int
    """Ordinal of the file that says so."""
    line: int
    source: int
    """Ordinal of the symbol that rests on the other; -1 when it is the file."""
    kind: RelationKind
    name: str
    """Of the other, as it is written; for an import the module, then a space and the name where one is taken."""
    target: int
    """Ordinal of the other symbol; -1 when it is none of the bundle's, or cannot be told."""
    target_file: int
    """Ordinal of the file that holds it, or that is imported; -1 when it is none of the bundle's."""
    certainty: Certainty


class Reference(NamedTuple):
    """One use of a symbol's name, and what it was found to mean."""

    file: int
    line: int
    start: int
    """First byte of the name in the file's text."""
    source: int
    """Ordinal of the innermost symbol that holds the use; -1 at a file's top."""
    is_call: bool
    target: int
    """Ordinal of the symbol it means; -1 when several could be meant."""
    certainty: Certainty


class Fact(NamedTuple):
    """One thing that a framework says of a symbol and its language does not: its table, a cast, what kind of method it is."""

    symbol: int
    """Ordinal of the symbol; in what reading one file gives, its index in the file's list."""
    key: str
    """What is said: ``table``, ``fillable``, ``cast``, ``relation``, ``kind``, ... (FORMAT.md lists them)."""
    values: tuple[str, ...]
