"""Folders and counted ties between them in, a drawing in layers out: who imports stands above what is imported.

Folders that import each other in a circle share a layer's neighbourhood: the tie that closes the circle goes up, and is drawn
dashed at the side. A layer of more than a few folders is broken into rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

WIDE: Final = 150
HIGH: Final = 46
_GAP: Final = 22
_FLOOR: Final = 84
_ROW: Final = 6
"""Folders that stand side by side."""
_SWEEPS: Final = 4
_MARGIN: Final = 12


class Tie(NamedTuple):
    """How often one folder imports another."""

    source: str
    target: str
    sure: int
    """Imports that lead to one file and no other."""
    unsure: int

    @property
    def count(self) -> int:
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


def drawing(folders: Sequence[str], ties: Sequence[Tie]) -> Drawing:
    """The folders in layers, and the ties between them."""
    layers = _layers(folders, ties)
    rows = [layer[at : at + _ROW] for layer in _ordered(layers, ties) for at in range(0, len(layer), _ROW)]
    widest = max((len(row) for row in rows), default=1)
    width = widest * (WIDE + _GAP) - _GAP + 2 * _MARGIN
    boxes: dict[str, Box] = {}
    for depth, row in enumerate(rows):
        start = (width - len(row) * (WIDE + _GAP) + _GAP) // 2
        for place, folder in enumerate(row):
            boxes[folder] = Box(folder, start + place * (WIDE + _GAP), _MARGIN + depth * (HIGH + _FLOOR))
    most = max((tie.count for tie in ties), default=1)
    arrows = tuple(_arrow(tie, boxes, most) for tie in ties)
    height = len(rows) * (HIGH + _FLOOR) - _FLOOR + 2 * _MARGIN
    return Drawing(width, max(height, HIGH), tuple(boxes.values()), arrows)


def _layers(folders: Sequence[str], ties: Sequence[Tie]) -> list[list[str]]:
    """The folders by the longest way from one that nothing imports; ties that close a circle count for nothing."""
    uses: dict[str, list[str]] = defaultdict(list)
    for tie in sorted(ties, key=lambda tie: (-tie.count, tie.source, tie.target)):
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


def _ordered(layers: list[list[str]], ties: Sequence[Tie]) -> list[list[str]]:
    """Each layer in the order of the mean places of what its folders are tied to in the layers beside it."""
    beside: dict[str, list[str]] = defaultdict(list)
    for tie in ties:
        beside[tie.source].append(tie.target)
        beside[tie.target].append(tie.source)
    for sweep in range(_SWEEPS):
        pairs = list(pairwise(layers)) if sweep % 2 == 0 else [(lower, upper) for upper, lower in reversed(list(pairwise(layers)))]
        for fixed, moved in pairs:
            places = {folder: place / max(len(fixed), 1) for place, folder in enumerate(fixed)}
            moved.sort(key=lambda folder: (_mean([places[each] for each in beside[folder] if each in places]), folder))  # noqa: B023
    return layers


def _mean(places: Sequence[float]) -> float:
    return sum(places) / len(places) if places else 0.5


def _arrow(tie: Tie, boxes: Mapping[str, Box], most: int) -> Arrow:
    source, target = boxes[tie.source], boxes[tie.target]
    is_up = target.y <= source.y
    x1, x2 = source.x + WIDE // 2, target.x + WIDE // 2
    if is_up:
        side = WIDE if x2 >= x1 else 0
        x1, y1, x2, y2 = source.x + side, source.y + HIGH // 2, target.x + side, target.y + HIGH // 2
        bend = 40 if side else -40
        path = f"M{x1} {y1}C{x1 + bend} {y1} {x2 + bend} {y2} {x2} {y2}"
        middle = (x1 + x2) // 2 + bend * 3 // 4, (y1 + y2) // 2
    else:
        y1, y2 = source.y + HIGH, target.y - 5
        bend = (y2 - y1) // 2
        path = f"M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"
        middle = (x1 + x2) // 2, (y1 + y2) // 2
    width = round(1 + 2.5 * (tie.count / most) ** 0.5, 1)
    return Arrow(tie, path, *middle, width, is_up)
