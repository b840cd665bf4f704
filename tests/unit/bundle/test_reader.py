from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from hardtack.bundle.format import layout
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.reader import open_bundle
from hardtack.errors import BundleNotFound, FormatError, IntegrityError, UsageError


def open_descriptors() -> int:
    gc.collect()  # a map keeps a descriptor of its own until its last view is gone
    return len(os.listdir("/proc/self/fd"))


def test_files_are_found_by_their_path(keyword: Path) -> None:
    with open_bundle(keyword) as bundle:
        for file in bundle.files:
            assert file == bundle.file_at(file.path)
        for path in ("", "a", "README.md/", "zzz", "README", "\udcff", "web/cart.ts\0"):
            assert bundle.file_at(path) is None


def test_symbols_and_chunks_belong_to_their_files(keyword: Path) -> None:
    with open_bundle(keyword) as bundle:
        file = bundle.file_at("pantry/stock.py")
        assert file is not None
        chunks = [bundle.chunk(file.first_chunk + number) for number in range(file.chunk_count)]
        chunk = next(chunk for chunk in chunks if "must_ration" in [symbol.name for symbol in bundle.symbols_of(chunk)])
        assert b"def must_ration" in bundle.text_of(file, chunk.span.start, chunk.span.end)
        with pytest.raises(FormatError, match="no bytes"):
            bundle.text_of(file, 0, file.text_length + 1)


def test_there_is_nothing_beyond_the_last_row(keyword: Path) -> None:
    with open_bundle(keyword) as bundle:
        counts = bundle.manifest.counts
        for look_up, count in ((bundle.file, counts.files), (bundle.symbol, counts.symbols), (bundle.chunk, counts.chunks)):
            look_up(count - 1)
            with pytest.raises(FormatError, match="no row"):
                look_up(count)


def test_a_digest_pins_a_bundle(keyword: Path, hybrid: Path) -> None:
    _, digest = read_manifest(keyword)
    open_bundle(keyword, digest=digest).close()
    with pytest.raises(IntegrityError, match="not the bundle asked for"):
        open_bundle(hybrid, digest=digest)
    with pytest.raises(UsageError, match="not a bundle digest"):
        open_bundle(keyword, digest="sha256:../x")


def test_what_is_no_bundle_is_not_found(tmp_path: Path, keyword: Path) -> None:
    for path, sentence in (
        (tmp_path / "absent", "does not exist"),
        (keyword / "files.msgpack", "is not a Hardtack pack"),
        (keyword / "lexical", "holds no Hardtack bundle"),
        (tmp_path / ("x" * 300), "cannot be read: File name too long"),
    ):
        with pytest.raises(BundleNotFound, match=sentence):
            open_bundle(path)


def test_a_keyword_bundle_says_what_it_lacks(keyword: Path) -> None:
    with open_bundle(keyword) as bundle:
        assert not bundle.has_vectors
        with pytest.raises(UsageError, match="has no vectors"):
            _ = bundle.vectors
        with pytest.raises(FormatError, match="carries no encoder"):
            bundle.encoder_buffers()


def test_a_hybrid_bundle_gives_its_encoder_and_vectors(hybrid: Path) -> None:
    with open_bundle(hybrid) as bundle:
        vocabulary, table = bundle.encoder_buffers()
        assert (hybrid / layout.ENCODER).read_bytes() == vocabulary
        assert (hybrid / layout.ENCODER_TABLE).read_bytes() == bytes(table)
        assert (bundle.manifest.counts.chunks, 64) == (bundle.vectors.count, bundle.vectors.dimension)


def test_nothing_is_written_beside_a_bundle(hybrid: Path) -> None:
    def state() -> list[tuple[str, int, int]]:
        return [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(hybrid.rglob("*"))]

    before = state()
    with open_bundle(hybrid) as bundle:
        bundle.check_records()
        assert bundle.lexical is bundle.lexical
        assert bundle.vectors is bundle.vectors
    assert before == state()


def test_a_bundle_that_is_refused_leaves_no_file_open(keyword: Path) -> None:
    open_bundle(keyword).close()
    before = open_descriptors()
    (keyword / "stray").write_bytes(b"")
    with pytest.raises(IntegrityError):
        open_bundle(keyword)
    (keyword / "stray").unlink()
    (keyword / "files.msgpack").write_bytes(bytes((keyword / "files.msgpack").stat().st_size))
    with pytest.raises(FormatError):
        open_bundle(keyword, check="sizes")
    assert before == open_descriptors()


def test_a_closed_bundle_opens_no_engine(hybrid: Path) -> None:
    bundle = open_bundle(hybrid)
    bundle.close()
    for use in (lambda: bundle.vectors, lambda: bundle.lexical, lambda: bundle.text_of(bundle.files[0])):
        with pytest.raises(UsageError, match="was closed"):
            use()
