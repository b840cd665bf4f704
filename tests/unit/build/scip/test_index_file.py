"""A SCIP file that anybody may have written: what is read of it, and that it decides neither memory, nor time, nor paths."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scip_indexes import DOCUMENT, EXTERNAL, document, field, index, varint

from hardtack.build.scip.index_file import IndexFile, is_canonical, opened_indexes
from hardtack.bundle.format.digest import digest_of
from hardtack.errors import UsageError

_REAL = Path(__file__).parents[4] / "fixtures" / "scip" / "typescript" / "index.scip"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scip") / "index.scip"


def _told(place: Path, data: bytes) -> tuple[str, list[str]]:
    """(fault, paths of the documents)."""
    place.write_bytes(data)
    with opened_indexes([place]) as (opened,):
        return opened.fault, list(opened.documents)


def test_an_index_names_its_indexer_its_digest_and_its_documents() -> None:
    with opened_indexes([_REAL]) as (opened,):
        assert ("scip-typescript", "0.4.0", digest_of(_REAL.read_bytes())) == opened.indexer
        assert ["src/jar.ts", "src/shelf.ts"] == list(opened.documents)
        assert (["srv", "jars"], "", 0, True) == (opened.root, opened.fault, opened.refused, opened.is_as_it_was)
        assert "src/shelf.ts" == opened.document(opened.documents["src/shelf.ts"]).relative_path


@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda data: index() + field(DOCUMENT, data) + data))
def test_any_bytes_are_an_index_or_a_fault(place: Path, data: bytes) -> None:
    fault, paths = _told(place, data)
    assert not (fault and paths)


@pytest.mark.parametrize("end", range(0, _REAL.stat().st_size, 97))
def test_an_index_that_is_cut_off_is_left_out(place: Path, end: int) -> None:
    fault, paths = _told(place, _REAL.read_bytes()[:end])
    assert (True, []) == (bool(fault), paths)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not an index at all",
        field(DOCUMENT, b""),  # no metadata
        index() + varint(DOCUMENT << 3 | 2) + varint(1 << 62),
        index() + varint(DOCUMENT << 3 | 2) + b"\xff" * 12,
        index() + varint(DOCUMENT << 3 | 3),  # a group
        index() + varint(0 << 3 | 2) + varint(0),
        index() + field(DOCUMENT, b"\x0a\xff"),  # a path that is longer than the document
        index() + field(DOCUMENT, b"\x0a\x02\xff\xfe"),  # a path that is no text
    ],
)
def test_what_is_no_index_is_left_out_with_a_reason(place: Path, data: bytes) -> None:
    assert ("it is no SCIP index, or is cut off", []) == _told(place, data)


def test_fields_of_other_versions_are_passed_over(place: Path) -> None:
    others = field(EXTERNAL, b"x" * 300) + field(77, b"y") + varint(9 << 3) + varint(1 << 40) + varint(9 << 3 | 1) + b"12345678"
    assert ("", ["a.ts"]) == _told(place, index() + others + field(DOCUMENT, document("a.ts", []).SerializeToString()))


def test_the_first_metadata_and_the_first_document_of_a_path_count(place: Path) -> None:
    place.write_bytes(
        index(document("a.ts", [], text="one"), name="first") + index(document("a.ts", [], text="two"), name="second")
    )
    with opened_indexes([place]) as (opened,):
        assert ("first", "one") == (opened.indexer.name, opened.document(opened.documents["a.ts"]).text)


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../a.ts", "a/../b.ts", "./a.ts", "a//b.ts", "a\\b.ts", "a\nb.ts", "a/", "x" * 5000]
)
def test_only_canonical_relative_paths_are_paths(place: Path, path: str) -> None:
    assert not is_canonical(path)
    place.write_bytes(index(document(path, []), document("src/größe.ts", [])))
    with opened_indexes([place]) as (opened,):
        assert (["src/größe.ts"], 1) == (list(opened.documents), opened.refused)


def test_a_manifest_gets_no_more_of_a_strangers_words_than_a_line(place: Path) -> None:
    place.write_bytes(index(name="evil\n\x1b[31m\u202e" + "x" * 1000, version="1\0"))
    with opened_indexes([place]) as (opened,):
        assert ("evil[31m" + "x" * 89, "1") == opened.indexer[:2]


def test_an_index_does_not_decide_how_much_memory_is_taken(place: Path) -> None:
    with place.open("wb") as file:
        file.write(index())
        for _ in range(30):
            file.write(field(EXTERNAL, bytes(1 << 20)) + field(DOCUMENT, bytes(0) + field(1, b"a.ts") + field(99, bytes(1 << 20))))
    tracemalloc.start()
    try:
        with opened_indexes([place]) as (opened,):
            assert ["a.ts"] == list(opened.documents)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("limit", "value"), [("_MAX_BYTES", 8), ("_MAX_FIELDS", 2), ("_MAX_DOCUMENTS", 1), ("MAX_DOCUMENT", 1)])
def test_what_nobody_makes_is_not_read(place: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    monkeypatch.setattr(f"hardtack.build.scip.index_file.{limit}", value)
    place.write_bytes(index(document("a.ts", []), document("b.ts", [])))
    with opened_indexes([place]) as (opened,):
        assert not opened.documents
        assert opened.fault or 2 == opened.refused


def test_an_index_that_is_written_to_meanwhile_says_so(place: Path) -> None:
    place.write_bytes(index(document("a.ts", [])))
    with opened_indexes([place]) as (opened,):
        os.utime(place, (1, 1))
        assert not opened.is_as_it_was


def test_what_is_no_file_is_an_error_of_who_names_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("absent", "pipe", "."):
        with pytest.raises(UsageError, match="SCIP index"), opened_indexes([tmp_path / name]):
            pass


def test_without_indexes_nothing_is_opened() -> None:
    with opened_indexes(()) as opened:
        assert () == opened == tuple[IndexFile, ...]()
