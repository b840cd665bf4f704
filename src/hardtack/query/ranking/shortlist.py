"""The files that may answer a query: turns lists of (file, number) entries into one number or row for each of these files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ordinals = NDArray[np.int64]

_Number = TypeVar("_Number", np.float64, np.int64)

_THREE: Final = 3
"""How many of a file's best numbers are added up."""
_ORDER_BITS: Final = 32
_ORDER_MASK: Final = (1 << _ORDER_BITS) - 1


class WordMatches(NamedTuple):
    """The words of a query found in files, one entry a match; all columns are (n,)."""

    files: Ordinals
    terms: Ordinals
    """Positions of the words in the query."""
    strengths: Floats
    """How well the word matches, 0 to 1."""


class Shortlist:
    """Some files of a bundle, numbered from 0. All other files share one more row, which is dropped from every result.

    That row spares a test for each entry: entries of other files are computed like all others.
    """

    def __init__(self, files: Ordinals, *, of: int) -> None:
        """Number the files."""
        self.files = files
        self._places = np.full(of, len(files))
        self._places[files] = np.arange(len(files))

    def __len__(self) -> int:
        return len(self.files)

    def places(self, files: Ordinals) -> Ordinals:
        """The row of each file; ``len(self)`` for a file that is not in the shortlist."""
        return self._places[files]

    def column(self, places: Ordinals, numbers: NDArray[_Number], *, missing: int = 0) -> NDArray[_Number]:
        """(self,), the number of each file.

        Args:
            places: (n,), rows of files, each once; see :meth:`places`.
            numbers: (n,), the numbers of these files.
            missing: the number of every other file.
        """
        column = np.full(len(self) + 1, missing, dtype=numbers.dtype)
        column[places] = numbers
        return column[:-1]

    def strongest(self, matches: Sequence[WordMatches], terms: int, *, room: int) -> Floats:
        """(room, self, terms): one table for each of ``matches``, the strongest match of each word in each file; 0 without a match.

        Args:
            matches: at most ``room`` of them.
            terms: number of words in the query.
            room: number of tables in the result; those beyond ``matches`` are zeros, for the caller to fill.
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
        """The best number of each file in each list, and the sum of its three best; 0 for a file without any.

        Args:
            lists: pairs of files (each any number of times) and numbers, one an entry, descending.

        Returns:
            (lists, self) and (lists, self).
        """
        width = len(self) + 1
        rows = np.concatenate([self._places[files] + row * width for row, (files, _) in enumerate(lists)])
        numbers = np.concatenate([numbers for _, numbers in lists])
        packed = rows << _ORDER_BITS | np.arange(len(rows))  # so sorting by row keeps the order within each row
        packed.sort()
        rows, numbers = packed >> _ORDER_BITS, numbers[packed & _ORDER_MASK]
        best = np.zeros(len(lists) * width)
        np.maximum.at(best, rows, numbers)
        numbers[_THREE:] *= rows[_THREE:] != rows[:-_THREE]  # zero for the fourth number of a file and those after it
        three = np.zeros(len(best))
        np.add.at(three, rows, numbers)
        return best.reshape(len(lists), width)[:, :-1], three.reshape(len(lists), width)[:, :-1]
