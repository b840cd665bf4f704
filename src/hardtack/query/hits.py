"""Ranked candidates in, hits out: each with the lines to show, one for all that say the same; files that come after are named.

Which candidates become hits, and where each lies, is settled at once; what else is told of a hit, its lines among it, is made when
it is read (:mod:`hardtack.deferred`), out of the bundle, which stays mapped as long as there is a hit of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, FileRecord
from hardtack.bundle.wording import Wording
from hardtack.deferred import defer
from hardtack.hashes import blake2b_of
from hardtack.hints import Final
from hardtack.model import Hit, Place, Query
from hardtack.query.collapse import Collapse, Columns, View
from hardtack.query.context import Context, context_of
from hardtack.query.focus import Focus
from hardtack.query.line import Hearsay, Line
from hardtack.query.snippet import Cutter
from hardtack.tuples import NamedTuple

# What no retriever found comes in by its name alone, which is a match of words.
_MATCH_TYPES: Final = {(True, True): "both", (True, False): "keyword", (False, True): "semantic", (False, False): "keyword"}
_PUTS: Final = Hit._puts
_PUT_PATH, _PUT_START, _PUT_END, _PUT_SCORE, _PUT_RANK, _PUT_FILE_RANK, _PUT_FRESHNESS = (
    _PUTS[name] for name in ("path", "start_line", "end_line", "score", "rank", "file_rank", "freshness")
)
_NO_CONTEXT: Final = Context(imports="", related=())


class Gathered(NamedTuple):
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


class _Asked(NamedTuple):
    """What all hits of an answer are made with."""

    cutter: Cutter
    query: Query
    focus: Focus


class _Told(NamedTuple):
    """What tells of all hits of an answer why they are in it."""

    heard: Hearsay
    reasons: Reasons


class _Kept:
    """A candidate that becomes a hit: where it lies, and what the rest of the hit is made of when that is read."""

    number: int
    """Of the hit, from 0 on."""
    told: _Told
    """Known, as the number, when all candidates are."""
    also: tuple[tuple[int, int], ...] = ()
    """Ordinals of the chunks and symbols that say the same."""

    def __init__(self, asked: _Asked, place: int, file: int, ordinal: int, wanted: int) -> None:
        self.asked = asked
        self.place = place
        """In line."""
        self.file = file
        self.ordinal = ordinal
        self.wanted = wanted
        """Ordinal of the symbol that seems to answer, or -1."""

    @property
    def chunk(self) -> ChunkRecord:
        """What was found."""
        return self.asked.cutter.bundle.chunk(self.ordinal)

    @property
    def content(self) -> bytes:
        """The digest of all of the chunk."""
        return self.chunk.content_hash

    @cached_property
    def view(self) -> View:
        """Which lines are shown, worked out when that is first asked for."""
        cutter, query, focus = self.asked
        return cutter.view(query, focus, self.ordinal, self.wanted)

    def wording(self, first: int, last: int) -> Wording:
        """What stands on some lines that may be shown."""
        return self.asked.cutter.wording(self.ordinal, first, last)

    def complete(self, hit: Hit) -> None:
        """Set what was left out of the hit."""
        (cutter, query, _), chunk, view = self.asked, self.chunk, self.view
        snippet = cutter.cut(query, self.ordinal, view)
        bundle = cutter.bundle
        file = bundle.file(chunk.file)
        symbol = bundle.symbol(view.symbol) if view.symbol >= 0 else None
        is_surrounded = query.surroundings and query.smart_context and query.before is None and query.after is None
        context = context_of(bundle, chunk) if is_surrounded else _NO_CONTEXT
        lexical, dense, reasons = self.told.heard(self.number)
        values: dict[str, object] = {
            "chunk_id": _chunk_id(file.path, chunk.start, chunk.end, chunk.content_hash),
            "language": file.language,
            "kind": str(symbol.kind) if symbol else "",
            "name": symbol.name if symbol else "",
            "qualified_name": symbol.qualified_name if symbol else "",
            "signature": symbol.signature if symbol else "",
            "package": symbol.package if symbol else file.package,
            "snippet": snippet.text,
            "match_type": _MATCH_TYPES[lexical is not None, dense is not None],
            "vector_score": None if dense is None else round(dense, 6),
            "keyword_score": None if lexical is None else round(lexical, 6),
            "reasons": (*reasons, *self.told.reasons(chunk.file)),
            **dict.fromkeys(("snippet_start_line", "snippet_end_line", "match_line", "current_start_line", "current_end_line")),
            "selection_line": symbol.selection_line if symbol else None,
            "context_before": snippet.before,
            "context_after": snippet.after,
            "imports": context.imports,
            "related": context.related,
            "also": tuple(_place(bundle, *each) for each in self.also),
            "index_name": "",
        }
        first, last = snippet.start_line, snippet.end_line
        if first <= last:
            values |= {"snippet_start_line": first, "snippet_end_line": last, "match_line": view.match}
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
    columns = _columns(bundle)
    kept, further, is_truncated = _sifted(cutter, query, line, Focus(stems), columns)
    told = _Told(line.hear([each.place for each in kept]), reasons_of([*dict.fromkeys(each.file for each in kept)]))
    file_ranks: dict[int, int] = {}
    hits: list[Hit] = []
    file_of, new_hit, scores, starts, ends = bundle.file, Hit.__new__, line.scores, columns.start_line, columns.end_line
    freshness_of = _freshness_in(checkout)
    for rank, each in enumerate(kept, start=1):
        each.number, each.told = rank - 1, told
        file = file_of(each.file)
        hits.append(hit := new_hit(Hit))
        _PUT_PATH(hit, file.path)
        _PUT_START(hit, starts[each.ordinal])
        _PUT_END(hit, ends[each.ordinal])
        _PUT_SCORE(hit, round(scores[each.place], 6))
        _PUT_RANK(hit, rank)
        _PUT_FILE_RANK(hit, file_ranks.setdefault(each.file, len(file_ranks) + 1))
        _PUT_FRESHNESS(hit, freshness_of(file))
        defer(hit, each.complete)
    if checkout is not None:
        from hardtack.query.worktree import with_current_lines  # and with it what asks git

        hits = with_current_lines(bundle, hits, checkout)
    return Gathered(hits=tuple(hits), further=further, truncated=is_truncated)


def _freshness_in(checkout: Path | None) -> Callable[[FileRecord], str]:
    """What tells of a file whether a checkout has it as it was indexed; without one, it is unknown."""
    if checkout is None:
        return lambda _: "unknown"
    from hardtack.query.freshness import freshness_of

    return lambda file: freshness_of(file, checkout)


def _columns(bundle: Bundle) -> Columns:
    return Columns(*map(bundle.columns.of_chunks, Columns._fields))


def _sifted(
    cutter: Cutter, query: Query, line: Line, focus: Focus, columns: Columns
) -> tuple[list[_Kept], tuple[Place, ...], bool]:
    """The candidates to show, the places to name, and whether any are neither."""
    bundle = cutter.bundle
    kept: list[_Kept] = []
    further: list[Place] = []
    named: set[int] = set()
    collapse: Collapse[_Kept] = Collapse(columns)
    asked, first_chunks = _Asked(cutter, query, focus), bundle.columns.of_files("first_chunk")
    is_truncated = False
    for place, (ordinal, symbol) in enumerate(zip(line.ordinals, line.symbols, strict=True)):
        file = bisect_right(first_chunks, ordinal) - 1
        if len(kept) == query.limit:
            is_truncated = True
            if len(further) == query.further:
                break
            if file not in named:
                named.add(file)
                further.append(_place(bundle, ordinal, symbol))
            continue
        named.add(file)
        each = _Kept(asked, place, file, ordinal, symbol)
        twin = collapse.twin_of(each)
        if twin is None:
            kept.append(each)
        else:
            twin.also = (*twin.also, (ordinal, symbol))
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
    return blake2b_of(f"{path}\0{start}\0{end}\0".encode() + content_hash, size=16)
