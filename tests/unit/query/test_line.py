"""A line of candidates is a sequence like any other, and makes none that nobody looks at."""

from __future__ import annotations

from hardtack.model import Candidate
from hardtack.query.line import Heard, Line

SCORES = [0.9, 0.5, 0.5, 0.1]


def _line(made: list[int]) -> Line:
    def make(place: int) -> Candidate:
        made.append(place)
        return Candidate(ordinal=10 * place, score=SCORES[place])

    ordinals = [10 * place for place in range(len(SCORES))]
    return Line(SCORES, ordinals, [-1] * len(SCORES), make, lambda _: lambda _: Heard(None, None, ()))


def test_a_line_is_the_sequence_of_its_candidates() -> None:
    line, plain = _line([]), [Candidate(ordinal=10 * place, score=score) for place, score in enumerate(SCORES)]
    assert (plain, plain[-1], plain[1:3], plain[::-1]) == (list(line), line[-1], line[1:3], line[::-1])
    assert (4, True, False) == (len(line), bool(line), bool(Line.of([])))
    assert (plain[2] in line, Candidate(ordinal=7, score=0.5) in line) == (True, False)


def test_a_candidate_is_made_when_it_is_looked_at() -> None:
    made: list[int] = []
    line = _line(made)
    assert [] == made
    assert (20, [2]) == (line[2].ordinal, made)
    next(iter(line))
    assert [2, 0] == made


def test_candidates_that_are_there_make_a_line_that_tells_the_same_of_them() -> None:
    found = Candidate(ordinal=7, score=0.5, scores={"dense": 0.25}, symbol=3, reasons=("defines it",))
    line = Line.of([found])
    assert ([found], [0.5], [7], [3]) == (list(line), line.scores, line.ordinals, line.symbols)
    heard = line.hear([0])(0)
    assert (None, 0.25, ("defines it",)) == (heard.lexical, heard.dense, heard.reasons)
