"""Text in, token ids out: the WordPiece tokeniser of uncased BERT models, in pure Python.

``ids_of`` gives exactly the ids that the ``tokenizers`` library gives for the same vocabulary with ``BertNormalizer``,
``BertPreTokenizer``, no special tokens added and ``encode_special_tokens`` set: a literal ``[MASK]`` in source code is three words,
not an instruction to a model (``benchmarks/wordpiece_equality.py`` holds the two to each other). Neither the Python version nor the
locale changes an id; :mod:`hardtack.encoders.characters` says why.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain

from hardtack.encoders.characters import Cleaner, Folder

# 1: first version.
WORDPIECE_VERSION = 1

MAX_WORD_CHARACTERS = 100
"""Longer words are one unknown token, as in BERT."""

UNKNOWN = "[UNK]"
"""The token of a word that no pieces spell; every vocabulary has it."""

MAX_MEMO_WORDS = 1 << 17
"""Words remembered before the memo starts anew; at most 100 characters each."""

_CONTINUES = "##"
_ASCII_REMOVED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9 \t\r\n]")


class _Memo(dict[str, tuple[int, ...]]):
    """Word -> its ids; source code repeats its words, so most look-ups are hits."""

    def __init__(self, ids: Mapping[str, int], longest: int) -> None:
        super().__init__({"": ()})  # what splitting at spaces leaves between two of them
        self._ids = ids
        self._longest = longest
        self._unknown = (ids[UNKNOWN],)

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(word) > MAX_WORD_CHARACTERS:
            return self._unknown
        if len(self) >= MAX_MEMO_WORDS:
            self.clear()
            self[""] = ()
        ids = self[word] = self._pieces_of(word)
        return ids

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        """Greedy longest match from the left; one piece that is missing makes the whole word unknown."""
        found: list[int] = []
        start, prefix = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._ids.get(prefix + word[start:end])
                if piece is not None:
                    found.append(piece)
                    break
            else:
                return self._unknown
            start, prefix = end, _CONTINUES
        return tuple(found)


class WordPiece:
    """A vocabulary and the ids of text under it; ids are positions in the vocabulary.

    Args:
        vocabulary: distinct tokens, ``[UNK]`` among them, with their places; tokens that continue a word begin with ``##``.
        longest: none of them has more characters; the nearer, the sooner a long word is divided.
    """

    def __init__(self, vocabulary: Mapping[str, int], longest: int = MAX_WORD_CHARACTERS) -> None:
        self._memo = _Memo(vocabulary, longest)
        self._clean = Cleaner()
        self._fold = Folder()

    def words_of(self, text: str) -> list[str]:
        """The normalised words of ``text``: lower case, no accents, punctuation and ideographs each a word; some may be empty."""
        if text.isascii():
            return _ASCII_WORD.findall(_ASCII_REMOVED.sub("", text).lower())
        import unicodedata  # a library of its own, which most queries do without

        return unicodedata.normalize("NFD", text.translate(self._clean)).translate(self._fold).split(" ")

    def ids_of(self, text: str) -> list[int]:
        """The ids of ``text`` in order, without the special tokens a transformer would want around them."""
        if text.isascii() and text.isalnum():  # as most are that an encoder asks for
            return [*self._memo[text.lower()]]
        return list(chain.from_iterable(map(self._memo.__getitem__, self.words_of(text))))
