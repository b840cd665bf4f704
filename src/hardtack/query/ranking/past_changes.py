"""The words of a query in, scores of files by what was said of their earlier changes out.

Who mends something twice says it in much the same words. So the messages of a bundle's commits are scored by BM25, and a file has
the score of the best message that changed it, less the more files that commit changed. It is evidence for what tells of a change
and for issues, and none for questions: those ask what code does now. A bundle without history has no such scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.reader import Bundle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PAST_CHANGES: Final = ("changed_best", "changed_share")
"""Features of a file by its earlier changes, in the order of the model file: its score, and its share of the greatest."""

_K1: Final = 1.2
"""The customary constant of BM25. Messages are not normed by their lengths: a long one tells more, and is not about more."""

_HALF: Final = 10.0
"""The score for which ``changed_best`` is one half."""


class PastChanges:
    """Scores the files of one bundle by its history. Threads may share one."""

    def __init__(self, bundle: Bundle, commits: range | None = None) -> None:
        """Take a bundle.

        Args:
            bundle: with or without history.
            commits: the only ones that count, by ordinal, newest first; None for all. Who measures a ranking by the messages of
                commits leaves out those that are no older than what is asked for.
        """
        self._bundle = bundle
        self._commits = commits

    def read(self, stems: Sequence[str], weights: Floats) -> Floats:
        """The score of every file.

        Args:
            stems: of the query's words.
            weights: (stems,), the weight of each.

        Returns:
            (files,), 0 for a file that no commit with any of the words has changed.
        """
        scores = np.zeros(self._bundle.manifest.counts.files)
        history = self._bundle.history
        if history is None or not stems:
            return scores
        count = len(history)
        commits, counts, lengths = history.words.postings(stems)
        idf = weights * np.log1p((count - lengths + 0.5) / (lengths + 0.5))
        of_commits = np.zeros(count)
        np.add.at(of_commits, commits.astype(np.int64), idf.repeat(lengths) * counts * (_K1 + 1) / (counts + _K1))
        if self._commits is not None:
            of_commits[: self._commits.start] = of_commits[self._commits.stop :] = 0.0
        starts, files = history.files
        touched = np.diff(starts)
        np.maximum.at(scores, files.astype(np.int64), (of_commits / np.sqrt(np.maximum(touched, 1))).repeat(touched))
        return scores


def columns_of(scores: Floats, files: NDArray[np.int64]) -> dict[str, Floats]:
    """The features :data:`PAST_CHANGES` of some files, from the scores of all."""
    some = scores[files]
    return {"changed_best": some / (some + _HALF), "changed_share": some / (scores.max(initial=0.0) or 1.0)}
