"""Values that a build has of one source file, before the file is part of a bundle. A search needs none of them.

As in :mod:`hardtack.nouns.model`, **bytes** count from 0 and spans are half-open; **lines** count from 1 and ranges are inclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from hardtack.nouns.model import Content, EncodingBasis, Kind, Span

if TYPE_CHECKING:
    from hardtack.nouns.details import Detail
    from hardtack.nouns.relations import Binding, Fact, Import, Use


class ParseStatus(StrEnum):
    """How well a file parsed."""

    OK = "ok"
    PARTIAL = "partial"
    """Parsed with error nodes; the symbols around them are kept, those inside them read from lines."""
    ERROR = "error"
    """The parser was stopped (deadline, memory) or died; symbols are read from lines, where the language has such."""
    NO_GRAMMAR = "no_grammar"
    """There is no grammar for the language; likewise."""


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
    """The evidence, for users: a size, a matching pattern, the statement that a program wrote the file; at most 200 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One text file, decoded. ``path`` is relative to the root, uses ``/``, is canonical and never leaves it."""

    path: str
    text: bytes
    """The stored text: valid UTF-8, line endings as found."""
    size: int
    """Bytes of the original file."""
    sha256: str
    """Hex digest of the original bytes; of ``text`` if secrets were removed, since a digest would confirm a guessed secret."""
    blob_id: str
    """Git's id of the original bytes (``sha1("blob <size>\\0" + bytes)``), whether or not git knows the file."""
    encoding: str
    """The encoding of the original bytes by the name of Python's codec, such as ``utf-8``, ``cp1252``, ``euc_jp``; ``notebook`` for
    a notebook's cells."""
    language: str
    """Language id; ``text`` if the file is of no known language."""
    content: Content
    is_test: bool = False
    is_kept: bool = False
    """A rule would have left it out, and a ``.hardtackkeep`` brought it back."""
    encoding_basis: EncodingBasis = EncodingBasis.CONTENT
    secrets: tuple[tuple[str, int], ...] = ()
    """(rule, line) of each secret that was found; removed from ``text`` unless the build keeps secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A named definition. Symbols can nest; they are in order of ``extent.start``, outer before inner."""

    name: str
    qualified_name: str
    """The names of the enclosing symbols and its own, joined by ``.``; receivers count as enclosing."""
    kind: Kind
    span: Span
    """The definition itself, without the parts that only ``extent`` has."""
    extent: Span
    """``span`` plus the doc comment, decorators and attributes directly before it."""
    selection: Span
    """Where the name is."""
    signature: str
    """The definition up to its body, one line, at most 200 characters."""
    doc: str
    """Its documentation without comment marks; empty when there is none."""
    package: str
    """The package, namespace or module that is declared for it; empty if there is none."""
    parent: int = -1
    """Index of the innermost enclosing symbol in the file's list, or -1."""
    is_from_lines: bool = False
    """One line says that it is there; the grammar could not read that part of the file. Where it ends is a guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """The unit of retrieval. A file's chunks do not overlap, and each line that is not blank is in one of them."""

    span: Span
    first_symbol: int
    """Index in the file's list of the first symbol that starts in this chunk."""
    symbol_count: int
    """How many consecutive symbols start in it. A symbol starts at its name, one that contains others at its beginning."""
    enclosing: int
    """Index of the innermost symbol that contains the whole chunk, or -1."""
    part: int
    """1-based number among the chunks that one symbol was split into; 1 if it was not split."""
    parts: int
    token_count: int
    """Characters divided by four, rounded up."""
    content_hash: bytes
    """SHA-256 (32 bytes) of the chunk's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What parsing one file gave: its symbols and everything that refers to other files."""

    status: ParseStatus
    error_lines: tuple[int, ...] = ()  # first lines of the grammar's error nodes, 1-based, ascending, at most 100
    package: str = ""  # the package, namespace or module that the file declares first
    imports: Span | None = None  # from the first import statement to the last
    symbols: tuple[Symbol, ...] = ()
    details: Mapping[int, Detail] = field(default_factory=dict)
    """By index into ``symbols``; a symbol without further details is absent."""
    imported: tuple[Import, ...] = ()
    uses: tuple[Use, ...] = ()
    bindings: tuple[Binding, ...] = ()
    locals: tuple[int, ...] = ()
    """Indexes of the symbols that are variables of functions without a name."""
    facts: tuple[Fact, ...] = ()
    """What frameworks' rules found in this file alone, before other files are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseFailure:
    """A file that did not parse without errors. Its fields are those of the tools' JSON."""

    file_path: str
    language: str
    parse_status: str
    error_message: str
