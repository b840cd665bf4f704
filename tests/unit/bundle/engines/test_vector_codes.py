"""Within bounds a vector's code is its own affair; without, what all vectors come to decides it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from hardtack.bundle.engines import vector_codes
from hardtack.bundle.engines.vector_codes import Bounds, Coded, CodesWriter

DIMENSION = 16
FILES = 40
CHUNKS = 3
BOUNDS = Bounds(np.full(DIMENSION, -0.5, dtype=np.float32), np.ones(DIMENSION, dtype=np.float32))


def vectors() -> NDArray[np.float32]:
    """Of forty files, three each."""
    rows = np.random.default_rng(7).standard_normal((FILES, CHUNKS, DIMENSION)).astype(np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=2, keepdims=True)
    return unit


def coded(files: NDArray[np.float32], bounds: Bounds | None = None) -> Coded:
    """What a build from nothing makes of files' vectors."""
    writer = CodesWriter(DIMENSION, bounds)
    for file in files:
        writer.add(file.tobytes())
    return writer.finish()


def assert_same(one: Coded, other: Coded) -> None:
    assert one.codes.tobytes() == other.codes.tobytes()
    assert one.bounds.are(other.bounds)


@pytest.mark.parametrize("block", [1, 5, 7, 4096])
@pytest.mark.parametrize("changed", [{0}, {39}, {3, 4, 5, 20}, set(), set(range(FILES))])
def test_codes_taken_over_are_those_of_a_build_from_nothing(changed: set[int], block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before, now = vectors(), vectors()
    for number in changed:
        now[number] = now[number][::-1] * 3  # which lies beyond the bounds here and there
    kept = coded(before, BOUNDS).codes.reshape(FILES, CHUNKS * DIMENSION)
    monkeypatch.setattr(vector_codes, "_BLOCK", block)
    writer = CodesWriter(DIMENSION, BOUNDS)
    for number, file in enumerate(now):
        if number in changed:
            writer.add(file.tobytes())
        else:
            writer.add_codes(kept[number].tobytes())
    assert_same(coded(now, BOUNDS), writer.finish())


def test_what_lies_beyond_the_bounds_gets_the_nearest_code() -> None:
    rows = np.zeros((1, 3, DIMENSION), dtype=np.float32)
    rows[0, :, 0] = -0.7, 0.7, 0.0
    assert [0, 255, 127] == coded(rows, BOUNDS).codes[:, 0].tolist()


def test_without_bounds_they_are_the_least_and_the_largest_numbers_of_all() -> None:
    rows = vectors()
    rows[..., 3] = 0.5
    codes, bounds = coded(rows)
    flat = rows.reshape(-1, DIMENSION)
    assert bounds.are(Bounds(flat.min(axis=0), flat.max(axis=0) - flat.min(axis=0)))
    assert [0] == np.unique(codes[:, 3]).tolist()  # where all are the same there is nothing to tell
    rest = np.delete(codes, 3, axis=1)
    assert ({0}, {255}) == ({*rest.min(axis=0).tolist()}, {*rest.max(axis=0).tolist()})
