"""One file through the whole map stage: what comes out is what a bundle stores, in plain values."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from source_files import source_file

from hardtack.build.outline.synopsis import vectors_of
from hardtack.build.workers.analyse import analyse
from hardtack.build.workers.worker import pack_file, pack_indexed, unpack_file, unpack_indexed
from hardtack.bundle.format.records import CHUNK_FIELDS, KINDS, SYMBOL_FIELDS
from hardtack.encoders.hashing import HashingEncoder
from hardtack.nouns.model import Kind, Tag
from hardtack.nouns.outline import SourceFile
from hardtack.nouns.projects import project_of_row

SOURCE = b'''"""About jars."""

import os
from typing import Any


class Jar:
    """Made of glass."""

    def open(self, force: int) -> Any:
        return os.stat("lid")
'''


def _file(text: bytes = SOURCE, language: str = "python") -> SourceFile:
    return source_file("src/jar.py", text, language)


def test_symbols_are_rows_in_the_order_of_their_fields() -> None:
    indexed = analyse(_file(), None)
    jar, opened = (dict(zip(SYMBOL_FIELDS, row, strict=True)) for row in indexed.symbols)
    start = SOURCE.index(b"class Jar")
    assert ("Jar", "Jar", KINDS.index(Kind.CLASS), -1) == (jar["name"], jar["qualified_name"], jar["kind"], jar["parent"])
    assert (start, len(SOURCE) - 1, 7, 11) == (jar["start"], jar["end"], jar["start_line"], jar["end_line"])
    assert ("Made of glass.", "class Jar") == (jar["doc"], jar["signature"])
    assert (b"Jar", 7) == (SOURCE[jar["selection_start"] : jar["selection_end"]], jar["selection_line"])
    assert ("Jar.open", 0) == (opened["qualified_name"], opened["parent"])


def test_chunks_are_rows_in_the_order_of_their_fields() -> None:
    (row,) = analyse(_file(), None).chunks
    chunk = dict(zip(CHUNK_FIELDS, row, strict=True))
    assert {"file": 0, "start": 0, "end": len(SOURCE) - 1, "start_line": 1, "end_line": 11} == dict(list(chunk.items())[:5])
    assert (0, 2, -1, 1, 1) == tuple(chunk[field] for field in CHUNK_FIELDS[5:10])
    assert hashlib.sha256(SOURCE.rstrip()).digest() == chunk["content_hash"]


def test_the_file_as_a_whole_is_described() -> None:
    indexed = analyse(_file(), None)
    assert ("ok", (), 11) == (indexed.parse_status, indexed.error_lines, indexed.line_count)
    assert indexed.imports is not None
    assert b"import os\nfrom typing import Any" == SOURCE[slice(*indexed.imports)]


@pytest.mark.parametrize(("text", "lines"), [(b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"a\rb\x0c\n", 1)])
def test_lines_are_counted_by_newlines_and_a_last_one_without(text: bytes, lines: int) -> None:
    assert lines == analyse(_file(text), None).line_count


def test_each_chunk_has_a_document_and_a_vector_of_what_stands_for_it() -> None:
    encoder = HashingEncoder()
    indexed = analyse(_file(), encoder)
    parts = ("src", "jar", "Jar open", "Jar", SOURCE.decode().rstrip())
    vectors = np.frombuffer(indexed.vectors, dtype=np.float32).reshape(-1, encoder.dimension)
    assert 1 == len(indexed.chunks) == len(indexed.documents) == len(vectors)
    assert vectors_of([parts], encoder).tolist() == vectors.tolist()
    assert b"" == analyse(_file(), None).vectors


def test_without_its_grammar_a_file_has_the_symbols_its_lines_tell_and_its_text_is_still_found() -> None:
    indexed = analyse(_file(), None, use_grammar=False)
    names = [row[SYMBOL_FIELDS.index("name")] for row in indexed.symbols]
    assert ("error", ["Jar", "open"], 1) == (indexed.parse_status, names, len(indexed.chunks))
    assert "jar" in indexed.documents[0][-1].split()


def test_a_blank_file_has_neither_chunks_nor_vectors() -> None:
    indexed = analyse(_file(b" \n\n"), HashingEncoder())
    assert ([], [], b"", 2) == (indexed.chunks, indexed.documents, indexed.vectors, indexed.line_count)


def test_synopses_are_handed_on_only_where_vectors_are_made_elsewhere() -> None:
    synopsis = "src/jar.py\nJar Jar.open\n" + SOURCE.decode().rstrip()
    kept = analyse(_file(), None, keep_synopses=True)
    assert ([synopsis], b"", []) == (kept.synopses, kept.vectors, analyse(_file(), HashingEncoder()).synopses)


def test_files_and_what_is_made_of_them_survive_the_way_between_processes() -> None:
    file, indexed = _file(), analyse(_file(), HashingEncoder())
    assert file == unpack_file(pack_file(file))
    received = unpack_indexed(pack_indexed(indexed))
    assert [tuple(row) for row in indexed.symbols] == list(received.symbols)
    assert [tuple(row) for row in indexed.chunks] == list(received.chunks)
    assert indexed.vectors == received.vectors


def test_roles_are_bits_numbered_as_tags_are() -> None:
    text = b"class JarService:\n    pass\n\n\nclass Plain:\n    pass\n\n\nclass Lid(AggregateRoot):\n    pass\n"
    indexed = analyse(_file(text), None)
    tags = [*Tag]
    assert [
        (0, 1 << tags.index(Tag.SERVICE)),
        (2, 1 << tags.index(Tag.AGGREGATE) | 1 << tags.index(Tag.ENTITY)),
    ] == list(indexed.tags)
    assert ["JarService", "Plain", "Lid"] == [dict(zip(SYMBOL_FIELDS, row, strict=True))["name"] for row in indexed.symbols]


def test_a_manifest_of_a_package_manager_is_a_project() -> None:
    file = replace(_file(b'{"name": "jar", "version": "1.0.0"}', "json"), path="web/package.json")
    indexed = analyse(file, None)
    assert indexed.project is not None
    project = project_of_row(indexed.project)
    assert ("web", "npm", "jar", "1.0.0", (("jar", "web/"),)) == (
        project.directory,
        project.ecosystem,
        project.name,
        project.version,
        project.prefixes,
    )
    assert None is analyse(_file(), None).project
