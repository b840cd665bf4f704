"""A frozen bundle in, one that claims more than it has out: the mutations of ``fuzz_sizes.py``."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import msgpack
from forge import FIELDS, Forge

from hardtack.bundle.format import layout, tables
from hardtack.errors import HardtackError

KINDS_OF_TEXT: dict[str, bytes] = {
    "newlines": b"\n",
    "letters": b"a",
    "words": b"stock ration portion ",
    "lines": b"def stock(portion):\n",
    "escapes": b"\x1b",
    "ligatures": "\ufdfa".encode(),
    "ligatures in words": "\ufdfa ".encode(),
    "emoji": "\U0001f980 stock\n".encode(),
    "marks": ("a" + "\u0301" * 9).encode(),
    "ideographs": "\u4e2d\u6587".encode(),
    "no text": b"\xff\xfe",
    "backticks": b"```\n",
    "zeros": b"\0",
}
SIZES = (1 << 10, 1 << 16, 1 << 20, 4 << 20, (16 << 20) - 1, 16 << 20, (16 << 20) + 1, 64 << 20, 1 << 30)
LENGTHS = (100, 1 << 12, (1 << 12) + 1, 1 << 14, 1 << 16, 1 << 18, (1 << 18) + 1, 1 << 20, 3 << 20)
NUMBERS = (0, 1, 127, 1 << 7, 1 << 16, (1 << 31) - 1, 1 << 32, (1 << 63) - 1, (1 << 64) - 1)

Mutation = Callable[[random.Random, Forge], None]


# -- texts and spans ----------------------------------------------------------------------------------------------------------


@cache
def _deflated(kind: str, size: int) -> bytes:
    unit = KINDS_OF_TEXT[kind]
    text = unit * (size // len(unit)) + b" " * (size % len(unit))
    state = zlib.compressobj(6, zlib.DEFLATED, -15)
    return state.compress(text) + state.flush()


def text_bomb(generator: random.Random, forge: Forge) -> None:
    """A text of any length, in blocks of any size; each file's row says that some of it, or all, is its text."""
    kind, size = generator.choice(list(KINDS_OF_TEXT)), generator.choice(SIZES)
    block = generator.choice((32 << 10, 32 << 10, 1 << 20, 4096 if size < 64 << 20 else 1 << 20))
    blocks = [_deflated(kind, block)] * (size // block) + ([_deflated(kind, size % block)] if size % block else [])
    ends = [0]
    for each in blocks:
        ends.append(ends[-1] + len(each))
    if generator.random() < 0.1:
        ends[generator.randrange(len(ends))] = generator.choice(NUMBERS)
    head = b"HTKTXT\0\1" + struct.pack("<QII", size, block, 0) + struct.pack(f"<{len(ends)}Q", *ends)
    forge.members[layout.TEXT] = head + b"".join(blocks)
    empty = zlib.compress(b"")
    numbers = (len(blocks), 0, 0, 0, 0, len(empty), len(empty))
    forge.members[layout.RUNS] = b"HTKRUN\0\1" + struct.pack("<7Q", *numbers) + bytes(4 * len(blocks)) + empty * 2
    forge.document["counts"]["text_bytes"] = size
    length = min(size, layout.TEXT_LIMIT) if generator.random() < 0.5 else size
    is_all_lines = kind == "newlines" and generator.random() < 0.8
    lines = length if is_all_lines else max(1, min(length, generator.choice((1, 10_000, length))))
    _set_files(forge, length, lines)
    count = len(forge.rows(layout.FILES))
    columns = {"length": [length, *[0] * (count - 1)] if length == size else _shared(size, length, count)}
    _set_columns(forge, layout.FILES, columns)


def _shared(size: int, length: int, count: int) -> list[int]:
    lengths = [min(length, max(size - number * length, 0)) for number in range(count)]
    lengths[-1] += size - sum(lengths)
    return [min(each, tables.NOTHING) for each in lengths]


def _set_files(forge: Forge, length: int, lines: int) -> None:
    rows = forge.rows(layout.FILES)
    places = {name: FIELDS[layout.FILES].index(name) for name in ("text_start", "text_length", "line_count", "imports")}
    for row in rows:
        row[places["text_start"]], row[places["text_length"]], row[places["line_count"]] = 0, length, lines
        row[places["imports"]] = [0, length]
    forge.set_packed_rows(layout.FILES, [msgpack.packb(row) for row in rows])


def _set_columns(forge: Forge, member: str, columns: dict[str, list[int]]) -> None:
    table = forge.table(member)
    known = {name: list(table.column(name)) for name in table._columns}
    forge._set_table(member, [msgpack.packb(row) for row in forge.rows(member)], known | columns)


def wide_spans(generator: random.Random, forge: Forge) -> None:
    """Symbols and chunks that all span as much as their file has, or as a chunk may."""
    text_bomb(generator, forge)
    length = forge.rows(layout.FILES)[0][FIELDS[layout.FILES].index("text_length")]
    lines = forge.rows(layout.FILES)[0][FIELDS[layout.FILES].index("line_count")]
    for member in (layout.SYMBOLS, layout.CHUNKS):
        if generator.random() < 0.3:
            continue
        rows, fields = forge.rows(member), FIELDS[member]
        end = min(length, layout.CHUNK_LIMIT + generator.choice((-1, 0, 1))) if member == layout.CHUNKS else length
        for row in rows:
            values = {"start": 0, "end": end, "start_line": 1, "end_line": max(lines, 1), "extent_start": 0, "extent_start_line": 1}
            for name, value in values.items():
                if name in fields:
                    row[fields.index(name)] = value
            if member == layout.CHUNKS and generator.random() < 0.3:
                row[fields.index("parts")] = generator.choice((1, 2, 5))
        forge.set_packed_rows(member, [msgpack.packb(row) for row in rows])


def one_name(generator: random.Random, forge: Forge) -> None:
    """All symbols have one name and one span: a text that is asked for once is to be shown many times."""
    wide_spans(generator, forge)
    rows, fields = forge.rows(layout.SYMBOLS), FIELDS[layout.SYMBOLS]
    name = generator.choice(("HandleStock", "Crate"))
    for row in rows:
        row[fields.index("name")] = row[fields.index("qualified_name")] = name
    forge.set_packed_rows(layout.SYMBOLS, [msgpack.packb(row) for row in rows])


# -- rows, headers, lists -----------------------------------------------------------------------------------------------------


def long_texts(generator: random.Random, forge: Forge) -> None:
    """Texts of rows as long as their limits, or longer, of characters that grow where they are escaped."""
    member = generator.choice([name for name in FIELDS if forge.rows(name)])
    rows = forge.rows(member)
    unit = generator.choice(("a", "\x1b", "aB", "\ufdfa", "`", "\n", "a ", "\U0001f980", "_a"))
    length = generator.choice(LENGTHS)
    text = unit * (length // len(unit.encode()))
    for row in rows if generator.random() < 0.5 else rows[:1]:
        places = [place for place, value in enumerate(row) if isinstance(value, str)]
        lists = [place for place, value in enumerate(row) if isinstance(value, list | tuple)]
        if places and generator.random() < 0.8:
            row[generator.choice(places)] = text
        elif lists and member == layout.DETAILS:
            row[generator.choice(lists)] = generator.choice(([text] * 100, [[text] * 5] * 100, [[text] * 2] * 128))
        elif lists:
            row[generator.choice(lists)] = [[text] * 100] * 100 if length < 4096 else [[text]]
        if sum(len(msgpack.packb(each)) for each in rows) > 32 << 20:
            break
    forge.set_packed_rows(member, [msgpack.packb(row) for row in rows])


def many_rows(generator: random.Random, forge: Forge) -> None:
    """Very many rows, all sound, or all the same."""
    count = generator.choice((1000, 20_000, 100_000))
    member = generator.choice((layout.RELATIONS, layout.FACTS, layout.DETAILS, layout.SKIPS, layout.REFERENCES))
    if member == layout.SKIPS:
        rows = [(f"{number:07}", "too large", "x" * generator.choice((0, 40))) for number in range(count)]
        forge.members[member] = b"".join(
            tables.render_table(("path", "reason", "detail"), [msgpack.packb(row) for row in rows], {})
        )
        forge.document["skipped"] = {"too large": count}
        return
    if member == layout.RELATIONS:
        last = generator.choice((0, 1))
        made: list[Any] = [(0, 1, number % 2, 1, "Crate", 1 - number % 2 if last else 1, 0, 0) for number in range(count)]
        columns = {"source": [row[2] for row in made], "target": [row[5] for row in made]}
    elif member == layout.FACTS:
        made = [(0, generator.choice(("fillable", "route", "cast")), [["x" * 10] * 4]) for _ in range(count)]
        columns = {"symbol": [0] * count}
    elif member == layout.DETAILS:
        made = [forge.rows(member)[0]] * count if forge.rows(member) else []
        columns = {"symbol": [row[0] for row in made]}
    else:
        name = forge.rows(layout.SYMBOLS)[0][FIELDS[layout.SYMBOLS].index("name")]
        per = 65_536
        postings = bytes((0, 1 | 2, 1, 0, 1, 0)) + bytes((2, 0, 0, 0)) * (per - 1)
        made = [(name, per, postings)] * generator.choice((1, 4, 12))
        columns = {}
    forge.members[member] = b"".join(tables.render_table(FIELDS[member], [msgpack.packb(row) for row in made], columns))


def claimed(generator: random.Random, forge: Forge) -> None:
    """A length, a count or an offset that promises another size: in headers of tables, lists, filters, vectors and the text."""
    member = generator.choice([name for name in forge.members if forge.members[name]])
    data = bytearray(forge.members[member])
    width = generator.choice((1, 2, 4, 4, 8, 8))
    region = generator.choice((64, 256, len(data)))
    at = generator.randrange(min(region, len(data)))
    number = generator.choice((*NUMBERS, len(data), len(data) - at, 1 << 28, 1 << 30)) % (1 << 8 * width)
    data[at : at + width] = number.to_bytes(width, generator.choice(("little", "big")))
    forge.members[member] = bytes(data)


def array_header(generator: random.Random, forge: Forge) -> None:
    """A row whose msgpack promises more than it has, or is as many small values as fit."""
    member = generator.choice(list(FIELDS))
    table = forge.table(member)
    if not len(table):
        return
    size = generator.choice((100, 1 << 16, 1 << 20, (4 << 20) - 9))
    row = generator.choice(
        (
            b"\xdd\xff\xff\xff\xff",
            b"\xdb\xff\xff\xff\xff",
            b"\xc6\xff\xff\xff\xff",
            b"\x91" * size,
            b"\xdc\x00\x80" * (size // 3),
            (b"\xdc\x00\x80" + b"\xa2ab" * 128) * (size // 387),
            bytes([0x90 | len(FIELDS[member]) & 15]) + (b"\xdc\x00\x80" + b"\xcd\x12\x34" * 128) * (size // 387),
            b"\xdc\x00" + bytes([len(FIELDS[member])]) + b"\xdb" + struct.pack(">I", size) + b"a" * size,
        )
    )
    forge.set_row_bytes(member, generator.randrange(len(table)), row)


def manifest_sizes(generator: random.Random, forge: Forge) -> None:
    """Counts, and lists as long as the manifest may be."""
    document = forge.document
    action = generator.randrange(5)
    if action == 0:
        document["counts"][generator.choice(list(document["counts"]))] = generator.choice(NUMBERS[:8])
    elif action == 1:
        document["languages"] *= generator.choice((100, 3000))
    elif action == 2:
        document["options"] = {str(number): {} for number in range(generator.choice((1000, 80_000)))}
    elif action == 3:
        document["skipped"] = {f"a{number}": 1 for number in range(generator.choice((1000, 60_000)))}
    else:
        document["tool"] = "x" * generator.choice((200, 201, 900_000))


MUTATIONS: tuple[Mutation, ...] = (
    *(text_bomb, text_bomb, wide_spans, wide_spans, one_name, one_name, long_texts, long_texts, many_rows),
    *(claimed, claimed, claimed, array_header, manifest_sizes),
)


def forged(seed: str) -> tuple[str, Forge, bool]:
    """The name of the mutation, the bundle, and whether it is to be packed."""
    generator = random.Random(seed)
    forge = Forge.of(generator.choice(("keyword", "keyword", "hybrid")))
    mutation = generator.choice(MUTATIONS)
    mutation(generator, forge)
    if generator.random() < 0.2:
        with suppress(HardtackError):  # what the first has forged may be no table any more
            generator.choice((claimed, long_texts, manifest_sizes))(generator, forge)
    return mutation.__name__, forge, generator.random() < 0.2
