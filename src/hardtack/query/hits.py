"""Ranked candidates in, hits out: each with the lines to show, one for all that say the same; files that come after are named.

Which candidates become hits, and where each lies, is settled at once; what else is told of a hit, its lines among it, is made when
it is read (:mod:`hardtack.deferred`), out of the bundle, which stays mapped as long as there is a hit of it.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from hardtack.bundle.reader import Bundle
from hardtack.deferred import defer
from hardtack.model import Hit, Place, Query
from hardtack.query.collapse import Bounds, Collapse
from hardtack.query.context import Context, context_of
from hardtack.query.focus import Focus
from hardtack.query.freshness import freshness_of
from hardtack.query.line import Heard, Line
from hardtack.query.snippet import Cutter, Snippet
from hardtack.query.worktree import with_current_lines

# What no retriever found comes in by its name alone, which is a match of words.
_MATCH_TYPES: Final = {(True, True): "both", (True, False): "keyword", (False, True): "semantic", (False, False): "keyword"}
_PUTS: Final = {each.name: getattr(Hit, each.name).__set__ for each in fields(Hit)}
"""What sets each field of a hit. The constructor of a frozen class asks for its fields' names, which takes twice as long."""
_AT_ONCE: Final = tuple(_PUTS[name] for name in ("path", "start_line", "end_line", "score", "rank", "file_rank", "freshness"))
_NO_CONTEXT: Final = Context(imports="", related=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What an answer is made of."""

    hits: tuple[Hit, ...]
    further: tuple[Place, ...]
    """The best place of each file that comes after the hits."""
    truncated: bool
    """Candidates were left out that no hit stands for."""


Reasons = Callable[[int], Sequence[str]]
"""Why a file ranks where it does."""


def no_reasons(_: Sequence[int]) -> Reasons:
    """Of files that were not ranked."""
    return lambda _: ()


class _Told(NamedTuple):
    """What is told of a hit beside what it shows."""

    heard: Heard
    reasons: Reasons
    is_surrounded: bool


class _Kept:
    """A candidate that becomes a hit: where it lies, and what the rest of the hit is made of when that is read."""

    __slots__ = ("_cut", "also", "chunk", "cutter", "file", "focus", "ordinal", "query", "told", "wanted")

    told: _Told
    """Known when all candidates are."""

    def __init__(self, cutter: Cutter, query: Query, focus: Focus, ordinal: int, wanted: int) -> None:
        self.cutter = cutter
        self.query = query
        self.focus = focus
        self.ordinal = ordinal
        self.wanted = wanted
        """Ordinal of the symbol that seems to answer, or -1."""
        self.chunk = cutter.bundle.chunk(ordinal)
        self.file = self.chunk.file
        self.also: list[tuple[int, int]] = []
        """Ordinals of the chunks and symbols that say the same."""
        self._cut: Snippet | None = None

    @property
    def bounds(self) -> Bounds:
        """What may be shown; where that is not known, what is."""
        bounds = self.cutter.bounds_of(self.query, self.ordinal)
        if bounds is None:
            chunk = self.chunk
            first, last = min(chunk.start_line, self.first), max(chunk.end_line, self.last)
            return Bounds(first, last, first, last, ((self.name, self.last - self.first + 1),))
        return bounds

    @property
    def snippet(self) -> Snippet:
        """What is shown, cut when it is first asked for."""
        if self._cut is None:
            self._cut = self.cutter.cut(self.query, self.focus, self.ordinal, self.wanted)
        return self._cut

    @property
    def first(self) -> int:
        """First of the lines that are shown."""
        return self.snippet.start_line

    @property
    def last(self) -> int:
        """Last of them."""
        return self.snippet.end_line

    @property
    def match(self) -> int:
        """The line that answers."""
        return self.snippet.match_line

    @property
    def symbol(self) -> int:
        """Ordinal of the symbol that answers, or -1."""
        return self.snippet.symbol

    @property
    def name(self) -> str:
        """Of that symbol."""
        return self.cutter.bundle.symbol(self.symbol).name if self.symbol >= 0 else ""

    @property
    def text(self) -> str:
        """The lines that are shown."""
        return self.cutter.text_of(self.snippet, self.ordinal)

    def complete(self, hit: Hit) -> None:
        """Set what was left out of the hit."""
        bundle, chunk, snippet = self.cutter.bundle, self.chunk, self.snippet
        file = bundle.file(chunk.file)
        symbol = bundle.symbol(self.symbol) if self.symbol >= 0 else None
        heard, reasons, is_surrounded = self.told
        context = context_of(bundle, chunk) if is_surrounded else _NO_CONTEXT
        lexical, dense = heard.lexical, heard.dense
        values: dict[str, object] = {
            "chunk_id": _chunk_id(file.path, chunk.start, chunk.end, chunk.content_hash),
            "language": file.language,
            "kind": str(symbol.kind) if symbol else "",
            "name": symbol.name if symbol else "",
            "qualified_name": symbol.qualified_name if symbol else "",
            "signature": symbol.signature if symbol else "",
            "package": symbol.package if symbol else file.package,
            "snippet": self.text,
            "match_type": _MATCH_TYPES[lexical is not None, dense is not None],
            "vector_score": None if dense is None else round(dense, 6),
            "keyword_score": None if lexical is None else round(lexical, 6),
            "reasons": (*heard.reasons, *reasons(chunk.file)),
            **dict.fromkeys(("snippet_start_line", "snippet_end_line", "match_line", "current_start_line", "current_end_line")),
            "selection_line": symbol.selection_line if symbol else None,
            "context_before": snippet.before,
            "context_after": snippet.after,
            "imports": context.imports,
            "related": context.related,
            "also": tuple(_place(bundle, *each) for each in self.also),
        }
        if self.first <= self.last:
            values |= {"snippet_start_line": self.first, "snippet_end_line": self.last, "match_line": self.match}
        for name, value in values.items():
            _PUTS[name](hit, value)


def hits_of(
    cutter: Cutter,
    query: Query,
    line: Line,
    reasons_of: Callable[[Sequence[int]], Reasons],
    stems: Iterable[str],
    checkout: Path | None,
) -> Gathered:
    """The first ``query.limit`` of the candidates that do not repeat one before them, and what comes after.

    Args:
        cutter: of the text of the bundle that holds what is shown.
        query: says how much.
        line: the candidates.
        reasons_of: gives what tells of each of some files why it ranks where it does.
        stems: of the words the query is about; they choose the lines.
        checkout: a checkout that each hit is compared with, or None.
    """
    bundle = cutter.bundle
    if bundle.has_text:
        _ = bundle.text  # mapped from now on: a hit may be read when the bundle is closed
    kept, further, is_truncated = _sifted(cutter, query, line, Focus(stems))
    is_surrounded = query.surroundings and query.smart_context and query.before is None and query.after is None
    reasons = reasons_of([*dict.fromkeys(each.file for _, each in kept)])
    file_ranks: dict[int, int] = {}
    hits: list[Hit] = []
    for number, each in kept:
        each.told = _Told(line.hear(number), reasons, is_surrounded)
        file, chunk = bundle.file(each.file), each.chunk
        file_rank = file_ranks.setdefault(each.file, len(file_ranks) + 1)
        freshness = freshness_of(file, checkout)
        values = (file.path, chunk.start_line, chunk.end_line, round(line.scores[number], 6), len(hits) + 1, file_rank, freshness)
        hit = Hit.__new__(Hit)
        for put, value in zip(_AT_ONCE, values, strict=True):
            put(hit, value)
        defer(hit, each.complete)
        hits.append(hit)
    return Gathered(hits=with_current_lines(bundle, hits, checkout), further=further, truncated=is_truncated)


def _sifted(cutter: Cutter, query: Query, line: Line, focus: Focus) -> tuple[list[tuple[int, _Kept]], tuple[Place, ...], bool]:
    """The candidates to show with their places in line, the places to name, and whether any are neither."""
    bundle = cutter.bundle
    kept: list[tuple[int, _Kept]] = []
    further: list[Place] = []
    named: set[int] = set()
    contents: dict[bytes, _Kept] = {}
    collapse = Collapse()
    is_truncated = False
    for number, (ordinal, symbol) in enumerate(zip(line.ordinals, line.symbols, strict=True)):
        if len(kept) == query.limit:
            is_truncated = True
            if len(further) == query.further:
                break
            file = bisect_right(bundle.file_column("first_chunk"), ordinal) - 1
            if file not in named:
                named.add(file)
                further.append(_place(bundle, ordinal, symbol))
            continue
        chunk = bundle.chunk(ordinal)
        named.add(chunk.file)
        twin = contents.get(chunk.content_hash)
        if twin is None:
            each = _Kept(cutter, query, focus, ordinal, symbol)
            place = collapse.twin_of(each, each.bounds)
            if place is None:
                kept.append((number, each))
                contents[chunk.content_hash] = each
            else:
                twin = kept[place][1]
        if twin is not None:
            twin.also.append((ordinal, symbol))
    return kept, tuple(further), is_truncated


def _place(bundle: Bundle, ordinal: int, symbol: int) -> Place:
    """Where a candidate lies: its symbol, or else the first that starts in its chunk, or the beginning of that."""
    chunk = bundle.chunk(ordinal)
    path = bundle.file(chunk.file).path
    if symbol < 0:
        if not chunk.symbol_count:
            return Place(path=path, line=chunk.start_line)
        symbol = chunk.first_symbol
    named = bundle.symbol(symbol)
    line = named.selection_line
    return Place(path=path, line=line, kind=str(named.kind), name=named.name, qualified_name=named.qualified_name)


@lru_cache(maxsize=1 << 12)
def _chunk_id(path: str, start: int, end: int, content_hash: bytes) -> str:
    """Names one chunk of one file's content, in any bundle: 32 hex digits."""
    return hashlib.blake2b(f"{path}\0{start}\0{end}\0".encode() + content_hash, digest_size=16).hexdigest()
