"""The files that may answer a query; in, what is known of any files; out, what that says of these, one number or row a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

from hardtack.query.retrieval.sorted_sets import sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

_Number = TypeVar("_Number", np.float64, np.int64)

_THREE: Final = 3
"""Numbers of a file that are added up."""
_ORDER_BITS: Final = 32
_ORDER_MASK: Final = (1 << _ORDER_BITS) - 1


class WordMatches(NamedTuple):
    """One entry for each time that a file has a word of a query; all columns are (n,)."""

    files: Ordinals
    terms: Ordinals
    """Places of the words in the query."""
    strengths: Floats
    """How strongly the one speaks of the other; 0 for not at all."""


class Shortlist:
    """Some files of a bundle, each with a place. All others share one more place, whose numbers are dropped in the end."""

    def __init__(self, files: Ordinals, *, of: int) -> None:
        """Take the files, each once, out of so many that the bundle has."""
        self.files = files
        self._places = np.full(of, len(files))
        self._places[files] = np.arange(len(files))

    def __len__(self) -> int:
        return len(self.files)

    def places(self, files: Ordinals) -> Ordinals:
        """The place of each file; that of one which is not here is ``len(self)``."""
        return self._places[files]

    def told(self, places: Ordinals, numbers: NDArray[_Number], *, missing: int = 0) -> NDArray[_Number]:
        """(self,), the number of each file of which one is told.

        Args:
            places: (n,), of files, each once; see :meth:`places`.
            numbers: (n,), what is told.
            missing: the number of all others.
        """
        told = np.full(len(self) + 1, missing, dtype=numbers.dtype)
        told[places] = numbers
        return told[:-1]

    def strongest(self, matches: Sequence[WordMatches], terms: int, *, room: int) -> Floats:
        """(room, self, terms): how strongly each file has each word, by the strongest of its entries; 0 where it has none.

        Args:
            matches: at most ``room``; what is beyond them in the result is zeros, for its reader to fill.
            terms: words of the query.
            room: tables that the result has.
        """
        rows = len(self) + 1
        files, places, strengths = (np.concatenate(columns) for columns in zip(*matches, strict=True))
        cells = self._places[files]
        cells += np.arange(0, len(matches) * rows, rows).repeat([len(each.files) for each in matches])
        cells *= terms
        cells += places
        found = np.zeros(room * rows * terms)
        np.maximum.at(found, cells, strengths)
        return found.reshape(room, rows, terms)[:, :-1]

    def best_and_three(self, lists: Sequence[tuple[Ordinals, Floats]]) -> tuple[Floats, Floats]:
        """(lists, self) each: the best of each file's numbers in each list, and the sum of its three best; 0 where it has none.

        Args:
            lists: files, each any number of times, and a number for each entry, descending.
        """
        width = len(self) + 1
        rows = np.concatenate([self._places[files] + row * width for row, (files, _) in enumerate(lists)])
        numbers = np.concatenate([numbers for _, numbers in lists])
        packed = rows << _ORDER_BITS | np.arange(len(rows))  # sorted by file, and in each file as they came
        packed.sort()
        rows, numbers = packed >> _ORDER_BITS, numbers[packed & _ORDER_MASK]
        best = np.zeros(len(lists) * width)
        np.maximum.at(best, rows, numbers)
        numbers[_THREE:] *= rows[_THREE:] != rows[:-_THREE]  # the fourth of a file and all after it come to nothing
        three = sums(rows, numbers, count=len(best))
        return best.reshape(len(lists), width)[:, :-1], three.reshape(len(lists), width)[:, :-1]
