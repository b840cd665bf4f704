"""Memo of a recursive function whose calls may form cycles: question in, answer out, independent of the order of the questions.

The meaning of a name depends on the meanings of others, and source text can make these depend on each other in a cycle. All
questions on a cycle have the answer None, wherever the cycle is entered; a question that leads into a cycle goes on with None. So
an answer depends on its question and on the declarations of all files, and never on what was asked before.

The recursion is bounded: when too many questions wait for each other on the stack, it is unwound, the innermost question is
answered first, and those that wait for it are asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final

_MAX_DEPTH: Final = 20
"""Questions on the stack that wait for each other; each takes up to about fifteen calls."""
_MAX_ANSWERS: Final = 1 << 17
"""Answers that are stored before all are dropped: about 50 MiB. Two million lines of source would give a million."""
_MISSING: Final = object()


class _Unwind(Exception):
    """Unwinds the stack: a question on which the current ones depend was answered, or must be answered first."""

    def __init__(self, first: Hashable | None) -> None:
        self.first = first
        """The question to answer first; None if one has just been answered."""


class Memo:
    """Stores the answer to every question."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        """Start without answers.

        Args:
            function: computes the answer to a question; it may call :meth:`answer` for others, in an order that depends on their
                answers alone.
        """
        self._function = function
        self._answers: dict[Hashable, Any] = {}
        self._waiting: dict[Hashable, None] = {}
        """The questions that are being answered, in order: each waits for the next. Those that were unwound stay in it."""
        self._depth = 0
        """How many of those are on the stack."""

    def answer(self, question: Hashable) -> Any:
        """The answer to a question; None if it depends on itself."""
        known = self._answers.get(question, _MISSING)
        if known is not _MISSING:
            return known
        if not self._depth:
            return self._answer_from_outside(question)
        if question in self._waiting:
            waiting = list(self._waiting)
            self._answers.update(dict.fromkeys(waiting[waiting.index(question) :]))  # all on the cycle
            raise _Unwind(None)
        if self._depth >= _MAX_DEPTH:
            raise _Unwind(question)
        return self._compute(question)

    def _compute(self, question: Hashable) -> Any:
        self._waiting[question] = None
        self._depth += 1
        answer = self._answers[question] = self._function(question)
        self._depth -= 1
        del self._waiting[question]
        return answer

    def _answer_from_outside(self, question: Hashable) -> Any:
        """The answer to a question that no other waits for: computed again until nothing unwinds it."""
        if len(self._answers) >= _MAX_ANSWERS:
            self._answers.clear()
        try:
            return self._compute(question)
        except _Unwind as unwind:
            first = unwind.first
        finally:
            self._depth = 0
        pending = [(question, 0)]  # (question, number of questions that wait for it); the last one is answered first
        if first is not None:
            pending.append((first, len(self._waiting)))
        while pending:
            first, waiting_count = pending[-1]
            while len(self._waiting) > waiting_count:
                self._waiting.popitem()
            if first in self._answers:
                pending.pop()
                continue
            try:
                self._compute(first)
            except _Unwind as unwind:
                if unwind.first is not None:
                    pending.append((unwind.first, len(self._waiting)))
            finally:
                self._depth = 0
        return self._answers[question]
