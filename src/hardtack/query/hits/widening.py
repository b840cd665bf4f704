"""A search in, the same search among more chunks out, until there are as many hits as were asked for.

A tree may hold one file a hundred times: all copies become one hit, and those fill the lists that the retrievers give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardtack.nouns.model import Mode, Query
from hardtack.query.hits.gather import Gathered
from hardtack.query.retrieval.retrieve import depth_of
from hardtack.query.trace import Trace

_FACTORS: Final = (1, 8, 64)
"""How many times the usual number of chunks is looked at, one after another."""

_PER_HIT, _SPARE = 3, 50
"""Candidates that are ranked for each hit, and besides: some say the same as others, and files that come after are named."""


def widened(search: Callable[[int], Gathered], query: Query, trace: Trace, *, chunks: int) -> Gathered:
    """What a search finds; among more chunks where too few hits come of the usual number.

    Args:
        search: searches among so many times the usual number, and writes down in ``trace`` what each stage gave.
        query: says how many hits are wanted.
        trace: of the search.
        chunks: in the bundle.
    """
    for factor in _FACTORS:
        found = search(factor)
        if len(found.hits) == query.limit or not _has_more(query, trace, factor, chunks):
            break
    return found


def candidates_of(query: Query) -> int:
    """How many candidates are ranked at first."""
    return _PER_HIT * query.limit + query.further + _SPARE


def _has_more(query: Query, trace: Trace, factor: int, chunks: int) -> bool:
    """Whether chunks were left out that might be hits, all that were looked at being copies of too few."""
    if len(trace.filtered) < len(trace.ranked):
        return False  # the last one that was looked at scores less than was asked for
    depth = factor * depth_of(query)
    is_cut = depth < chunks and any(len(found.ordinals) >= depth for found in trace.found.values())
    return is_cut or (query.mode is not Mode.VECTOR and len(trace.ranked) >= factor * candidates_of(query))
