"""What ranking reads of many files and symbols at once says what the rows say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hardtack.bundle.format import layout, records, tables
from hardtack.bundle.format.records import KINDS, Table
from hardtack.bundle.format.tables import NOTHING
from hardtack.bundle.indexes.columns import Columns, StoredColumns
from hardtack.errors import FormatError
from hardtack.nouns.model import Kind
from hardtack.nouns.relations import Certainty, Reference, Relation, RelationKind

CLASS, METHOD, VARIABLE = (KINDS.index(kind) for kind in (Kind.CLASS, Kind.METHOD, Kind.VARIABLE))


def three_files() -> Columns:
    """One of two chunks and three symbols, an empty one, and one of a chunk and a symbol."""
    columns = Columns()
    names = ["Shelf", "Shelf.putJar", "__"]
    columns.add(
        length=90, first_chunk=0, chunk_lines=[(1, 3), (4, 9)], symbol_counts=[2, 1], kinds=[CLASS, METHOD, VARIABLE], names=names
    )
    columns.add(length=0, first_chunk=2, chunk_lines=[], symbol_counts=[], kinds=[], names=[])
    columns.add(length=9, first_chunk=2, chunk_lines=[(2, 2)], symbol_counts=[1], kinds=[METHOD], names=["größe_ändern"])
    return columns


def reference(file: int, target: int) -> Reference:
    return Reference(file, 1, 0, -1, False, target, Certainty.EXACT)


def imports(file: int, target_file: int, kind: RelationKind = RelationKind.IMPORTS) -> Relation:
    return Relation(file, 1, -1, kind, "x", -1, target_file, Certainty.EXACT)


FIELDS = {layout.FILES: records.FILE_FIELDS, layout.SYMBOLS: records.SYMBOL_FIELDS, layout.CHUNKS: records.CHUNK_FIELDS}


def stored(name: str, columns: dict[str, Sequence[int]]) -> Table:
    """A table with these columns; its rows are never read."""
    count = len(next(iter(columns.values())))
    return Table(name, memoryview(b"".join(tables.render_table(FIELDS[name], [b"\x90"] * count, columns))), FIELDS[name])


def tables_of(columns: Columns, **changes: tuple[int, int]) -> tuple[Table, Table, Table]:
    """The stored tables; a change is a column (``files_...``, ``symbols_...``, ``chunks_...``) and what one row is to say."""
    sides: dict[str, dict[str, Sequence[int]]] = {
        "files": {name: list(column) for name, column in columns.files.items()},
        "symbols": {name: list(column) for name, column in columns.symbols.items()},
        "chunks": {name: list(column) for name, column in columns.chunks.items()},
    }
    for name, (row, number) in changes.items():
        side, _, column = name.partition("_")
        changed = list(sides[side][column])
        changed[row] = number
        sides[side][column] = changed
    files, symbols, chunks = (stored(f"{side}.msgpack", made) for side, made in sides.items())
    return files, symbols, chunks


def test_the_columns_are_made_of_the_rows() -> None:
    columns = three_files()
    files = {name: list(column) for name, column in columns.files.items() if name not in ("references", "importers")}
    expected = {
        "length": [90, 0, 9],
        "first_chunk": [0, 2, 2],
        "first_symbol": [0, 3, 3],
        "functions": [1, 0, 1],
        "types": [1, 0, 0],
    }
    assert expected == files
    assert [0, 0, 1, 2] == list(columns.symbols["chunk"])
    assert [CLASS, METHOD, VARIABLE, METHOD] == list(columns.symbols["kind"])
    assert [1, 3, 0, 2] == list(columns.symbols["parts"])
    assert {"start_line": [1, 4, 2], "end_line": [3, 9, 2]} == {name: list(column) for name, column in columns.chunks.items()}


def test_a_symbol_that_starts_in_no_chunk_is_said_to() -> None:
    columns = Columns()
    columns.add(length=0, first_chunk=0, chunk_lines=[], symbol_counts=[], kinds=[CLASS], names=["a"])
    assert [NOTHING] == list(columns.symbols["chunk"])
    StoredColumns(*tables_of(columns))


def test_references_count_where_they_come_from_another_file() -> None:
    columns = three_files()
    columns.count_references(
        [reference(0, 0), reference(2, 0), reference(2, 1), reference(1, 1), reference(0, 3), reference(2, -1)]
    )
    assert [1, 2, 0, 1] == list(columns.symbols["references"])
    assert [3, 0, 1] == list(columns.files["references"])


def test_each_file_that_imports_another_counts_once() -> None:
    columns = three_files()
    columns.count_imports(
        [imports(1, 0), imports(1, 0), imports(2, 0), imports(0, 0), imports(0, -1), imports(0, 2, RelationKind.USES)]
    )
    assert [2, 0, 0] == list(columns.files["importers"])


def test_columns_as_they_were_made_pass() -> None:
    columns = three_files()
    columns.compare(*tables_of(columns))
    StoredColumns(*tables_of(columns))
    StoredColumns(*tables_of(Columns()))


@pytest.mark.parametrize(
    "name",
    [
        *(f"files_{name}" for name in records.FILE_COLUMNS),
        *(f"symbols_{name}" for name in records.SYMBOL_COLUMNS),
        *(f"chunks_{name}" for name in records.CHUNK_COLUMNS),
    ],
)
def test_a_number_that_is_not_what_the_rows_say_is_named(name: str) -> None:
    columns = three_files()
    side, _, column = name.partition("_")
    with pytest.raises(FormatError, match=rf"{side}\.msgpack is damaged: column '{column}' says 77 of row 2 and not"):
        columns.compare(*tables_of(columns, **{name: (2, 77)}))


@pytest.mark.parametrize(
    "change",
    [
        {"files_first_chunk": (2, 4)},
        {"files_first_chunk": (0, 1)},
        {"files_first_chunk": (1, 3)},
        {"files_first_symbol": (2, 5)},
        {"files_first_symbol": (2, 2)},
    ],
)
def test_what_ranking_uses_as_an_ordinal_points_inside_the_bundle(change: dict[str, tuple[int, int]]) -> None:
    with pytest.raises(FormatError, match="outside the bundle"):
        StoredColumns(*tables_of(three_files(), **change))


def test_kinds_and_chunks_of_symbols_are_those_of_the_bundle_or_refused() -> None:
    def stored(**change: tuple[int, int]) -> StoredColumns:
        return StoredColumns(*tables_of(three_files(), **change))

    some = np.array([3, 0, 3])
    assert [METHOD, CLASS, METHOD] == stored().kinds_of(some).tolist()
    assert [2, 0, 2] == stored().chunks_of(some).tolist()
    assert [] == stored().kinds_of(some[:0]).tolist() == stored().chunks_of(some[:0]).tolist()
    assert [2, -1, 2] == stored(symbols_chunk=(0, NOTHING)).chunks_of(some).tolist()
    with pytest.raises(FormatError, match="'kind' points outside the bundle"):
        stored(symbols_kind=(3, len(KINDS))).kinds_of(some)
    for place, number in ((3, 3), (0, NOTHING - 1)):
        with pytest.raises(FormatError, match="'chunk' points outside the bundle"):
            stored(symbols_chunk=(place, number)).chunks_of(some)


def test_a_table_without_a_column_is_refused() -> None:
    sound = tables_of(three_files())
    for place, (side, name) in enumerate((("files", "types"), ("symbols", "references"), ("chunks", "start_line"))):
        columns = three_files()
        del getattr(columns, side)[name]
        lacking = list(sound)
        lacking[place] = tables_of(columns)[place] if side != "chunks" else stored(layout.CHUNKS, {"end_line": [1, 2, 3]})
        with pytest.raises(FormatError, match=f"no column '{name}'"):
            StoredColumns(*lacking)
