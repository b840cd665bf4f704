"""A query in, an answer out: the whole search, top to bottom.

request   text        -> query                            request.py
retrieve  query       -> one ranked list a retriever      retrieve.py
fuse      lists       -> one pool of chunks               fuse.py
rank      pool        -> candidates, by what was learned  rank.py
filter    candidates  -> those that reach the least score
hits      candidates  -> hits, with the lines to show     hits.py
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, Unpack

from hardtack.bundle import reader
from hardtack.bundle.reader import Bundle, Check
from hardtack.nouns.model import Answer, Candidate, Mode, Query
from hardtack.query.hits.gather import Gathered, candidates_of, hits_of, widened
from hardtack.query.hits.snippet import Cutter
from hardtack.query.ranking.features import FeatureMaker
from hardtack.query.ranking.model import RankingModels, shipped_models
from hardtack.query.ranking.rank import rank
from hardtack.query.request.analysis import analyse, language_names
from hardtack.query.request.answer_cache import AnswerCache
from hardtack.query.request.parse import SearchOptions, parse_request
from hardtack.query.request.selection import Selection
from hardtack.query.retrieval.encoder import QueryEncoder
from hardtack.query.retrieval.fuse import fuse
from hardtack.query.retrieval.retrieve import depth_of, retrieve
from hardtack.query.trace import Trace

if TYPE_CHECKING:
    from hardtack.encoders import Encoder, EncoderSettings
    from hardtack.query.files.stored_files import StoredFiles

KEPT_ANSWERS: Final = 256
"""Answers a searcher keeps; an answer of ten hits takes some 30 KB."""


def open_bundle(
    path: str | Path,
    *,
    check: Check = "hashes",
    digest: str | None = None,
    checkout: Path | None = None,
    encoder: EncoderSettings | None = None,
) -> Searcher:
    """Verify the bundle at ``path`` and open it for searching.

    Args:
        path: the bundle's directory.
        check: ``hashes`` hashes every member; ``sizes`` is for bundles that were hashed when they were installed.
        digest: refuse any bundle but the one of this digest.
        checkout: a checkout of the same repository; each hit then says whether it is still current there.
        encoder: what to make queries' vectors with where the bundle does not carry that itself; None has nothing but the package.

    Raises:
        BundleError: there is no bundle there, or it is not what its manifest says.
    """
    return Searcher(reader.open_bundle(Path(path), check=check, digest=digest), checkout=checkout, encoder=encoder)


class Searcher:
    """Answers queries from one open bundle. Usable as a context manager; safe to share between threads."""

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
            bundle: closed with this.
            checkout: a checkout of the same repository; each hit then says whether it is still current there.
            encoder: what to make queries' vectors with where the bundle does not carry that itself.
            kept_answers: so many are kept, to be given again; 0 makes each anew. With a checkout, which may change, none are.
            ranking: what features count for; None takes the models that the package carries.
        """
        self.bundle = bundle
        self.checkout = checkout
        """Against which hits are held; None without one."""
        self.ranking = ranking or shipped_models()
        self._answers = AnswerCache(0 if checkout else kept_answers)
        self._encoder = QueryEncoder(bundle, encoder)
        self._language_names = language_names(bundle.manifest.languages)
        self._selection = lru_cache(maxsize=16)(partial(Selection, bundle))
        self._cutter = Cutter(bundle)

    def search(self, text: str, **options: Unpack[SearchOptions]) -> Answer:
        """The chunks that best answer ``text``: a name, a qualified name, or words.

        Args:
            text: at most 10,000 characters.
            options: mode, limit, filters and what to show, as :class:`SearchOptions` says.

        Raises:
            UsageError: ``parse_request`` refuses the request, or vectors are asked of a bundle that has none.
        """
        return self.answer(parse_request(self.bundle, text, **options))

    def answer(self, query: Query, trace: Trace | None = None) -> Answer:
        """The answer to a query that :func:`parse_request` has checked; one that was given a while ago is given again.

        Args:
            query: what is asked.
            trace: where the stages are to write down what they did; the answer is then made anew in any case.
        """
        if trace is not None:
            trace.was_kept = query in self._answers
            trace.lap("cache_check")
            return self._search(query, trace)
        if (kept := self._answers.get(query)) is not None:
            return kept
        trace = Trace()
        answer = self._search(query, trace)
        if not trace.degraded:  # a service that is away may be back
            self._answers.put(query, answer)
        return answer

    def _search(self, query: Query, trace: Trace) -> Answer:
        trace.query, trace.analysis = query, analyse(query.text, self._language_names)
        selection = self._selection(query.filters)
        trace.lap("query_analysis")
        trace.vector, trace.degraded = self._encoder.vector_of(query, trace.lap)

        def search(factor: int) -> Gathered:
            trace.found = retrieve(self.bundle, query, trace.analysis, selection, trace.vector, factor * depth_of(query), trace.lap)
            trace.pool = fuse(trace.found)
            trace.lap("fusion")
            if query.mode is Mode.VECTOR:
                trace.ranked = trace.pool.candidates()
            else:
                model, count = self.ranking.of(trace.analysis), factor * candidates_of(query)
                trace.ranking = rank(self.features, model, trace.analysis, trace.pool, selection, count, factor)
                trace.ranked = trace.ranking.candidates
            trace.lap("ranking")
            trace.filtered = _filtered(trace.ranked, query, selection)
            reasons_of_file = trace.ranking.reasons_of if trace.ranking else lambda _: ()
            found = hits_of(self._cutter, query, trace.filtered, reasons_of_file, trace.analysis.stems.values(), self.checkout)
            trace.lap("hits")
            return found

        found = widened(search, query, trace, chunks=self.bundle.manifest.counts.chunks)
        return Answer(
            query=query.text,
            mode=query.mode,
            hits=found.hits,
            truncated=found.truncated,
            hint=trace.degraded if found.hits else _hint_for_nothing(selection, trace),
            bundle_digest=self.bundle.digest,
            bundle_commit=self.bundle.manifest.provenance.commit,
            bundle_name=self.bundle.name,
            further=found.further,
        )

    @cached_property
    def features(self) -> FeatureMaker:
        """What makes the features of this bundle's files."""
        return FeatureMaker(self.bundle)

    @cached_property
    def files(self) -> StoredFiles:
        """The files of this bundle, to be listed, read and looked through."""
        from hardtack.query.files.stored_files import StoredFiles  # a search does without

        return StoredFiles(self.bundle)

    @property
    def encoder(self) -> Encoder:
        """The encoder of queries: the bundle's own, or one that was set up and is the bundle's.

        Raises:
            HardtackError: there is none.
        """
        return self._encoder.encoder

    def close(self) -> None:
        """Close the bundle."""
        self.bundle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _filtered(ranked: Sequence[Candidate], query: Query, selection: Selection) -> Sequence[Candidate]:
    """The candidates that reach the least score, each about a symbol that passes where one must."""
    if query.min_score:
        ranked = [each for each in ranked if round(each.score, 6) >= query.min_score]
    return [selection.about(each) for each in ranked] if selection.is_about_symbols else ranked


def _hint_for_nothing(selection: Selection, trace: Trace) -> str:
    """What to try when there is no hit."""
    if trace.ranked:
        return f"Nothing scores {trace.query.min_score} or more; the best scores {trace.ranked[0].score:.3f}."
    nothing = "Nothing found; try other words." if selection.is_everything else "Nothing found; try fewer filters."
    return f"{nothing} {trace.degraded}".strip()
