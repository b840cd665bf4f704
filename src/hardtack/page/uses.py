"""A bundle in, all of its references out as columns of numbers, to be read by file and by target.

A bundle of a million lines has millions of references, so they are kept as seven numbers each and not as objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hardtack.bundle.reader import Bundle
from hardtack.nouns.relations import Certainty
from hardtack.query.lookup.references import function_around

CERTAINTIES: Final = tuple(Certainty)
_FIELDS: Final = 7


class Used(NamedTuple):
    """One use of a name."""

    file: int
    start: int
    """First byte of the name in the file's text."""
    line: int
    source: int
    """Ordinal of the function around it, or of the symbol outside of any; -1 at a file's top."""
    target: int
    """Ordinal of the symbol that it means; -1 if nothing tells which."""
    certainty: Certainty
    is_call: bool


class Uses:
    """All references of a bundle, ordered three ways."""

    def __init__(self, bundle: Bundle) -> None:
        """Read every reference.

        Raises:
            FormatError: a row is damaged or points outside the bundle.
        """
        numbers = array("i")
        self._unresolved: dict[str, int] = {}
        around = {-1: -1}
        ranks = {certainty: rank for rank, certainty in enumerate(CERTAINTIES)}
        for name, references in bundle.related.references_by_name():
            for each in references:
                if each.source not in around:
                    around[each.source] = function_around(bundle, each.source)
                within = around[each.source]
                numbers.extend((each.file, each.start, each.line, within, each.target, ranks[each.certainty], int(each.is_call)))
                if each.target < 0:
                    self._unresolved[name] = self._unresolved.get(name, 0) + 1
        self._rows: npt.NDArray[np.int32] = np.frombuffer(numbers, dtype=np.int32).reshape(-1, _FIELDS)
        file, start, _, source, target, *_ = self._rows.T
        self._by_file = np.lexsort((start, file))
        self._by_target = np.lexsort((start, file, target))
        self._by_source = np.lexsort((start, file, source))
        self._files, self._targets = file[self._by_file], target[self._by_target]
        self._sources = source[self._by_source]
        symbols, counts = np.unique(target[target >= 0], return_counts=True)
        self._counts: dict[int, int] = dict(zip(symbols.tolist(), counts.tolist(), strict=True))

    def in_file(self, file: int) -> Iterator[Used]:
        """The uses in a file, in order of place."""
        return self._between(self._by_file, self._files, file)

    def of(self, symbol: int) -> Iterator[Used]:
        """The uses of a symbol, in order of file and place."""
        return self._between(self._by_target, self._targets, symbol)

    def count_of(self, symbol: int) -> int:
        """How many uses a symbol has."""
        return self._counts.get(symbol, 0)

    def most_used(self) -> Iterator[int]:
        """Symbols, those of most uses first."""
        yield from sorted(self._counts, key=lambda symbol: (-self._counts[symbol], symbol))

    def inside(self, symbol: int) -> Iterator[Used]:
        """The uses inside a function, or a symbol outside of any, in order of place."""
        return self._between(self._by_source, self._sources, symbol)

    def unresolved(self, name: str) -> int:
        """How many uses of that name have no known target."""
        return self._unresolved.get(name, 0)

    def _between(self, order: npt.NDArray[np.int64], column: npt.NDArray[np.int32], wanted: int) -> Iterator[Used]:
        ends = np.array((wanted, wanted + 1), dtype=np.int32)  # of the column's own type, or all of that is converted
        first, last = np.searchsorted(column, ends)
        for row in self._rows[order[first:last]].tolist():
            file, start, line, source, target, rank, is_call = row
            yield Used(file, start, line, source, target, CERTAINTIES[rank], bool(is_call))
