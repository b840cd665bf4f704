"""Rows whose parts are of the right types and say what cannot be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from hardtack.bundle.format import layout
from hardtack.bundle.format.records import SKIP_FIELDS, Table
from hardtack.bundle.format.relations import RelationTables, fact_table, reference_table, relation_table
from hardtack.bundle.format.tables import Row, pack_row, render_table
from hardtack.errors import FormatError
from hardtack.nouns.relations import Fact

NAMES = ("One", "two", "a one, and one more", "three", "ONE")


def table_of(fields: tuple[str, ...], rows: list[Row]) -> Table:
    return Table("skips.msgpack", memoryview(b"".join(render_table(fields, [pack_row(row) for row in rows], {}))), fields)


@pytest.mark.parametrize(("wanted", "rows"), [(b"one", [0, 2, 4]), (b"THREE", [3]), (b"four", []), (b"o", [0, 1, 2, 4])])
def test_rows_that_hold_a_text_are_told_once_each_and_in_order(wanted: bytes, rows: list[int]) -> None:
    table = table_of(("path", "reason", "detail"), [(name, "", "") for name in NAMES])
    assert rows == list(table.rows_holding(wanted))


@pytest.mark.parametrize(
    "row",
    [
        ("a\x00b", "binary", ""),
        ("a", "bi\nnary", ""),
        ("a", "x" * 100_000, ""),
        ("a", "binary", "\x1b[2J"),
        ("a", "binary", "x" * 100_000),
    ],
    ids=["path", "reason", "long reason", "detail", "long detail"],
)
def test_a_skip_that_cannot_be_shown_is_refused_with_its_row(row: Row) -> None:
    table = table_of(SKIP_FIELDS, [("a", "binary", "a NUL byte"), row])
    assert "binary" == table.skip(0).reason
    with pytest.raises(FormatError, match=r"skips\.msgpack.*row 1 "):
        table.skip(1)


@pytest.mark.parametrize("values", [7, "text", [7], [["a"], 7], [["a", 7]], None], ids=repr)
def test_a_fact_whose_values_are_no_texts_is_refused(values: Any) -> None:
    sound = {
        layout.RELATIONS: relation_table(()),
        layout.REFERENCES: reference_table((), [0]),
        layout.FACTS: fact_table([Fact(0, "table", ("users",))]),
    }
    members = {name: memoryview(b"".join(render_table(*table))) for name, table in sound.items()}
    fields, _, columns = fact_table([Fact(0, "table", ("users",))])
    members[layout.FACTS] = memoryview(b"".join(render_table(fields, [pack_row((0, "table", values))], columns)))
    file = SimpleNamespace(first_symbol=0, symbol_count=1, text_length=9, line_count=1)
    tables = RelationTables(members, file=lambda _: file, file_count=1, symbol_count=1)  # type: ignore[arg-type,return-value]
    with pytest.raises(FormatError, match="row 0 has an impossible key or values"):
        tables.facts_of(0)
