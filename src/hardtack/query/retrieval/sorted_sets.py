"""Arrays of ordinals in, arrays of ordinals out: numpy's set routines at a quarter of their price.

``np.unique``, and what is built on it, hashes whole numbers, which pays for millions; a query has hundreds: sorting is quicker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ordinals = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]


def distinct(*lists: Ordinals) -> Ordinals:
    """Every ordinal of any of the lists, ascending, each once."""
    merged = np.concatenate(lists)
    merged.sort()
    return merged[beginnings(merged)]


def beginnings(ascending: Ordinals) -> Ordinals:
    """Where in an ascending list each number first stands."""
    if not len(ascending):
        return np.empty(0, dtype=np.int64)
    is_first = np.empty(len(ascending), dtype=np.bool_)
    is_first[0] = True
    is_first[1:] = ascending[1:] != ascending[:-1]
    return is_first.nonzero()[0]


def grouped(ascending: Ordinals) -> tuple[Ordinals, Ordinals]:
    """Where in an ascending list each number first stands, and for each entry which of those it belongs to.

    Returns:
        (groups,) and (n,).
    """
    is_first = np.empty(len(ascending), dtype=np.bool_)
    is_first[:1] = True
    is_first[1:] = ascending[1:] != ascending[:-1]
    groups = is_first.cumsum()
    groups -= 1
    return is_first.nonzero()[0], groups


def located(wanted: Ordinals, among: Ordinals) -> tuple[Ordinals, Flags]:
    """Where each of ``wanted`` stands in an ascending list, and whether it does; the place of one that does not is any.

    Args:
        wanted: (n,), in any order.
        among: (m,), each once.

    Returns:
        (n,) and (n,).
    """
    if not len(among):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=np.bool_)
    places = among.searchsorted(wanted)
    np.minimum(places, len(among) - 1, out=places)
    return places, among[places] == wanted


def sums(ordinals: Ordinals, numbers: Floats, *, count: int) -> Floats:
    """(count,), for each ordinal the sum of its numbers; 0 for one that does not occur."""
    # of nothing at all numpy counts in whole numbers
    return np.bincount(ordinals, numbers, minlength=count).astype(np.float64, copy=False)
