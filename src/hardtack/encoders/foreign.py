"""What the encoders share that no bundle carries: batches that come as they are done, checks of what came, and a probe.

Their numbers come from elsewhere, from a transformer or a service, so nothing is believed about them: their count, size and
finiteness are checked and they are brought to length 1 here. Whether two of one fingerprint really are one model is told by the
probe, the vector of a fixed text, which a bundle keeps and a reader compares with its own. Services round differently from call
to call, which is why the probe is compared by its cosine and is no part of the fingerprint.
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
"""Numbers in the longest vector that a bundle holds (FORMAT.md 9)."""

# 1: first version. Every change makes other probes, and so other bundles.
PROBE_TEXT: Final = "def parse_request(data: bytes) -> Request:  # reads the headers of an HTTP request, then its body"

SAME_MODEL: Final = 0.999
"""Cosine from which two probes are of one model. Set by hand: MiniLM's numbers differ by 1.4e-7 between batch sizes, and vectors
of two models point anywhere; noise of four hundredths of a vector's length still passes."""

_SAYS = re.compile(r"[^\W_]")


def says_something(text: str) -> bool:
    """Whether the text has a letter or a digit; what has none gets zeros and is never sent anywhere."""
    return _SAYS.search(text) is not None


def unit_float_rows(rows: NDArray[np.floating], count: int, dimension: int, source: str) -> NDArray[np.float32]:
    """``rows`` as float32 of length 1, having checked that they are what was asked for.

    Args:
        rows: shape (count, dimension), if all is well.
        count: vectors asked for.
        dimension: numbers that each must have.
        source: whose they are, for the error.

    Raises:
        EncoderUnavailable: another shape, or not all are finite numbers with one beside zero.
    """
    if rows.shape != (count, dimension):
        shape = " of ".join(map(str, rows.shape))
        raise EncoderUnavailable(f"{source} gave vectors in the shape {shape}; {count} of {dimension} numbers were expected.")
    wide = rows.astype(np.float64)
    peaks = np.abs(wide).max(axis=1, initial=0.0)
    if not (np.isfinite(peaks).all() and (peaks > 0.0).all()):
        raise EncoderUnavailable(f"{source} gave a vector whose numbers are not finite, or all zero.")
    wide /= peaks[:, None]  # before squaring: no number is then too large or too small for it
    unit: NDArray[np.float32] = (wide / np.sqrt((wide * wide).sum(axis=1))[:, None]).astype(np.float32)
    return unit


class ForeignEncoder(ABC):
    """An encoder that needs more than this package."""

    name: str
    fingerprint: str
    dimension: int
    probe: NDArray[np.float32]
    """The vector of :data:`PROBE_TEXT` as a text to be found, made when the encoder was loaded."""

    @abstractmethod
    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Places in ``texts`` with their vectors, batch by batch as they are done; every text says something.

        Raises:
            EncoderUnavailable: not all can be had; those that could were given before.
        """

    @abstractmethod
    def for_queries(self) -> Encoder:
        """The same model, asked for the vectors of queries where it makes a difference between them and what is to be found."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension).

        Raises:
            EncoderUnavailable: not all can be had.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        saying = [place for place, text in enumerate(texts) if says_something(text)]
        for places, rows in self.batches([texts[place] for place in saying]):
            vectors[[saying[place] for place in places]] = rows
        return vectors


def is_same_model(probe: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Whether two probes, each of length 1, are of one model."""
    return probe.shape == other.shape and float(probe.astype(np.float64) @ other.astype(np.float64)) >= SAME_MODEL
