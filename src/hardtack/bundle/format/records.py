"""The fields of each msgpack member's rows, and the records that rows are read as.

The reader, which has all tables, checks that a record's numbers point inside the other tables (FORMAT.md 4).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.tables import RowTable
from hardtack.nouns.model import EncodingBasis, Kind, Span
from hardtack.nouns.roles import Role
from hardtack.text import parts_of

if TYPE_CHECKING:
    from hardtack.nouns.details import Detail

_SHA256_SIZE: Final = 32
_SHA1_SIZE: Final = 20

KINDS: Final = tuple(Kind)
"""Kinds by their stored number; ``Kind`` only ever grows at its end."""
ENCODING_BASES: Final = tuple(EncodingBasis)
"""By their stored number."""
ROLES: Final = tuple(Role)
"""Roles by their stored number; ``Role`` only ever grows at its end."""


class FileRecord(NamedTuple):
    """A source file as stored: the fields of its row, and its role."""

    path: str
    language: str
    content: str
    is_test: bool
    encoding: str
    size: int
    """Bytes of the original file."""
    sha256: bytes
    """Of the original file's bytes."""
    blob_id: bytes
    """Git's SHA-1 of the original file's bytes."""
    text_start: int
    """Where its text begins in the bundle's text, bytes."""
    text_length: int
    line_count: int
    first_chunk: int
    chunk_count: int
    first_symbol: int
    symbol_count: int
    package: str
    imports: tuple[int, int] | None
    """Byte span of its import statements in its text, or None."""
    parse_status: str
    error_lines: tuple[int, ...]
    role: str
    """A :class:`Role`; empty where the bundle says none, or one of a later builder."""


class SymbolRecord(NamedTuple):
    """A symbol as stored: the fields of its row. Bytes are those of its file's text."""

    file: int
    kind: Kind
    name: str
    qualified_name: str
    start: int
    end: int
    start_line: int
    end_line: int
    extent_start: int
    extent_start_line: int
    selection_start: int
    selection_end: int
    selection_line: int
    """Line of its name."""
    signature: str
    doc: str
    package: str
    parent: int
    """Ordinal of the innermost enclosing symbol, or -1."""

    @property
    def span(self) -> Span:
        """The definition itself."""
        return Span(start=self.start, end=self.end, start_line=self.start_line, end_line=self.end_line)

    @property
    def selection(self) -> Span:
        """The name's own place."""
        line = self.selection_line
        return Span(start=self.selection_start, end=self.selection_end, start_line=line, end_line=line)


class ChunkRecord(NamedTuple):
    """A chunk as stored: the fields of its row. Bytes are those of its file's text."""

    file: int
    start: int
    end: int
    start_line: int
    end_line: int
    first_symbol: int
    symbol_count: int
    enclosing: int
    """Ordinal of the innermost symbol that holds the whole chunk, or -1."""
    part: int
    parts: int
    token_count: int
    content_hash: bytes

    @property
    def span(self) -> Span:
        """Where it lies in its file's text."""
        return Span(start=self.start, end=self.end, start_line=self.start_line, end_line=self.end_line)


class SkipRecord(NamedTuple):
    """A path that the build saw and left out: the fields of its row."""

    path: str
    reason: str
    """A :class:`hardtack.nouns.outline.SkipReason`, or one of a later builder."""
    detail: str
    """The evidence, for people; may be empty."""


class SymbolName(NamedTuple):
    """What ranking compares a query with, for every symbol of every candidate chunk; so it is small and quick to make."""

    kind: Kind
    name: str
    qualified_name: str
    folded: tuple[str, str]
    """Both names in lower case."""
    parts: frozenset[str]
    """The name's parts, as :func:`hardtack.text.parts_of` splits them."""


FILE_FIELDS: Final = (
    *("path", "language", "content", "is_test", "encoding", "size", "sha256", "blob_id", "text_start", "text_length", "line_count"),
    *("first_chunk", "chunk_count", "first_symbol", "symbol_count", "package", "imports", "parse_status", "error_lines"),
)
FILE_COLUMNS: Final = ("length", "first_chunk", "first_symbol", "functions", "types", "references", "importers")
"""What ranking reads of every file: bytes of text, first ordinals, functions, types, references to its symbols from other files,
files that import it."""
SYMBOL_COLUMNS: Final = ("chunk", "kind", "parts", "references")
"""The chunk in which it starts, the number of its kind, the count of words in its name, references from other files."""
CHUNK_COLUMNS: Final = ("start_line", "end_line")
"""First and last line, as in the row."""
SYMBOL_FIELDS: Final = (
    *("file", "kind", "name", "qualified_name", "start", "end", "start_line", "end_line", "extent_start", "extent_start_line"),
    *("selection_start", "selection_end", "selection_line", "signature", "doc", "package", "parent"),
)
CHUNK_FIELDS: Final = (
    *("file", "start", "end", "start_line", "end_line", "first_symbol", "symbol_count", "enclosing", "part", "parts"),
    *("token_count", "content_hash"),
)
DETAIL_FIELDS: Final = (
    *("symbol", "visibility", "modifiers", "decorators", "type", "type_source", "value", "tag", "receiver", "type_parameters"),
    *("parameters", "returns", "supertypes", "attributes", "notes"),
)
SKIP_FIELDS: Final = SkipRecord._fields
_MAX_SKIP_DETAIL: Final = 400  # characters
_SHAPES: Final[Mapping[tuple[str, ...], str]] = {
    FILE_FIELDS: "ssstsibbiiiiiiis*s*",
    SYMBOL_FIELDS: "iissiiiiiiiiisssn",
    CHUNK_FIELDS: "iiiiiiiniiib",
    DETAIL_FIELDS: "is**sssss******",
    SKIP_FIELDS: "sss",
}


class Table(RowTable):
    """A mapped table whose rows become records."""

    def __init__(self, name: str, buffer: memoryview, fields: tuple[str, ...]) -> None:
        """Check the table's frame; ``fields`` is one of the ``*_FIELDS`` above.

        Raises:
            FormatError: ``buffer`` is not a table of these fields.
        """
        super().__init__(name, buffer, fields, _SHAPES[fields])

    def file(self, ordinal: int) -> FileRecord:
        """Row ``ordinal`` of ``files``."""
        record = FileRecord._make((*self.row(ordinal), self._role(ordinal)))
        imports = record.imports
        if not _is_ints(record.error_lines) or not (imports is None or (_is_ints(imports) and len(imports) == 2)):
            raise self.fault(f"row {ordinal} has impossible imports or error_lines")
        if not layout.is_source_path(record.path):
            raise self.fault(f"row {ordinal} has an impossible path")
        if len(record.sha256) != _SHA256_SIZE or len(record.blob_id) != _SHA1_SIZE:
            raise self.fault(f"row {ordinal} has an impossible sha256 or blob_id")
        for word in (record.language, record.content, record.encoding, record.parse_status):
            if not layout.is_identifier(word):
                raise self.fault(f"row {ordinal} has {word[:40]!a} where a language, content, encoding or parse status must be")
        if record.text_length > layout.TEXT_LIMIT:
            raise self.fault(f"row {ordinal} is of {record.text_length} bytes of text; a file has at most {layout.TEXT_LIMIT}")
        return record

    def _role(self, ordinal: int) -> str:
        roles = self.optional_column("role")
        return ROLES[roles[ordinal]] if roles is not None and roles[ordinal] < len(ROLES) else ""

    def place_of(self, path: str) -> int:
        """The row of ``files`` of the file at ``path``, or where it would be."""
        return bisect_left(range(len(self)), path.encode("utf-8", "surrogatepass"), key=self.text)

    def encoding_basis(self, ordinal: int) -> str:
        """How the encoding of the file of row ``ordinal`` of ``files`` is known; empty if the table does not say it."""
        bases = self.optional_column("encoding_basis")
        return ENCODING_BASES[bases[ordinal]] if bases is not None and bases[ordinal] < len(ENCODING_BASES) else ""

    def symbol(self, ordinal: int) -> SymbolRecord:
        """Row ``ordinal`` of ``symbols``."""
        file, kind, *rest = self.row(ordinal)
        if kind >= len(KINDS):
            raise self.fault(f"row {ordinal} has an impossible kind")
        return SymbolRecord(file, KINDS[kind], *rest)

    def chunk(self, ordinal: int) -> ChunkRecord:
        """Row ``ordinal`` of ``chunks``."""
        record = ChunkRecord._make(self.row(ordinal))
        if len(record.content_hash) != _SHA256_SIZE:
            raise self.fault(f"row {ordinal} has an impossible content_hash")
        if record.end - record.start > layout.CHUNK_LIMIT:
            raise self.fault(
                f"row {ordinal} is of {record.end - record.start} bytes of text; a chunk has at most {layout.CHUNK_LIMIT}"
            )
        return record

    def skip(self, ordinal: int) -> SkipRecord:
        """Row ``ordinal`` of ``skips``."""
        record = SkipRecord._make(self.row(ordinal))
        if not layout.is_skipped_path(record.path):
            raise self.fault(f"row {ordinal} has an impossible path")
        if not layout.is_reason(record.reason) or len(record.detail) > _MAX_SKIP_DETAIL or not record.detail.isprintable():
            raise self.fault(f"row {ordinal} has an impossible reason or detail")
        return record

    def symbol_name(self, ordinal: int) -> SymbolName:
        """The name of row ``ordinal`` of ``symbols``. Does not check where the row's numbers point."""
        kind, name, qualified_name = self.row(ordinal)[1:4]
        if kind >= len(KINDS):
            raise self.fault(f"row {ordinal} has an impossible kind")
        folded = (name.lower(), qualified_name.lower())
        return SymbolName(KINDS[kind], name, qualified_name, folded, frozenset(parts_of(name)))

    def detail(self, ordinal: int) -> tuple[int, Detail]:
        """Row ``ordinal`` of ``descriptors``: the ordinal of its symbol, and the detail."""
        from hardtack.bundle.format.details import detail_of, is_detail  # a search does without them

        row = self.row(ordinal)
        if not is_detail(row):
            raise self.fault(f"row {ordinal} has impossible texts")
        return detail_of(row)


def _is_ints(values: object) -> bool:
    return isinstance(values, tuple) and all(type(value) is int and value >= 0 for value in values)
