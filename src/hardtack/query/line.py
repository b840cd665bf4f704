"""What was ranked in, candidates out, each made when it is looked at: an answer shows ten of a hundred and more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hardtack.hints import Self, overload
from hardtack.model import Candidate
from hardtack.query.retrieve import DENSE, LEXICAL
from hardtack.tuples import NamedTuple


class Heard(NamedTuple):
    """What is told of a candidate beside its place and score."""

    lexical: float | None
    """The retriever's own score; None where it did not find the chunk."""
    dense: float | None
    reasons: tuple[str, ...]


Hearsay = Callable[[int], Heard]
"""Tells of candidates by their number among those it was made for; puts it into words when it is asked."""


class Line(Sequence[Candidate]):
    """Candidates, best first, and some of what they are as columns. What is asked for twice is made twice."""

    def __init__(
        self,
        scores: Sequence[float],
        ordinals: Sequence[int],
        symbols: Sequence[int],
        make: Callable[[int], Candidate],
        hear: Callable[[Sequence[int]], Hearsay],
    ) -> None:
        """Take what is known of all, and what makes the rest of one from its place.

        Args:
            scores: descending.
            ordinals: of the chunks.
            symbols: ordinals of those that answer; -1 for none.
            make: the candidate at a place.
            hear: gives what tells of those at some places.
        """
        self.scores = scores
        self.ordinals = ordinals
        self.symbols = symbols
        self.hear = hear
        self._make = make

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> Self:
        """The same of candidates that are there already."""

        def hear(places: Sequence[int]) -> Hearsay:
            heard = [candidates[place] for place in places]
            return lambda number: Heard(heard[number].scores.get(LEXICAL), heard[number].scores.get(DENSE), heard[number].reasons)

        columns = [each.score for each in candidates], [each.ordinal for each in candidates], [each.symbol for each in candidates]
        return cls(*columns, candidates.__getitem__, hear)

    def __len__(self) -> int:
        return len(self.scores)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...
    @overload
    def __getitem__(self, place: slice) -> list[Candidate]: ...
    def __getitem__(self, place: int | slice) -> Candidate | list[Candidate]:
        places = range(len(self.scores))[place]
        return [self._make(number) for number in places] if isinstance(places, range) else self._make(places)

    def __iter__(self) -> Iterator[Candidate]:
        return map(self._make, range(len(self.scores)))
