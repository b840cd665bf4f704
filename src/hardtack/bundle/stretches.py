"""Stretches of one array in, the places they are made of out: how several posting lists are read at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def places_of(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every place of every stretch, one stretch after another.

    Args:
        starts: (n,), where each begins.
        lengths: (n,), how long each is; 0 is allowed.
    """
    import numpy as np

    ends = lengths.cumsum()
    places: NDArray[np.int64] = np.repeat(starts - ends + lengths, lengths)
    places += np.arange(len(places))
    return places
