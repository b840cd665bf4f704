"""Matching lines in, the lines around them as well out, in groups of lines that follow one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from hardtack.query.files.grep import MOST_LINE, LineMatch
from hardtack.query.files.stored_files import StoredFiles


class NearLine(NamedTuple):
    """A line that matches, or one near it."""

    path: str
    line: int
    text: str
    is_match: bool


def with_context(files: StoredFiles, matches: Sequence[LineMatch], before: int, after: int) -> Iterator[list[NearLine]]:
    """The matches and the lines around them, each line once.

    Args:
        files: of the bundle.
        matches: those of a file together, in order of lines.
        before: lines before each match at most.
        after: lines after each match at most.
    """
    for path, group in groupby(matches, key=lambda match: match.path):
        matched = {match.line: match.text for match in group}
        lines = list(files.read(path).each_line(MOST_LINE))
        for first, last in _spans([*matched], before, after, len(lines)):
            numbers = range(first, last + 1)
            yield [NearLine(path, each, matched.get(each, lines[each - 1]), each in matched) for each in numbers]


def _spans(numbers: Sequence[int], before: int, after: int, count: int) -> Iterator[tuple[int, int]]:
    """The first and the last line of each run of lines that follow one another, of ``count`` lines in all."""
    first, last = numbers[0], numbers[0]
    begin = max(first - before, 1)
    for number in numbers[1:]:
        if max(number - before, 1) > last + after + 1:
            yield begin, min(last + after, count)
            begin = max(number - before, 1)
        last = number
    yield begin, min(last + after, count)
