"""Turns training pairs into bags of token ids, as the encoder sees the same text.

A bag is the distinct tokens of one text and how much each counts, by the encoder's own rules: its words, spellings, tokeniser and
roots. Many bags lie in three flat arrays, so that a batch is cut out of them without a loop.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hardtack.encoders.static import ONCE, spellings_of
from hardtack.encoders.wordpiece import WordPiece, placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_LEFT_CHARACTERS = 400
MAX_RIGHT_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What somebody might ask, and what should be found."""

    kind: str
    language: str
    name: str
    """What ``right`` defines; empty where it defines nothing."""
    left: str
    right: str

    def without_name(self) -> Pair:
        """The same pair with the name blanked out wherever it stands as a word, so that it gives nothing away."""
        if not self.name:
            return self
        name = re.compile(rf"(?<!\w){re.escape(self.name)}(?!\w)")
        left, right = (name.sub("_", text) for text in (self.left, self.right))
        return Pair(kind=self.kind, language=self.language, name="", left=left, right=right)


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file of JSON lines, in its order."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Pair(
            kind=row["kind"],
            language=row["language"],
            name=row["name"],
            left=row["left"][:MAX_LEFT_CHARACTERS],
            right=row["right"][:MAX_RIGHT_CHARACTERS],
        )
        for row in rows
    ]


class Tokens(dict[str, tuple[int, ...]]):
    """Word -> the ids of its tokens that may weigh something, by the encoder's rules."""

    def __init__(self, vocabulary: Sequence[str], silent: frozenset[int]) -> None:
        super().__init__()
        self._word_piece = WordPiece(placed(vocabulary))
        self._silent = silent

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = chain.from_iterable(map(self._word_piece.ids_of, spellings_of(word)))
        found = self[word] = tuple(token for token in ids if token not in self._silent)
        return found


_WORD = re.compile(r"[A-Za-z0-9\x80-\U0010ffff]+")


@dataclass(frozen=True, slots=True)
class Bags:
    """Many bags: that of text ``i`` is ``tokens[starts[i]:starts[i + 1]]`` with as many ``times``."""

    tokens: NDArray[np.int64]
    times: NDArray[np.float32]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str], ids: Tokens) -> Bags:
        """The bags of ``texts``, in order."""
        tokens: list[int] = []
        times: list[int] = []
        starts = [0]
        for text in texts:
            counts = Counter(chain.from_iterable(map(ids.__getitem__, _WORD.findall(text))))
            tokens += counts.keys()
            times += counts.values()
            starts.append(len(tokens))
        damped = np.floor(np.sqrt(np.array(times, dtype=np.float64) * ONCE**2)) / ONCE
        return cls(np.array(tokens, dtype=np.int64), damped.astype(np.float32), np.array(starts, dtype=np.int64))

    def sizes(self) -> NDArray[np.int64]:
        """Distinct tokens of each text."""
        return np.diff(self.starts)

    def take(self, texts: NDArray[np.int64]) -> Bags:
        """The bags of these texts, in this order."""
        sizes = self.starts[texts + 1] - self.starts[texts]
        starts = np.concatenate(([0], np.cumsum(sizes)))
        places = np.arange(starts[-1]) + np.repeat(self.starts[texts] - starts[:-1], sizes)
        return Bags(self.tokens[places], self.times[places], starts)


class _Spellings(dict[str, tuple[str, ...]]):
    """Word -> its spellings, lower-cased; none where it is not ASCII."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = self[word] = tuple(map(str.lower, spellings_of(word))) if word.isascii() else ()
        return found


def document_frequencies(texts: Iterable[str]) -> Counter[str]:
    """In how many texts each spelling occurs, lower-cased, ASCII only."""
    found: Counter[str] = Counter()
    spellings = _Spellings()
    for text in texts:
        found.update(set(chain.from_iterable(map(spellings.__getitem__, _WORD.findall(text)))))
    return found


def reciprocal_ranks(lefts: NDArray[np.float32], rights: NDArray[np.float32]) -> Iterator[float]:
    """Of each row of ``lefts``, 1 over the rank of the same row of ``rights`` among all; a tie counts against us."""
    for number, scores in enumerate(lefts.astype(np.float64) @ rights.astype(np.float64).T):
        yield 1.0 / int((scores >= scores[number]).sum())


def mean_reciprocal_rank(lefts: NDArray[np.float32], rights: NDArray[np.float32]) -> float:
    """The mean of :func:`reciprocal_ranks`."""
    return math.fsum(reciprocal_ranks(lefts, rights)) / len(lefts)
