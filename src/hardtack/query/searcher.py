"""A query in, an answer out: the whole search, top to bottom.

parse     text and options  -> query                                    request/parse.py
read      text              -> aspects: one, or an issue's two          request/aspects.py
encode    aspects           -> vectors                                  retrieval/encoder.py
retrieve  aspects           -> ranked lists, one for each retriever     retrieval/retrieve.py
fuse      lists             -> pools of chunks                          retrieval/fuse.py
rank      pools             -> candidates, by learned features          ranking/rank.py
filter    candidates        -> those that reach the least score         request/selection.py
gather    candidates        -> hits, with the lines to show             hits/gather.py
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Answer, Mode, Query
from hardtack.query.hits.gather import Gathered, answer_of, candidates_of, gather, widened
from hardtack.query.hits.snippet import SnippetCutter
from hardtack.query.ranking.features import FeatureMaker
from hardtack.query.ranking.model import RankingModels, shipped_models
from hardtack.query.ranking.rank import rank
from hardtack.query.request.analysis import language_names
from hardtack.query.request.answer_cache import AnswerCache
from hardtack.query.request.aspects import read_text
from hardtack.query.request.parse import SearchOptions, parse_request
from hardtack.query.request.selection import Selection
from hardtack.query.retrieval.encoder import QueryEncoder
from hardtack.query.retrieval.fuse import fuse
from hardtack.query.retrieval.retrieve import depth_of, merged, retrieve
from hardtack.query.trace import Trace

if TYPE_CHECKING:
    from hardtack.encoders import Encoder, EncoderSettings
    from hardtack.query.files.stored_files import StoredFiles

KEPT_ANSWERS: Final = 256
"""Answers that a searcher caches; an answer of ten hits takes some 30 KB."""


class Searcher(AbstractContextManager["Searcher"]):
    """Searches one open bundle. A context manager; threads may share one."""

    def __init__(
        self,
        bundle: Bundle,
        *,
        checkout: Path | None = None,
        encoder: EncoderSettings | None = None,
        kept_answers: int = KEPT_ANSWERS,
        ranking: RankingModels | None = None,
    ) -> None:
        """Search an open bundle.

        Args:
            bundle: is closed with the searcher.
            checkout: of the same repository; each hit then says whether it is current there.
            encoder: the user's configuration of encoders outside the bundle; None for none.
            kept_answers: size of the answer cache. With a checkout, which may change, nothing is cached.
            ranking: weights of the features; None for those of the package.
        """
        self.bundle = bundle
        self.checkout = checkout
        self.ranking = ranking or shipped_models()
        self._answers = AnswerCache(0 if checkout else kept_answers)
        self._encoder = QueryEncoder(bundle, encoder)
        self._language_names = language_names(bundle.manifest.languages)
        self._selection = lru_cache(maxsize=16)(partial(Selection, bundle))
        self._cutter = SnippetCutter(bundle)

    def __repr__(self) -> str:
        from hardtack.nouns.notebook import brief

        counts = self.bundle.manifest.counts
        return brief("Searcher", self.bundle.name, self.bundle.digest[:19], f"{counts.files} files, {counts.symbols} symbols")

    def search(self, text: str, **options: Unpack[SearchOptions]) -> Answer:
        """Find the chunks that best match ``text``: a name, a qualified name, or words.

        Args:
            text: at most 65,536 characters; a pasted issue is read as one.
            options: mode, limit, filters and what to show.

        Raises:
            UsageError: an option is invalid, or the bundle has no vectors and the mode needs them.
        """
        return self.answer(parse_request(self.bundle, text, **options))

    def answer(self, query: Query) -> Answer:
        """The answer to a query of :func:`parse_request`, from the cache if possible."""
        if (cached := self._answers.get(query)) is not None:
            return cached
        answer, trace = self.traced(query)
        if not trace.degraded:  # an encoder service that failed may work the next time
            self._answers.put(query, answer)
        return answer

    def traced(self, query: Query) -> tuple[Answer, Trace]:
        """The answer to a query, never from the cache, and the trace of its stages."""
        reading = read_text(self.bundle, query.text, self._language_names)
        trace = Trace(query, reading, was_cached=query in self._answers)
        selection = self._selection(query.filters)
        trace.lap("query_analysis")
        texts = [aspect.encoded for aspect in reading.aspects]
        trace.vectors, trace.degraded = self._encoder.vectors_of(query, texts, trace.lap)

        def attempt(factor: int) -> Gathered:
            """Search ``factor`` times the usual number of chunks."""
            depth = factor * depth_of(query)
            found = retrieve(self.bundle, query, reading.aspects, selection, trace.vectors, depth, trace.lap)
            trace.lists = merged(found)
            trace.pool = fuse(trace.lists)
            trace.lap("fusion")
            if query.mode is Mode.VECTOR:
                trace.ranked = trace.pool.candidates()
            else:
                model, count = self.ranking.of(reading), factor * candidates_of(query)
                pools = [fuse(lists) for lists in found]
                trace.ranking = rank(self.features, model, reading, pools, trace.pool, selection, count, factor)
                trace.ranked = trace.ranking.candidates
            trace.lap("ranking")
            trace.filtered = selection.filtered(trace.ranked, query.min_score)
            gathered = gather(self._cutter, trace, self.checkout)
            trace.lap("hits")
            return gathered

        gathered = widened(attempt, trace, chunks=self.bundle.manifest.counts.chunks)
        return answer_of(self.bundle, gathered, trace), trace

    @cached_property
    def features(self) -> FeatureMaker:
        """The maker of feature tables; made at the first search that ranks."""
        return FeatureMaker(self.bundle)

    @cached_property
    def files(self) -> StoredFiles:
        """The files of the bundle, to list, read and search by line."""
        from hardtack.query.files.stored_files import StoredFiles  # not needed by a search

        return StoredFiles(self.bundle)

    @property
    def encoder(self) -> Encoder:
        """The encoder of queries: the bundle's own, or the configured one if it is the bundle's.

        Raises:
            HardtackError: there is none.
        """
        return self._encoder.encoder

    def close(self) -> None:
        """Close the bundle."""
        self.bundle.close()

    def __exit__(self, *_: object) -> None:
        self.close()
