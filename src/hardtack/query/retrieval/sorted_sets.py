"""Sets of ordinals as ascending arrays.

``np.unique`` would do; its first call imports ``numpy.ma``, about 7 % of a cold search, and it hashes where these lists are sorted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ordinals = NDArray[np.int64]


def distinct(*lists: Ordinals) -> Ordinals:
    """(n,), every ordinal of any of the lists, ascending, each once."""
    merged = np.concatenate(lists)
    merged.sort()
    return grouped(merged)[0]


def grouped(ascending: Ordinals) -> tuple[Ordinals, Ordinals, Ordinals]:
    """The groups of equal numbers in an ascending list.

    Returns:
        The number of each group, (groups,); where it begins, (groups,); for each entry the group that it is in, (n,).
    """
    is_first = np.empty(len(ascending), dtype=np.bool_)
    is_first[:1] = True
    is_first[1:] = ascending[1:] != ascending[:-1]
    first = is_first.nonzero()[0]
    return ascending[first], first, is_first.cumsum() - 1
