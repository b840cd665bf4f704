"""An answer and a budget in, as much of the answer as the budget holds out.

Every hit gets a line, best first, then every further file, as long as these take no more than their share. The rest of the budget
goes to the snippets, best first. Each gets at most a share of what is still left, so that the first are whole and later ones
shrink to the lines around their match. No line is cut. The renderer says how much each part costs (:class:`Costs`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from hardtack.nouns.model import Answer, Hit
from hardtack.render.style import Costs
from hardtack.render.text import path_shown, shortened

TOKEN_CHARACTERS: Final = 4
FURTHER_SHARE: Final = 0.5
"""Share of the budget for the lines that name further files, at most."""
SNIPPET_SHARE: Final = 0.3
"""Share of the remaining budget for the next snippet, at most. With less, the first snippets are too short to be read; with more,
nothing is left for the others."""
_LEAST_LINES: Final = 3
"""Lines of a snippet that is not shown whole, at least: fewer tell less than the function's name does."""

_Item = TypeVar("_Item")


def fitted(answer: Answer, tokens: int, costs: Costs) -> Answer:
    """``answer`` with as many hits and further files, and as much of each snippet, as fit into ``tokens`` of four characters."""
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
    """The first of ``items`` that fit into ``room``, and the room left."""
    for number, item in enumerate(items):
        if cost(item) > room:
            return items[:number], room
        room -= cost(item)
    return items, room


def _grown(shown: list[Hit], whole: Sequence[Hit], left: int, costs: Costs) -> list[Hit]:
    """``shown`` with longer snippets, of ``left`` characters in all: first by shares, then whatever is left for the first ones."""
    for share in (SNIPPET_SHARE, 1.0):
        for number, hit in enumerate(shown):
            has = costs.hit(hit)
            larger = _largest(whole[number], has + int(share * left), costs.hit)
            if larger is not None and costs.hit(larger) > has:
                shown[number] = larger
                left -= costs.hit(larger) - has
    return shown


def _largest(hit: Hit, room: int, cost: Callable[[Hit], int]) -> Hit | None:
    """The hit as it is, or with as many lines of its snippet as fit into ``room``; None when these are too few."""
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
