"""Folders and counted ties between them in, a drawing in layers out: who imports stands above what is imported.

As Sugiyama, Tagawa and Toda draw (1981), in their simplest form. A tie that would close a circle goes up, at the side of the boxes.
A layer of more than a few folders is broken into rows. A tie over several rows has a place in each row that it passes, so that it
goes between the boxes and not behind them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

WIDE: Final = 150
HIGH: Final = 46
_GAP: Final = 24
_PASSED: Final = 8
"""Width of the place of a tie in a row that it passes."""
_FLOOR: Final = 78
_ROW: Final = 6
"""Folders that stand side by side."""
_SWEEPS: Final = 8
_MARGIN: Final = 48
"""On both sides, for the ties that go up."""


class Tie(NamedTuple):
    """How often one folder imports another."""

    source: str
    target: str
    sure: int
    """Imports that lead to one file and no other."""
    unsure: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.sure + self.unsure


class Box(NamedTuple):
    """A folder in the drawing."""

    folder: str
    x: int
    y: int


class Arrow(NamedTuple):
    """A tie in the drawing."""

    tie: Tie
    path: str
    """Of SVG: a curve from the one box to the other."""
    x: int
    y: int
    """Where its number stands."""
    width: float
    is_up: bool


class Drawing(NamedTuple):
    """All of it."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


class _Place(NamedTuple):
    """What stands in a row: a folder, or a tie that passes."""

    name: object
    """Of a folder, its path; of a tie, itself and the row."""
    width: int


def drawing(folders: Sequence[str], ties: Sequence[Tie]) -> Drawing:
    """The folders in layers, and the ties between them."""
    rows = [layer[at : at + _ROW] for layer in _layers(folders, ties) for at in range(0, len(layer), _ROW)]
    row_of = {folder: number for number, row in enumerate(rows) for folder in row}
    chains = {tie: _chain(tie, row_of) for tie in ties}
    places = [[_Place(folder, WIDE) for folder in row] for row in rows]
    for chain in chains.values():
        for number, name in chain[1:-1]:
            places[number].append(_Place(name, _PASSED))
    _order(places, [[name for _, name in chain] for chain in chains.values()])
    width = max((_width(row) for row in places), default=WIDE) + 2 * _MARGIN
    x_of: dict[object, int] = {}
    for row in places:
        x = (width - _width(row)) // 2
        for place in row:
            x_of[place.name] = x
            x += place.width + _GAP
    boxes = {folder: Box(folder, x_of[folder], _top(row_of[folder])) for folder in folders}
    most = max((tie.total for tie in ties), default=1)
    arrows = _arrows(chains, boxes, x_of, most)
    return Drawing(width, _top(max(len(rows), 1) - 1) + HIGH + 12, tuple(boxes.values()), tuple(arrows))


def _top(row: int) -> int:
    return 12 + row * (HIGH + _FLOOR)


def _width(row: Sequence[_Place]) -> int:
    return sum(place.width + _GAP for place in row) - _GAP


def _chain(tie: Tie, row_of: Mapping[str, int]) -> list[tuple[int, object]]:
    """Rows and names that a tie goes through, its ends among them; only the ends, if it goes up."""
    first, last = row_of[tie.source], row_of[tie.target]
    return [(first, tie.source), *((row, (tie, row)) for row in range(first + 1, last)), (last, tie.target)]


def _layers(folders: Sequence[str], ties: Sequence[Tie]) -> list[list[str]]:
    """The folders by the longest way from one that nothing imports; ties that close a circle count for nothing."""
    uses: dict[str, list[str]] = defaultdict(list)
    for tie in sorted(ties, key=lambda tie: (-tie.total, tie.source, tie.target)):
        if not _leads(uses, tie.target, tie.source):  # the weakest tie of a circle comes last, and is the one that goes up
            uses[tie.source].append(tie.target)
    depths = dict.fromkeys(folders, 0)
    for _ in folders:
        for folder in folders:
            for used in uses[folder]:
                depths[used] = max(depths[used], depths[folder] + 1)
    layers: list[list[str]] = [[] for _ in range(max(depths.values(), default=0) + 1)]
    for folder in folders:
        layers[depths[folder]].append(folder)
    return layers


def _leads(uses: Mapping[str, Sequence[str]], start: str, end: str) -> bool:
    waiting, seen = [start], {start}
    for folder in waiting:
        if folder == end:
            return True
        for each in uses.get(folder, ()):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return False


def _order(rows: list[list[_Place]], chains: Sequence[Sequence[object]]) -> None:
    """Sort each row by the mean places of what its entries are tied to in the row beside it, down and up in turn."""
    beside: dict[object, list[object]] = defaultdict(list)
    for chain in chains:
        for upper, lower in pairwise(chain):
            beside[upper].append(lower)
            beside[lower].append(upper)
    down = list(pairwise(rows))
    up = [(lower, upper) for upper, lower in reversed(down)]
    for sweep in range(_SWEEPS):
        for fixed, moved in up if sweep % 2 else down:
            _sort(moved, _middles(fixed), beside)


def _middles(row: Sequence[_Place]) -> dict[object, float]:
    """Where each entry of a row has its middle, from the middle of the row."""
    found: dict[object, float] = {}
    x = -_width(row) / 2
    for place in row:
        found[place.name] = x + place.width / 2
        x += place.width + _GAP
    return found


def _sort(row: list[_Place], fixed: Mapping[object, float], beside: Mapping[object, Sequence[object]]) -> None:
    own = _middles(row)

    def middle(place: _Place) -> tuple[float, float]:
        tied = [fixed[each] for each in beside.get(place.name, ()) if each in fixed]
        return (sum(tied) / len(tied) if tied else own[place.name], own[place.name])

    row.sort(key=middle)


def _arrows(
    chains: Mapping[Tie, Sequence[tuple[int, object]]], boxes: Mapping[str, Box], x_of: Mapping[object, int], most: int
) -> list[Arrow]:
    """The arrows; those that leave or reach one box do so side by side, in the order of where they go."""
    leaving: dict[str, list[tuple[int, Tie]]] = defaultdict(list)
    reaching: dict[str, list[tuple[int, Tie]]] = defaultdict(list)
    for tie, chain in chains.items():
        if boxes[tie.target].y > boxes[tie.source].y:
            leaving[tie.source].append((x_of[chain[1][1]] + (WIDE // 2 if len(chain) == 2 else 0), tie))
            reaching[tie.target].append((x_of[chain[-2][1]] + (WIDE // 2 if len(chain) == 2 else 0), tie))
    starts = {tie: x for folder, ends in leaving.items() for tie, x in _spread(boxes[folder].x, ends)}
    stops = {tie: x for folder, ends in reaching.items() for tie, x in _spread(boxes[folder].x, ends)}
    arrows = []
    for tie, chain in chains.items():
        width = round(1 + 2.5 * (tie.total / most) ** 0.5, 1)
        if tie in starts:
            passed = [(x_of[name] + _PASSED // 2, _top(row)) for row, name in chain[1:-1]]
            source = starts[tie], boxes[tie.source].y + HIGH
            arrows.append(_downward(tie, source, passed, (stops[tie], boxes[tie.target].y - 5), width))
        else:
            arrows.append(_upward(tie, boxes[tie.source], boxes[tie.target], width))
    return arrows


def _spread(x: int, ends: list[tuple[int, Tie]]) -> list[tuple[Tie, int]]:
    ordered = sorted(ends)
    room = WIDE - 40
    return [(tie, x + 20 + (2 * place + 1) * room // (2 * len(ordered))) for place, (_, tie) in enumerate(ordered)]


def _downward(tie: Tie, start: tuple[int, int], passed: Sequence[tuple[int, int]], end: tuple[int, int], width: float) -> Arrow:
    x, y = start
    path = f"M{x} {y}"
    middle = 0, 0
    for next_x, next_y in [*passed, end]:
        bend = (next_y - y) // 2
        path += f"C{x} {y + bend} {next_x} {next_y - bend} {next_x} {next_y}"
        middle = middle if any(middle) else ((x + next_x) // 2, y + bend)
        x, y = next_x, next_y
        if (x, y) != end:
            y += HIGH
            path += f"V{y}"
    return Arrow(tie, path, *middle, width, False)


def _upward(tie: Tie, source: Box, target: Box, width: float) -> Arrow:
    side = WIDE if target.x >= source.x else 0
    x1, y1, x2, y2 = source.x + side, source.y + HIGH // 2, target.x + side, target.y + HIGH // 2
    bend = 40 if side else -40
    path = f"M{x1} {y1}C{x1 + bend} {y1} {x2 + bend} {y2} {x2 + (5 if side else -5)} {y2}"
    return Arrow(tie, path, (x1 + x2) // 2 + bend * 3 // 4, (y1 + y2) // 2, width, True)
