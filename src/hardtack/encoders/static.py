"""Text in, unit vectors out, from a table: one int8 row and one integer weight per WordPiece token. The default encoder.

A text's vector is the weighted sum of its tokens' rows, brought to length 1; a token that occurs n times counts for the root of n,
so that what a function repeats does not drown what it says once. The sum is exact and :mod:`hardtack.encoders.unit` rounds it in
one defined way, so the same text gives the same bits on every CPU, in every batch, thread count and process: the build is
reproducible, and a query meets the vectors the build made. The table is two members, which travel inside every bundle:
``encoder.msgpack`` (vocabulary, weights, origin) and ``encoder.int8`` (the rows, mapped and never copied whole).

Words are ASCII runs of letters and digits, and runs of anything beyond ASCII; other ASCII characters only separate. A word of mixed
case counts as its parts and also as a whole (``parseHTTP``: ``parse``, ``http``, ``parsehttp``). ``training/`` says how the table
was made and what each choice is worth.
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
# 3: tokens are in order.
STATIC_VERSION = 3
"""The one format that is read: bundles of the others lack what a search needs now."""

MEMBERS = ("encoder.msgpack", "encoder.int8")
"""Vocabulary and table: file names in a bundle and in the package alike."""

NOTICE = "LICENSE-all-MiniLM-L6-v2"
"""The file beside the members that says whose weights they derive from; it goes where they go."""

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
"""Every field of ``encoder.msgpack``, in order. ``vocabulary`` is of :mod:`hardtack.encoders.wordpiece`, a token's id its place;
``weights`` is little-endian uint16, one per token."""

MAX_TOKENS = 1 << 26
"""Tokens of one text that count. An entry is at most 2^7 in magnitude, a weight at most 2^16 - 1, and a token counts at most
:data:`ONCE` times for each time it occurs, so the sum over 2^26 tokens stays below 2^53: every product and every partial sum is a
whole number that float64 holds exactly, and neither the order of adding them nor a fused multiply-add inside BLAS can change it."""

ONCE = 16
"""What a token counts that occurs once: the grain in which square roots are rounded down."""

_DATA = Path(__file__).parent / "data"
_TOKENS_AT_ONCE = 4096  # 8 MiB of float64 at 256 columns, whatever the length of a text
_FEW_TOKENS = 256  # a query's; what many texts share is found by an array as long as the vocabulary
_ROWS_AT_ONCE = 1024
_TEXTS_AT_ONCE = 32  # what they share is taken once; each is as wide as the tokens of all of them
_MAX_MEMO_WORDS = 1 << 17
_MAX_MEMO_CHARACTERS = 100

_WORD_RULE = r"[A-Za-z0-9\x80-\U0010ffff]+"
"""What a word is: fingerprints cover it as it stands here."""
_WORD = re.compile(r"[^\x00-/:-@\[-`{-\x7f]+")
"""The same by what is not of a word, which takes Python a hundredth of the time to compile."""
_SPACED = bytes(byte if _WORD.match(chr(byte)) else ord(" ") for byte in range(256))
"""For ``bytes.translate``: of ASCII text, what only separates becomes a space."""
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def spellings_of(word: str) -> list[str]:
    """What one word counts as: itself, after its parts where case or digits divide an ASCII word."""
    parts = _PART.findall(word) if word.isascii() else []
    return [*parts, word] if len(parts) > 1 else [word]


def words_in(text: str) -> list[str]:
    """Every spelling of every word of ``text``, in order: what the tokeniser is given."""
    return [spelling for word in _words_of(text) for spelling in spellings_of(word)]


def _words_of(text: str) -> list[str]:
    """The words of ``text``, in order. Of ASCII text splitting at spaces finds them in a third of the time."""
    return text.encode().translate(_SPACED).decode().split() if text.isascii() else _WORD.findall(text)


class _TokenMemo(dict[str, tuple[int, ...]]):
    """Word -> the ids of its tokens that weigh anything."""

    def __init__(self, word_piece: WordPiece, silent: frozenset[int]) -> None:
        super().__init__()
        self._word_piece = word_piece
        self._silent = silent

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = chain.from_iterable(map(self._word_piece.ids_of, spellings_of(word)))
        found = tuple(token for token in ids if token not in self._silent)
        if len(word) <= _MAX_MEMO_CHARACTERS:
            if len(self) >= _MAX_MEMO_WORDS:
                self.clear()
            self[word] = found
        return found


class StaticEncoder:
    """A table and the vectors it gives. Threads may share one: its memo only ever gains or forgets what can be worked out again."""

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
        """What the hash of the table should be, in hexadecimal."""
        self._vocabulary = vocabulary
        self._table = table
        self._weights = weights.astype(np.float64)
        self._memo = _TokenMemo(WordPiece(vocabulary, vocabulary.longest), frozenset(np.flatnonzero(weights == 0).tolist()))

    @classmethod
    def from_buffers(cls, vocabulary: bytes, table: memoryview | mmap) -> StaticEncoder:
        """The encoder whose members hold these bytes; ``table`` is used in place and must outlive the encoder.

        The fingerprint covers the table through the hash that ``vocabulary`` records for it. Whether the table has that hash is
        for the caller to know: a bundle's members are verified as members, and :func:`default_encoder` checks its own.

        Raises:
            FormatError: a member breaks the format, or the two do not belong together.
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
        """Look at every token, which only looking for all of them would do.

        Raises:
            FormatError: they are out of order.
        """
        try:
            self._vocabulary.check()
        except ValueError as error:
            raise _fault("vocabulary", str(error)) from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of ``texts``, shape (texts, dimension); zeros where no token of a text weighs anything."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _TEXTS_AT_ONCE):
            batch = texts[start : start + _TEXTS_AT_ONCE]
            vectors[start : start + len(batch)] = unit_rows(self._sums_of(batch))
        return vectors

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least number that a vector has in each dimension, and how far the largest is from it: two of (dimension,).

        They are as far from zero as the number of any token's own vector is there. Few sums reach that; what lies beyond is rare,
        and little. Each step is one that IEEE 754 rounds in one way, so they are the same on every machine.
        """
        peaks = np.zeros(self.dimension, dtype=np.float32)
        for start in range(0, len(self._table), _ROWS_AT_ONCE):
            some = slice(start, start + _ROWS_AT_ONCE)
            rows = np.abs(self._table[some][self._weights[some] > 0].astype(np.float32))
            lengths = np.sqrt(np.square(rows).sum(axis=1, dtype=np.float64))  # of whole numbers, so in any order
            lengths[lengths == 0.0] = 1.0
            rows /= lengths.astype(np.float32)[:, None]
            np.maximum(peaks, rows.max(axis=0, initial=0.0), out=peaks)
        return -peaks, 2 * peaks

    def _sums_of(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The weighted sums of the rows of each text's tokens, shape (texts, dimension): whole numbers, before they are rounded.

        A row that several texts need is taken from the table once, and one product of two matrices adds up all of them.
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
        cells = np.repeat(np.arange(len(texts)) * len(ids), lengths)
        cells += places[tokens]
        times = np.bincount(cells, minlength=len(texts) * len(ids)).reshape(len(texts), len(ids)).astype(np.float64)
        times = self._counted(times) * self._weights[ids]
        sums = np.zeros((len(texts), self.dimension), dtype=np.float64)
        for start in range(0, len(ids), _TOKENS_AT_ONCE):
            some = slice(start, start + _TOKENS_AT_ONCE)
            sums += times[:, some] @ self._table[ids[some]].astype(np.float64)
        return sums

    def _sum_of(self, tokens: Sequence[int]) -> NDArray[np.float64]:
        """The same of the tokens of one short text, (dimension,), without anything as long as the vocabulary."""
        found = Counter(tokens)
        ids = np.array([*found], dtype=np.intp)
        times = self._counted(np.array([*found.values()], dtype=np.float64)) * self._weights[ids]
        sums: NDArray[np.float64] = times @ self._table[ids].astype(np.float64)
        return sums

    def _counted(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """What tokens count for that occur so many times."""
        # IEEE 754 rounds roots in one way; below 2^52 the floor is the exact one
        counted: NDArray[np.float64] = np.floor(np.sqrt(times * ONCE**2))
        return counted

    def _tokens_of(self, text: str) -> list[int]:
        return list(islice(chain.from_iterable(map(self._memo.__getitem__, _words_of(text))), MAX_TOKENS))


def _parse_vocabulary(data: bytes) -> dict[str, Any]:
    """The fields of ``encoder.msgpack``, each of its type and in agreement with the others; tokens as a mapping."""
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
    """Takes one map and no second: hostile bytes can hold millions of empty ones."""
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
    """Where the package keeps its own two members, in the order of :data:`MEMBERS`."""
    return _DATA / MEMBERS[0], _DATA / MEMBERS[1]


def notice_path() -> Path:
    """Where the package keeps the licence notice that must go wherever the members go."""
    return _DATA / NOTICE


def default_vocabulary() -> list[str]:
    """The tokens of the package's own table; a token's id is its position."""
    return [*_parse_vocabulary(member_paths()[0].read_bytes())["vocabulary"]]


def default_encoder() -> StaticEncoder:
    """The encoder of the package's own table, checked against its recorded hash and mapped.

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
