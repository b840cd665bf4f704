"""Scores of what was ranked in, candidates out, each made when it is looked at: an answer shows ten of a hundred and more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from hardtack.model import Candidate


class Line(Sequence[Candidate]):
    """Candidates, best first. What is asked for twice is made twice."""

    def __init__(self, scores: Sequence[float], make: Callable[[int, float], Candidate]) -> None:
        """Take the scores, descending, and what makes a candidate of a place and its score."""
        self._scores = scores
        self._make = make

    def __len__(self) -> int:
        return len(self._scores)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...
    @overload
    def __getitem__(self, place: slice) -> list[Candidate]: ...
    def __getitem__(self, place: int | slice) -> Candidate | list[Candidate]:
        places = range(len(self._scores))[place]
        if isinstance(places, range):
            return [self[number] for number in places]
        return self._make(places, self._scores[places])

    def __iter__(self) -> Iterator[Candidate]:
        return map(self._make, range(len(self._scores)), self._scores)
