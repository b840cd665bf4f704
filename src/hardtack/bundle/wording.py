"""Two stretches of source in, whether they say the same out: the rule by which hits stand for each other.

Copies have nearly all lines in common; overloads of one file, nearly all words. Which chunks could come to say the same is worked
out when a bundle is built (:mod:`hardtack.bundle.likeness`); whether two hits do, when they are shown
(:mod:`hardtack.query.collapse`).
"""

from __future__ import annotations

import re
from functools import cached_property

from hardtack.hints import Final
from hardtack.tuples import NamedTuple

SAME: Final = 0.9
"""What copies have in common of the lines, and overloads of the words, of the longer one."""

AS_LONG: Final = 0.8
"""What the shorter of two that say the same has of the bytes of the longer one, which has its own indentation."""

_WORD = re.compile(r"\w+")


class Wording:
    """A text as it is compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> frozenset[str]:
        """Each without the blanks around it."""
        return frozenset(map(str.strip, self.text.split("\n")))

    @cached_property
    def words(self) -> frozenset[str]:
        """Names and numbers among them."""
        return frozenset(_WORD.findall(self.text))

    @property
    def head(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0]


class Shape(NamedTuple):
    """What a hit is called, and the lines by which it is told from others."""

    name: str
    """Empty where it has none."""
    line_count: int
    size: int
    """Of all of these lines, in bytes."""
    first: int
    last: int


def is_as_long(one: Shape, other: Shape) -> bool:
    """Whether the shorter is so long that it could say the same as the longer."""
    _, lines, size, _, _ = one
    _, count, length, _, _ = other
    return SAME * count <= lines and SAME * lines <= count and AS_LONG * length <= size and AS_LONG * size <= length


def is_mostly(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both have nearly all of the larger."""
    least = SAME * max(len(one), len(other), 1)
    return len(one) >= least and len(other) >= least and len(one & other) >= least
