"""Files in, features of their paths out: folder, base name and its number of words. Each path is parsed once, when first needed."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardtack.bundle.indexes.names import stem_words
from hardtack.bundle.reader import Bundle
from hardtack.text import folded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ordinals = NDArray[np.int64]
    Floats = NDArray[np.float64]


class PathFacts(NamedTuple):
    """Features of the paths of some files; all columns are (files,)."""

    folders: Ordinals
    """A number for each folder; files of one folder have the same."""
    lengths: Floats
    """Number of words in the name up to its first dot; at least 1."""
    bases: list[str]
    """The name up to its first dot, as terms are spelt, without ``_`` and ``-``."""
    is_whole: Floats
    """1 for a name with at most one dot (``client.py``), else 0 (``client.test.ts``)."""


class Paths:
    """Features of the paths of a bundle's files. Thread-safe: two threads that parse one path at once write the same values."""

    def __init__(self, bundle: Bundle) -> None:
        files = bundle.manifest.counts.files
        self._bundle = bundle
        self._is_read = np.zeros(files, dtype=np.bool_)
        self._folders = np.zeros(files, dtype=np.int64)
        self._lengths = np.ones(files)
        self._is_whole = np.zeros(files)
        self._bases = np.full(files, "", dtype=np.object_)
        self._folder_numbers: dict[str, int] = {}
        self._next_number = count()

    def _read(self, files: Ordinals) -> None:
        for file in files[~self._is_read[files]].tolist():
            folder, _, name = self._bundle.file(file).path.rpartition("/")
            base = name.partition(".")[0]
            # next() runs even if the folder has a number: so two threads can never give one number to two folders
            self._folders[file] = self._folder_numbers.setdefault(folder, next(self._next_number))
            self._lengths[file] = max(len(stem_words(f"{base}.x")), 1)
            self._is_whole[file] = name.count(".") < 2
            self._bases[file] = folded(base).replace("_", "").replace("-", "")
            self._is_read[file] = True

    def of(self, files: Ordinals) -> PathFacts:
        """The features of these files' paths."""
        self._read(files)
        return PathFacts(self._folders[files], self._lengths[files], self._bases[files].tolist(), self._is_whole[files])
