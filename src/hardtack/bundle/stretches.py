"""Stretches of one array in, the places they are made of out: how several posting lists are read at once, and checked."""

from __future__ import annotations

from hardtack.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def places_of(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every place of every stretch, one stretch after another.

    Args:
        starts: (n,), where each begins.
        lengths: (n,), how long each is; 0 is allowed.
    """
    from hardtack.arrays import np

    ends = lengths.cumsum()
    places: NDArray[np.int64] = (starts - ends + lengths).repeat(lengths)
    places += np.arange(len(places))
    return places


def are_apart(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> bool:
    """Whether stretches share no place, but for one that comes again: else a small member could be read as a boundless one.

    To be asked where all of them together are longer than what they are stretches of.

    Args:
        starts: (n,), where each begins.
        lengths: (n,), how long each is, at least 0.
    """
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
