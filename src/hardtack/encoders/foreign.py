"""The base of encoders that no bundle carries (a transformer, a service): batches, checks of their vectors, and the probe.

Their vectors are untrusted: count, size and finiteness are checked here, and each vector is brought to length 1. The probe is the
vector of a fixed text. A bundle keeps it, and a reader compares it with that of its own encoder, which shows whether two encoders
of one fingerprint are really one model. Services round differently from call to call, so probes are compared by their cosine and
are no part of the fingerprint.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.errors import EncoderUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hardtack.encoders import Encoder

    Batch = tuple[Sequence[int], NDArray[np.float32]]

MAX_DIMENSION: Final = 4096
"""Numbers in the longest vector that a bundle may hold (bundle/FORMAT.md)."""

# 1: first version. A change of the text changes every probe, and so every bundle that has one.
PROBE_TEXT: Final = "def parse_request(data: bytes) -> Request:  # reads the headers of an HTTP request, then its body"

SAME_MODEL: Final = 0.999
"""The least cosine of two probes of one model. Set by hand: MiniLM's numbers differ by 1.4e-7 between batch sizes, and the vectors
of two models point in unrelated directions; noise of 0.04 of a vector's length still passes."""

_SAYS = re.compile(r"[^\W_]")


def says_something(text: str) -> bool:
    """Whether the text has a letter or a digit. A text without one gets a vector of zeros and is sent to no service."""
    return _SAYS.search(text) is not None


def unit_float_rows(rows: NDArray[np.floating], count: int, dimension: int, source: str) -> NDArray[np.float32]:
    """``rows`` as float32 of length 1, after their shape and numbers were checked.

    Args:
        rows: expected in the shape (count, dimension).
        count: vectors requested.
        dimension: numbers that each must have.
        source: the encoder's name for the error message.

    Raises:
        EncoderUnavailable: the shape is another, a number is not finite, or a row is all zeros.
    """
    if rows.shape != (count, dimension):
        shape = " of ".join(map(str, rows.shape))
        raise EncoderUnavailable(f"{source} gave vectors in the shape {shape}; {count} of {dimension} numbers were expected.")
    wide = rows.astype(np.float64)
    peaks = np.abs(wide).max(axis=1, initial=0.0)
    if not (np.isfinite(peaks).all() and (peaks > 0.0).all()):
        raise EncoderUnavailable(f"{source} gave a vector whose numbers are not finite, or all zero.")
    wide /= peaks[:, None]  # before squaring: then no square overflows or vanishes
    unit: NDArray[np.float32] = (wide / np.sqrt((wide * wide).sum(axis=1))[:, None]).astype(np.float32)
    return unit


class ForeignEncoder(ABC):
    """An encoder that needs a model or a service from outside this package."""

    name: str
    fingerprint: str
    dimension: int
    probe: NDArray[np.float32]
    """The vector of :data:`PROBE_TEXT`, encoded as a document when the encoder was loaded."""

    @abstractmethod
    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield (positions in ``texts``, their vectors) batch by batch as they are computed, in any order.

        Args:
            texts: each has a letter or a digit (:func:`says_something`).

        Raises:
            EncoderUnavailable: some vectors cannot be computed; all others were yielded before.
        """

    @abstractmethod
    def for_queries(self) -> Encoder:
        """The same model for queries: some models encode a query and a document differently."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension).

        Raises:
            EncoderUnavailable: some vectors cannot be computed.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        saying = [place for place, text in enumerate(texts) if says_something(text)]
        for places, rows in self.batches([texts[place] for place in saying]):
            vectors[[saying[place] for place in places]] = rows
        return vectors


def is_same_model(probe: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two probes, each of length 1, are close enough to come from one model."""
    return probe.shape == other.shape and float(probe.astype(np.float64) @ other.astype(np.float64)) >= SAME_MODEL
