"""Files in, what their paths say out: the folder, the plain name, how many words that has. Each path is read once, when needed."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardtack.bundle.indexes.names import stem_words
from hardtack.bundle.reader import Bundle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ordinals = NDArray[np.int64]
    Floats = NDArray[np.float64]


class PathFacts(NamedTuple):
    """What the paths of some files say; all are (files,)."""

    folders: Ordinals
    """A number for the folder of each, equal for those of one folder."""
    lengths: Floats
    """How many words the name of each has up to its first dot; at least 1."""
    bases: list[str]
    """The name of each up to its first dot, in lower case and without joints."""
    is_whole: Floats
    """1 for a name that has no more than its extension after that, else 0: ``client.py``, and not ``client.test.ts``."""


class Paths:
    """What the paths of a bundle's files say. Threads may share one: what two read at once they read alike."""

    def __init__(self, bundle: Bundle) -> None:
        """Take an open bundle; nothing is read yet."""
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
            # a number is drawn whether it is needed or not, so that no two threads give one to two folders
            self._folders[file] = self._folder_numbers.setdefault(folder, next(self._next_number))
            self._lengths[file] = max(len(stem_words(f"{base}.x")), 1)
            self._is_whole[file] = name.count(".") < 2
            self._bases[file] = base.lower().replace("_", "").replace("-", "")
            self._is_read[file] = True

    def of(self, files: Ordinals) -> PathFacts:
        """What the paths of these files say."""
        self._read(files)
        return PathFacts(self._folders[files], self._lengths[files], self._bases[files].tolist(), self._is_whole[files])
