from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack
import pytest

from hardtack.bundle.format import tables
from hardtack.bundle.format.details import detail_row
from hardtack.bundle.format.records import CHUNK_FIELDS, DETAIL_FIELDS, FILE_FIELDS, SYMBOL_FIELDS, Table
from hardtack.bundle.format.tables import Row, pack_row, render_table
from hardtack.errors import BuildError, FormatError
from hardtack.nouns.details import Attribute, Detail, Note, Parameter, Return, Supertype
from hardtack.nouns.model import Kind, Span

FILE: Row = ("a.py", "python", "code", False, "utf-8", 9, b"s" * 32, b"b" * 20, 0, 9, 2, 0, 1, 0, 1, "pkg", (0, 3), "ok", (2,))
SYMBOL: Row = (0, 11, "f", "A.f", 2, 9, 1, 2, 0, 1, 3, 4, 1, "def f()", "Says f.", "pkg", -1)
CHUNK: Row = (0, 0, 9, 1, 2, 0, 1, -1, 1, 1, 3, b"h" * 32)
DETAIL = Detail(
    visibility="public",
    modifiers=("static",),
    decorators=("@Deprecated",),
    type="int",
    type_source="phpdoc",
    value="1",
    tag="json",
    receiver="*C",
    type_parameters=("T",),
    parameters=(Parameter(name="a", type="int", default="1", description="Words.", source_hint="phpdoc"),),
    returns=(Return(type="int", description="Words.", source_hint="inferred"),),
    supertypes=(Supertype(relation="inherits", name="B"),),
    attributes=(Attribute(name="x", type="int", value="1", visibility="public", description="W.", source_hint="inferred"),),
    notes=(Note(tag="throws", text="E when it rains"),),
)


def table_of(fields: tuple[str, ...], rows: Sequence[Row], columns: dict[str, list[int]] | None = None) -> Table:
    data = b"".join(render_table(fields, [pack_row(row) for row in rows], columns or {}))
    return Table("table", memoryview(data), fields)


def changed(row: Row, number: int, value: Any) -> Row:
    return (*row[:number], value, *row[number + 1 :])


def test_a_file_comes_back_as_it_was_written() -> None:
    assert dict(zip(FILE_FIELDS, FILE, strict=True)) == {
        name: getattr(table_of(FILE_FIELDS, [FILE]).file(0), name) for name in FILE_FIELDS
    }


def test_a_symbol_comes_back_with_its_spans() -> None:
    symbol = table_of(SYMBOL_FIELDS, [SYMBOL]).symbol(0)
    assert (Kind.FUNCTION, "f", "A.f", -1) == (symbol.kind, symbol.name, symbol.qualified_name, symbol.parent)
    assert Span(start=2, end=9, start_line=1, end_line=2) == symbol.span
    assert Span(start=3, end=4, start_line=1, end_line=1) == symbol.selection


def test_a_chunk_comes_back_with_its_span() -> None:
    chunk = table_of(CHUNK_FIELDS, [CHUNK]).chunk(0)
    assert Span(start=0, end=9, start_line=1, end_line=2) == chunk.span
    assert (-1, 3, b"h" * 32) == (chunk.enclosing, chunk.token_count, chunk.content_hash)


def test_a_detail_comes_back_with_every_fact() -> None:
    assert table_of(DETAIL_FIELDS, [detail_row(7, DETAIL)]).detail(0) == (7, DETAIL)


@pytest.mark.parametrize("number", range(len(DETAIL_FIELDS)), ids=DETAIL_FIELDS)
@pytest.mark.parametrize("value", [1.5, (1,), (("a", 1),), (("a",) * 9,)], ids=["number", "numbers", "half", "wide"])
def test_a_detail_of_other_things_than_texts_is_refused(number: int, value: Any) -> None:
    table = table_of(DETAIL_FIELDS, [changed(detail_row(7, DETAIL), number, value)])
    with pytest.raises(FormatError, match=r"table is damaged: row 0 has (an )?impossible"):
        table.detail(0)


def test_columns_stand_apart_from_the_rows() -> None:
    table = table_of(CHUNK_FIELDS, [CHUNK, CHUNK], {"kinds": [1, (1 << 32) - 1], "b": [7, 8]})
    assert [1, (1 << 32) - 1] == list(table.column("kinds"))
    assert [7, 8] == list(table.column("b"))
    with pytest.raises(FormatError, match="no column 'c'"):
        table.column("c")


def test_a_table_may_be_empty() -> None:
    table = table_of(CHUNK_FIELDS, [], {"kinds": []})
    assert 0 == len(table)
    with pytest.raises(FormatError, match="no row 0"):
        table.row(0)


def test_a_header_may_say_more_than_we_know() -> None:
    header = msgpack.packb({"fields": list(CHUNK_FIELDS), "count": 0, "columns": [], "sorted_by": "start"})
    data = b"HTKREC\x00\x01" + len(header).to_bytes(4, "little") + header + bytes(8)
    assert 0 == len(Table("table", memoryview(data), CHUNK_FIELDS))


@pytest.mark.parametrize("length", [0, 1, 31, 32, 255, 256, 1365])
def test_the_first_text_of_a_row_is_read_alone(length: int) -> None:
    path = "ä箱" * (length // 5) + "x" * (length % 5)
    table = table_of(FILE_FIELDS, [changed(FILE, 0, "a"), changed(FILE, 0, path)])
    assert [b"a", path.encode()] == [table.text(0), table.text(1)]
    assert path == table.row(1)[0]


def test_a_row_that_begins_with_no_text_has_none() -> None:
    with pytest.raises(FormatError, match="row 0 does not begin with text"):
        table_of(SYMBOL_FIELDS, [SYMBOL]).text(0)


@pytest.mark.parametrize("ordinal", [-1, 1, 1 << 70])
def test_there_are_no_other_rows(ordinal: int) -> None:
    with pytest.raises(FormatError, match=f"no row {ordinal}"):
        table_of(CHUNK_FIELDS, [CHUNK]).row(ordinal)


@pytest.mark.parametrize("number", range(len(SYMBOL_FIELDS)), ids=SYMBOL_FIELDS)
def test_a_fault_names_the_field_of_the_row(number: int) -> None:
    wrong = changed(SYMBOL, number, 1.5)
    with pytest.raises(FormatError, match=rf"table is damaged: row 0 has an impossible {SYMBOL_FIELDS[number]}\."):
        table_of(SYMBOL_FIELDS, [wrong]).symbol(0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("path", "../x"),
        ("sha256", b"s" * 31),
        ("blob_id", b"b" * 32),
        ("imports", (1,)),
        ("imports", (True, 2)),
        ("error_lines", (-1,)),
    ],
)
def test_a_file_row_is_checked_beyond_its_types(name: str, value: Any) -> None:
    with pytest.raises(FormatError, match="row 0 has"):
        table_of(FILE_FIELDS, [changed(FILE, FILE_FIELDS.index(name), value)]).file(0)


def test_a_row_that_no_reader_would_take_is_not_written() -> None:
    with pytest.raises(BuildError, match="at most"):
        pack_row(changed(SYMBOL, SYMBOL_FIELDS.index("doc"), "x" * tables._ROW_LIMIT))
