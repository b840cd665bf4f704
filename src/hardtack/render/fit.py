"""An answer and a budget in, as much of the answer as the budget holds out.

Every hit gets a line, best first, then every further file, as long as these take no more than their share. What is left goes to
the snippets, best first, each getting at most a share of what is still there, so that the first are whole and later ones shrink to
the lines around their match. Nothing is cut inside a line. What a thing costs is what the renderer says it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

from hardtack.nouns.model import Answer, Hit, Place
from hardtack.render.groups import path_shown

TOKEN_CHARACTERS: Final = 4
FURTHER_SHARE: Final = 0.5
"""Of the budget, for the lines that name further files."""
SNIPPET_SHARE: Final = 0.3
"""Of what is left, for the next snippet. Less gives the first ones too little to be read, more leaves the others nothing."""
_LEAST_LINES: Final = 3
"""Of a function that is not shown whole: fewer say less than its name does, unless it has no more."""

_Item = TypeVar("_Item")


class Costs(NamedTuple):
    """How many characters a renderer prints for each part of an answer."""

    hit: Callable[[Hit], int]
    """A hit as it is."""
    file: Callable[[Hit], int]
    """What is printed once a file, before or in its best hit."""
    place: Callable[[Place], int]
    """A further file."""
    further: int
    """Around all further files."""
    rest: int
    """Everything else."""


def fitted(answer: Answer, tokens: int, costs: Costs) -> Answer:
    """``answer`` with as many hits and further files, and as much of each snippet, as ``tokens`` hold (four characters each)."""
    room = tokens * TOKEN_CHARACTERS
    if costs.rest > room:
        answer = answer._replace(hint="")
    whole = sum(map(costs.hit, answer.hits)) + sum(map(costs.file, _firsts(answer.hits))) + costs.rest
    whole += costs.further + sum(map(costs.place, answer.further)) if answer.further else 0
    if whole <= room:
        return answer
    firsts = {hit.rank for hit in _firsts(answer.hits)}
    named = [shortened(hit, 0) for hit in answer.hits]
    left = room - costs.rest
    hits, left = _as_many(named, left, lambda hit: costs.hit(hit) + (costs.file(hit) if hit.rank in firsts else 0))
    share = min(left, int(FURTHER_SHARE * room)) - costs.further
    further, unused = _as_many(answer.further, share, costs.place) if len(hits) == len(named) else ((), share)
    if further:
        left -= share + costs.further - unused
    shown = _grown(list(hits), answer.hits, left, costs)
    is_truncated = answer.truncated or len(hits) < len(answer.hits)
    return answer._replace(hits=tuple(shown), further=tuple(further), truncated=is_truncated)


def _firsts(hits: Sequence[Hit]) -> list[Hit]:
    """The best hit of each file."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(path_shown(hit), hit)
    return list(best.values())


def _as_many(items: Sequence[_Item], room: int, cost: Callable[[_Item], int]) -> tuple[Sequence[_Item], int]:
    """The first of ``items`` that ``room`` holds, and the room left."""
    for number, item in enumerate(items):
        if cost(item) > room:
            return items[:number], room
        room -= cost(item)
    return items, room


def _grown(shown: list[Hit], whole: Sequence[Hit], left: int, costs: Costs) -> list[Hit]:
    """``shown`` with snippets as long as ``left`` characters allow: by shares first, then whatever the first ones can still use."""
    for share in (SNIPPET_SHARE, 1.0):
        for number, hit in enumerate(shown):
            has = costs.hit(hit)
            larger = _largest(whole[number], has + int(share * left), costs.hit)
            if larger is not None and costs.hit(larger) > has:
                shown[number] = larger
                left -= costs.hit(larger) - has
    return shown


def _largest(hit: Hit, room: int, cost: Callable[[Hit], int]) -> Hit | None:
    """The hit as it is, or with as many lines of its snippet as ``room`` holds; None when that is too few."""
    if cost(hit) <= room:
        return hit
    count = hit.snippet.count("\n") + 1 if hit.snippet else 0
    low, high = min(_LEAST_LINES, count) - 1, count
    while low < high:
        middle = (low + high + 1) // 2
        if cost(shortened(hit, middle)) <= room:
            low = middle
        else:
            high = middle - 1
    return shortened(hit, low) if low >= min(_LEAST_LINES, count) and low else None


def shortened(hit: Hit, count: int) -> Hit:
    """``hit`` with ``count`` lines of its snippet, blank ones at either end left out, and without what is around them.

    They begin with the definition when that leads to the match, or with the end of its documentation when the match is in that;
    else they lie around the match.
    """
    lines = hit.snippet.split("\n") if hit.snippet else []
    bare = hit._replace(context_before="", context_after="", imports="", related=())
    if count >= len(lines) or hit.snippet_start_line is None:
        return bare
    if count < 1:
        bare = bare._replace(current_start_line=None, current_end_line=None)
        return bare._replace(snippet="", snippet_start_line=None, snippet_end_line=None)
    match = (hit.match_line or hit.snippet_start_line) - hit.snippet_start_line
    definition = (hit.selection_line or 0) - hit.snippet_start_line
    if match <= definition < len(lines):
        start = max(match, definition - count // 3)
    elif definition >= 0 and match - definition < count:
        start = definition
    else:
        start = match - count // 3
    start = min(max(start, 0), len(lines) - count)
    end = start + count
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    while end > start + 1 and not lines[start].strip():
        start += 1
    return bare._replace(
        snippet="\n".join(lines[start:end]),
        snippet_start_line=hit.snippet_start_line + start,
        snippet_end_line=hit.snippet_start_line + end - 1,
        current_start_line=None if hit.current_start_line is None else hit.current_start_line + start,
        current_end_line=None if hit.current_start_line is None else hit.current_start_line + end - 1,
    )
