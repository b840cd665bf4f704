"""The rows of every table, and every index of postings, each by itself and in memory: thousands a second.

A case is the member's name, a line feed, and its bytes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import attacks_on_history
import fuzz_bundle
import msgpack
import numpy as np
from driver import Generator, Target
from forge import COLUMNS, FIELDS, Forge
from fuzz_bundle import NUMBERS, VALUES
from mutations import blind

from hardtack.bundle.format import layout, records
from hardtack.bundle.format.cached_parses import CachedParse, CachedParses, CachedParsesWriter, pack_parse
from hardtack.bundle.format.manifest import HistoryExtent
from hardtack.bundle.format.postings import read_postings, write_postings
from hardtack.bundle.format.records import FileRecord, Table
from hardtack.bundle.format.relations import RelationTables
from hardtack.bundle.format.tables import RowTable, render_table
from hardtack.bundle.format.text import TextStore
from hardtack.bundle.indexes.columns import StoredColumns
from hardtack.bundle.indexes.cooccurrence import PairFilter, pair_hashes
from hardtack.bundle.indexes.history import CommitHistory, CommitRecord
from hardtack.bundle.indexes.names import Family, NameIndex
from hardtack.bundle.indexes.ngrams import RunIndex
from hardtack.bundle.indexes.words import WordIndex
from hardtack.nouns.relations import Certainty, Reference

_TABLES = {**FIELDS, layout.SKIPS: records.SKIP_FIELDS, layout.HISTORY: CommitRecord._fields}
_COLUMNS = {**COLUMNS, layout.SKIPS: (), layout.HISTORY: ("time",)}
_RELATED = (layout.RELATIONS, layout.REFERENCES, layout.FACTS)
_INDEXES = (layout.NAMES, layout.WORDS, layout.PAIRS, layout.RUNS, layout.TEXT, layout.HISTORY_POSTINGS, layout.READINGS)
_LIST = "references"
"""One posting list of ``references.msgpack``."""
_SHAPES = {**fuzz_bundle.SHAPES, CommitRecord._fields: "bissii"}


@cache
def _sound() -> dict[str, bytes]:
    """Every member, also those that the frozen bundle lacks."""
    forge = Forge(members=dict(fuzz_bundle.frozen()[0]), document=fuzz_bundle.frozen()[1])
    attacks_on_history.with_history(forge)
    writer = CachedParsesWriter(bytes(32), [])
    files = forge.document["counts"]["files"]
    for number in range(files):
        parse = CachedParse(
            documents=[("text", "more")],
            imported=[(number, "a")],
            uses=b"\x90",
            facts=[],
            tags=[(0, 1)],
            project=None,
            pairs=struct.pack("<4I", 1, 2, 3, 4),
        )
        writer.add(pack_parse(parse))
    forge.members[layout.READINGS] = b"".join(writer.render())
    references = [Reference(0, 1, 5, 0, True, 0, Certainty.EXACT), Reference(2, 4, 9, -1, False, -1, Certainty.LIKELY)]
    forge.members[_LIST] = bytes([len(references)]) + write_postings(references, [0] * files)
    skips = [("build/x.o", "binary", "a NUL byte at 3"), ("odd name", "too_large", "")]
    forge.members[layout.SKIPS] = b"".join(render_table(records.SKIP_FIELDS, [msgpack.packb(row) for row in skips], {}))
    return forge.members


@cache
def _counts() -> tuple[int, int, int]:
    counts = fuzz_bundle.frozen()[1]["counts"]
    return counts["files"], counts["symbols"], counts["text_bytes"]


@cache
def _files() -> Table:
    return Table(layout.FILES, memoryview(_sound()[layout.FILES]), records.FILE_FIELDS)


def _cases(names: Sequence[str]) -> list[bytes]:
    return [name.encode() + b"\n" + _sound()[name] for name in names]


def _parted(case: bytes) -> tuple[str, memoryview]:
    name, _, data = case.partition(b"\n")
    return name.decode("ascii", "replace"), memoryview(data)


# -- rows -------------------------------------------------------------------------------------------------------------------------


def _another_table(generator: Generator, seed: bytes) -> bytes:
    if generator.random() < 0.3:
        start = seed.index(b"\n") + 1
        return seed[:start] + blind(generator, seed[start:])
    name, data = _parted(seed)
    fields = _TABLES[name]
    table = RowTable(name, data, fields, _SHAPES[fields])
    rows: list[Any] = [list(table.row(number)) for number in range(len(table))]
    columns = {column: list(table.column(column)) for column in _COLUMNS[name]}
    for _ in range(generator.choice((1, 1, 2))):
        row, field = generator.randrange(len(rows)), generator.randrange(len(fields))
        if columns and generator.random() < 0.2:
            columns[generator.choice(list(columns))][row] = generator.choice(NUMBERS) & 0xFFFFFFFF
        elif isinstance(rows[row], list) and field < len(rows[row]):
            rows[row][field] = _another_value(generator, rows[row][field])
    packed = [_another_packed(generator, msgpack.packb(each)) for each in rows]
    if generator.random() < 0.1:
        packed[:] = generator.sample(packed, len(packed))
    fitting = {column: [*numbers, *[0] * len(packed)][: len(packed)] for column, numbers in columns.items()}
    return name.encode() + b"\n" + b"".join(render_table(fields, packed, fitting))


def _another_value(generator: Generator, value: Any) -> Any:
    if isinstance(value, int) and generator.random() < 0.5:
        return min(max(value + generator.choice((-1, 1, -10, 10, 1000)), -(1 << 63)), (1 << 64) - 1)
    if isinstance(value, tuple | list) and value and generator.random() < 0.7:
        changed = list(value)
        at = generator.randrange(len(changed))
        changed[at] = _another_value(generator, changed[at])
        return changed * generator.choice((1, 1, 2))
    if isinstance(value, str) and generator.random() < 0.5:
        return value + generator.choice(("\0", "\n", "/..", "\x1b]0;x\x07", "\u202e", "x" * 70_000, "\\", "é"))
    return generator.choice(VALUES)


def _another_packed(generator: Generator, row: bytes) -> bytes:
    """A row as it is, or its bytes damaged, or its numbers and texts written in longer forms than they need."""
    if generator.random() < 0.97:
        return row
    if generator.random() < 0.5:
        return blind(generator, row)
    if row[0] >> 4 == 9:
        return generator.choice((b"\xdc\x00", b"\xdd\x00\x00\x00")) + bytes([row[0] & 15]) + row[1:]
    if row[:1] == b"\xdc":
        row = b"\xdd\x00\x00" + row[1:] if generator.random() < 0.5 else row
    at = 1 if row[0] >> 4 == 9 else 3
    if row[at] >> 5 == 0b101:
        length = row[at] & 31
        return row[:at] + generator.choice((b"\xd9", b"\xda\0", b"\xdb\0\0\0")) + bytes([length]) + row[at + 1 :]
    return row


def _rows(case: bytes) -> str:
    name, data = _parted(case)
    if name in _RELATED:
        _related({**{each: memoryview(_sound()[each]) for each in _RELATED}, name: data})
    elif name == layout.HISTORY:
        _history(data, memoryview(_sound()[layout.HISTORY_POSTINGS]))
    elif name in _TABLES:
        _table(name, Table(name, data, _TABLES[name]))
    else:
        return "no case"
    return "accepted"


def _table(name: str, table: Table) -> None:
    read: Callable[[int], Any] = {
        layout.FILES: table.file,
        layout.SYMBOLS: table.symbol,
        layout.CHUNKS: table.chunk,
        layout.DETAILS: table.detail,
        layout.SKIPS: table.skip,
    }[name]
    found = [read(number) for number in range(len(table))]
    assert table.rows(0, len(table)) == [table.row(number) for number in range(len(table))]
    for column in _COLUMNS[name]:
        table.optional_column(column)
    list(table.rows_holding(b"a"))
    for record in found:
        if isinstance(record, FileRecord):
            assert layout.is_source_path(record.path)
            table.place_of(record.path)
        if name == layout.SYMBOLS:
            assert 0 <= record.start
    if name == layout.SYMBOLS:
        for number in range(len(table)):
            table.symbol_name(number)
        whole = StoredColumns(_files(), table, Table(layout.CHUNKS, memoryview(_sound()[layout.CHUNKS]), records.CHUNK_FIELDS))
        assert whole.kinds_of(np.arange(len(table))) is not None


def _related(members: dict[str, memoryview]) -> None:
    files, symbols, _ = _counts()
    related = RelationTables(members, file=cache(_files().file), file_count=files, symbol_count=symbols)
    touched = {0, symbols - 1}
    for relation in related.relations():
        assert 0 <= relation.file < files
        assert -1 <= relation.target < symbols
        touched |= {relation.source, relation.target}
    for symbol in sorted(touched - {-1})[:6]:
        assert all(relation.source == symbol for relation in related.relations_from(symbol))
        assert all(relation.target == symbol for relation in related.relations_to(symbol))
        assert all(fact.symbol == symbol for fact in related.facts_of(symbol))
    related.relations_of_file(1)
    list(related.unresolved("a"))
    for reference in related.references():
        assert 0 <= reference.file < files
        assert -1 <= reference.target < symbols
    related.references_of("portions")


# -- indexes ----------------------------------------------------------------------------------------------------------------------


def _another_index(generator: Generator, seed: bytes) -> bytes:
    start = seed.index(b"\n") + 1
    name, data = seed[: start - 1].decode(), seed[start:]
    action = generator.randrange(4)
    if action == 0 and name == layout.RUNS:
        members = {layout.RUNS: data}
        fuzz_bundle.in_runs(generator, members, {})
        data = members[layout.RUNS]
        return seed[:start] + data
    if action == 0 and name == layout.TEXT:
        text = blind(generator, zlib.decompress(data[40:], -15))
        state = zlib.compressobj(6, zlib.DEFLATED, -15)
        block = state.compress(text) + state.flush()
        return seed[:start] + data[:32] + struct.pack("<Q", len(block)) + block
    if action == 1:
        changed, width = bytearray(data), generator.choice((1, 4, 8))
        at = generator.randrange(max(min(len(data), 80) - width, 1)) & -min(width, 4)
        changed[at : at + width] = (generator.choice(NUMBERS) % (1 << 8 * width)).to_bytes(width, "little")
        return seed[:start] + bytes(changed)
    if action == 2:
        changed = bytearray(data)
        for _ in range(generator.choice((1, 2, 8))):
            at = generator.randrange(len(data)) & ~3
            changed[at : at + 4] = struct.pack("<I", generator.choice((0, 1, 2, 5, 6, 7, 255, 65536, 0xFFFFFFFF)))[: len(data) - at]
        return seed[:start] + bytes(changed)
    return seed[:start] + blind(generator, data)


def _indexes(case: bytes) -> str:
    name, data = _parted(case)
    check = _CHECKS.get(name)
    if check is None:
        return "no case"
    check(data)
    return "accepted"


def _names(data: memoryview) -> None:
    files, symbols, _ = _counts()
    index = NameIndex(data, files=files, symbols=symbols)
    for row in range(len(index.words)):
        for family in Family:
            found = index.postings(family, row)
            assert (np.diff(found.astype(np.int64)) > 0).all()
            assert not len(found) or int(found[-1]) < index._within[family]
    index.check()
    for row, word in enumerate(index.words.between(range(len(index.words)))):
        assert index.row(word) == row
        index.beginning(word[:2])


def _words(data: memoryview) -> None:
    index = WordIndex(data, files=_counts()[0])
    files, counts, lengths = index.postings(["stock", "portion", "nothing"])
    assert int(lengths.sum()) == len(files) == len(counts)
    assert not len(files) or int(files.max()) < _counts()[0]
    index.check()
    again = index.postings(["stock", "portion", "nothing"])
    assert (again[0] == files).all()
    index.of_files(_counts()[0])


def _pairs(data: memoryview) -> None:
    index = PairFilter(data)
    some = np.arange(9, dtype=np.uint32)
    assert len(index.has(np.arange(9), pair_hashes(some, some[::-1]))) == 9


def _runs(data: memoryview) -> None:
    index = RunIndex(data, blocks=1, text_bytes=_counts()[2])
    for wanted in (b"stock", b"e", b"(", b"no such text", "é".encode(), b"Z" * 200):
        assert all(0 <= block < 1 for block in index.blocks_with(wanted))
    index.parts()


def _text(data: memoryview) -> None:
    store = TextStore(layout.TEXT, data)
    length = min(store.length, 1 << 22)
    whole = store.read(0, length)
    assert len(whole) == length
    assert store.read(1, max(length, 1)) == whole[1:]
    assert b"".join(store.blocks(range(min(store.block_count, 64))))[:length] == whole


def _history(table: memoryview, postings: memoryview) -> None:
    files, symbols, _ = _counts()
    commits = [each.record for each in attacks_on_history.COMMITS]
    extent = HistoryExtent(
        asked=5,
        commits=len(commits),
        newest=commits[0].id.hex(),
        oldest=commits[-1].id.hex(),
        newest_time=commits[0].time,
        oldest_time=commits[-1].time,
        end="root",
    )
    history = CommitHistory(extent, table, postings, files=files, symbols=symbols, require_own_terms=lambda: None)
    for file in range(files):
        for commit in history.of_file(file).tolist():
            assert file in history.files_of(commit)
            history.commit(commit)
    for symbol in range(symbols):
        history.of_symbol(symbol)
    history.words.postings(["stock", "ration"])
    history.check(lambda symbol: records.Table(*_symbols()).symbol(symbol).file)


@cache
def _symbols() -> tuple[str, memoryview, tuple[str, ...]]:
    return layout.SYMBOLS, memoryview(_sound()[layout.SYMBOLS]), records.SYMBOL_FIELDS


def _readings(data: memoryview) -> None:
    files = _counts()[0]
    parses = CachedParses(data, files=files)
    for file in range(files):
        parses.parse(file)


def _list(data: memoryview) -> None:
    try:
        found = read_postings(bytes(data[1:]), data[0] if len(data) else 0)
    except ValueError:
        return
    assert len(found) == data[0]
    assert all((one.file, one.start) <= (other.file, other.start) for one, other in pairwise(found))


_CHECKS: dict[str, Callable[[memoryview], None]] = {
    layout.NAMES: _names,
    layout.WORDS: _words,
    layout.PAIRS: _pairs,
    layout.RUNS: _runs,
    layout.TEXT: _text,
    layout.READINGS: _readings,
    layout.HISTORY_POSTINGS: lambda data: _history(memoryview(_sound()[layout.HISTORY]), data),
    _LIST: _list,
}


TARGETS = (
    Target(name="rows", seeds=lambda: _cases(tuple(_TABLES)), mutate=_another_table, execute=_rows, share=2),
    Target(name="postings", seeds=lambda: _cases((*_INDEXES, _LIST)), mutate=_another_index, execute=_indexes, share=2),
)
