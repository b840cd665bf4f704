"""A frozen bundle in, one with something wrong inside out: hashed and signed again, so that only a structural check can tell."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgpack

from hardtack.bundle.format import layout, records, tables
from hardtack.bundle.format.digest import canonical_json, digest_of
from hardtack.bundle.format.relations import FACT_FIELDS, REFERENCE_FIELDS, RELATION_FIELDS, SHAPES, RelationTables
from hardtack.bundle.format.tables import RowTable
from hardtack.bundle.indexes.columns import Columns
from hardtack.bundle.indexes.names import NamesWriter

FROZEN = Path(__file__).parents[2] / "fixtures" / "bundles" / "v1"
FIELDS = {
    layout.FILES: records.FILE_FIELDS,
    layout.SYMBOLS: records.SYMBOL_FIELDS,
    layout.CHUNKS: records.CHUNK_FIELDS,
    layout.DETAILS: records.DETAIL_FIELDS,
    layout.RELATIONS: RELATION_FIELDS,
    layout.REFERENCES: REFERENCE_FIELDS,
    layout.FACTS: FACT_FIELDS,
}
COLUMNS: dict[str, tuple[str, ...]] = {
    layout.FILES: ("role", *records.FILE_COLUMNS),
    layout.SYMBOLS: ("tags", *records.SYMBOL_COLUMNS),
    layout.CHUNKS: ("kinds", "tags", *records.CHUNK_COLUMNS),
    layout.DETAILS: ("symbol",),
    layout.RELATIONS: ("source", "target"),
    layout.REFERENCES: (),
    layout.FACTS: ("symbol",),
}


@dataclass
class Forge:
    members: dict[str, bytes]
    document: dict[str, Any]
    manifest: bytes | None = None
    """Written as it is, when set."""
    keeps_list: bool = False
    """Leave the manifest's list of members as the attack made it."""

    @classmethod
    def of(cls, profile: str) -> Forge:
        """The frozen bundle of that profile."""
        directory = FROZEN / profile
        names = [path.relative_to(directory).as_posix() for path in sorted(directory.rglob("*")) if path.is_file()]
        members = {name: (directory / name).read_bytes() for name in names}
        document = json.loads(members.pop(layout.MANIFEST))
        return cls(members=members, document=document)

    def signed(self) -> bytes:
        """The manifest that vouches for the members as they are now."""
        if not self.keeps_list:
            listed = sorted(self.members.items())
            self.document["members"] = [{"name": name, "size": len(data), "sha256": digest_of(data)} for name, data in listed]
        self.document["self"] = ""
        return canonical_json({**self.document, "self": digest_of(canonical_json(self.document))})

    def save(self, directory: Path) -> Path:
        (directory / layout.LEXICAL).mkdir(parents=True)
        for name, data in self.members.items():
            (directory / name).write_bytes(data)
        (directory / layout.MANIFEST).write_bytes(self.signed() if self.manifest is None else self.manifest)
        return directory

    # -- tables ---------------------------------------------------------------------------------------------------------------

    def table(self, member: str) -> RowTable:
        fields = FIELDS[member]
        return RowTable(member, memoryview(self.members[member]), fields, {**records._SHAPES, **SHAPES}[fields])

    def rows(self, member: str) -> list[list[Any]]:
        table = self.table(member)
        return [list(table.row(ordinal)) for ordinal in range(len(table))]

    def set_packed_rows(self, member: str, rows: Sequence[bytes]) -> None:
        """Make the table of ``rows``."""
        table = self.table(member)
        self._set_table(member, rows, {name: list(table.column(name)) for name in COLUMNS[member]})

    def _set_table(self, member: str, rows: Sequence[bytes], columns: Mapping[str, Sequence[int]]) -> None:
        count = len(rows)
        fitting = {name: [*column, *[0] * count][:count] for name, column in columns.items()}
        self.members[member] = b"".join(tables.render_table(FIELDS[member], rows, fitting))

    def set_table(self, member: str, rows: Sequence[Sequence[Any]], **columns: Sequence[int]) -> None:
        """Make the table of ``rows``, and of ``columns`` as they are."""
        self.members[member] = b"".join(tables.render_table(FIELDS[member], [msgpack.packb(row) for row in rows], columns))

    def set_field(self, member: str, row: int, name: str, value: Any) -> None:
        rows = self.rows(member)
        rows[row][FIELDS[member].index(name)] = value
        self.set_packed_rows(member, [msgpack.packb(row) for row in rows])

    def set_column(self, member: str, name: str, row: int, value: int) -> None:
        table = self.table(member)
        columns = {column: list(table.column(column)) for column in COLUMNS[member]}
        columns[name][row] = value
        self._set_table(member, [msgpack.packb(row) for row in self.rows(member)], columns)

    def retell(self) -> None:
        """Make the names' posting lists and the columns for ranking what the rows, relations and references say now."""
        files, symbols, chunks = (
            [dict(zip(FIELDS[member], row, strict=True)) for row in self.rows(member)]
            for member in (layout.FILES, layout.SYMBOLS, layout.CHUNKS)
        )
        columns, writer = Columns(), NamesWriter()
        for number, file in enumerate(files):
            own = symbols[file["first_symbol"] : file["first_symbol"] + file["symbol_count"]]
            names = [symbol["name"] for symbol in own]
            writer.add(number, file["path"], file["first_symbol"], names)
            columns.add(
                length=file["text_length"],
                first_chunk=file["first_chunk"],
                chunk_lines=[(chunk["start_line"], chunk["end_line"]) for chunk in chunks if chunk["file"] == number],
                symbol_counts=[min(chunk["symbol_count"], len(own)) for chunk in chunks if chunk["file"] == number],
                kinds=[symbol["kind"] for symbol in own],
                names=names,
            )
        related = RelationTables(
            {name: memoryview(self.members[name]) for name in (layout.RELATIONS, layout.REFERENCES, layout.FACTS)},
            file=records.Table(layout.FILES, memoryview(self.members[layout.FILES]), records.FILE_FIELDS).file,
            file_count=len(files),
            symbol_count=len(symbols),
        )
        columns.count_imports(related.relations())
        columns.count_references(related.references())
        tags = list(self.table(layout.SYMBOLS).column("tags"))
        roles = list(self.table(layout.FILES).column("role"))
        self._set_table(layout.FILES, [msgpack.packb(row) for row in self.rows(layout.FILES)], {"role": roles, **columns.files})
        self._set_table(
            layout.SYMBOLS, [msgpack.packb(row) for row in self.rows(layout.SYMBOLS)], {"tags": tags, **columns.symbols}
        )
        of_symbols = {name: list(self.table(layout.CHUNKS).column(name)) for name in ("kinds", "tags")}
        packed = [msgpack.packb(row) for row in self.rows(layout.CHUNKS)]
        self._set_table(layout.CHUNKS, packed, {**of_symbols, **columns.chunks})
        self.members[layout.NAMES] = b"".join(writer.render())

    def set_row_bytes(self, member: str, row: int, data: bytes) -> None:
        rows = [msgpack.packb(row) for row in self.rows(member)]
        rows[row] = data
        self.set_packed_rows(member, rows)

    def set_header(self, member: str, header: bytes) -> None:
        data = self.members[member]
        (length,) = struct.unpack_from("<I", data, 8)
        self.members[member] = data[:8] + struct.pack("<I", len(header)) + header + data[12 + length :]

    # -- lexical --------------------------------------------------------------------------------------------------------------

    def component(self, suffix: str) -> str:
        """The member of the Tantivy segment that ends so."""
        return next(name for name in self.members if name.endswith(suffix))

    def set_meta(self, change: Callable[[dict[str, Any]], object]) -> None:
        meta = json.loads(self.members[layout.LEXICAL_META])
        change(meta)
        self.members[layout.LEXICAL_META] = json.dumps(meta).encode()


_Hostile = TypeVar("_Hostile")


@dataclass(frozen=True)
class Case(Generic[_Hostile]):
    """Something hostile, made by changing what is sound, and how it must end."""

    name: str
    apply: Callable[[_Hostile], object]
    error: str = "FormatError"
    """The class that must be raised; empty where the bundle may also be accepted, but must not bring the process down."""
    profile: str = "keyword"
    words: str = ""
    """What the sentence must say, so that it is this check that refused."""


class Attack(Case[Forge]):
    def forged(self) -> Forge:
        forge = Forge.of(self.profile)
        self.apply(forge)
        return forge


def set_in(document: Mapping[str, Any], path: str, value: Any) -> None:
    """Set ``a.b.0.c`` inside a JSON document."""
    *steps, last = path.split(".")
    at: Any = document
    for step in steps:
        at = at[int(step)] if isinstance(at, list) else at[step]
    at[int(last) if isinstance(at, list) else last] = value
