"""A bundle in, an id for each of its files, symbols and chunks out: UUIDs of version 5, the same in every export of what they name.

A bundle's own ordinals change with every build. These ids depend on the repository, the path and what the file says, so that an
engine can take the export of the next commit over that of the last one. They are kept in memory, 44 bytes for each row, since every
table names rows of the others. Their offsets have 64 bits: with 32, an array would end at 59,652,323 ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

import pyarrow as pa

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle

_AT_ONCE: Final = 50_000
"""Texts that are held as Python's before Arrow takes them."""


class Ids(NamedTuple):
    """The id of each row by its ordinal."""

    files: pa.LargeStringArray
    symbols: pa.LargeStringArray
    chunks: pa.LargeStringArray


def ids_of(bundle: Bundle) -> Ids:
    """The ids of everything in a bundle."""
    files = range(bundle.manifest.counts.files)
    return Ids(
        files=_texts(str(file_id(bundle, bundle.file(each).path)) for each in files),
        symbols=_texts(one for each in files for one in _symbol_ids(bundle, bundle.file(each))),
        chunks=_texts(one for each in files for one in _chunk_ids(bundle, bundle.file(each))),
    )


def picked(ids: pa.LargeStringArray, ordinals: Sequence[int]) -> pa.LargeStringArray:
    """The ids of these ordinals; null for a negative one."""
    return ids.take(pa.array([each if each >= 0 else None for each in ordinals], pa.int64()))


def file_id(bundle: Bundle, path: str) -> UUID:
    """The id of the file at a path of the bundle, which is the namespace of the ids of its symbols and chunks."""
    provenance = bundle.manifest.provenance
    return uuid5(NAMESPACE_URL, "\n".join(("hardtack", provenance.repository, provenance.subdirectory, path)))


def _symbol_ids(bundle: Bundle, file: FileRecord) -> Iterator[str]:
    """Of the kind, the qualified name, and how many before it in the file have both."""
    namespace, seen = file_id(bundle, file.path), Counter[tuple[str, str]]()
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol_name(ordinal)
        key = (symbol.kind.value, symbol.qualified_name)
        yield str(uuid5(namespace, "\n".join(("symbol", *key, str(seen[key])))))
        seen[key] += 1


def _chunk_ids(bundle: Bundle, file: FileRecord) -> Iterator[str]:
    """Of the text's digest, and how many before it in the file have the same text."""
    namespace, seen = file_id(bundle, file.path), Counter[str]()
    for ordinal in range(file.first_chunk, file.first_chunk + file.chunk_count):
        digest = bundle.chunk(ordinal).content_hash.hex()
        yield str(uuid5(namespace, "\n".join(("chunk", digest, str(seen[digest])))))
        seen[digest] += 1


def _texts(texts: Iterator[str]) -> pa.LargeStringArray:
    parts = [pa.array([], pa.large_string())]
    while some := list(islice(texts, _AT_ONCE)):
        parts.append(pa.array(some, pa.large_string()))
    return pa.concat_arrays(parts)
