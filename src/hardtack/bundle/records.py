"""Rows in, a member out; a mapped member in, rows out: the msgpack tables ``files``, ``symbols`` and ``chunks``.

A table is a header, an offset table and one msgpack array a row, so that one row is found and decoded without touching the others
(FORMAT.md 4). Fields are named once, in the header. Columns, which filters scan over all rows, are kept apart as little-endian
unsigned 32-bit arrays. Every count and offset is checked against the file's length before it is used, and every row
against the types of its class; what a table's numbers point to is checked by the reader, which knows the other tables.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, Literal, NamedTuple

import msgpack

from hardtack.bundle import layout
from hardtack.errors import BuildError, FormatError
from hardtack.model import Kind, Span
from hardtack.terms import parts_of

_MAGIC: Final = b"HTKREC\x00\x01"
_LENGTH = struct.Struct("<I")
_SHA256_SIZE: Final = 32
_SHA1_SIZE: Final = 20
_HEADER_LIMIT: Final = 64 << 10
_COLUMN_LIMIT: Final = 16
_ROW_LIMIT: Final = 4 << 20
"""Bytes of the longest row. Unpacked, hostile bytes take up to fifty times their room, so what is unpacked at once is bounded."""

_ROW_BOUNDS: Final[Mapping[str, Any]] = {"use_list": False, "max_array_len": 128, "max_map_len": 0, "max_ext_len": 0}
_HEADER_BOUNDS: Final[Mapping[str, Any]] = {"max_array_len": 128, "max_map_len": 16, "max_ext_len": 0}

KINDS: Final = tuple(Kind)
"""Kinds by their stored number; ``Kind`` only ever grows at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """A source file as stored."""

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
    """Byte span of its import statements within its text, or None."""
    parse_status: str
    error_lines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolRecord:
    """A symbol as stored. Spans are bytes of its file's text."""

    file: int
    kind: Kind
    name: str
    qualified_name: str
    span: Span
    extent_start: int
    extent_start_line: int
    selection: Span
    signature: str
    doc: str
    package: str
    parent: int
    """Ordinal of the innermost enclosing symbol, or -1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRecord:
    """A chunk as stored. Its span is bytes of its file's text."""

    file: int
    span: Span
    first_symbol: int
    symbol_count: int
    enclosing: int
    """Ordinal of the innermost symbol that holds the whole chunk, or -1."""
    part: int
    parts: int
    token_count: int
    content_hash: bytes


class SymbolName(NamedTuple):
    """What ranking compares a query with, for every symbol of every candidate: therefore small and quick to make."""

    kind: Kind
    name: str
    qualified_name: str
    folded: tuple[str, str]
    """Both names in lower case."""
    parts: frozenset[str]
    """The name's parts, as :func:`terms.parts_of` splits them."""


Row = tuple[Any, ...]

FILE_FIELDS: Final = (
    *("path", "language", "content", "is_test", "encoding", "size", "sha256", "blob_id", "text_start", "text_length", "line_count"),
    *("first_chunk", "chunk_count", "first_symbol", "symbol_count", "package", "imports", "parse_status", "error_lines"),
)
SYMBOL_FIELDS: Final = (
    *("file", "kind", "name", "qualified_name", "start", "end", "start_line", "end_line", "extent_start", "extent_start_line"),
    *("selection_start", "selection_end", "selection_line", "signature", "doc", "package", "parent"),
)
CHUNK_FIELDS: Final = (
    *("file", "start", "end", "start_line", "end_line", "first_symbol", "symbol_count", "enclosing", "part", "parts"),
    *("token_count", "content_hash"),
)
_SHAPES: Final[Mapping[tuple[str, ...], str]] = {
    # one letter a field: s str, i int >= 0, n int >= -1, b bytes, t bool, * checked where it is read
    FILE_FIELDS: "ssstsibbiiiiiiis*s*",
    SYMBOL_FIELDS: "iissiiiiiiiiisssn",
    CHUNK_FIELDS: "iiiiiiiniiib",
}
_TYPES: Final = {"s": str, "i": int, "n": int, "b": bytes, "t": bool}
_LEAST: Final = {"n": -1}


def render_table(fields: tuple[str, ...], rows: Sequence[bytes], columns: Mapping[str, Sequence[int]]) -> Iterator[bytes]:
    """The member's bytes, piece by piece.

    Args:
        fields: the row's field names, one of the ``*_FIELDS`` above.
        rows: each row packed by :func:`pack_row`.
        columns: name to one unsigned 32-bit number a row.
    """
    header = msgpack.packb({"fields": list(fields), "count": len(rows), "columns": sorted(columns)})
    yield _MAGIC + _LENGTH.pack(len(header)) + header
    offsets, end = array("Q", [0]), 0
    for row in rows:
        end += len(row)
        offsets.append(end)
    yield _little_endian(offsets)
    for name in sorted(columns):
        yield _little_endian(array("I", columns[name]))
    yield from rows


def pack_row(row: Row) -> bytes:
    """One row's bytes.

    Raises:
        BuildError: there are more of them than a reader takes.
    """
    packed: bytes = msgpack.packb(row)
    if len(packed) > _ROW_LIMIT:
        raise BuildError(
            f"One record of the source tree has {len(packed)} bytes; a bundle's has {_ROW_LIMIT} at most.",
            hint="Lower --max-file-size, or name the largest file in .hardtackignore.",
        )
    return packed


def _refuse_map(_: object) -> None:
    raise ValueError("a row holds no map")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError("a key comes twice")
    return names


class Table:
    """A mapped table: rows by ordinal. Holds the buffer, copies nothing."""

    def __init__(self, name: str, buffer: memoryview, fields: tuple[str, ...]) -> None:
        """Check the table's frame.

        Raises:
            FormatError: ``buffer`` is not a table of these fields.
        """
        self._name = name
        self._buffer = buffer
        self._fields = fields
        shape = _SHAPES[fields]
        self._typed = itemgetter(*(index for index, letter in enumerate(shape) if letter != "*"))
        self._types = tuple(_TYPES[letter] for letter in shape if letter != "*")
        self._numbers = itemgetter(*(index for index, letter in enumerate(shape) if letter in "in"))
        self._naturals = itemgetter(*(index for index, letter in enumerate(shape) if letter == "i"))
        header, at = self._header()
        self.count: int = header["count"]
        """Rows."""
        width = 8 * (self.count + 1)
        self._offsets = self._words(at, width, "Q")
        at += width
        self._columns: dict[str, memoryview[int]] = {}
        for column in header["columns"]:
            self._columns[column] = self._words(at, 4 * self.count, "I")
            at += 4 * self.count
        self._data = buffer[at:]
        if self._offsets[0] != 0 or self._offsets[self.count] != len(self._data):
            raise self._fault("the offset table does not span the rows")

    def _header(self) -> tuple[dict[str, Any], int]:
        buffer = self._buffer
        at = len(_MAGIC) + _LENGTH.size
        if len(buffer) < at or bytes(buffer[: len(_MAGIC)]) != _MAGIC:
            raise self._fault("it is no table")
        (length,) = _LENGTH.unpack(buffer[len(_MAGIC) : at])
        if length > min(_HEADER_LIMIT, len(buffer) - at):
            raise self._fault("the header is longer than the file")
        try:
            header = msgpack.unpackb(buffer[at : at + length], object_pairs_hook=_distinct, **_HEADER_BOUNDS)
        except (ValueError, msgpack.exceptions.UnpackException) as error:
            raise self._fault("the header is no msgpack") from error
        count = header.get("count") if isinstance(header, dict) else None
        if type(count) is not int or not 0 <= count <= len(buffer) // 8:
            raise self._fault("the row count is impossible")
        if header.get("fields") != list(self._fields):
            raise self._fault("the fields are not this format version's")
        columns = header.get("columns")
        if not isinstance(columns, list) or len(columns) > _COLUMN_LIMIT or not all(isinstance(column, str) for column in columns):
            raise self._fault("the columns are malformed")
        return header, at + length

    def _words(self, at: int, length: int, code: Literal["I", "Q"]) -> memoryview[int]:
        if at + length > len(self._buffer):
            raise self._fault("the file ends inside its tables")
        piece = self._buffer[at : at + length]
        if sys.byteorder == "little":
            return piece.cast(code)
        words = array(code, bytes(piece))
        words.byteswap()
        return memoryview(words)

    def _fault(self, what: str) -> FormatError:
        return FormatError(f"{self._name} is damaged: {what}.", field=self._name)

    def __len__(self) -> int:
        return self.count

    def column(self, name: str) -> memoryview[int]:
        """The named column as unsigned 32-bit numbers, one a row.

        Raises:
            FormatError: the table has no such column.
        """
        try:
            return self._columns[name]
        except KeyError:
            raise self._fault(f"it has no column {name!r}") from None

    def row(self, ordinal: int) -> Row:
        """The row's values in field order.

        Raises:
            FormatError: no such row, or its bytes are not a row of this table.
        """
        if not 0 <= ordinal < self.count:
            raise self._fault(f"it has no row {ordinal}")
        start, end = self._offsets[ordinal], self._offsets[ordinal + 1]
        if not start <= end <= len(self._data) or end - start > _ROW_LIMIT:
            raise self._fault(f"row {ordinal} lies outside the file")
        try:
            row = msgpack.unpackb(self._data[start:end], object_hook=_refuse_map, **_ROW_BOUNDS)
        except (ValueError, msgpack.exceptions.UnpackException) as error:
            raise self._fault(f"row {ordinal} is no msgpack") from error
        if not isinstance(row, tuple) or len(row) != len(self._fields):
            raise self._fault(f"row {ordinal} has the wrong number of fields")
        # One comparison for a good row, which is every row but a forged one; the faulty field is looked for only then.
        if tuple(map(type, self._typed(row))) != self._types or min(self._numbers(row)) < -1 or min(self._naturals(row)) < 0:
            raise self._fault(f"row {ordinal} has an impossible {self._faulty_field(row)}")
        return row

    def _faulty_field(self, row: Row) -> str:
        for letter, value, field in zip(_SHAPES[self._fields], row, self._fields, strict=True):
            is_typed = letter == "*" or type(value) is _TYPES[letter]
            if not is_typed or (isinstance(value, int) and value < _LEAST.get(letter, 0)):
                return field
        raise AssertionError("a row that was refused has a faulty field")

    def symbol_name(self, ordinal: int) -> SymbolName:
        """What row ``ordinal`` of ``symbols`` is called; what its numbers point to is not looked at."""
        row = self.row(ordinal)
        kind, name, qualified_name = row[1], row[2], row[3]
        if kind >= len(KINDS):
            raise self._fault(f"row {ordinal} has an impossible kind")
        folded = (name.lower(), qualified_name.lower())
        return SymbolName(KINDS[kind], name, qualified_name, folded, frozenset(parts_of(name)))

    def file(self, ordinal: int) -> FileRecord:
        """Row ``ordinal`` of ``files``."""
        values = dict(zip(self._fields, self.row(ordinal), strict=True))
        imports, lines = values["imports"], values["error_lines"]
        if not _is_ints(lines) or not (imports is None or (_is_ints(imports) and len(imports) == 2)):
            raise self._fault(f"row {ordinal} has impossible imports or error_lines")
        if not layout.is_source_path(values["path"]):
            raise self._fault(f"row {ordinal} has an impossible path")
        if len(values["sha256"]) != _SHA256_SIZE or len(values["blob_id"]) != _SHA1_SIZE:
            raise self._fault(f"row {ordinal} has an impossible sha256 or blob_id")
        return FileRecord(**values)

    def symbol(self, ordinal: int) -> SymbolRecord:
        """Row ``ordinal`` of ``symbols``."""
        row = self.row(ordinal)
        file, kind, name, qualified, start, end, start_line, end_line, extent_start, extent_line = row[:10]
        selection_start, selection_end, selection_line, signature, doc, package, parent = row[10:]
        if kind >= len(KINDS):
            raise self._fault(f"row {ordinal} has an impossible kind")
        return SymbolRecord(
            file=file,
            kind=KINDS[kind],
            name=name,
            qualified_name=qualified,
            span=Span(start=start, end=end, start_line=start_line, end_line=end_line),
            extent_start=extent_start,
            extent_start_line=extent_line,
            selection=Span(start=selection_start, end=selection_end, start_line=selection_line, end_line=selection_line),
            signature=signature,
            doc=doc,
            package=package,
            parent=parent,
        )

    def chunk(self, ordinal: int) -> ChunkRecord:
        """Row ``ordinal`` of ``chunks``."""
        file, start, end, start_line, end_line, first, count, enclosing, part, parts, tokens, digest = self.row(ordinal)
        if len(digest) != _SHA256_SIZE:
            raise self._fault(f"row {ordinal} has an impossible content_hash")
        return ChunkRecord(
            file=file,
            span=Span(start=start, end=end, start_line=start_line, end_line=end_line),
            first_symbol=first,
            symbol_count=count,
            enclosing=enclosing,
            part=part,
            parts=parts,
            token_count=tokens,
            content_hash=digest,
        )


def _is_ints(values: object) -> bool:
    return isinstance(values, tuple) and all(type(value) is int and value >= 0 for value in values)


def _little_endian(words: array[int]) -> bytes:
    if sys.byteorder == "big":
        words = array(words.typecode, words)
        words.byteswap()
    return words.tobytes()
