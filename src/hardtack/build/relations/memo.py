"""Questions that ask each other in, their answers out, the same whichever is asked first.

What a name means is found by asking what others mean, and sources can be written so that these lead back to where they began. Then
each on the way round waits for the next, wherever one comes upon them: none of them has an answer, and who asks one from outside
goes on with None. So an answer follows from its question and from what all files declare, and never from what was asked before.

Questions that wait for each other are kept in a list and not on the stack alone: where many do, the last is answered by itself, and
those before it are asked again, which costs time and bounds the depth.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final

_MOST_DEEP: Final = 20
"""Questions that wait for each other on the stack, some fifteen calls each at most."""
_MOST_KNOWN: Final = 1 << 17
"""Answers that are remembered before all are forgotten: fifty mebibytes. Of two million lines a million would be."""
_UNASKED: Final = object()


class _Again(Exception):
    """What was being answered has to be asked again: something that it waits for is settled, or has to be settled first."""

    def __init__(self, first: Hashable | None) -> None:
        self.first = first
        """What is to be settled first; None when something has been."""


class Answers:
    """Remembers the answer to every question that was asked."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        """Start without any.

        Args:
            answer: gives the answer to a question; asks :meth:`to` for others, in an order that follows from their answers alone.
        """
        self._answer = answer
        self._known: dict[Hashable, Any] = {}
        self._waiting: dict[Hashable, None] = {}
        """Being answered now: each waits for the next."""
        self._depth = 0
        """How many of those are on the stack."""

    def to(self, question: Hashable) -> Any:
        """The answer to a question; None when it leads back to itself."""
        known = self._known.get(question, _UNASKED)
        if known is not _UNASKED:
            return known
        if not self._depth:
            return self._settled(question)
        if question in self._waiting:
            waiting = list(self._waiting)
            self._known.update(dict.fromkeys(waiting[waiting.index(question) :]))
            raise _Again(None)
        if self._depth >= _MOST_DEEP:
            raise _Again(question)
        return self._asked(question)

    def _asked(self, question: Hashable) -> Any:
        self._waiting[question] = None
        self._depth += 1
        answer = self._known[question] = self._answer(question)
        self._depth -= 1
        del self._waiting[question]
        return answer

    def _settled(self, question: Hashable) -> Any:
        """The answer to a question that nobody waits for, found by as many attempts as it takes."""
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        todo = [(question, 0)]  # and how many wait for it; the last has to be settled before the one before it can be
        while todo:
            first, before = todo[-1]
            while len(self._waiting) > before:
                self._waiting.popitem()
            if first in self._known:
                todo.pop()
                continue
            try:
                self._asked(first)
            except _Again as again:
                if again.first is not None:
                    todo.append((again.first, len(self._waiting)))
            finally:
                self._depth = 0
        return self._known[question]
