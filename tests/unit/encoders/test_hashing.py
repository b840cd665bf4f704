"""The encoder without a model."""

from __future__ import annotations

import numpy as np
import pytest

from hardtack.encoders.hashing import HashingEncoder


def test_texts_that_share_words_are_nearer_than_texts_that_do_not() -> None:
    read, write, sort = HashingEncoder().encode(["read the file", "write the file", "quick sort pivot"])
    assert read @ write > read @ sort


def test_case_and_punctuation_do_not_matter() -> None:
    plain, shouted = HashingEncoder().encode(["read file", "READ(file);"])
    assert plain.tobytes() == shouted.tobytes()


def test_the_dimension_is_part_of_the_fingerprint() -> None:
    assert HashingEncoder(64).fingerprint != HashingEncoder(32).fingerprint
    assert HashingEncoder(32).encode(["a"]).shape == (1, 32)


@pytest.mark.parametrize("text", ["naïve", "中文", "lone \ud800 surrogate"])
def test_text_beyond_ascii_counts(text: str) -> None:
    assert np.isclose(1.0, np.linalg.norm(HashingEncoder().encode([text])[0]))
