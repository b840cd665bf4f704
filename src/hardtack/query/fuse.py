"""Ranked lists in, one list out, by reciprocal rank fusion.

A candidate's score is the sum over the lists of 1 / (60 + its rank there) (Cormack, Clarke and Buettcher, SIGIR 2009), divided by
what a candidate that leads both lists of a hybrid search gets, so that it lies in 0..1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hardtack.model import Candidate

K = 60
TOP = 2 / (K + 1)
"""The sum of a candidate that is first in two lists."""


def fuse(lists: Mapping[str, Sequence[Candidate]]) -> list[Candidate]:
    """One list, best first, equal scores in chunk order. A single list keeps its own scores."""
    if len(lists) == 1:
        return list(next(iter(lists.values())))
    merged: dict[int, Candidate] = {}
    for retriever in sorted(lists):
        for candidate in lists[retriever]:
            known = merged.get(candidate.ordinal)
            merged[candidate.ordinal] = Candidate(
                ordinal=candidate.ordinal,
                score=(known.score if known else 0.0) + 1 / (K + candidate.ranks[retriever]) / TOP,
                ranks={**known.ranks, **candidate.ranks} if known else candidate.ranks,
                scores={**known.scores, **candidate.scores} if known else candidate.scores,
            )
    return sorted(merged.values(), key=lambda candidate: (-candidate.score, candidate.ordinal))
