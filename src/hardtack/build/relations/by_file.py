"""References in as they are found, the same by name out: six numbers each until somebody reads them.

Two million lines have a million and a half references, all of which wait for the last. As values of their own they took more room
than anything else of a build.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from hardtack.nouns.relations import Certainty, Reference

_CERTAINTIES: Final = tuple(Certainty)
_NUMBERS: Final = {certainty: number for number, certainty in enumerate(_CERTAINTIES)}


class Filed(Mapping[str, list[Reference]]):
    """Name -> the references that are filed under it, in the order in which they came; made anew each time they are asked for."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))

    def add(self, name: str, reference: Reference) -> None:
        """File one more."""
        file, line, start, source, is_call, target, certainty = reference
        self._numbers[name].extend((file, line, start, source, is_call | _NUMBERS[certainty] << 1, target))

    def __getitem__(self, name: str) -> list[Reference]:
        if name not in self._numbers:
            raise KeyError(name)
        numbers = iter(self._numbers[name])
        return [
            Reference(file, line, start, source, bool(how & 1), target, _CERTAINTIES[how >> 1])
            for file, line, start, source, how, target in zip(numbers, numbers, numbers, numbers, numbers, numbers, strict=True)
        ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
