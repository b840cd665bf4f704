"""Stretches of one array in, the places they are made of out: how several posting lists are read at once, and checked."""

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
    places: NDArray[np.int64] = (starts - ends + lengths).repeat(lengths)
    places += np.arange(len(places))
    return places


def are_within(starts: NDArray[np.int64], lengths: NDArray[np.int64], ends: NDArray[np.int64] | int, *, of: int) -> bool:
    """Whether stretches lie in the parts of an array that end there, and do not make more of it than it is.

    Args:
        starts: where each begins, at least 0.
        lengths: how long each is, of the same shape.
        ends: where the part ends that each should lie in; of a shape that is broadcast to theirs.
        of: how long the array is.
    """
    if (lengths < 0).any() or (starts + lengths > ends).any():
        return False
    # what comes again and again, or overlaps, could make a small member a boundless one
    return int(lengths.sum()) <= of or _are_apart(starts.ravel(), lengths.ravel())


def _are_apart(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> bool:
    """Whether stretches share no place, but for one that comes again, as it may for each word of a query."""
    is_any = lengths > 0
    starts = starts[is_any]
    order = starts.argsort(kind="stable")
    first, last = starts[order], (starts + lengths[is_any])[order]
    comes_again = (first[1:] == first[:-1]) & (last[1:] == last[:-1])
    return bool(((first[1:] >= last[:-1]) | comes_again).all())


def are_ascending(ordinals: NDArray[np.uint32], lengths: NDArray[np.int64]) -> bool:
    """Whether each of several posting lists, one after another, ascends and has nothing twice.

    Args:
        ordinals: (all lists together,).
        lengths: (n,), how long each is; 0 is allowed.
    """
    rises = ordinals[1:] > ordinals[:-1]
    ends = lengths.cumsum()
    ends = ends[(ends > 0) & (ends < len(ordinals))]
    rises[ends - 1] = True  # from one list to the next
    return bool(rises.all())
