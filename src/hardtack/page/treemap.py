"""Sizes in, rectangles of those areas out, as near to squares as can be (Bruls, Huizing and van Wijk, 2000)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Tile(NamedTuple):
    """A rectangle."""

    number: int
    """Of the size that it stands for."""
    x: float
    y: float
    width: float
    height: float


def squarified(sizes: Sequence[int], width: float, height: float) -> list[Tile]:
    """A rectangle for each size above 0, the largest first; together they fill ``width`` times ``height``."""
    total = sum(sizes)
    if total <= 0:
        return []
    scale = width * height / total
    waiting = sorted(
        ((size * scale, number) for number, size in enumerate(sizes) if size > 0), key=lambda each: (-each[0], each[1])
    )
    tiles: list[Tile] = []
    x = y = 0.0
    while waiting:
        side = min(width, height)
        count = 1
        while count < len(waiting) and _worst(waiting[: count + 1], side) <= _worst(waiting[:count], side):
            count += 1
        row, waiting = waiting[:count], waiting[count:]
        thickness = sum(area for area, _ in row) / side if side else 0.0
        along = 0.0
        for area, number in row:
            length = area / thickness if thickness else 0.0
            tiles.append(
                Tile(number, x, y + along, thickness, length) if width >= height else Tile(number, x + along, y, length, thickness)
            )
            along += length
        if width >= height:
            x, width = x + thickness, width - thickness
        else:
            y, height = y + thickness, height - thickness
    return tiles


def _worst(row: Sequence[tuple[float, int]], side: float) -> float:
    """How far the rectangles of a row are from squares, at most."""
    total = sum(area for area, _ in row)
    if not total or not side:
        return float("inf")
    return max(max(side * side * area / (total * total), total * total / (side * side * area)) for area, _ in row)
