"""Rows in, a table's bytes out; a mapped table in, rows out: the layout of every msgpack member.

A table is a header, an offset table and one msgpack array for each row, so that one row is found and decoded without the others
(FORMAT.md 4). The header names the fields once. Columns, which filters scan over all rows, are little-endian unsigned 32-bit arrays
of their own. Every count and offset is checked against the file's length before it is used, and every row against the types of its
fields. :mod:`hardtack.bundle.format.records` says what the fields mean.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, Literal

import msgpack

from hardtack.bundle.format import layout
from hardtack.errors import BuildError, FormatError

NOTHING: Final = 0xFFFFFFFF
"""The value of -1 in a column of unsigned numbers."""

_MAGIC: Final = b"HTKREC\x00\x01"
_LENGTH = struct.Struct("<I")
_HEADER_LIMIT: Final = 64 << 10
_COLUMN_LIMIT: Final = 16
_ROW_LIMIT: Final = 4 << 20
"""Bytes of the longest row. Hostile msgpack unpacks to up to fifty times its length, so what is unpacked at once is bounded."""

_TEXT_LIMITS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("name", "signature"), layout.NAME_LIMIT),
    **dict.fromkeys(("qualified_name", "package"), layout.QUALIFIED_NAME_LIMIT),
}
"""Bytes of the longest text of a field; of any other field :data:`layout.ROW_TEXT_LIMIT`."""
_SHORT_ROW: Final = min(_TEXT_LIMITS.values())
"""No text in a row of so many bytes is too long."""

_ROW_BOUNDS: Final[Mapping[str, Any]] = {"use_list": False, "max_array_len": 128, "max_map_len": 0, "max_ext_len": 0}
_HEADER_BOUNDS: Final[Mapping[str, Any]] = {"max_array_len": 128, "max_map_len": 16, "max_ext_len": 0}

Row = tuple[Any, ...]

_TYPES: Final = {"s": str, "i": int, "n": int, "b": bytes, "t": bool}
_LEAST: Final = {"n": -1}


def render_table(fields: tuple[str, ...], rows: Sequence[bytes], columns: Mapping[str, Sequence[int]]) -> Iterator[bytes]:
    """The member's bytes, piece by piece.

    Args:
        fields: the row's field names, in order.
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


def _picker(shape: str, wanted: Callable[[str], bool]) -> Callable[[Row], tuple[Any, ...]]:
    """A function from a row to the values of the fields whose letter is wanted. ``itemgetter`` of one place returns no tuple."""
    places = [place for place, letter in enumerate(shape) if wanted(letter)]
    if len(places) == 1:
        return lambda row: (row[places[0]],)
    picked: Callable[[Row], tuple[Any, ...]] = itemgetter(*places)
    return picked


def _refuse_map(_: object) -> None:
    raise ValueError("a row holds no map")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        raise ValueError("a key comes twice")
    return names


class RowTable:
    """A mapped table: rows by ordinal. Holds the buffer, copies nothing."""

    def __init__(self, name: str, buffer: memoryview, fields: tuple[str, ...], shape: str) -> None:
        """Check the table's frame.

        Args:
            name: of the member, for errors.
            buffer: the mapped member.
            fields: names of a row's fields.
            shape: one letter a field: s str, i int >= 0, n int >= -1, b bytes, t bool, * checked by the caller.

        Raises:
            FormatError: ``buffer`` is not a table of these fields.
        """
        self._name = name
        self._buffer = buffer
        self._fields = fields
        self._shape = shape
        # msgpack writes the length of an array below 16 in the byte of its type, of a longer one in two more bytes.
        self._lead = 1 if len(fields) < 16 else 3
        self._typed = _picker(shape, lambda letter: letter != "*")
        self._types = tuple(_TYPES[letter] for letter in shape if letter != "*")
        self._naturals = _picker(shape, lambda letter: letter == "i") if "i" in shape else lambda _: (0,)
        self._others = _picker(shape, lambda letter: letter == "n") if "n" in shape else lambda _: (0,)
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
            raise self.fault("the offset table does not span the rows")

    def _header(self) -> tuple[dict[str, Any], int]:
        buffer = self._buffer
        at = len(_MAGIC) + _LENGTH.size
        if len(buffer) < at or bytes(buffer[: len(_MAGIC)]) != _MAGIC:
            raise self.fault("it is no table")
        (length,) = _LENGTH.unpack(buffer[len(_MAGIC) : at])
        if length > min(_HEADER_LIMIT, len(buffer) - at):
            raise self.fault("the header is longer than the file")
        try:
            header = msgpack.unpackb(buffer[at : at + length], object_pairs_hook=_distinct, **_HEADER_BOUNDS)
        except (ValueError, msgpack.exceptions.UnpackException) as error:
            raise self.fault("the header is no msgpack") from error
        count = header.get("count") if isinstance(header, dict) else None
        if type(count) is not int or not 0 <= count <= len(buffer) // 8:
            raise self.fault("the row count is impossible")
        if header.get("fields") != list(self._fields):
            raise self.fault("the fields are not this format version's")
        columns = header.get("columns")
        if not isinstance(columns, list) or len(columns) > _COLUMN_LIMIT or not all(isinstance(column, str) for column in columns):
            raise self.fault("the columns are malformed")
        return header, at + length

    def _words(self, at: int, length: int, code: Literal["I", "Q"]) -> memoryview[int]:
        if at + length > len(self._buffer):
            raise self.fault("the file ends inside its tables")
        piece = self._buffer[at : at + length]
        if sys.byteorder == "little":
            return piece.cast(code)
        words = array(code, bytes(piece))
        words.byteswap()
        return memoryview(words)

    def fault(self, what: str) -> FormatError:
        """The error to raise for what is wrong with this member."""
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
            raise self.fault(f"it has no column {name!r}") from None

    def optional_column(self, name: str) -> memoryview[int] | None:
        """The named column; None if the table, of an older builder, does not have it."""
        return self._columns.get(name)

    def rows_where(self, name: str, number: int) -> Iterator[int]:
        """Ordinals of the rows whose named column is ``number``, ascending. Reads nothing but the column.

        Raises:
            FormatError: the table has no such column.
        """
        # bytes.find scans a column many times as fast as a loop over its numbers; a hit across two numbers is none.
        words, wanted = bytes(self.column(name)), number.to_bytes(4, sys.byteorder)
        at = words.find(wanted)
        while at >= 0:
            if at % 4 == 0:
                yield at // 4
            at = words.find(wanted, at + 1)

    def rows_holding(self, text: bytes) -> Iterator[int]:
        """Ordinals of the rows whose bytes contain ``text`` in any ASCII case, ascending. Decodes no row."""
        data, wanted, before = bytes(self._data).lower(), text.lower(), -1
        at = data.find(wanted)
        while at >= 0:
            ordinal = bisect_right(self._offsets, at) - 1
            if ordinal != before:
                yield ordinal
            before = ordinal
            at = data.find(wanted, at + 1)

    def row(self, ordinal: int) -> Row:
        """The row's values in field order.

        Raises:
            FormatError: no such row, or its bytes are not a row of this table.
        """
        if not 0 <= ordinal < self.count:
            raise self.fault(f"it has no row {ordinal}")
        start, end = self._offsets[ordinal], self._offsets[ordinal + 1]
        if not start <= end <= len(self._data) or end - start > _ROW_LIMIT:
            raise self.fault(f"row {ordinal} lies outside the file")
        try:
            row = msgpack.unpackb(self._data[start:end], object_hook=_refuse_map, **_ROW_BOUNDS)
        except (ValueError, msgpack.exceptions.UnpackException) as error:
            raise self.fault(f"row {ordinal} is no msgpack") from error
        if not isinstance(row, tuple) or len(row) != len(self._fields):
            raise self.fault(f"row {ordinal} has the wrong number of fields")
        # A good row passes one comparison of types; only a forged one is searched for the faulty field.
        if tuple(map(type, self._typed(row))) != self._types or min(self._naturals(row)) < 0 or min(self._others(row)) < -1:
            raise self.fault(f"row {ordinal} has an impossible {self._faulty_field(row)}")
        if end - start > _SHORT_ROW:
            self._check_texts(ordinal, row)
        return row

    def text(self, ordinal: int) -> bytes:
        """The UTF-8 of a row's first field, which must be text. Takes a tenth of the time of decoding the row, and checks no more.

        Raises:
            FormatError: it is no text, or lies outside the file.
        """
        data, at = self._data, self._offsets[ordinal] + self._lead
        try:
            kind = data[at]  # msgpack: 101xxxxx is a text of xxxxx bytes, D9 has one byte of length, DA two, big-endian
            if kind >> 5 == 0b101:
                start, length = at + 1, kind & 0b11111
            elif kind == 0xD9:
                start, length = at + 2, data[at + 1]
            elif kind == 0xDA:
                start, length = at + 3, data[at + 1] << 8 | data[at + 2]
            else:
                raise self.fault(f"row {ordinal} does not begin with text")
        except IndexError as error:
            raise self.fault(f"row {ordinal} lies outside the file") from error
        return bytes(data[start : start + length])

    def rows(self, start: int, end: int) -> list[Row]:
        """The values of rows ``start`` to ``end``, unpacked together in a third of the time of one by one.

        Raises:
            FormatError: there are no such rows, or their bytes are no rows of this table.
        """
        if not 0 <= start <= end <= self.count:
            raise self.fault(f"it has no rows {start} to {end}")
        first, last = self._offsets[start], self._offsets[end]
        if not first <= last <= len(self._data):
            raise self.fault(f"rows {start} to {end} lie outside the file")
        bounds = {**_ROW_BOUNDS, "max_buffer_size": max(last - first, 1), "object_hook": _refuse_map}
        unpacker = msgpack.Unpacker(**bounds)
        try:
            unpacker.feed(self._data[first:last])
            rows = list(unpacker)
        except (ValueError, msgpack.exceptions.UnpackException) as error:
            raise self.fault(f"rows {start} to {end} are no msgpack") from error
        if len(rows) != end - start or any(type(row) is not tuple or len(row) != len(self._fields) for row in rows):
            raise self.fault(f"rows {start} to {end} are others than it promises")
        for ordinal, row in enumerate(rows, start=start):
            if tuple(map(type, self._typed(row))) != self._types or min(self._naturals(row)) < 0 or min(self._others(row)) < -1:
                raise self.fault(f"row {ordinal} has an impossible {self._faulty_field(row)}")
            if self._offsets[ordinal + 1] - self._offsets[ordinal] > _SHORT_ROW:
                self._check_texts(ordinal, row)
        return rows

    def _check_texts(self, ordinal: int, row: Row) -> None:
        for field, value in zip(self._fields, row, strict=True):
            if isinstance(value, str) and len(value.encode()) > (limit := _TEXT_LIMITS.get(field, layout.ROW_TEXT_LIMIT)):
                raise self.fault(f"the {field} of row {ordinal} has more than {limit} bytes")

    def _faulty_field(self, row: Row) -> str:
        for letter, value, field in zip(self._shape, row, self._fields, strict=True):
            is_typed = letter == "*" or type(value) is _TYPES[letter]
            if not is_typed or (isinstance(value, int) and value < _LEAST.get(letter, 0)):
                return field
        raise AssertionError("a row that was refused has a faulty field")


def _little_endian(words: array[int]) -> bytes:
    if sys.byteorder == "big":
        words = array(words.typecode, words)
        words.byteswap()
    return words.tobytes()
