"""Text in, unit vectors out, from a table: one int8 row and one integer weight per WordPiece token. The default encoder.

A text's vector is the weighted sum of its tokens' rows, scaled to length 1. A token that occurs n times counts sqrt(n) times, so
that what a function repeats does not outweigh what it says once. The sum is exact, and :mod:`hardtack.encoders.unit` rounds it in
one defined way, so the same text gives the same bits on every CPU, in every batch, thread count and process: builds are
reproducible, and a query's vector is comparable with those of the build. The table is two members of every bundle:
``encoder.msgpack`` (vocabulary, weights, origin) and ``encoder.int8`` (the rows, memory-mapped, never copied whole).

Words are ASCII runs of letters and digits, and runs of non-ASCII characters; other ASCII characters only separate. A word of mixed
case counts as its parts and also as a whole (``parseHTTP``: ``parse``, ``http``, ``parsehttp``). ``training/README.md`` tells how
the table was made and what each choice is worth.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from functools import cached_property
from itertools import chain, count, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgpack
import numpy as np

from hardtack.encoders.unit import MAX_DIMENSION, unit_rows
from hardtack.encoders.wordpiece import UNKNOWN, WORDPIECE_VERSION, OrderedTokens, WordPiece
from hardtack.errors import EncoderUnavailable, FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

# 1: first version; n occurrences of a token count n times.
# 2: they count floor(16 * sqrt(n)) times.
# 3: tokens are in byte order.
STATIC_VERSION = 3
"""The only format version that is read."""

MEMBERS = ("encoder.msgpack", "encoder.int8")
"""Vocabulary and table: their file names, in a bundle and in the package alike."""

NOTICE = "LICENSE-all-MiniLM-L6-v2"
"""The licence notice of the weights that the members derive from; every copy of the members needs a copy of it."""

FIELDS: dict[str, type] = {
    "format": int,
    "name": str,
    "source": str,
    "license": str,
    "dimension": int,
    "table_sha256": str,
    "vocabulary": bytes,
    "weights": bytes,
}
"""Every field of ``encoder.msgpack``, in order, and its type. ``vocabulary`` has the form that :class:`OrderedTokens` reads, and a
token's id is its position there; ``weights`` is little-endian uint16, one per token."""

MAX_TOKENS = 1 << 26
"""The most tokens of one text that count. An entry is at most 2^7 in magnitude, a weight at most 2^16 - 1, and a token counts at
most :data:`ONCE` = 2^4 times for each occurrence, so the sum over 2^26 tokens stays below 2^53: every product and every partial sum
is a whole number that float64 holds exactly, and neither the order of adding nor a fused multiply-add in BLAS can change it."""

ONCE = 16
"""How much one occurrence of a token counts; n occurrences count floor(16 * sqrt(n)), a root in steps of 1/16."""

_DATA = Path(__file__).parent / "data"
_TOKENS_AT_ONCE = 4096  # 8 MiB of float64 at 256 columns, whatever the length of a text
_FEW_TOKENS = 256  # at most: the path for one query, without an array as long as the vocabulary
_ROWS_AT_ONCE = 1024
_TEXTS_AT_ONCE = 32  # their common tokens are taken from the table once; the matrix of counts has a column for each distinct token
_MAX_MEMO_WORDS = 1 << 17
_MAX_MEMO_CHARACTERS = 100

_WORD_RULE = r"[A-Za-z0-9\x80-\U0010ffff]+"
"""The pattern of a word. Fingerprints cover this very string."""
_WORD = re.compile(r"[^\x00-/:-@\[-`{-\x7f]+")
"""The same set, written as a complement: Python compiles it in a hundredth of the time."""
_SPACED = bytes(byte if _WORD.match(chr(byte)) else ord(" ") for byte in range(256))
"""For ``bytes.translate`` of ASCII text: each byte that is no part of a word becomes a space."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def spellings_of(word: str) -> list[str]:
    """The spellings that a word counts as: its parts, if case or digits divide an ASCII word, and the word itself."""
    parts = _PART.findall(word) if word.isascii() else []
    return [*parts, word] if len(parts) > 1 else [word]


def words_in(text: str) -> list[str]:
    """Every spelling of every word of ``text``, in order: the tokeniser's input."""
    return [spelling for word in _words_of(text) for spelling in spellings_of(word)]


def _words_of(text: str) -> list[str]:
    """The words of ``text``, in order. For ASCII text, translating and splitting takes a third of the pattern's time."""
    return text.encode().translate(_SPACED).decode().split() if text.isascii() else _WORD.findall(text)


class _TokenMemo(dict[str, tuple[int, ...]]):
    """Word -> the ids of its tokens whose weight is not 0."""

    def __init__(self, word_piece: WordPiece, weightless: frozenset[int]) -> None:
        super().__init__()
        self._word_piece = word_piece
        self._weightless = weightless

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = chain.from_iterable(map(self._word_piece.ids_of, spellings_of(word)))
        found = tuple(token for token in ids if token not in self._weightless)
        if len(word) <= _MAX_MEMO_CHARACTERS:
            if len(self) >= _MAX_MEMO_WORDS:
                self.clear()
            self[word] = found
        return found


class StaticEncoder:
    """A table of token vectors as an encoder. Threads may share one: its memo only gains or drops values that can be recomputed."""

    name = "static"

    def __init__(
        self,
        *,
        vocabulary: OrderedTokens,
        weights: NDArray[np.uint16],
        table: NDArray[np.int8],
        table_sha256: str,
        fingerprint: str,
    ) -> None:
        self.fingerprint = fingerprint
        self.dimension = table.shape[1]
        self.table_sha256 = table_sha256
        """The SHA-256 that the table should have, in hexadecimal."""
        self._vocabulary = vocabulary
        self._table = table
        self._weights = weights.astype(np.float64)
        self._memo = _TokenMemo(WordPiece(vocabulary, vocabulary.longest), frozenset(np.flatnonzero(weights == 0).tolist()))

    @classmethod
    def from_buffers(cls, vocabulary: bytes, table: memoryview | mmap) -> StaticEncoder:
        """The encoder whose members have these bytes; ``table`` is used in place and must outlive the encoder.

        The fingerprint covers the table through the hash in ``vocabulary``. Whether the table has that hash is not checked here:
        a bundle's members are verified against its manifest, and :func:`default_encoder` checks the package's own.

        Raises:
            FormatError: a member breaks the format, or their sizes do not agree.
        """
        fields = _parse_vocabulary(vocabulary)
        tokens, dimension = fields["vocabulary"], fields["dimension"]
        rows = np.frombuffer(table, dtype=np.int8)
        if rows.size != len(tokens) * dimension:
            raise FormatError(
                f"{MEMBERS[1]} has {rows.size} bytes; {len(tokens)} tokens of {dimension} numbers need {len(tokens) * dimension}.",
                field="vocabulary",
            )
        identity = f"static {fields['format']} wordpiece {WORDPIECE_VERSION} {_WORD_RULE} {_PART.pattern} ".encode()
        return cls(
            vocabulary=tokens,
            table_sha256=fields["table_sha256"],
            weights=np.frombuffer(fields["weights"], dtype="<u2"),
            table=rows.reshape(len(tokens), dimension),
            fingerprint="sha256:" + hashlib.sha256(identity + vocabulary).hexdigest(),
        )

    def check(self) -> None:
        """Check the order of all tokens, which :meth:`from_buffers` does not.

        Raises:
            FormatError: they are out of order.
        """
        try:
            self._vocabulary.check()
        except ValueError as error:
            raise _fault("vocabulary", str(error)) from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension); zeros if all tokens of a text have weight 0."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            batch = texts[start : start + _TEXTS_AT_ONCE]
            vectors[start : start + len(batch)] = unit_rows(self._sums_of(batch))
        return vectors

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The expected range of a vector's numbers in each dimension: (minimum, maximum - minimum), each of shape (dimension,).

        The range is symmetric around 0 and as wide as the largest number of any token's own unit vector. Few texts' vectors exceed
        it, and by little. IEEE 754 rounds each step in one defined way, so the bounds are the same on every machine.
        """
        peaks = np.zeros(self.dimension, dtype=np.float32)
        for start in range(0, len(self._table), _ROWS_AT_ONCE):
            some = slice(start, start + _ROWS_AT_ONCE)
            rows = np.abs(self._table[some][self._weights[some] > 0].astype(np.float32))
            lengths = np.sqrt(np.square(rows).sum(axis=1, dtype=np.float64))  # exact: squares are whole numbers, in any order
            lengths[lengths == 0.0] = 1.0
            rows /= lengths.astype(np.float32)[:, None]
            np.maximum(peaks, rows.max(axis=0, initial=0.0), out=peaks)
        return -peaks, 2 * peaks

    def _sums_of(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The weighted sums of the rows of each text's tokens, shape (texts, dimension): exact whole numbers.

        A row that several texts need is read from the table once: the sums are the product of a matrix of counts (texts, distinct
        tokens) and the matrix of their rows (distinct tokens, dimension).
        """
        found = [self._tokens_of(text) for text in texts]
        if len(texts) == 1 and len(found[0]) <= _FEW_TOKENS:
            return self._sum_of(found[0])[None]
        lengths = [len(tokens) for tokens in found]
        tokens = np.fromiter(chain.from_iterable(found), dtype=np.intp, count=sum(lengths))
        is_there = np.zeros(len(self._weights), dtype=np.bool_)
        is_there[tokens] = True
        ids = np.flatnonzero(is_there)
        places = np.empty(len(self._weights), dtype=np.intp)
        places[ids] = np.arange(len(ids))
        cells = np.repeat(np.arange(len(texts)) * len(ids), lengths)  # where each token's row of the count matrix begins
        cells += places[tokens]
        times = np.bincount(cells, minlength=len(texts) * len(ids)).reshape(len(texts), len(ids)).astype(np.float64)
        times = self._counted(times) * self._weights[ids]
        sums = np.zeros((len(texts), self.dimension), dtype=np.float64)
        for start in range(0, len(ids), _TOKENS_AT_ONCE):
            some = slice(start, start + _TOKENS_AT_ONCE)
            sums += times[:, some] @ self._table[ids[some]].astype(np.float64)
        return sums

    def _sum_of(self, tokens: Sequence[int]) -> NDArray[np.float64]:
        """:meth:`_sums_of` for the tokens of one short text, shape (dimension,), without an array as long as the vocabulary."""
        found = Counter(tokens)
        ids = np.array([*found], dtype=np.intp)
        times = self._counted(np.array([*found.values()], dtype=np.float64)) * self._weights[ids]
        sums: NDArray[np.float64] = times @ self._table[ids].astype(np.float64)
        return sums

    def _counted(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """floor(16 * sqrt(times)), for each number of occurrences."""
        # IEEE 754 rounds square roots in one defined way, and below 2^52 the floor of the rounded root is that of the exact one.
        counted: NDArray[np.float64] = np.floor(np.sqrt(times * ONCE**2))
        return counted

    def _tokens_of(self, text: str) -> list[int]:
        return list(islice(chain.from_iterable(map(self._memo.__getitem__, _words_of(text))), MAX_TOKENS))


def _parse_vocabulary(data: bytes) -> dict[str, Any]:
    """The fields of ``encoder.msgpack``, checked for type and against each other; ``vocabulary`` as :class:`OrderedTokens`."""
    try:
        fields = msgpack.unpackb(data, max_ext_len=0, max_map_len=2 * len(FIELDS), object_pairs_hook=_only_map())
    except (ValueError, msgpack.UnpackException) as error:
        raise FormatError(f"{MEMBERS[0]} is not MessagePack: {error}.") from error
    if not isinstance(fields, dict) or set(fields) != set(FIELDS):
        raise FormatError(f"{MEMBERS[0]} must be a map of exactly these fields: {', '.join(FIELDS)}.")
    for field, kind in FIELDS.items():
        if type(fields[field]) is not kind:
            raise _fault(field, f"must be {kind.__name__}, not {type(fields[field]).__name__}")
    if fields["format"] != STATIC_VERSION:
        raise _fault("format", f"is {fields['format']}; this program reads {STATIC_VERSION}")
    if not 1 <= fields["dimension"] <= MAX_DIMENSION:
        raise _fault("dimension", f"is {fields['dimension']}, not between 1 and {MAX_DIMENSION}")
    if not re.fullmatch(r"[0-9a-f]{64}", fields["table_sha256"]):
        raise _fault("table_sha256", "is not 64 hexadecimal digits")
    return {**fields, "vocabulary": _tokens(fields["vocabulary"], fields["weights"])}


def _only_map() -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """An ``object_pairs_hook`` that accepts one map and no second: hostile bytes can hold millions of empty ones."""
    calls = count()

    def take(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if next(calls) or len(dict(pairs)) != len(pairs):
            raise ValueError("a map inside the map, or a key twice")
        return dict(pairs)

    return take


def _tokens(vocabulary: bytes, weights: bytes) -> OrderedTokens:
    try:
        tokens = OrderedTokens(vocabulary)
    except ValueError as error:
        raise _fault("vocabulary", str(error)) from error
    if UNKNOWN not in tokens:
        raise _fault("vocabulary", f"lacks {UNKNOWN}")
    if len(weights) != 2 * len(tokens):
        raise _fault("weights", f"has {len(weights)} bytes; {len(tokens)} tokens need {2 * len(tokens)}")
    return tokens


def _fault(field: str, problem: str) -> FormatError:
    return FormatError(f"{MEMBERS[0]}: {field} {problem}.", field=field)


def member_paths() -> tuple[Path, Path]:
    """The package's own two members, in the order of :data:`MEMBERS`."""
    return _DATA / MEMBERS[0], _DATA / MEMBERS[1]


def notice_path() -> Path:
    """The package's licence notice, which every copy of the members needs."""
    return _DATA / NOTICE


def default_vocabulary() -> list[str]:
    """The tokens of the package's own table; a token's id is its position in the list."""
    return [*_parse_vocabulary(member_paths()[0].read_bytes())["vocabulary"]]


def default_encoder() -> StaticEncoder:
    """The encoder of the package's own table, memory-mapped and checked against its recorded hash.

    Raises:
        EncoderUnavailable: the package was installed without its data.
        FormatError: the data is damaged.
    """
    vocabulary_path, table_path = member_paths()
    try:
        vocabulary = vocabulary_path.read_bytes()
        with table_path.open("rb") as file:
            table = mmap(file.fileno(), 0, access=ACCESS_READ)
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise EncoderUnavailable(f"The default encoder cannot be read: {error}.", hint="Install Hardtack again.") from error
    encoder = StaticEncoder.from_buffers(vocabulary, table)
    if hashlib.sha256(memoryview(table)).hexdigest() != encoder.table_sha256:
        raise _fault("table_sha256", f"is not the hash of {MEMBERS[1]}")
    return encoder
