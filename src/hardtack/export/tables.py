"""A bundle in, the rows of each table of its export out, some thousands at a time, so that memory does not grow with the bundle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from hardtack.bundle.format.records import ChunkRecord
from hardtack.bundle.reader import Bundle
from hardtack.export import schema
from hardtack.export.grouping import Grouping
from hardtack.export.ids import Ids, picked
from hardtack.nouns.model import Content
from hardtack.nouns.relations import Reference, RelationKind
from hardtack.query.lookup.exports import exports_of_file
from hardtack.query.lookup.symbols import home_of

ROWS: Final = 32_768
"""Rows of a row group."""
CHUNK_ROWS: Final = 4096
"""The same of chunks: with their texts and vectors some 10 MB."""

Columns = Mapping[str, Any]
"""Name of a column -> its values: a sequence, or Arrow's array."""
_Row = TypeVar("_Row")


class Exported(NamedTuple):
    """What the tables are made of."""

    bundle: Bundle
    ids: Ids
    grouping: Grouping


def columns_of(table: str, exported: Exported) -> Iterator[Columns]:
    """The columns of a table, one row group after the other."""
    return _TABLES[table](exported)


def _files(exported: Exported) -> Iterator[Columns]:
    bundle, ids, _ = exported
    provenance = bundle.manifest.provenance
    for ordinals in _ranges(bundle.manifest.counts.files, ROWS):
        files = [bundle.file(each) for each in ordinals]
        alike = ("path", "language", "content", "role", "is_test", "encoding", "size", "line_count", "package", "parse_status")
        yield {
            "file_id": ids.files.slice(ordinals.start, len(ordinals)),
            **{name: [getattr(provenance, name)] * len(files) for name in ("repository", "subdirectory", "commit")},
            **{name: [getattr(file, name) for file in files] for name in alike},
            "sha256": [file.sha256.hex() for file in files],
            "blob_id": [file.blob_id.hex() for file in files],
        }


def _symbols(exported: Exported) -> Iterator[Columns]:
    bundle, ids, grouping = exported
    exports = _exported(bundle)
    for ordinals in _ranges(bundle.manifest.counts.symbols, ROWS):
        symbols, details = [bundle.symbol(each) for each in ordinals], [bundle.detail(each) for each in ordinals]
        some = slice(ordinals.start, ordinals.stop)
        alike = ("name", "qualified_name", "package", "signature", "doc", "start_line", "end_line")
        described = ("visibility", "type", "value", "receiver", "modifiers", "decorators", "type_parameters")
        together = {
            "parameters": ("name", "type", "default", "description"),
            "returns": ("type", "description"),
            "attributes": ("name", "type", "value", "visibility", "description"),
            "notes": ("tag", "text"),
        }
        yield {
            "symbol_id": ids.symbols.slice(ordinals.start, len(ordinals)),
            "file_id": picked(ids.files, [symbol.file for symbol in symbols]),
            "definition_id": picked(ids.symbols, grouping.definitions[some].tolist()),
            "owner_id": picked(ids.symbols, grouping.owners[some].tolist()),
            "parent_id": picked(ids.symbols, [symbol.parent for symbol in symbols]),
            "chunk_id": picked(ids.chunks, bundle.columns.chunks_of(np.arange(some.start, some.stop)).tolist()),
            "kind": [symbol.kind.value for symbol in symbols],
            "module": [home_of(bundle, symbol) for symbol in symbols],
            "is_exported": list(islice(exports, len(ordinals))),
            "tags": [[tag.value for tag in bundle.tags_of(each)] for each in ordinals],
            "first_line": [symbol.extent_start_line for symbol in symbols],
            "name_line": [symbol.selection_line for symbol in symbols],
            "start_byte": [symbol.start for symbol in symbols],
            "end_byte": [symbol.end for symbol in symbols],
            **{name: [getattr(symbol, name) for symbol in symbols] for name in alike},
            **{name: [getattr(detail, name) for detail in details] for name in described},
            **{name: [_dictionaries(getattr(detail, name), keys) for detail in details] for name, keys in together.items()},
        }


def _dictionaries(values: Iterable[object], keys: Sequence[str]) -> list[dict[str, str]]:
    return [{key: getattr(value, key) for key in keys} for value in values]


def _exported(bundle: Bundle) -> Iterator[bool]:
    """Of each symbol whether its package exports it; a document exports nothing."""
    for file in map(bundle.file, range(bundle.manifest.counts.files)):
        exports = frozenset(() if file.content == Content.DOCUMENTATION.value else exports_of_file(bundle, file))
        yield from (each in exports for each in range(file.first_symbol, file.first_symbol + file.symbol_count))


def _chunks(exported: Exported) -> Iterator[Columns]:
    bundle, ids, _ = exported
    for ordinals in _ranges(bundle.manifest.counts.chunks, CHUNK_ROWS):
        chunks = [bundle.chunk(each) for each in ordinals]
        alike = ("start_line", "end_line", "part", "parts", "token_count")
        yield {
            "chunk_id": ids.chunks.slice(ordinals.start, len(ordinals)),
            "file_id": picked(ids.files, [chunk.file for chunk in chunks]),
            "enclosing_id": picked(ids.symbols, [chunk.enclosing for chunk in chunks]),
            **{name: [getattr(chunk, name) for chunk in chunks] for name in alike},
            "start_byte": [chunk.start for chunk in chunks],
            "end_byte": [chunk.end for chunk in chunks],
            "sha256": [chunk.content_hash.hex() for chunk in chunks],
            "text": [_text(bundle, chunk) for chunk in chunks],
            **({schema.VECTOR: _vectors(bundle, ordinals)} if bundle.has_vectors else {}),
        }


def _text(bundle: Bundle, chunk: ChunkRecord) -> str | None:
    """The text of a chunk; a character that its end cuts is replaced."""
    if not bundle.has_text:
        return None
    return bundle.text_of(bundle.file(chunk.file), chunk.start, chunk.end).decode("utf-8", "replace")


def _vectors(bundle: Bundle, ordinals: range) -> pa.Array:
    vectors = bundle.vectors
    numbers = np.stack([vectors.vector(each) for each in ordinals])
    type_ = schema.schemas(vectors.dimension)[schema.CHUNKS].field(schema.VECTOR).type
    return pa.FixedSizeListArray.from_arrays(pa.array(numbers.reshape(-1), pa.float32()), type=type_)


def _relations(exported: Exported) -> Iterator[Columns]:
    bundle, ids, _ = exported
    for relations in _batches(bundle.related.relations()):
        yield {
            "file_id": picked(ids.files, [each.file for each in relations]),
            "line": [each.line for each in relations],
            "relation": [each.kind.value for each in relations],
            "name": [each.name for each in relations],
            "source_id": picked(ids.symbols, [each.source for each in relations]),
            "target_id": picked(ids.symbols, [each.target for each in relations]),
            "target_file_id": picked(ids.files, [each.target_file for each in relations]),
            "certainty": [each.certainty.value for each in relations],
        }


def _references(exported: Exported) -> Iterator[Columns]:
    bundle, ids, _ = exported
    words = {True: RelationKind.CALLS.value, False: RelationKind.REFERENCES.value}
    for rows in _batches(_named_references(bundle)):
        names, references = zip(*rows, strict=True)
        yield {
            "file_id": picked(ids.files, [each.file for each in references]),
            "line": [each.line for each in references],
            "start_byte": [each.start for each in references],
            "relation": [words[each.is_call] for each in references],
            "name": names,
            "source_id": picked(ids.symbols, [each.source for each in references]),
            "target_id": picked(ids.symbols, [each.target for each in references]),
            "certainty": [each.certainty.value for each in references],
        }


def _named_references(bundle: Bundle) -> Iterator[tuple[str, Reference]]:
    for name, references in bundle.related.references_by_name():
        for each in references:
            yield name, each


_TABLES: Final = {
    schema.FILES: _files,
    schema.SYMBOLS: _symbols,
    schema.CHUNKS: _chunks,
    schema.RELATIONS: _relations,
    schema.REFERENCES: _references,
}


def _ranges(count: int, rows: int) -> Iterator[range]:
    for first in range(0, count, rows):
        yield range(first, min(first + rows, count))


def _batches(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    while some := list(islice(rows, ROWS)):
        yield some
