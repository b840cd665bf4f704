"""Tables come back row by row as they were written, and bytes that are no table are refused as such."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.format import layout
from hardtack.bundle.format.records import CHUNK_FIELDS, FILE_FIELDS, KINDS, SYMBOL_FIELDS, Table
from hardtack.bundle.format.tables import pack_row, render_table
from hardtack.errors import FormatError

number = st.integers(min_value=0, max_value=(1 << 64) - 1)
ordinal = st.integers(min_value=-1, max_value=(1 << 64) - 1)
text = st.text(st.characters(exclude_categories=["Cs"]))
word = st.from_regex(r"[a-z][a-z0-9_+#.-]{0,31}", fullmatch=True)
length = st.integers(min_value=0, max_value=layout.TEXT_LIMIT)
path = st.lists(st.from_regex(r"[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,8}", fullmatch=True), min_size=1, max_size=4).map("/".join)

files = st.tuples(
    *(path, word, word, st.booleans(), word, number, st.binary(min_size=32, max_size=32), st.binary(min_size=20, max_size=20)),
    *(number, length, number, number, number, number, number, text, st.none() | st.tuples(number, number), word),
    st.lists(number, max_size=100).map(tuple),
)
symbols = st.tuples(
    *(number, st.integers(min_value=0, max_value=len(KINDS) - 1), text, text, number, number, number, number, number, number),
    *(number, number, number, text, text, text, ordinal),
)
chunks = st.tuples(
    *(number, length, length, number, number, number, number, ordinal, number, number, number),
    st.binary(min_size=32, max_size=32),
).filter(lambda row: row[2] - row[1] <= layout.CHUNK_LIMIT)
tables = st.sampled_from([(FILE_FIELDS, files), (SYMBOL_FIELDS, symbols), (CHUNK_FIELDS, chunks)])


@settings(deadline=None)
@given(tables, st.data())
def test_rows_and_columns_come_back_as_they_were_written(
    table: tuple[tuple[str, ...], st.SearchStrategy], data: st.DataObject
) -> None:
    fields, strategy = table
    rows = data.draw(st.lists(strategy, max_size=5))
    unsigned = st.integers(min_value=0, max_value=(1 << 32) - 1)
    columns = data.draw(st.dictionaries(text, st.lists(unsigned, min_size=len(rows), max_size=len(rows)), max_size=3))
    written = b"".join(render_table(fields, [pack_row(row) for row in rows], columns))
    read = Table("table", memoryview(written), fields)
    assert rows == [read.row(number) for number in range(len(read))]
    assert columns == {name: list(read.column(name)) for name in columns}
    look_up = {FILE_FIELDS: read.file, SYMBOL_FIELDS: read.symbol, CHUNK_FIELDS: read.chunk}[fields]
    for number in range(len(rows)):
        look_up(number)


@settings(deadline=None)
@given(tables, st.data())
def test_no_damage_to_a_table_is_more_than_a_format_error(
    table: tuple[tuple[str, ...], st.SearchStrategy], data: st.DataObject
) -> None:
    fields, strategy = table
    rows = data.draw(st.lists(strategy, min_size=1, max_size=3))
    damaged = bytearray(b"".join(render_table(fields, [pack_row(row) for row in rows], {})))
    at = data.draw(st.integers(min_value=0, max_value=len(damaged)))
    damaged[at : at + data.draw(st.integers(min_value=0, max_value=9))] = data.draw(st.binary(max_size=9))
    with contextlib.suppress(FormatError):
        read = Table("table", memoryview(bytes(damaged)), fields)
        look_up = {FILE_FIELDS: read.file, SYMBOL_FIELDS: read.symbol, CHUNK_FIELDS: read.chunk}[fields]
        for number in range(len(read)):
            look_up(number)
