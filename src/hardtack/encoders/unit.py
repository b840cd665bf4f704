"""Whole-number sums in, unit float32 rows out, the same bits on every machine.

The result of floating-point addition depends on its order, and the order on the CPU, the number of threads and the batch. Here
rounded numbers are never added: the sums come in exact, and their squares are added as integers. What remains is one conversion,
one square root, one division and one narrowing, each of which IEEE 754 rounds in a single defined way.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_EXACT = 1 << 53
"""Every whole number below it is exact as a float64."""

MAX_DIMENSION = 512
"""The most columns whose squares can be added in 63 bits: 512 * (2^27 - 1)^2 < 2^63."""

_KEPT_BITS = 27
_WHOLE = float(1 << 24)


def unit_rows(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """The rows of ``sums`` scaled to length 1, shape (n, dimension); a row of zeros stays zeros.

    Args:
        sums: shape (n, dimension), whole numbers of magnitude below :data:`MAX_EXACT`, dimension at most :data:`MAX_DIMENSION`.
    """
    assert sums.ndim == 2
    assert sums.shape[1] <= MAX_DIMENSION
    if len(sums) == 1:
        return _unit_row(sums)
    peaks = np.abs(sums).max(axis=1, initial=0.0, keepdims=True)
    assert peaks.max(initial=0.0) < MAX_EXACT
    # frexp gives the number of bits of the largest entry. A row with more than 27 loses low bits, which float32 (24 bits) could
    # not show anyway; with 27, the squares fit into int64 (see MAX_DIMENSION).
    surplus = np.maximum(np.frexp(peaks)[1] - _KEPT_BITS, 0)
    rows = sums.astype(np.int64) >> surplus
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    lengths[lengths == 0.0] = 1.0
    unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return unit


def _unit_row(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """:func:`unit_rows` of one row, (1, dimension): the same steps in plain numbers, which is faster for a query."""
    peak = float(np.abs(sums).max(initial=0.0))
    assert peak < MAX_EXACT
    rows = sums.astype(np.int64)
    if (surplus := math.frexp(peak)[1] - _KEPT_BITS) > 0:
        rows >>= surplus
    length = math.sqrt(int((rows * rows).sum())) or 1.0
    unit: NDArray[np.float32] = (rows / length).astype(np.float32)
    return unit


def mixed_rows(parts: Sequence[NDArray[np.float32]], shares: Sequence[int]) -> NDArray[np.float32]:
    """The weighted sum of several arrays, its rows scaled to length 1: the same bits on every machine for the same arrays.

    Args:
        parts: arrays of one shape (n, dimension), entries of magnitude at most 1; each entry is rounded to a multiple of 2^-24.
        shares: one whole weight for each array; together below 2^29.
    """
    sums = np.zeros(parts[0].shape, dtype=np.float64)
    for part, share in zip(parts, shares, strict=True):
        sums += np.rint(part.astype(np.float64) * _WHOLE) * share
    return unit_rows(sums)
