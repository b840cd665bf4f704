"""References in, in any order, the same by name out; six integers each until they are read.

Two million lines of source have 1.5 million references, all of which are held until the last is found. As objects they took more
memory than anything else in a build.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from hardtack.nouns.relations import Certainty, Reference

_CERTAINTIES: Final = tuple(Certainty)
_NUMBERS: Final = {certainty: number for number, certainty in enumerate(_CERTAINTIES)}


class ReferencesByName(Mapping[str, list[Reference]]):
    """Name -> its references, in the order in which they were added; the list is built each time it is read."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))

    def add(self, name: str, reference: Reference) -> None:
        """Add a reference under a name."""
        file, line, start, source, is_call, target, certainty = reference
        self._numbers[name].extend((file, line, start, source, is_call | _NUMBERS[certainty] << 1, target))  # bit 0 is is_call

    def __getitem__(self, name: str) -> list[Reference]:
        if name not in self._numbers:
            raise KeyError(name)
        numbers = iter(self._numbers[name])  # zip takes six from the same iterator for each reference
        return [
            Reference(file, line, start, source, bool(flags & 1), target, _CERTAINTIES[flags >> 1])
            for file, line, start, source, flags, target in zip(numbers, numbers, numbers, numbers, numbers, numbers, strict=True)
        ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
