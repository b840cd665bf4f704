"""The five tables of an export: names and types of their columns, in order. ``docs/export.md`` says what each means."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

FILES: Final = "files"
SYMBOLS: Final = "symbols"
CHUNKS: Final = "chunks"
RELATIONS: Final = "relations"
REFERENCES: Final = "references"
TABLES: Final = (FILES, SYMBOLS, CHUNKS, RELATIONS, REFERENCES)

VECTOR: Final = "vector"
"""The column of ``chunks`` that only a bundle with vectors has."""


def schemas(dimension: int) -> dict[str, pa.Schema]:
    """Table -> its schema.

    Args:
        dimension: numbers in a vector; 0 for a bundle without vectors.
    """
    columns = {
        FILES: _of_files(),
        SYMBOLS: _of_symbols(),
        CHUNKS: _of_chunks(dimension),
        RELATIONS: _of_relations(),
        REFERENCES: _of_references(),
    }
    return {table: pa.schema(fields) for table, fields in columns.items()}


def _of_files() -> list[pa.Field]:
    return [
        *_texts("file_id", "repository", "subdirectory", "commit", "path", "language", "content", "role"),
        _required("is_test", pa.bool_()),
        *_texts("encoding"),
        _required("size", pa.int64()),
        *_numbers("line_count"),
        *_texts("package", "parse_status", "sha256", "blob_id"),
    ]


def _of_symbols() -> list[pa.Field]:
    return [
        *_texts("symbol_id", "file_id", "definition_id"),
        *_ids("owner_id", "parent_id", "chunk_id"),
        *_texts("kind", "name", "qualified_name", "package", "module"),
        _required("is_exported", pa.bool_()),
        *_texts("visibility", "type", "value", "receiver", "signature", "doc"),
        *(_required(name, _list(pa.string())) for name in ("modifiers", "decorators", "type_parameters", "tags")),
        _required("parameters", _list(_texts_together("name", "type", "default", "description"))),
        _required("returns", _list(_texts_together("type", "description"))),
        _required("attributes", _list(_texts_together("name", "type", "value", "visibility", "description"))),
        _required("notes", _list(_texts_together("tag", "text"))),
        *_numbers("first_line", "start_line", "end_line", "name_line", "start_byte", "end_byte"),
    ]


def _of_chunks(dimension: int) -> list[pa.Field]:
    return [
        *_texts("chunk_id", "file_id"),
        *_ids("enclosing_id"),
        *_numbers("start_line", "end_line", "start_byte", "end_byte", "part", "parts", "token_count"),
        *_texts("sha256"),
        pa.field("text", pa.string()),
        *([_required(VECTOR, pa.list_(_required("element", pa.float32()), dimension))] if dimension else ()),
    ]


def _of_relations() -> list[pa.Field]:
    return [
        *_texts("file_id"),
        *_numbers("line"),
        *_texts("relation", "name"),
        *_ids("source_id", "target_id", "target_file_id"),
        *_texts("certainty"),
    ]


def _of_references() -> list[pa.Field]:
    return [
        *_texts("file_id"),
        *_numbers("line", "start_byte"),
        *_texts("relation", "name"),
        *_ids("source_id", "target_id"),
        *_texts("certainty"),
    ]


def _required(name: str, type_: pa.DataType) -> pa.Field:
    return pa.field(name, type_, nullable=False)


def _texts(*names: str) -> list[pa.Field]:
    return [_required(name, pa.string()) for name in names]


def _numbers(*names: str) -> list[pa.Field]:
    return [_required(name, pa.int32()) for name in names]


def _ids(*names: str) -> list[pa.Field]:
    """Ids of rows that there may not be: null then."""
    return [pa.field(name, pa.string()) for name in names]


def _list(type_: pa.DataType) -> pa.DataType:
    return pa.list_(_required("element", type_))


def _texts_together(*names: str) -> pa.DataType:
    return pa.struct(_texts(*names))
