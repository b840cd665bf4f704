"""The gateway to FAISS: what is written, what is found, and that neither depends on the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

from hardtack.bundle.engines.vector_frames import quantised, rendered, trained
from hardtack.bundle.engines.vector_lists import InvertedLists, WholeVectors
from hardtack.bundle.engines.vectors import VectorIndex, render_vectors
from hardtack.bundle.format.members import MemberFile

DIMENSION, COUNT = 32, 3000
LIMIT = 1000
"""Vectors that are scanned, in these tests."""


def unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)


def clustered(count: int = COUNT) -> np.ndarray:
    """Vectors around sixty places; one is zero, and the last three are those in the middle again."""
    random = np.random.default_rng(1)
    places = random.standard_normal((60, DIMENSION))
    vectors = unit(places[random.integers(0, 60, count)] + 0.5 * random.standard_normal((count, DIMENSION)))
    vectors[7] = 0
    vectors[-3:] = vectors[count // 2 : count // 2 + 3]
    return vectors


def member_of(vectors: np.ndarray, exact_limit: int = LIMIT) -> bytes:
    return b"".join(render_vectors([vectors.tobytes()], vectors.shape[1], exact_limit=exact_limit))


@pytest.fixture(scope="module")
def listed() -> bytes:
    """The member that holds the vectors in inverted lists."""
    return member_of(clustered())


def opened(directory: Path, data: bytes, count: int, dimension: int = DIMENSION) -> VectorIndex:
    """The index that a member of these bytes holds."""
    (directory / "vectors.faiss").write_bytes(data)
    return VectorIndex(MemberFile(directory, "vectors.faiss"), count=count, dimension=dimension)


def pairs(index: VectorIndex, *asked: Any) -> list[tuple[int, float]]:
    ordinals, scores = index.search(*asked)
    return list(zip(ordinals.tolist(), scores.tolist(), strict=True))


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> VectorIndex:
    return opened(tmp_path_factory.mktemp("scan"), member_of(clustered(), exact_limit=COUNT), COUNT)


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory, listed: bytes) -> VectorIndex:
    return opened(tmp_path_factory.mktemp("lists"), listed, COUNT)


def mixtures(count: int) -> np.ndarray:
    vectors = clustered()
    return unit(vectors[:count] + vectors[count : 2 * count] + vectors[2 * count : 3 * count])


def faiss_scan(vectors: np.ndarray) -> bytes:
    """What FAISS itself writes."""
    index = faiss.IndexScalarQuantizer(vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    index.train(vectors)
    index.add(vectors)
    return bytes(faiss.serialize_index(index))


@pytest.mark.parametrize("width", [1, 31, 32, 96])
def test_a_scan_has_the_bytes_that_faiss_writes(width: int) -> None:
    vectors = unit(np.random.default_rng(width).standard_normal((500, width)))
    vectors[:, width // 2] = vectors[0, width // 2]  # one dimension in which all are the same
    vectors[3] = 0
    assert faiss_scan(vectors) == member_of(vectors)


def test_it_does_not_matter_how_the_vectors_are_handed_over() -> None:
    vectors = clustered(5000)
    pieces = [vectors[:1].tobytes(), b"", *(vectors[at : at + 7].tobytes() for at in range(1, 5000, 7))]
    assert member_of(vectors, 5000) == b"".join(render_vectors(pieces, DIMENSION, exact_limit=5000))


def test_faiss_reads_inverted_lists_and_writes_them_again(listed: bytes) -> None:
    index = faiss.deserialize_index(np.frombuffer(listed, np.uint8))
    again = bytes(faiss.serialize_index(index))
    assert (b"IwSq", COUNT) == (listed[:4], index.ntotal)
    assert listed[:16] + listed[32:] == again[:16] + again[32:]  # between them stand the two numbers that FAISS does not use


def test_as_many_vectors_as_the_limit_are_scanned_and_one_more_is_not() -> None:
    vectors = clustered(LIMIT + 1)
    assert [b"IxSQ", b"IwSq"] == [member_of(vectors[:LIMIT])[:4], member_of(vectors)[:4]]


def test_vectors_that_lie_everywhere_are_scanned_since_lists_would_save_nothing() -> None:
    vectors = unit(np.random.default_rng(2).standard_normal((2000, 256)))
    assert member_of(vectors)[:4] == b"IxSQ"


def test_nothing_but_zeros_is_a_bundle_too(tmp_path: Path) -> None:
    index = opened(tmp_path, member_of(np.zeros((1200, DIMENSION), dtype=np.float32)), 1200)
    query = unit(np.ones(DIMENSION))
    assert [(0, 0.0), (1, 0.0), (2, 0.0)] == pairs(index, query, 3)


def test_a_search_finds_what_is_nearest(scan: VectorIndex) -> None:
    vectors = clustered()
    for query in mixtures(20):
        nearest = np.argsort(-(vectors @ query), kind="stable")[:10]
        found = dict(pairs(scan, query, 50))
        assert set(nearest.tolist()) <= set(found)
        assert np.allclose(vectors[nearest] @ query, [found[ordinal] for ordinal in nearest.tolist()], atol=0.01)


def test_who_asks_for_all_gets_those_first_that_who_asks_for_few_gets(scan: VectorIndex) -> None:
    query = mixtures(1)[0]
    every, scores = scan.search(query, scan.count)
    few, best = scan.search(query, 10)
    assert sorted(every.tolist()) == list(range(scan.count))
    assert (every[:10].tolist(), scores[:10].tolist()) == (few.tolist(), best.tolist())


@pytest.mark.parametrize("limit", [1, 50, 700, COUNT, COUNT + 5])
@pytest.mark.parametrize("share", [None, 0.02, 0.5])
def test_a_scan_gives_the_best_of_all_scores_equal_ones_in_the_order_of_their_chunks(
    tmp_path: Path, limit: int, share: float | None
) -> None:
    vectors = clustered()
    vectors[100:1100:2] = vectors[101]  # as licences and generated code do, hundreds of times over
    index = opened(tmp_path, member_of(vectors, COUNT), COUNT)
    allowed = None if share is None else np.random.default_rng(3).random(COUNT) < share
    for query in [*mixtures(10), vectors[101]]:
        scores = index.scores(query, np.arange(COUNT))
        every = range(COUNT) if allowed is None else allowed.nonzero()[0].tolist()
        best = sorted(every, key=lambda ordinal: (-scores[ordinal], ordinal))[:limit]
        assert [(ordinal, scores[ordinal]) for ordinal in best] == pairs(index, query, limit, allowed)


def test_a_scan_finds_what_faiss_finds(tmp_path: Path) -> None:
    vectors = clustered()
    index = opened(tmp_path, member_of(vectors, COUNT), COUNT)
    read = faiss.read_index(str(tmp_path / "vectors.faiss"))
    for query in mixtures(20):
        found = read.search(query[None], 100)[1][0].tolist()
        assert (
            {*found[:80]} <= {ordinal for ordinal, _ in pairs(index, query, 100)} <= {*read.search(query[None], 120)[1][0].tolist()}
        )


@pytest.mark.parametrize("name", ["scan", "lists"])
def test_equal_vectors_come_in_the_order_of_their_chunks(name: str, request: pytest.FixtureRequest) -> None:
    index, query = request.getfixturevalue(name), clustered()[COUNT // 2]
    (first, score), (second, same) = pairs(index, query, 2)
    assert (COUNT // 2, COUNT - 3, score) == (first, second, same)
    assert [(first, score)] == pairs(index, query, 1)


def test_lists_answer_the_same_where_open_files_have_no_paths(
    lists: VectorIndex, listed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemberFile, "engine_path", None)
    for vector in mixtures(5):
        assert pairs(lists, vector, 10) == pairs(opened(tmp_path, listed, COUNT), vector, 10)


def test_lists_find_nearly_all_that_a_scan_does(scan: VectorIndex, lists: VectorIndex) -> None:
    found = [
        len({ordinal for ordinal, _ in pairs(scan, query, 50)} & {ordinal for ordinal, _ in pairs(lists, query, 50)})
        for query in mixtures(100)
    ]
    assert 0.995 <= lists.recall <= 1.0
    assert sum(found) / 50 / 100 > 0.98


def test_lists_do_not_look_everywhere(listed: bytes) -> None:
    number, probes = np.frombuffer(listed, np.uint64, 2, 37).tolist()
    assert 0 < probes <= number // 2


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3])
def test_a_search_with_a_filter_is_exact(scan: VectorIndex, lists: VectorIndex, share: float) -> None:
    allowed = np.random.default_rng(3).random(COUNT) < share
    for query in mixtures(20):
        expected = pairs(scan, query, 50, allowed)
        assert expected == pairs(lists, query, 50, allowed)
        assert min(50, int(allowed.sum())) == len(expected)
        assert all(allowed[ordinal] for ordinal, _ in expected)


def test_whoever_asks_for_more_than_the_near_lists_hold_gets_it(lists: VectorIndex) -> None:
    found = pairs(lists, mixtures(1)[0], COUNT)
    assert list(range(COUNT)) == sorted(ordinal for ordinal, _ in found)


def test_a_list_may_be_empty(tmp_path: Path) -> None:
    vectors = clustered(50)
    minima, ranges = trained([vectors])
    three = InvertedLists(
        centroids=np.eye(3, DIMENSION, dtype=np.float32),
        ordinals=np.arange(50),
        sizes=np.array([30, 0, 20]),
        probes=2,
        recall=0.5,
    )
    index = opened(tmp_path, b"".join(rendered(quantised(vectors, minima, ranges), minima, ranges, three)), 50)
    assert (0.5, 50) == (index.recall, len(pairs(index, vectors[0], 50)))


@pytest.mark.parametrize("width", [2, 256, 4096])
def test_float32_adds_up_what_lists_are_made_of_exactly(width: int) -> None:
    vectors = unit(np.random.default_rng(width).standard_normal((40, width)) ** 5)
    vectors[:2] = 0
    vectors[:2, 0] = 1, -1
    minima, ranges = trained([vectors])
    rows = WholeVectors(quantised(vectors, minima, ranges), minima, ranges).take(np.arange(40))
    numbers = rows.astype(np.int64)
    assert (numbers == rows).all()
    assert (np.abs(numbers) @ np.abs(numbers).T).max() < 1 << 24
    assert (numbers @ numbers.T == rows @ rows.T).all()


@pytest.mark.parametrize("name", ["scan", "lists"])
def test_scores_are_those_that_a_search_tells(name: str, request: pytest.FixtureRequest) -> None:
    index = request.getfixturevalue(name)
    for query in mixtures(10):
        found = pairs(index, query, 100)
        assert [score for _, score in found] == index.scores(query, [ordinal for ordinal, _ in found]).tolist()


def test_scores_may_be_asked_for_any_chunks_in_any_order(scan: VectorIndex, lists: VectorIndex) -> None:
    query = mixtures(1)[0]
    every = scan.scores(query, np.arange(COUNT))
    assert every.tolist() == lists.scores(query, range(COUNT)).tolist()
    assert every[[5, 5, 2999, 0]].tolist() == scan.scores(query, [5, 5, 2999, 0]).tolist()
    assert [] == scan.scores(query, []).tolist()


def test_a_score_is_the_sum_that_exact_arithmetic_gives(tmp_path: Path) -> None:
    vectors = clustered()
    minima, ranges = trained([vectors])
    codes = quantised(vectors, minima, ranges)
    index = opened(tmp_path, member_of(vectors, COUNT), COUNT)
    query = mixtures(1)[0]
    steps = ranges.astype(np.float64) / 255
    for ordinal in (0, 7, 1234):
        exact = sum(
            Fraction(float(part)) * (Fraction(float(least)) + (int(code) + Fraction(1, 2)) * Fraction(float(step)))
            for part, least, code, step in zip(query, minima, codes[ordinal], steps, strict=True)
        )
        assert round(float(exact), 6) == index.scores(query, [ordinal])[0]


WORK = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import faiss
from test_vectors import clustered, member_of, mixtures, opened, pairs
from pathlib import Path
if sys.argv[3]:
    faiss.SIMDConfig.set_level(getattr(faiss, sys.argv[3]))
data = member_of(clustered())
index = opened(Path(sys.argv[2]), data, len(clustered()))
found = [pairs(index, query, 20) for query in mixtures(50)]
print(hashlib.sha256(data).hexdigest(), hashlib.sha256(repr(found).encode()).hexdigest())
"""


def test_bytes_and_scores_do_not_depend_on_instruction_set_or_thread_count(tmp_path: Path) -> None:
    machines = {
        "SIMDLevel_AVX2": {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "2", "NPY_DISABLE_CPU_FEATURES": "AVX512F"},
        "SIMDLevel_NONE": {"OPENBLAS_CORETYPE": "Prescott", "OPENBLAS_NUM_THREADS": "1"},
        "": {},
    }
    arguments = [sys.executable, "-W", "ignore", "-c", WORK, str(Path(__file__).parent), str(tmp_path)]
    told = {
        subprocess.run([*arguments, level], env={**os.environ, **machine}, capture_output=True, text=True, check=True).stdout
        for level, machine in machines.items()
    }
    assert len(told) == 1
