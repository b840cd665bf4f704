"""Text in, hashed term counts out: an encoder without a model, for tests and as a baseline to measure models against.

The hash of a word determines a position and a sign: the word adds 1 or -1 there (feature hashing, Weinberger et al. 2009). Texts
that share words are near; the encoder knows nothing else about meaning.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import numpy as np

from hardtack.encoders.unit import unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# 1: first version.
HASHING_VERSION = 1

_WORD = re.compile(r"[a-z0-9]+|[^\x00-\x7f]+")


class HashingEncoder:
    """Feature hashing of lower-cased words. A run of non-ASCII characters is a word."""

    name = "hashing"

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        rules = f"hashing {HASHING_VERSION} {dimension} {_WORD.pattern}"
        self.fingerprint = "sha256:" + hashlib.sha256(rules.encode()).hexdigest()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension); zeros for a text without a word."""
        sums = np.zeros((len(texts), self.dimension), dtype=np.float64)
        for row, text in zip(sums, texts, strict=True):
            for word in _WORD.findall(text.lower()):
                place, sign = self._place_of(word)
                row[place] += sign
        return unit_rows(sums)

    def _place_of(self, word: str) -> tuple[int, int]:
        digest = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        return (digest >> 1) % self.dimension, 1 if digest & 1 else -1
