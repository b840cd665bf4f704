"""A file or a symbol and the trace of a search in, its rank at every stage and the reason of its absence from the answer out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from hardtack.errors import UsageError
from hardtack.nouns.explanation import Step, Tracked
from hardtack.nouns.model import Answer, Candidate, FilterValue, Kind
from hardtack.query.explain.contributions import contributions_to, lead_over
from hardtack.query.files.left_out import left_out_matching, sentence_of
from hardtack.query.files.path_spelling import place_of
from hardtack.query.lookup.symbols import look_up
from hardtack.query.request.filters import BY_NAME
from hardtack.query.request.globs import path_predicate
from hardtack.query.request.selection import Selection
from hardtack.query.request.top import spelt_glob
from hardtack.query.retrieval.retrieve import DENSE, LEXICAL, depth_of, merged, retrieve
from hardtack.query.searcher import Searcher
from hardtack.query.trace import Trace

MAX_FILES = 20
"""Files that one glob may match: each is tracked on its own."""

_STAGES = {LEXICAL: "keyword", DENSE: "vector"}


def tracked_files(searcher: Searcher, trace: Trace, answer: Answer, named: str) -> Iterator[Tracked]:
    """Track each file that a glob matches, or with ``path:line`` the chunk at that line of it.

    Raises:
        UsageError: the bundle has no such file (FILE_NOT_FOUND), or too many.
    """
    bundle = searcher.bundle
    place = place_of(named)
    glob, line = place.path, place.first or 0
    matches = path_predicate([spelt_glob(bundle, glob)])
    files = [file for file in bundle.files if matches(file.path)]
    if not files:
        hint = sentence_of(left_out_matching(bundle, [glob])) or "Give a path of the bundle, or a glob as for --path."
        raise UsageError(f"The bundle has no file {glob!r}.", code="FILE_NOT_FOUND", hint=hint)
    if len(files) > MAX_FILES:
        raise UsageError(f"{len(files)} files match {glob!r}; at most {MAX_FILES} are told of.", hint="Give a longer path.")
    for file in files:
        chunks = range(file.first_chunk, file.first_chunk + file.chunk_count)
        if line:
            chunks_at = [chunk for chunk in chunks if bundle.chunk(chunk).span.end_line >= line]
            chunks = range(chunks_at[0], chunks_at[0] + 1) if chunks_at else range(0)
        yield _Tracker(searcher, trace, answer, frozenset(chunks)).result(f"{file.path}:{line}" if line else file.path)


def tracked_symbols(searcher: Searcher, trace: Trace, answer: Answer, name: str) -> Tracked:
    """Track the symbols of that name: the chunks in which they start.

    Raises:
        UsageError: SYMBOL_NOT_FOUND.
    """
    bundle = searcher.bundle
    found = look_up(bundle, name, frozenset(Kind))
    if not found.ordinals:
        near = ", ".join(found.suggestions)
        raise UsageError(
            f"The bundle has no symbol {name!r}.",
            code="SYMBOL_NOT_FOUND",
            details={"suggestions": list(found.suggestions)},
            hint=f"There are: {near}." if near else "",
        )
    chunks = frozenset(bundle.columns.chunks_of(np.array(found.ordinals, dtype=np.int64)).tolist())
    return _Tracker(searcher, trace, answer, chunks).result(name)


class _Tracker:
    """Follows one set of chunks through the stages of one search."""

    def __init__(self, searcher: Searcher, trace: Trace, answer: Answer, chunks: frozenset[int]) -> None:
        self._searcher = searcher
        self._bundle = searcher.bundle
        self._trace = trace
        self._answer = answer
        self._chunks = chunks

    def result(self, name: str) -> Tracked:
        """The steps, the verdict and the contributions, under the name that the caller gave."""
        steps = (
            *(self._step(_STAGES[retriever], found) for retriever, found in self._trace.candidates_by_retriever.items()),
            self._step("fusion", self._trace.fused),
            self._step("ranking", self._trace.ranked),
            self._step("answer", self._shown()),
        )
        lost_at, verdict = self._verdict(steps[-2], steps[-1], earlier=steps[:-2])
        file = self._best_file()
        return Tracked(
            name=name,
            chunks=len(self._chunks),
            steps=steps,
            lost_at=lost_at,
            verdict=verdict,
            role=self._bundle.file(file).role if file >= 0 else "",
            contributions=contributions_to(self._trace.ranking, file),
            behind=lead_over(self._trace.ranking, self._first_file(), file),
        )

    def _best_file(self) -> int:
        """The file of the best ranked chunk, or of the first chunk if none is ranked; -1 without chunks."""
        ranked = [candidate.ordinal for candidate in self._trace.ranked if candidate.ordinal in self._chunks]
        best = next(iter(ranked or sorted(self._chunks)), -1)
        return self._bundle.chunk(best).file if best >= 0 else -1

    def _first_file(self) -> int:
        """The file of the best candidate of the search; -1 if there is none."""
        return self._bundle.chunk(self._trace.ranked[0].ordinal).file if self._trace.ranked else -1

    def _step(self, stage: str, candidates: Sequence[Candidate]) -> Step:
        for rank, candidate in enumerate(candidates, start=1):
            if candidate.ordinal in self._chunks:
                place = self._place(candidate.ordinal)
                return Step(stage=stage, rank=rank, of=len(candidates), score=round(candidate.score, 6), place=place)
        return Step(stage=stage, rank=None, of=len(candidates), score=None, place="")

    def _place(self, chunk: int) -> str:
        record = self._bundle.chunk(chunk)
        return f"{self._bundle.file(record.file).path}:{record.span.start_line}-{record.span.end_line}"

    def _shown(self) -> list[Candidate]:
        """The candidates that became hits, in their order."""
        places = {f"{hit.path}:{hit.start_line}-{hit.end_line}" for hit in self._answer.hits}
        return [candidate for candidate in self._trace.filtered if self._place(candidate.ordinal) in places]

    def _verdict(self, ranking: Step, answer: Step, earlier: Sequence[Step]) -> tuple[str, str]:
        """The stage that lost the chunks, empty for a hit; and the reason as a sentence."""
        query = self._trace.query
        if answer.rank is not None:
            return "", f"It is hit {answer.rank}."
        if ranking.rank is None:
            if not self._chunks:
                return "filters", "It has no text, so there is nothing to find."
            if filters := self._excluding_filters():
                return "filters", f"It was kept out by the filter on {' and '.join(filters)}."
            if any(step.rank is not None for step in earlier):
                return "ranking", f"It was found, and stands behind the {ranking.of} that ranking kept."
            return "retrieval", " ".join(self._unretrieved(retriever) for retriever in self._trace.lists)
        score = ranking.score or 0.0
        if score < query.min_score:
            return "min_score", f"It scored {score:.3f}, and {query.min_score} was the least wanted."
        for hit in self._answer.hits:
            if any(twin.path == ranking.place.rpartition(":")[0] for twin in hit.also):
                return "limit", f"It was number {ranking.rank} and says what hit {hit.rank} says, which stands for it."
        return "limit", f"It was number {ranking.rank} after ranking, and {query.limit} hits were wanted."

    def _excluding_filters(self) -> list[str]:
        """Names of the filters that exclude all chunks: each that does so alone, or else all filters if they do so together."""
        filters = self._trace.query.filters
        alone = [each for each in filters if not self._passes([each])]
        excluding = alone if alone or self._passes(filters) else filters
        return [BY_NAME[each.name].kept_out_by for each in excluding]

    def _passes(self, filters: Sequence[FilterValue]) -> bool:
        """Whether any of the chunks passes all of the filters."""
        selection = Selection(self._bundle, filters)
        files = None if selection.files is None else set(selection.files)
        return any(
            (files is None or self._bundle.chunk(chunk).file in files)
            and (not selection.is_about_symbols or selection.allows(chunk))
            for chunk in self._chunks
        )

    def _unretrieved(self, retriever: str) -> str:
        """The rank of the chunks in the whole list of a retriever, as a sentence. Repeats the retrieval without a limit."""
        everything = self._trace.query._replace(limit=max(self._bundle.manifest.counts.chunks, 1))
        selection = Selection(self._bundle, everything.filters)
        depth = depth_of(everything)
        aspects, vectors = self._trace.reading.aspects, self._trace.vectors
        found = merged(retrieve(self._bundle, everything, aspects, selection, vectors, depth))[retriever]
        what = "Keywords" if retriever == LEXICAL else "Vectors"
        step = self._step(retriever, found.candidates())
        if step.rank is None:
            return (
                f"{what} do not find it: it has none of the query's words." if retriever == LEXICAL else f"{what} do not find it."
            )
        first = len(self._trace.lists[retriever].ordinals)
        return f"{what} find it as number {step.rank}, with a score of {step.score:.3f}; the first {first} were taken."
