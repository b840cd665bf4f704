"""Hostile tables and text: msgpack that grows, rows that point elsewhere, blocks that inflate without end, rows that lie."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgpack
from forge import Attack, Forge

from hardtack.bundle.format.layout import CHUNKS, DETAILS, FILES, SYMBOLS, TEXT
from hardtack.bundle.format.records import FILE_COLUMNS, FILE_FIELDS

BIG = (1 << 64) - 1
NESTED = b"\x91" * 1_000_000
MAPS = b"\xdd" + struct.pack(">I", 3_000_000) + b"\x80" * 3_000_000
PAIRS = b"\x9c" + b"\x92\xc0\xc0" * 1_000_000


def field_of(member: str, row: int, name: str, value: Any) -> Callable[[Forge], None]:
    return lambda forge: forge.set_field(member, row, name, value)


def retold(change: Callable[[Forge], None]) -> Callable[[Forge], None]:
    """The same, and what says it again too: a bundle that is as it should be, but for its change."""

    def apply(forge: Forge) -> None:
        change(forge)
        forge.retell()

    return apply


def row_of(member: str, row: int, data: bytes) -> Callable[[Forge], None]:
    return lambda forge: forge.set_row_bytes(member, row, data)


def header_of(member: str, data: bytes) -> Callable[[Forge], None]:
    return lambda forge: forge.set_header(member, data)


def bytes_of(member: str, change: Callable[[bytes], bytes]) -> Callable[[Forge], None]:
    def apply(forge: Forge) -> None:
        forge.members[member] = change(forge.members[member])

    return apply


def offset_of(member: str, number: int, value: int) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        at = 12 + struct.unpack_from("<I", data, 8)[0] + 8 * number
        return data[:at] + struct.pack("<Q", value) + data[at + 8 :]

    return change


def header(**changes: Any) -> bytes:
    """A header of ``files`` with something changed."""
    return bytes(msgpack.packb({"fields": list(FILE_FIELDS), "count": 7, "columns": sorted(FILE_COLUMNS), **changes}))


def swapped_files(forge: Forge) -> None:
    first, second = forge.rows(FILES)[:2]
    forge.set_field(FILES, 0, "path", second[0])
    forge.set_field(FILES, 1, "path", first[0])


FRAMES = [
    Attack("table: empty", bytes_of(FILES, lambda _: b""), words="no table"),
    Attack("table: another magic", bytes_of(FILES, lambda data: b"HTKREC\0\2" + data[8:]), words="no table"),
    Attack(
        "table: header of 4 GiB", bytes_of(FILES, lambda data: data[:8] + b"\xff" * 4 + data[12:]), words="longer than the file"
    ),
    Attack("table: header of nested arrays", header_of(FILES, b"\x91" * 60_000), words="no msgpack"),
    Attack("table: header of maps without end", header_of(FILES, b"\xdf\xff\xff\xff\xff"), words="no msgpack"),
    Attack("table: header with a key twice", header_of(FILES, b"\x83" + header()[1:] + b"\xa5count\x07"), words="no msgpack"),
    Attack("table: header is a list", header_of(FILES, msgpack.packb([1])), words="row count"),
    Attack("table: header of 2^62 rows", header_of(FILES, header(count=1 << 62)), words="row count"),
    Attack("table: header of -1 rows", header_of(FILES, header(count=-1)), words="row count"),
    Attack("table: header of true rows", header_of(FILES, header(count=True)), words="row count"),
    Attack("table: header of more rows", header_of(FILES, header(count=100)), words="damaged"),
    Attack("table: header of fewer rows", header_of(FILES, header(count=6)), words="span the rows"),
    Attack("table: other fields", header_of(FILES, header(fields=["path"])), words="fields are not"),
    Attack("table: a hundred columns", header_of(FILES, header(columns=["x"] * 100)), words="columns are malformed"),
    Attack("table: a column named 7", header_of(FILES, header(columns=[7])), words="columns are malformed"),
    Attack("table: a column that is not there", header_of(FILES, header(columns=["x"])), words="span the rows"),
    Attack("table: no kinds", header_of(CHUNKS, b"\x90"), words="row count"),
    Attack("table: trailing bytes", bytes_of(FILES, lambda data: data + b"\0"), words="span the rows"),
    Attack("table: cut short", bytes_of(FILES, lambda data: data[:-1]), words="span the rows"),
    Attack("table: cut inside the offsets", bytes_of(FILES, lambda data: data[:330]), words="damaged"),
    Attack("table: first offset is 1", bytes_of(FILES, offset_of(FILES, 0, 1)), words="span the rows"),
    Attack("table: an offset of 2^64-1", bytes_of(FILES, offset_of(FILES, 3, BIG)), words="outside the file"),
    Attack("table: offsets that go back", bytes_of(FILES, offset_of(FILES, 3, 0)), words="outside the file"),
]

ROWS = [
    Attack("row: nothing", row_of(SYMBOLS, 0, b""), words="no msgpack"),
    Attack("row: two rows in one", row_of(SYMBOLS, 0, b"\x90\x90"), words="no msgpack"),
    Attack("row: array32 of 2^32-1", row_of(SYMBOLS, 0, b"\xdd\xff\xff\xff\xff"), words="no msgpack"),
    Attack("row: map32 of 2^32-1", row_of(SYMBOLS, 0, b"\xdf\xff\xff\xff\xff"), words="no msgpack"),
    Attack("row: str32 of 2^32-1", row_of(SYMBOLS, 0, b"\xdb\xff\xff\xff\xff"), words="no msgpack"),
    Attack("row: a million arrays deep", row_of(SYMBOLS, 0, NESTED), words="no msgpack"),
    Attack("row: three million empty maps", row_of(SYMBOLS, 0, MAPS), words="no msgpack"),
    Attack("row: three million nils in pairs", row_of(SYMBOLS, 0, PAIRS), words="no msgpack"),
    Attack("row: 20 MB", row_of(SYMBOLS, 0, b"\xc6" + struct.pack(">I", 20 << 20) + bytes(20 << 20)), words="outside the file"),
    Attack("row: one empty map", row_of(SYMBOLS, 0, b"\x80"), words="no msgpack"),
    Attack("row: an extension type", row_of(SYMBOLS, 0, b"\xc7\x02\x05ab"), words="no msgpack"),
    Attack("row: a timestamp", row_of(SYMBOLS, 0, b"\xd6\xff\0\0\0\0"), words="no msgpack"),
    Attack("row: a field too few", row_of(SYMBOLS, 0, msgpack.packb([0] * 16)), words="wrong number of fields"),
    Attack("row: a field too many", row_of(SYMBOLS, 0, msgpack.packb([0] * 18)), words="wrong number of fields"),
    Attack("row: a name that is no UTF-8", row_of(SYMBOLS, 0, b"\x91\xa1\xff"), words="no msgpack"),
    Attack("row: a surrogate in a name", row_of(SYMBOLS, 0, b"\x91\xa3\xed\xa0\x80"), words="no msgpack"),
    *(
        Attack(f"row: {name} of {value!r}", field_of(SYMBOLS, 3, name, value))
        for name in ("file", "kind", "start", "end", "start_line", "end_line", "extent_start", "selection_end", "parent")
        for value in (BIG, -2, True, "1")
    ),
    *(
        Attack(f"row: chunk {name} of {value!r}", field_of(CHUNKS, 3, name, value))
        for name in ("file", "start", "first_symbol", "symbol_count", "enclosing", "part", "parts", "token_count", "content_hash")
        for value in (BIG, -2, b"")
    ),
    *(
        Attack(f"row: file {name} of {value!r}", field_of(FILES, 3, name, value))
        for name in ("is_test", "size", "sha256", "blob_id", "text_start", "text_length", "line_count", "first_chunk", "imports")
        for value in (BIG, -1, b"x", [3, 2], [0, BIG])
        if (name, value) != ("size", BIG)
    ),
    *(
        Attack(f"row: detail {name} of {value!r}", field_of(DETAILS, 0, name, value))
        for name in ("symbol", "visibility", "modifiers", "type_source", "parameters", "returns", "attributes", "notes")
        for value in (BIG, -2, b"x", ["a", 1], [["a"] * 9])
    ),
    Attack("row: a detail with notes without end", field_of(DETAILS, 0, "notes", [["see", "x"]] * 1000), words="no msgpack"),
    Attack("row: a file of 2^64-1 bytes, which is only a label", field_of(FILES, 3, "size", BIG), ""),
    Attack("row: error lines that are no lines", field_of(FILES, 3, "error_lines", [True]), words="error_lines"),
    Attack("row: error lines without end", field_of(FILES, 3, "error_lines", [1] * 1000), words="no msgpack"),
]

PATHS = [
    Attack(f"path: {path!a:.40}", field_of(FILES, 0, "path", path), words="impossible path")
    for path in (
        *("", ".", "..", "../x", "a/../../x", "/etc/passwd", "//x", "a//b", "a/", "./a", "a/.", "a\0b", "C:\\x", "..\\x"),
        *("a\nb", "a\x1b[2Jb", "a\x7f", "\u202egnp.exe", "a\u2066b", "\ufeffa", "a\u2028b", "\U000e0041", "x" * 5000, "é" * 2049),
    )
]
LABELS = [
    Attack(f"path: {path!a}, which is only a label", retold(field_of(FILES, 0, "path", path)), "")
    for path in ("README.md:ads", "CON", "Cafe\u0301", "COM1.txt", "a.", "a ", "-rf", "$(id)", "](x)")
]

LIES = [
    Attack("lie: a path twice", field_of(FILES, 1, "path", "README.md"), words="does not follow"),
    Attack("lie: files out of order", swapped_files, words="does not follow"),
    Attack("lie: a file that takes another's chunks", field_of(FILES, 1, "first_chunk", 0), words="damaged"),
    Attack("lie: a file with other text", field_of(FILES, 1, "text_start", 0), words="does not follow"),
    Attack("lie: another number of lines", field_of(FILES, 0, "line_count", 3), words="damaged"),
    Attack("lie: another language", field_of(FILES, 0, "language", "cobol"), words="counts other languages"),
    Attack("lie: a chunk of another file", field_of(CHUNKS, 1, "file", 2), words="points outside"),
    Attack("lie: a chunk that starts early", field_of(CHUNKS, 0, "start", 1), words="damaged"),
    Attack("lie: a chunk that ends before it starts", field_of(CHUNKS, 0, "end", 0), words="overlaps"),
    Attack("lie: a part that is not", field_of(CHUNKS, 0, "part", 2), words="points outside"),
    Attack("lie: another token count", field_of(CHUNKS, 0, "token_count", 1), words="token count"),
    Attack("lie: another content hash", field_of(CHUNKS, 0, "content_hash", bytes(32)), words="content_hash"),
    Attack("lie: other lines", field_of(CHUNKS, 0, "start_line", 2), words="line numbers"),
    Attack("lie: an enclosing symbol elsewhere", field_of(CHUNKS, 0, "enclosing", 1), words="lies outside the symbol"),
    Attack("lie: an enclosing symbol of another file", field_of(CHUNKS, 0, "enclosing", 30), words="points outside"),
    Attack("lie: a symbol of another file", field_of(SYMBOLS, 0, "file", 6), words="points outside"),
    Attack("lie: a symbol that is its own parent", field_of(SYMBOLS, 2, "parent", 2), words="points outside"),
    Attack("lie: a parent that comes later", field_of(SYMBOLS, 1, "parent", 2), words="points outside"),
    Attack("lie: a parent elsewhere", field_of(SYMBOLS, 2, "parent", 1), words="outside its parent"),
    Attack("lie: a kind of the future", field_of(SYMBOLS, 2, "kind", 200), words="impossible kind"),
    Attack("lie: another kind than the column", field_of(SYMBOLS, 2, "kind", 25), words="kinds"),
]


def text_blocks(data: bytes) -> tuple[int, int, bytes, list[bytes]]:
    """Length, block size, dictionary and blocks of the frozen text member."""
    length, size, dictionary = struct.unpack_from("<QII", data, 8)
    at = 24 + dictionary
    count = -(-length // size)
    offsets = struct.unpack_from(f"<{count + 1}Q", data, at)
    body = data[at + 8 * (count + 1) :]
    return length, size, data[24 : 24 + dictionary], [body[a:b] for a, b in pairwise(offsets)]


def text_of(length: int, size: int, dictionary: bytes, blocks: list[bytes], declared: int | None = None) -> bytes:
    ends = [sum(map(len, blocks[:number])) for number in range(len(blocks) + 1)]
    head = struct.pack("<QII", length, size, len(dictionary) if declared is None else declared)
    return b"HTKTXT\0\1" + head + dictionary + struct.pack(f"<{len(ends)}Q", *ends) + b"".join(blocks)


def block(change: Callable[[bytes], bytes]) -> Callable[[Forge], None]:
    """Replace the only block of the frozen text, the length kept."""

    def apply(forge: Forge) -> None:
        length, size, dictionary, (only,) = text_blocks(forge.members[TEXT])
        forge.members[TEXT] = text_of(length, size, dictionary, [change(only)])

    return apply


def deflated(data: bytes, dictionary: bytes = b"") -> bytes:
    state = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=dictionary) if dictionary else zlib.compressobj(9, zlib.DEFLATED, -15)
    return state.compress(data) + state.flush()


def framed(length: int, size: int, blocks: list[bytes], declared: int = 0) -> Callable[[Forge], None]:
    """A text member with a header of its own."""

    def apply(forge: Forge) -> None:
        forge.members[TEXT] = text_of(length, size, b"", blocks, declared)

    return apply


def needs_dictionary(forge: Forge) -> None:
    """Text deflated with a dictionary that is not there."""
    length, size, _, (only,) = text_blocks(forge.members[TEXT])
    text = zlib.decompress(only, -15)
    forge.members[TEXT] = text_of(length, size, b"", [deflated(text, text)])


def moved_offsets(data: bytes) -> bytes:
    return data[:24] + struct.pack("<Q", 1) + data[32:]


LENGTH = 2885
TEXTS = [
    Attack("text: empty", bytes_of(TEXT, lambda _: b""), words="no text member"),
    Attack("text: another magic", bytes_of(TEXT, lambda data: b"HTKTXT\0\2" + data[8:]), words="no text member"),
    Attack("text: a block of 100 MB", block(lambda _: deflated(bytes(100 << 20))), words="wrong length"),
    Attack("text: a block too short", block(lambda _: deflated(b"x")), words="wrong length"),
    Attack("text: a block cut short", block(lambda data: data[:-2]), words="wrong length"),
    Attack("text: a block with a tail", block(lambda data: data + b"tail"), words="wrong length"),
    Attack("text: a block of nothing, a million times", block(lambda _: b"\0\0\0\xff\xff" * 1_000_000), words="wrong length"),
    Attack("text: noise", block(lambda _: b"\xff" * 999), words="does not inflate"),
    Attack("text: zlib with a header", block(lambda _: zlib.compress(bytes(LENGTH))), words="does not inflate"),
    Attack("text: no block", block(lambda _: b""), words="wrong length"),
    Attack("text: other text", block(lambda _: deflated(b"x" * LENGTH)), words="another number of lines"),
    Attack("text: no UTF-8", block(lambda data: deflated(zlib.decompress(data, -15)[:-3] + b"\xff\xfe\xff")), words="damaged"),
    Attack("text: no dictionary", needs_dictionary, words="damaged"),
    Attack("text: a dictionary of 4 GiB", framed(LENGTH, 1 << 15, [b""], (1 << 32) - 1), words="header is impossible"),
    Attack("text: a dictionary past the end", framed(LENGTH, 1 << 15, [b""], 1 << 15), words="ends inside"),
    Attack("text: blocks of 0 bytes", framed(LENGTH, 0, [b""]), words="header is impossible"),
    Attack("text: blocks of 4 GiB", framed(LENGTH, (1 << 32) - 1, [b""]), words="header is impossible"),
    Attack("text: 2^64-1 bytes", framed(BIG, 1, [b""]), words="ends inside"),
    Attack("text: more than the manifest says", framed(LENGTH + 1, 1 << 15, [b""]), words="another length"),
    Attack("text: offsets that do not start at 0", bytes_of(TEXT, moved_offsets), words="does not span"),
    Attack("text: trailing bytes", bytes_of(TEXT, lambda data: data + b"\0"), words="does not span"),
]

ATTACKS = [*FRAMES, *ROWS, *PATHS, *LABELS, *LIES, *TEXTS]
