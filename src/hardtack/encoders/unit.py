"""Whole-number sums in, unit float32 rows out, the same bits on every machine.

Floating-point addition depends on its order, and the order on the CPU, the number of threads and the batch. Here nothing that is
rounded is ever added: the sums come in exact, the squares are added as integers, and what remains is one conversion, one square
root, one division and one narrowing, each of which IEEE 754 rounds in a single defined way.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_EXACT = 1 << 53
"""Every whole number below it is a float64."""

MAX_DIMENSION = 512
"""The most columns whose squares can be added in 63 bits: 512 * (2^27 - 1)^2 < 2^63."""

_KEPT_BITS = 27
_WHOLE = float(1 << 24)


def unit_rows(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """The rows of ``sums`` at length 1; a row of zeros stays one.

    Args:
        sums: shape (n, dimension), whole numbers of magnitude below :data:`MAX_EXACT`, dimension at most :data:`MAX_DIMENSION`.
    """
    assert sums.ndim == 2
    assert sums.shape[1] <= MAX_DIMENSION
    if len(sums) == 1:
        return _unit_row(sums)
    peaks = np.abs(sums).max(axis=1, initial=0.0, keepdims=True)
    assert peaks.max(initial=0.0) < MAX_EXACT
    # frexp gives the bits of the largest entry; larger rows lose low bits that float32 (24) could not show anyway.
    surplus = np.maximum(np.frexp(peaks)[1] - _KEPT_BITS, 0)
    rows = sums.astype(np.int64) >> surplus
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    lengths[lengths == 0.0] = 1.0
    unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return unit


def _unit_row(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """The same of one row, (1, d): the same steps, those for the whole row in plain numbers: a query is one row."""
    peak = float(np.abs(sums).max(initial=0.0))
    assert peak < MAX_EXACT
    rows = sums.astype(np.int64)
    if (surplus := math.frexp(peak)[1] - _KEPT_BITS) > 0:
        rows >>= surplus
    length = math.sqrt(int((rows * rows).sum())) or 1.0
    unit: NDArray[np.float32] = (rows / length).astype(np.float32)
    return unit


def mixed_rows(parts: Sequence[NDArray[np.float32]], shares: Sequence[int]) -> NDArray[np.float32]:
    """Rows of several arrays added in these shares, at length 1: the same bits wherever the arrays are.

    Args:
        parts: arrays of one shape (n, dimension), entries of magnitude at most 1; each is rounded to 2^-24 of a whole.
        shares: one for each array; together below 2^29.
    """
    sums = np.zeros(parts[0].shape, dtype=np.float64)
    for part, share in zip(parts, shares, strict=True):
        sums += np.rint(part.astype(np.float64) * _WHOLE) * share
    return unit_rows(sums)
