"""The lambdas of a file in, those whose bare names may be members of a receiver out: ``with(jar) { open() }``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hardtack.build.outline.expressions import chain_before, chain_of
from hardtack.build.outline.locals import NestedIntervals
from hardtack.nouns.relations import RECEIVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardtack.build.languages.registry import Language

_REACH: Final = 300
"""Bytes before a lambda that are searched for its receiver."""
_GIVEN: Final = re.compile(rb"\bwith\s*\(([^{}]*)\)\s*\Z")
_AFTER: Final = re.compile(rb"\b(apply|run|instance_eval|instance_exec|class_eval|module_eval)\s*(?:\(\s*(?:[\w, ]*\))?)?\s*\Z")


class Receivers:
    """The receivers of a file's lambdas, in languages whose ``scoping`` says ``receiver_lambdas``."""

    def __init__(self, lambdas: Sequence[tuple[int, int]], text: bytes, language: Language) -> None:
        """``lambdas`` are (start, end) of the file's anonymous functions."""
        found = {}
        for start, end in lambdas if "receiver_lambdas" in language.scoping else ():
            if receiver := _receiver_of(text, start, language):
                found[start, end] = receiver
        spans = sorted(found, key=lambda span: (span[0], -span[1]))
        self._chains = [found[span] for span in spans]
        self._spans = NestedIntervals(spans)

    def qualifier_at(self, start: int) -> str:
        """The qualifier of a bare name: the receiver of the innermost lambda that has one and :data:`RECEIVER`, else nothing."""
        index = self._spans.innermost(start) if self._chains else -1
        return f"{self._chains[index]}{RECEIVER}" if index >= 0 else ""


def _receiver_of(text: bytes, start: int, language: Language) -> str:
    floor = max(0, start - _REACH)
    if given := _GIVEN.search(text, floor, start):
        return chain_of(given[1].decode("utf-8", "replace").strip())
    called = _AFTER.search(text, floor, start)
    return chain_before(text, called.start(1), language) if called else ""
