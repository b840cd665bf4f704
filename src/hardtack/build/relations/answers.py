"""A function of a list of symbols and that list in, what the function gives out: computed once for a long list.

Thousands of places may ask the same of thousands of symbols that have one name. A list is known by its identity, so that looking up
an answer takes no time for each symbol in it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEW: Final = 8
"""Symbols that are looked through each time."""
_MAX_ANSWERS: Final = 1 << 14
"""Answers about more of them that are stored before all are dropped."""
_Answer = TypeVar("_Answer")


class Answers:
    """Stores answers about long lists."""

    def __init__(self) -> None:
        self._answers: dict[tuple[Hashable, ...], tuple[Sequence[int], Any]] = {}

    def clear(self) -> None:
        """Drop all answers, whose functions refer back to what has this object: the cycle collector is off in a build."""
        self._answers.clear()

    def of(self, question: Callable[..., _Answer], ordinals: Sequence[int], *rest: Hashable) -> _Answer:
        """What a function gives of some symbols.

        Args:
            question: a function, always of the same object.
            ordinals: a sequence that does not change any more. It is stored too, so that its identity stays its own.
            rest: its other arguments.
        """
        if len(ordinals) <= _FEW:
            return question(ordinals, *rest)
        key = (question, id(ordinals), *rest)
        known = self._answers.get(key)
        if known is None:
            if len(self._answers) >= _MAX_ANSWERS:
                self._answers.clear()
            known = self._answers[key] = (ordinals, question(ordinals, *rest))
        answer: _Answer = known[1]
        return answer
