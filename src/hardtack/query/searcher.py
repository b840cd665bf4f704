"""A query in, an answer out: the whole search, top to bottom.

ask        text        -> query                            asking.py
retrieve   query       -> one ranked list a retriever      retrieve.py
fuse       lists       -> one pool of chunks               fuse.py
rank       pool        -> candidates, by what was learned  rank.py
gather     candidates  -> hits, with the lines to show     hits.py
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import TracebackType

from hardtack.bundle import reader
from hardtack.bundle.reader import Bundle, Check
from hardtack.errors import NO_ENCODER, EncoderUnavailable, HardtackError
from hardtack.hints import TYPE_CHECKING, Self, Unpack
from hardtack.locks import Lock
from hardtack.model import Answer, Hit, Mode, Query
from hardtack.query.analysis import analyse, language_names
from hardtack.query.asking import SearchOptions, ask, no_vectors
from hardtack.query.features import FeatureMaker
from hardtack.query.filters import Selection, filters_of, select
from hardtack.query.fuse import fuse
from hardtack.query.hits import Gathered, hits_of, no_reasons
from hardtack.query.line import Line
from hardtack.query.rank import rank
from hardtack.query.ranking import RankingModels, shipped_models
from hardtack.query.retrieve import Found, depth_of, retrieve
from hardtack.query.snippet import Cutter
from hardtack.query.trace import Trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders import Encoder, EncoderSettings
    from hardtack.query.files import StoredFiles

_PER_HIT, _SPARE = 3, 50
"""Candidates that are ranked out for each hit, and besides: some say the same as others, and files that come after are named."""

_WIDER = (1, 8, 64)
"""How many times as much is looked at, until there are as many hits as were asked for: a tree may hold a file a hundred times."""

KEPT_ANSWERS = 256
"""Answers a searcher keeps: an agent asks the same again, an answer of ten hits takes some 30 KB."""


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


def check_everything(bundle: Bundle) -> None:
    """Beyond the hashes: follow every row, and have each engine and the encoder open its members.

    Raises:
        BundleError: something in the bundle is not what its format, or its manifest, says.
    """
    bundle.check_records()
    _ = bundle.lexical
    if bundle.has_vectors:
        from hardtack.query.encoder import check_encoder

        _ = bundle.vectors
        check_encoder(bundle)


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
        self._encoder_settings = encoder
        self._kept_answers = 0 if checkout else kept_answers
        self._answers: dict[Query, Answer] = {}
        self._lock = Lock()
        self._language_names = language_names(bundle.manifest.languages)
        self._selection = lru_cache(maxsize=16)(partial(select, bundle))
        self._cutter = Cutter(bundle)

    def search(self, text: str, **options: Unpack[SearchOptions]) -> Answer:
        """The chunks that best answer ``text``: a name, a qualified name, or words.

        Args:
            text: at most 10,000 characters.
            options: mode, limit, filters and what to show, as :class:`SearchOptions` says.

        Raises:
            UsageError: :func:`ask` refuses the request, or vectors are asked of a bundle that has none.
        """
        return self.answer(ask(self.bundle, text, **options))

    def answer(self, query: Query, trace: Trace | None = None) -> Answer:
        """The answer to a query that :func:`ask` has checked; one that was given a while ago is given again.

        Args:
            query: what is asked.
            trace: where the stages are to write down what they did; the answer is then made anew in any case.
        """
        if trace is not None:
            trace.was_kept = query in self._answers
            trace.lap("cache_check")
            return self._answer(query, trace)
        with self._lock:
            answer = self._answers.pop(query, None)
        trace = Trace()
        answer = answer or self._answer(query, trace)
        if self._kept_answers and not trace.degraded:  # a service that is away may be back
            with self._lock:
                self._answers[query] = answer  # the latest is last, so the first is the one to drop
                if len(self._answers) > self._kept_answers:
                    del self._answers[next(iter(self._answers))]
        return answer

    def _answer(self, query: Query, trace: Trace) -> Answer:
        trace.query, trace.analysis = query, analyse(query.text, self._language_names)
        selection = self._selection(filters_of(query))
        trace.lap("query_analysis")
        for times in _WIDER:
            found = self._gathered(query, selection, trace, times)
            if len(found.hits) == query.limit or not self._has_more(query, trace, times):
                break
        return Answer(
            query=query.text,
            mode=query.mode,
            hits=found.hits,
            truncated=found.truncated,
            hint=_hint(found.hits, selection, trace),
            bundle_digest=self.bundle.digest,
            bundle_commit=self.bundle.manifest.provenance.commit,
            bundle_name=self.bundle.name,
            further=found.further,
        )

    def _gathered(self, query: Query, selection: Selection, trace: Trace, times: int) -> Gathered:
        """What is found among so many times the chunks that are looked at by rule."""
        trace.found = self.retrieved(query, selection, trace, times)
        trace.pool = fuse(trace.found)
        trace.lap("fusion")
        if query.mode is Mode.VECTOR:
            trace.ranked = Line.of(trace.pool.candidates())
        else:
            model, count = self.ranking.of(trace.analysis), times * _ranked_out(query)
            ranked = rank(self.features, model, trace.analysis, trace.pool, selection, count, times)
            trace.ranked, trace.ranking = ranked.candidates, ranked
        trace.lap("ranking")
        trace.sufficing = _sufficing(trace.ranked, query, selection)
        stems = trace.analysis.stems.values()
        reasons_of = trace.ranking.reasons_of if trace.ranking else no_reasons
        found = hits_of(self._cutter, query, trace.sufficing, reasons_of, stems, self.checkout)
        trace.lap("hits")
        return found

    def _has_more(self, query: Query, trace: Trace, times: int) -> bool:
        """Whether chunks were left out that might be hits, all that were looked at being copies of too few."""
        if len(trace.sufficing) < len(trace.ranked):
            return False  # the least that was looked at does not reach the score that was asked for
        depth = times * depth_of(query)
        is_cut = depth < self.bundle.manifest.counts.chunks and any(len(found.ordinals) >= depth for found in trace.found.values())
        return is_cut or (query.mode is not Mode.VECTOR and len(trace.ranked) >= times * _ranked_out(query))

    def retrieved(self, query: Query, selection: Selection, trace: Trace, times: int = 1) -> dict[str, Found]:
        """What each retriever finds. Without an encoder a hybrid search goes on by keyword, and the trace says why.

        Args:
            query: what is asked.
            selection: what may answer.
            trace: has its analysis, and takes down what happens.
            times: how many times the usual number of chunks.
        """
        depth = times * depth_of(query)
        try:
            encoder = None if trace.degraded else self._encoder_for(query.mode, trace)  # one that is away is not asked again
            trace.lap("encoder")
            vector_of = partial(_vector_once, encoder, trace) if encoder else None
            return retrieve(self.bundle, query, trace.analysis, selection, vector_of, depth, trace.lap)
        except NO_ENCODER as error:
            from hardtack.query.encoder import carries_encoder

            if query.mode is Mode.VECTOR or carries_encoder(self.bundle):
                raise
            trace.degraded = f"Hits are by keyword alone. {error} {error.hint}".strip()
            return retrieve(self.bundle, query, trace.analysis, selection, None, depth, trace.lap)

    def _encoder_for(self, mode: Mode, trace: Trace) -> Encoder | None:
        if mode is Mode.KEYWORD:
            return None
        if not self.bundle.has_vectors:
            if mode is Mode.VECTOR:
                raise no_vectors(self.bundle)
            trace.degraded = "This bundle has no vectors: hits are by keyword alone."
            return None
        return self.encoder

    @cached_property
    def features(self) -> FeatureMaker:
        """What makes the features of this bundle's files."""
        return FeatureMaker(self.bundle)

    @cached_property
    def files(self) -> StoredFiles:
        """The files of this bundle, to be listed, read and looked through."""
        from hardtack.query.files import StoredFiles

        return StoredFiles(self.bundle)

    @property
    def encoder(self) -> Encoder:
        """The encoder of queries: the bundle's own, or one that was set up and is the bundle's.

        Raises:
            HardtackError: :func:`encoder_of` finds none; it is asked again only for a service, which may be back.
        """
        found = self._encoder
        if isinstance(found, HardtackError):
            raise found.with_traceback(None)
        return found

    @cached_property
    def _encoder(self) -> Encoder | HardtackError:
        from hardtack.encoders import EncoderSettings  # a search by keyword does without
        from hardtack.query.encoder import encoder_of

        try:
            return encoder_of(self.bundle, self._encoder_settings or EncoderSettings())
        except EncoderUnavailable:
            raise
        except NO_ENCODER as error:
            return error

    def close(self) -> None:
        """Close the bundle."""
        self.bundle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _vector_once(encoder: Encoder, trace: Trace, text: str) -> NDArray[np.float32]:
    """The vector of the traced query, which a service may have to make: however often the query is looked for, it is made once."""
    if trace.vector is None:
        trace.vector = encoder.encode([text])[0]
    return trace.vector


def _ranked_out(query: Query) -> int:
    """How many candidates are ranked out by rule."""
    return _PER_HIT * query.limit + query.further + _SPARE


def _sufficing(ranked: Line, query: Query, selection: Selection) -> Line:
    """The candidates that reach the least score, each about a symbol that passes where one must."""
    if query.min_score:
        ranked = Line.of([each for each in ranked if round(each.score, 6) >= query.min_score])
    return Line.of([*map(selection.about, ranked)]) if selection.is_about_symbols else ranked


def _hint(hits: Sequence[Hit], selection: Selection, trace: Trace) -> str:
    if hits:
        return trace.degraded
    if trace.ranked:
        return f"Nothing scores {trace.query.min_score} or more; the best scores {trace.ranked[0].score:.3f}."
    nothing = "Nothing found; try other words." if selection.is_everything else "Nothing found; try fewer filters."
    return f"{nothing} {trace.degraded}".strip()
