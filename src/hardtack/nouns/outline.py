"""The nouns of reading source files: what a build knows of one file, before it is part of a bundle.

As in :mod:`hardtack.nouns.model`: frozen, slotted, keyword-only, values alone; **bytes** count from 0, spans half-open, **lines**
from 1, inclusive. They stand apart because a search needs none of them, and each costs its start half a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from hardtack.nouns.model import Content, Kind, Span

if TYPE_CHECKING:
    from hardtack.nouns.details import Detail
    from hardtack.nouns.relations import Binding, Fact, Import, Use


class ParseStatus(StrEnum):
    """How far a file's grammar got."""

    OK = "ok"
    PARTIAL = "partial"
    """Parsed, with error nodes; symbols around them are kept."""
    ERROR = "error"
    """The parser was stopped (deadline, memory) or died; the file is cut by line windows."""
    NO_GRAMMAR = "no_grammar"
    """A text format that has no grammar here; cut by line windows."""


class SkipReason(StrEnum):
    """Why a path was not indexed."""

    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    SPECIAL = "special file"
    LFS_POINTER = "lfs pointer"
    IGNORED = "ignored by .hardtackignore"
    VENDORED = "vendored"
    GENERATED = "generated"
    MINIFIED = "minified"
    TEST = "test"
    BINARY = "binary"
    TOO_LARGE = "too large"
    UNDECODABLE = "undecodable"
    UNREADABLE = "unreadable"
    UNSAFE_PATH = "unsafe path"
    SECRET = "secret"  # noqa: S105 (a reason, not a password)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """A path that was seen and not indexed."""

    path: str
    reason: SkipReason
    detail: str = ""
    """What exactly, for a person: a size, a matching pattern; never file content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One text file, decoded. ``path`` is relative to the root, uses ``/``, is canonical and never leaves it."""

    path: str
    text: bytes
    """The stored text: valid UTF-8, line endings as found."""
    size: int
    """Bytes of the original file."""
    sha256: str
    """Hex digest of the original bytes; of ``text`` where secrets were taken out of it, since a digest would confirm a guess."""
    blob_id: str
    """Git's id of the original bytes (``sha1("blob <size>\\0" + bytes)``), whether or not git knows the file."""
    encoding: str
    """What the original bytes were decoded from: ``utf-8``, ``utf-16``, ``utf-32``, ``cp1252``."""
    language: str
    """Language id, ``text`` where no language claims the file."""
    content: Content
    is_test: bool = False
    secrets: tuple[tuple[str, int], ...] = ()
    """(rule, line) of each secret in it; taken out of ``text`` unless the build was told to keep them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A named definition. Symbols nest freely and come in order of ``extent.start``, outer before inner."""

    name: str
    qualified_name: str
    """The names of the enclosing symbols and its own, joined by ``.``; receivers count as enclosing."""
    kind: Kind
    span: Span
    """The definition itself: what seed 1 calls Code is this span of the stored text."""
    extent: Span
    """``span`` plus the doc comment, decorators and attributes directly before it."""
    selection: Span
    """The name's own place."""
    signature: str
    """The definition up to its body, one line, at most 200 characters."""
    doc: str
    """Its documentation without comment marks; empty when there is none."""
    package: str
    """Package, namespace or module the language declares for it; empty when none."""
    parent: int = -1
    """Index of the innermost enclosing symbol in the same file's list, or -1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The unit of retrieval. A file's chunks never overlap and together hold each of its non-blank lines once."""

    span: Span
    first_symbol: int
    """Index of the first symbol of the file's list that starts in this chunk."""
    symbol_count: int
    """How many symbols start in it; they are consecutive. A symbol starts at its name, one that holds others at its beginning."""
    enclosing: int
    """Index of the innermost symbol that holds the whole chunk, or -1."""
    part: int
    """1-based number among the chunks one symbol was split into; 1 when it was not split."""
    parts: int
    token_count: int
    """Characters divided by four, rounded up."""
    content_hash: bytes
    """SHA-256 (32 bytes) of the chunk's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What parsing one file gave: the shape that symbols and chunks are cut from."""

    status: ParseStatus
    error_lines: tuple[int, ...] = ()  # first lines of the grammar's error nodes, 1-based, ascending, at most 100
    package: str = ""  # the package, namespace or module that the file declares first
    imports: Span | None = None  # from the first import statement to the last
    symbols: tuple[Symbol, ...] = ()
    details: Mapping[int, Detail] = field(default_factory=dict)
    """By index into ``symbols``; a symbol of which the syntax says nothing more is not there."""
    imported: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    bindings: tuple[Binding, ...] = ()
    facts: tuple[Fact, ...] = ()
    """What frameworks read from this file alone; what it comes to is known when all files are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseFailure:
    """A file that did not parse cleanly; its fields are seed 4's."""

    file_path: str
    language: str
    parse_status: str
    error_message: str
