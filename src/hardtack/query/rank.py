"""A pool of chunks in, candidates out, best first, each with reasons: files by what was learned, chunks within their files.

What a person looks for is mostly one file, and in it one place. So files are scored first (:mod:`hardtack.query.features` says what
speaks for each, :mod:`hardtack.query.ranking` what that counts for), then the chunks of a file stand in line behind its best. One
rule stands above what is learned: a chunk that defines exactly what was typed comes before one that defines it in other case, and
both come before all that merely mention it: the name of a thing leads to the thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.names import Family, words_of
from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import SymbolName
from hardtack.bundle.relations import NOTHING
from hardtack.model import FUNCTIONS, Candidate, Kind
from hardtack.query.analysis import Analysis, qualified
from hardtack.query.features import FEATURES, FeatureMaker, FileTable
from hardtack.query.filters import Selection
from hardtack.query.fuse import Pool
from hardtack.query.ranking import RankingModel
from hardtack.terms import whole_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Where the scores of definitions of the typed name begin, and how far they reach; everything else scores below.
SAME_NAME: Final = 0.96
SAME_NAME_JOINED: Final = 0.93
"""For a name that is the query's once its parts are joined by dots: ``Context::JSON`` asks for ``Context.JSON``."""
SAME_NAME_FOLDED: Final = 0.90
_STEP: Final = 0.03

# Of two symbols with the same name, the one that is more of a definition.
_WEAK_KINDS = frozenset({Kind.KEY, Kind.SECTION, Kind.VARIABLE, Kind.FIELD, Kind.PROPERTY, Kind.ELEMENT, Kind.NAMESPACE})
WEAK_FACTOR: Final = 0.5
_LONGEST_DECLARATION: Final = 2000  # bytes
BODILESS: Final = 0.3
"""Factor of a declaration that has the typed name: below any definition that has it."""
_MOST_DEFINITIONS: Final = 500
"""Of one name that are looked at."""

# How a file's chunks stand in line: by what the retrievers say of each, and whether it holds the symbol that is named best.
# Set by hand; only their order within a file depends on the first three.
LEXICAL_SHARE: Final = 1.0
DENSE_SHARE: Final = 0.5
NAMED_SHARE: Final = 1.0
NEXT_IN_FILE: Final = 1.5
"""How far in score each further chunk of a file stands behind the one before it, and more where it is weaker."""

_REASONS: Final = 3
"""Features at most that a hit's reasons name."""
_LEAST_SAID: Final = 0.2
"""What a feature must add to be named."""


@dataclass(frozen=True, slots=True)
class _Definition:
    """A symbol that the query names as a whole."""

    floor: float
    factor: float
    how: str
    symbol: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """The candidates, best first, and the table they were ranked by: what explaining a ranking asks."""

    candidates: Sequence[Candidate]
    """Their reasons so far are what they define; :meth:`reasons` has the rest."""
    table: FileTable
    added: NDArray[np.float64]
    """(files, features), what each feature added to each file's score."""

    def reasons(self, file: int) -> list[str]:
        """The features that speak most for a file, in words, with what each adds; none for a file that was not scored."""
        place = int(np.searchsorted(self.table.files, file))
        if place == len(self.table.files) or self.table.files[place] != file:
            return []
        added = self.added[place].tolist()
        most = sorted(range(len(added)), key=added.__getitem__, reverse=True)[:_REASONS]
        return [f"{FEATURES[feature].replace('_', ' ')} +{added[feature]:.1f}" for feature in most if added[feature] >= _LEAST_SAID]


def rank(
    maker: FeatureMaker, model: RankingModel, bundle: Bundle, analysis: Analysis, pool: Pool, selection: Selection, count: int
) -> Ranked:
    """The ``count`` best chunks.

    Args:
        maker: of the bundle's features.
        model: what they count for.
        bundle: where the chunks lie.
        analysis: of the query.
        pool: what the retrievers found.
        selection: what may answer.
        count: candidates at most.
    """
    table = maker.table(analysis, pool, selection.files)
    scores = model.scores(table.values)
    chunk_of = bundle.symbol_column("chunk")
    definitions = {chunk_of[each.symbol]: each for each in _definitions(bundle, analysis) if chunk_of[each.symbol] != NOTHING}
    line = _Line(maker, bundle, pool, table, scores, [chunk for chunk in definitions if selection.passes(chunk)], selection)
    chances = model.chances(line.scores, scores)
    finals = SAME_NAME_FOLDED * chances
    for place, chunk in enumerate(line.chunks.tolist()):
        if chunk in definitions:
            named = definitions[chunk]
            finals[place] = named.floor + _STEP * named.factor * chances[place]
    order = np.lexsort((line.chunks, -finals))[:count]
    candidates = [line.candidate(place, float(finals[place]), definitions) for place in order.tolist()]
    return Ranked(candidates, table, model.contributions(table.values))


class _Line:
    """The chunks of the candidate files, each with a score: its file's, less the further back it stands in its file."""

    def __init__(
        self,
        maker: FeatureMaker,
        bundle: Bundle,
        pool: Pool,
        table: FileTable,
        scores: NDArray[np.float64],
        defining: Sequence[int],
        selection: Selection,
    ) -> None:
        self._bundle, self._pool, self._table = bundle, pool, table
        self._named = self._chunks_named(selection)
        extra = np.array(sorted({*self._named, *defining}), dtype=np.int64)
        self.chunks = np.union1d(pool.ordinals, extra)
        files = maker.files_of_chunks(self.chunks)
        self._rows = np.searchsorted(table.files, files)
        self._rows[self._rows == len(table.files)] = 0
        known = table.files[self._rows] == files if len(table.files) else np.zeros(len(files), dtype=bool)
        wanted = known | np.isin(self.chunks, defining)
        self.chunks, self._rows, known = self.chunks[wanted], self._rows[wanted], known[wanted]
        self._places = {chunk: place for place, chunk in enumerate(pool.ordinals.tolist())}
        least = scores.min(initial=0.0)
        of_files = np.where(known, scores[self._rows] if len(scores) else 0.0, least)
        self.scores = of_files - self._steps_behind(files[wanted])

    def _chunks_named(self, selection: Selection) -> dict[int, tuple[int, float]]:
        """Chunk to the symbol in it that is named best of its file, and how well."""
        chunk_of = self._bundle.symbol_column("chunk")
        named: dict[int, tuple[int, float]] = {}
        for symbol, match in self._table.symbol_matches.items():
            chunk = chunk_of[symbol]
            if chunk != NOTHING and selection.passes(chunk):
                named[chunk] = (symbol, match)
        return named

    def _steps_behind(self, files: NDArray[np.int64]) -> NDArray[np.float64]:
        strengths = np.zeros(len(self.chunks))
        pool = self._pool
        lexical, dense = pool.lexical.max(initial=0.0) or 1.0, pool.dense.max(initial=0.0) or 1.0
        of_pool = np.searchsorted(self.chunks, pool.ordinals)
        of_pool[of_pool == len(self.chunks)] = 0
        inside = self.chunks[of_pool] == pool.ordinals if len(self.chunks) else np.zeros(0, dtype=bool)
        strengths[of_pool[inside]] = (LEXICAL_SHARE * pool.lexical / lexical + DENSE_SHARE * pool.dense / dense)[inside]
        for place, chunk in enumerate(self.chunks.tolist()):
            if chunk in self._named:
                strengths[place] += NAMED_SHARE * self._named[chunk][1]
        order = np.lexsort((self.chunks, -strengths, files))
        number = np.arange(len(order)) - np.searchsorted(files[order], files[order])
        steps = np.zeros(len(order))
        best = strengths[order][np.arange(len(order)) - number]
        steps[order] = np.where(number > 0, NEXT_IN_FILE * number + best - strengths[order], 0.0)
        return steps

    def candidate(self, place: int, score: float, definitions: Mapping[int, _Definition]) -> Candidate:
        """The chunk at a place of the line."""
        chunk = self.chunks.item(place)
        reasons: tuple[str, ...] = ()
        symbol = -1
        if chunk in definitions:
            named = definitions[chunk]
            symbol = named.symbol
            reasons = (f"{named.how} {_described(self._bundle, symbol)}",)
        elif chunk in self._named:
            symbol = self._named[chunk][0]
            reasons = (f"is named like {_described(self._bundle, symbol)}",)
        at = self._places.get(chunk)
        if at is None:
            return Candidate(ordinal=chunk, score=score, symbol=symbol, reasons=reasons)
        return self._pool.candidate(at, score, symbol, reasons)


def _described(bundle: Bundle, symbol: int) -> str:
    named = bundle.symbol_name(symbol)
    return f"{named.kind.value} {named.qualified_name}"


def _definitions(bundle: Bundle, analysis: Analysis) -> Iterator[_Definition]:
    """The symbols that the whole query names, worst first, so that of several in one chunk the best is kept."""
    whole = analysis.whole
    is_end = not (whole[:1].isalnum() or whole[:1] == "_")  # ``.card`` and ``::after`` ask for the end of a longer name
    joined = whole if is_end else qualified(whole)
    found: list[_Definition] = []
    index = bundle.names
    keys = [(Family.WHOLE, whole_name(whole)), (Family.WHOLE, whole_name(joined.rpartition(".")[2]))]
    if is_end:
        keys += [(Family.PART, word) for word in words_of(whole)[-1:]]
    symbols: dict[int, None] = {}
    for family, word in keys:
        row = index.row(word) if word else -1
        if row >= 0:
            symbols |= dict.fromkeys(index.postings(family, row)[:_MOST_DEFINITIONS].tolist())
    for symbol in symbols:
        named = bundle.symbol_name(symbol)
        floor, how = _naming(whole, joined, named, is_end=is_end)
        if floor:
            factor = WEAK_FACTOR if named.kind in _WEAK_KINDS else 1.0
            if _is_bodiless(bundle, named.kind, symbol):
                factor, how = BODILESS, "declares"
            found.append(_Definition(floor, factor, how, symbol))
    yield from sorted(found, key=lambda each: (each.floor, each.factor, -each.symbol))


def _naming(whole: str, joined: str, named: SymbolName, *, is_end: bool) -> tuple[float, str]:
    """Where the score of a symbol begins that the query names, and in what way; 0 for one that it does not name."""
    if whole in (named.name, named.qualified_name):
        return SAME_NAME, "defines"
    is_ended_so = named.name.endswith(whole) if is_end else named.qualified_name.endswith(f".{joined}")
    if is_ended_so or joined in (named.name, named.qualified_name):
        return SAME_NAME_JOINED, "defines"
    if not {whole.lower(), joined.lower()}.isdisjoint(named.folded):
        return SAME_NAME_FOLDED, "defines, in other case,"
    return 0.0, ""


def _is_bodiless(bundle: Bundle, kind: Kind, ordinal: int) -> bool:
    """Whether a function is only declared: its text is its signature, as a C prototype's is. Asked of exact matches alone."""
    if kind not in FUNCTIONS or not bundle.has_text:
        return False
    symbol = bundle.symbol(ordinal)
    if symbol.span.end - symbol.span.start > _LONGEST_DECLARATION:
        return False
    text = bundle.text_of(bundle.file(symbol.file), symbol.span.start, symbol.span.end).decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("; ") == symbol.signature
