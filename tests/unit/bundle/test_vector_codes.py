"""Codes that are taken over from a bundle are those of a build from nothing, and vectors are made again only where they must be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hardtack.bundle.vector_codes import Before, Coded, Kept, coded

DIMENSION = 16
FILES = 40
CHUNKS = 3


class Build:
    """Vectors of files, a bundle of them, and which of them were made again."""

    def __init__(self) -> None:
        rows = np.random.default_rng(7).standard_normal((FILES, CHUNKS, DIMENSION)).astype(np.float32)
        self.vectors: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=2, keepdims=True)
        self.coded = coded([each.tobytes() for each in self.vectors], DIMENSION)
        self.again: list[str] = []

    def made_again(self, paths: Sequence[str]) -> bytes:
        """What the encoder would give."""
        self.again += paths
        return b"".join(self.vectors[int(path)].tobytes() for path in paths)

    def onto(self, changed: dict[int, NDArray[np.float32] | None]) -> tuple[Coded, Coded]:
        """The codes of a build in which some files have other vectors, or are gone: taken over, and from nothing."""
        codes = self.coded.codes.reshape(FILES, CHUNKS, DIMENSION)
        pieces: list[bytes | Kept] = []
        plain: list[bytes] = []
        for number, vectors in enumerate(self.vectors):
            now = changed.get(number, vectors)
            if now is not None:
                plain.append(now.tobytes())
                pieces.append(now.tobytes() if number in changed else Kept(str(number), codes[number]))
        return coded(pieces, DIMENSION, Before(self.coded, self.made_again)), coded(plain, DIMENSION)

    def files_with(self, code: int) -> list[int]:
        """Files that have a code somewhere."""
        return np.flatnonzero((self.coded.codes.reshape(FILES, -1) == code).any(axis=1)).tolist()


@pytest.fixture
def build() -> Build:
    """Of forty files."""
    return Build()


def assert_same(pair: tuple[Coded, Coded]) -> None:
    for one, other in zip(pair[0], pair[1], strict=True):
        assert one.tobytes() == other.tobytes()


def test_where_the_extremes_stay_no_vector_is_made_again(build: Build) -> None:
    ordinary = next(number for number in range(FILES) if number not in {*build.files_with(0), *build.files_with(255)})
    assert_same(build.onto({ordinary: build.vectors[ordinary] / 2}))
    assert_same(build.onto({ordinary: None}))
    assert [] == build.again


@pytest.mark.parametrize("code", [0, 255])
def test_an_extreme_that_came_back_is_the_same(build: Build, code: int) -> None:
    number = build.files_with(code)[0]
    assert_same(build.onto({number: build.vectors[number][::-1].copy()}))
    assert [] == build.again


@pytest.mark.parametrize("code", [0, 255])
def test_where_an_extreme_went_all_are_made_again(build: Build, code: int) -> None:
    for number in build.files_with(code):
        build.again.clear()
        assert_same(build.onto({number: None}))
    assert FILES - 1 <= len(build.again)


@pytest.mark.parametrize("factor", [-3, 3])
def test_where_something_lies_beyond_the_extremes_all_are_made_again(build: Build, factor: int) -> None:
    ordinary = next(number for number in range(FILES) if number not in {*build.files_with(0), *build.files_with(255)})
    assert_same(build.onto({ordinary: build.vectors[ordinary] * factor}))
    assert FILES - 1 == len(build.again)


def test_what_shares_its_code_with_an_extreme_is_no_extreme(build: Build) -> None:
    """The least number is there as long as what has it is; of what shares its code alone, the files are made again to see."""
    least, near = 11, 29
    build.vectors[least, 0, 0] = -1.5
    build.vectors[near, 0, 0] = np.nextafter(np.float32(-1.5), np.float32(0))
    build.coded = coded([each.tobytes() for each in build.vectors], DIMENSION)
    changed = build.vectors[near].copy()
    changed[0, 0] = 0
    assert_same(build.onto({near: changed}))
    assert [str(least)] == build.again
    build.again.clear()
    assert_same(build.onto({least: None}))
    assert FILES - 1 <= len(build.again)


def test_of_files_that_are_all_new_nothing_is_taken_over(build: Build) -> None:
    assert_same(build.onto(dict(enumerate(build.vectors[::-1]))))
    assert [] == build.again


def test_a_dimension_in_which_all_are_the_same_stays_so(build: Build) -> None:
    build.vectors[..., 3] = 0.5
    build.coded = coded([each.tobytes() for each in build.vectors], DIMENSION)
    assert_same(build.onto({2: None}))
    assert_same(build.onto({2: build.vectors[2] * 0.9}))
