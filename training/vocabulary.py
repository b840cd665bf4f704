"""Chooses the tokens that the table has rows for: BERT's pieces, and the words that programmers write.

BERT's vocabulary is half names of people and places. Its single characters and its continuations (``##ing``) stay, so that any word
can be spelled; the rest of the room goes to the commonest spellings of the training pairs, of which many are compounds that BERT
cuts into noise (``filename``, ``getattr``, ``ioexception``). A word that BERT has keeps its row to start from; another starts from
the sum of the rows that BERT's tokeniser would have used for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from bags import document_frequencies
from hardtack.encoders.wordpiece import UNKNOWN, WordPiece, placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = 30_000
"""Tokens; with 256 columns and the vocabulary itself, 7.6 MiB."""
MIN_CHARACTERS, MAX_CHARACTERS = 2, 24


def vocabulary_of(texts: Iterable[str], bert: list[str]) -> list[str]:
    """Distinct tokens: what is kept of BERT's, then the commonest spellings of ``texts``."""
    kept = [token for token in bert if token.startswith("##") or len(token) == 1 or token == UNKNOWN]
    return kept + _commonest(document_frequencies(texts), set(kept), SIZE - len(kept))


def _commonest(frequencies: Counter[str], known: set[str], count: int) -> list[str]:
    words = [
        (-frequency, word)
        for word, frequency in frequencies.items()
        if MIN_CHARACTERS <= len(word) <= MAX_CHARACTERS and not word.isdigit() and word not in known
    ]
    return [word for _, word in sorted(words)[:count]]


def first_rows(vocabulary: list[str], bert: list[str], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """A row for each token of ``vocabulary``, from those of BERT's."""
    places = {token: place for place, token in enumerate(bert)}
    word_piece = WordPiece(placed(bert))
    pieces = [[places[token]] if token in places else word_piece.ids_of(token) for token in vocabulary]
    return np.stack([rows[ids].sum(axis=0) for ids in pieces])


def silent_tokens(vocabulary: list[str]) -> frozenset[int]:
    """The tokens that say nothing: without a letter or digit, or special."""
    return frozenset(place for place, token in enumerate(vocabulary) if token == UNKNOWN or not any(map(str.isalnum, token)))
