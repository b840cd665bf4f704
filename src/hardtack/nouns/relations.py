"""Relations of symbols and files: what a file imports, where names are used, and which symbols they mean.

Parsing one file gives :class:`Import`, :class:`Use` and :class:`Binding`, which know no other files. Resolving them over all files
of a bundle gives :class:`Relation` and :class:`Reference`, which have ordinals of the bundle's symbols and files.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, NamedTuple


class RelationKind(StrEnum):
    """The kind of a relation. New kinds go to the end of the list, since bundles store a kind's place in it."""

    IMPORTS = "imports"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    EMBEDS = "embeds"
    USES = "uses"
    """Includes the members of a trait or mixin."""
    CALLS = "calls"
    REFERENCES = "references"


class Certainty(StrEnum):
    """How certain it is that a name means a symbol. New values go to the end of the list."""

    EXACT = "exact"
    """A scope, an import, a declared type or a method set leads to this symbol and no other."""
    LIKELY = "likely"
    """It is the only candidate of that name in the bundle."""
    POSSIBLE = "possible"
    """It is one of several candidates, or nothing tells what the name belongs to."""


CertaintyName = Literal["exact", "likely", "possible"]
"""A :class:`Certainty` by its value, for type checkers."""


class Import(NamedTuple):
    """One name, or one whole module, that a file imports."""

    module: str
    """As written, without quotes: ``click.core``, ``./router``, ``github.com/go-chi/chi``. Empty if a file exports one of its own
    names under another name."""
    name: str
    """The imported name; empty for the module itself, ``*`` for all its names."""
    alias: str
    """Its name in the file; empty if the import binds no name (``#include``, ``import "./effects"``)."""
    start: int
    """First byte of the part of the statement that imports it."""
    line: int


NOT_CALLED: Final = -1
"""The number of arguments of a name that is not called."""
UNCOUNTED: Final = -2
"""The number of arguments of a call whose arguments are not counted."""
AS_TYPE: Final = -3
"""That of a name which stands where only a type can."""
AS_MACRO: Final = -4
"""That of a macro which a definition expands: C++'s ``TEST(Jar, Shuts) {}``."""
UNCALLED: Final = frozenset({NOT_CALLED, AS_TYPE})


ITEM: Final = "[]"
"""The part of a chain that is an index: ``a[i]``."""
EACH: Final = "[:]"
"""The part of a chain that stands for each thing in a collection: ``for x in a``."""
OF_POINTER: Final = "."
"""Ends the qualifier of a name that may be a member of the pointer before it, not of what that points to: C++'s ``jar.get()``."""
RECEIVER: Final = "?"
"""Ends the qualifier of a bare name in a lambda with a receiver: the name may be a member of what stands before."""


OWN_MODULE: Final = "self::"
"""The qualifier of a name in the module around, and the beginning of a path from there (Rust); ``self`` before a dot is a value."""
SPELT: Final = ":"
"""The qualifier of a name that a literal spells: Ruby's ``:name``."""


class Use(NamedTuple):
    """One place that uses a name without defining it."""

    name: str
    qualifier: str
    """The text before the name and its ``.``, ``->``, ``::`` or ``\\``, as written: ``self``, ``http``, ``a.b``. A call in it is
    ``name()``. Empty for a bare name, ``()`` for an expression that is not a chain of names and calls."""
    arguments: int
    """How many arguments it is called or instantiated with; or :data:`NOT_CALLED`, :data:`UNCOUNTED`, :data:`AS_TYPE`,
    :data:`AS_MACRO`."""
    bound: int
    """Index of the :class:`Binding` of the qualifier's first name; -1 if that is not a local variable, -2 for a local variable of
    which nothing is known."""
    symbol: int
    """Index of the innermost symbol of the file that contains it, or -1."""
    start: int
    """First byte of the name."""
    line: int
    given: str = ""
    """What is known of the types of its arguments (:mod:`outline.given`), where that tells overloads apart."""

    @property
    def is_call(self) -> bool:
        """Whether it is a call or an instantiation."""
        return self.arguments not in UNCALLED


class Binding(NamedTuple):
    """The declared type of a local variable, or its value."""

    symbol: int
    """Index of the innermost symbol of the file that contains it, or -1; the symbol that it is itself, if ``value`` is empty."""
    name: str
    value: str
    """A type as written, or a chain of names and calls: ``click.Context()``, ``self.client``; empty for the value of a symbol.
    ``a[]`` is an index, and ``a[:]`` each thing in ``a``."""
    is_type: bool
    result: int
    """Which of several results or parts it gets, from 1; 0 for the only one."""
    start: int
    """First byte of the name where it is bound."""
    bound: int
    """As :attr:`Use.bound`, for the first name of ``value``."""


class Relation(NamedTuple):
    """A relation between two declarations, or between a file and what it imports."""

    file: int
    """Ordinal of the file that states it."""
    line: int
    source: int
    """Ordinal of the symbol that inherits, implements, ...; -1 if it is the file."""
    kind: RelationKind
    name: str
    """The target's name as written; for an import the module, and after a space the imported name if there is one."""
    target: int
    """Ordinal of the target; -1 if the bundle does not have it, or it could not be resolved."""
    target_file: int
    """Ordinal of the target's file, or of the imported file; -1 if the bundle does not have it."""
    certainty: Certainty


class Reference(NamedTuple):
    """One use of a symbol's name, and the symbol that it means."""

    file: int
    line: int
    start: int
    """First byte of the name in the file's text."""
    source: int
    """Ordinal of the innermost symbol that contains the use; -1 at a file's top."""
    is_call: bool
    target: int
    """Ordinal of the symbol that it means; -1 if there are several candidates."""
    certainty: Certainty


class Fact(NamedTuple):
    """A property of a symbol by a framework's conventions: its database table, a cast, the role of a method."""

    symbol: int
    """Ordinal of the symbol; before files are related, its index in the file's list."""
    key: str
    """The property: ``table``, ``fillable``, ``cast``, ``relation``, ``kind``, ... (FORMAT.md lists them)."""
    values: tuple[str, ...]
