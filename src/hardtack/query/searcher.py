"""A query in, an answer out: the whole search, top to bottom.

retrieve   query       -> one ranked list a retriever   retrieve.py
fuse       lists       -> one list                      fuse.py
rank       list        -> the list, reordered by rules  rank.py
cut        hit         -> the lines to show             snippet.py
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from hardtack.bundle import reader
from hardtack.bundle.reader import Bundle, Check
from hardtack.bundle.records import ChunkRecord, FileRecord
from hardtack.encoders import Encoder, carried_encoder
from hardtack.errors import EncoderMismatch, UsageError
from hardtack.model import Answer, Candidate, Hit, Kind, Mode, Query
from hardtack.query.freshness import freshness_of
from hardtack.query.fuse import fuse
from hardtack.query.rank import rank
from hardtack.query.retrieve import DENSE, LEXICAL, kinds_named, retrieve, tags_named
from hardtack.query.snippet import cut

MAX_LIMIT = 100
MAX_QUERY_CHARACTERS = 10_000
_MATCH_TYPES = {(True, True): "both", (True, False): "keyword", (False, True): "semantic"}


def open_bundle(path: str | Path, *, check: Check = "hashes", digest: str | None = None, checkout: Path | None = None) -> Searcher:
    """Verify the bundle at ``path`` and open it for searching.

    Args:
        path: the bundle's directory.
        check: ``hashes`` hashes every member; ``sizes`` is for bundles that were hashed when they were installed.
        digest: refuse any bundle but the one of this digest.
        checkout: a checkout of the same repository; each hit then says whether it is still current there.

    Raises:
        BundleError: there is no bundle there, or it is not what its manifest says.
    """
    return Searcher(reader.open_bundle(Path(path), check=check, digest=digest), checkout=checkout)


def check_everything(bundle: Bundle) -> None:
    """Beyond the hashes: follow every row, and have each engine and the encoder open its members.

    Raises:
        BundleError: something in the bundle is not what its format, or its manifest, says.
    """
    bundle.check_records()
    _ = bundle.lexical
    if bundle.has_vectors:
        _ = bundle.vectors
        _ = Searcher(bundle).encoder


class Searcher:
    """Answers queries from one open bundle. Usable as a context manager; safe to share between threads."""

    def __init__(self, bundle: Bundle, *, checkout: Path | None = None) -> None:
        self.bundle = bundle
        self._checkout = checkout

    def search(
        self,
        text: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 10,
        languages: Sequence[str] = (),
        kinds: Sequence[str] = (),
        paths: Sequence[str] = (),
        tags: Sequence[str] = (),
    ) -> Answer:
        """The chunks that best answer ``text``.

        Args:
            text: a name, a qualified name, or words.
            mode: ``hybrid``, ``vector`` or ``keyword``.
            limit: hits at most; more than 100 are never given.
            languages: ids or aliases, as in ``python`` or ``py``.
            kinds: of symbols, as in ``function``; a chunk answers when such a symbol starts in it.
            paths: globs, any of which may match.
            tags: as in ``repository`` or ``laravel:model``; a chunk answers when a symbol with any of them starts in it.

        Raises:
            UsageError: an empty or oversized query, an impossible limit, an unknown mode, language, kind or tag, or vectors
                asked of a bundle that has none.
        """
        query = self._query(text, mode, limit, languages, kinds)
        return self.answer(replace(query, paths=tuple(paths), tags=tags_named(tags)))

    def answer(self, query: Query) -> Answer:
        """The answer to a query that :meth:`search` has checked."""
        lists = retrieve(self.bundle, query, self._encoder_for(query.mode))
        candidates = fuse(lists)
        if query.mode is not Mode.VECTOR:
            candidates = rank(self.bundle, query, candidates)
        hits = tuple(self._hit(candidate, number) for number, candidate in enumerate(candidates[: query.limit], start=1))
        return Answer(
            query=query.text,
            mode=query.mode,
            hits=hits,
            truncated=len(candidates) > len(hits),
            hint=_hint(query, hits, is_degraded=query.mode is Mode.HYBRID and DENSE not in lists),
            bundle_digest=self.bundle.digest,
            bundle_commit=self.bundle.manifest.provenance.commit,
            bundle_name=self.bundle.name,
        )

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder the bundle carries, checked to be the one its vectors were made by."""
        identity = self.bundle.manifest.encoder
        assert identity is not None
        encoder = carried_encoder(identity.name, *self.bundle.encoder_buffers())
        if encoder.fingerprint != identity.fingerprint:
            raise EncoderMismatch(
                f"The encoder in the bundle at {self.bundle.path} is not the one that made its vectors.",
                wanted=identity.fingerprint,
                found=encoder.fingerprint,
            )
        return encoder

    def _encoder_for(self, mode: Mode) -> Encoder | None:
        if mode is Mode.KEYWORD:
            return None
        if not self.bundle.has_vectors:
            if mode is Mode.VECTOR:
                raise UsageError(f"The bundle at {self.bundle.path} has no vectors.", hint="Search with --mode keyword.")
            return None
        return self.encoder

    def _query(self, text: str, mode: Mode | str, limit: int, languages: Sequence[str], kinds: Sequence[str]) -> Query:
        if not text.strip():
            raise UsageError("The query is empty.", hint="Give a name or some words.")
        if len(text) > MAX_QUERY_CHARACTERS:
            raise UsageError(f"The query has {len(text)} characters; at most {MAX_QUERY_CHARACTERS} are taken.")
        if limit < 1:
            raise UsageError(f"A limit of {limit} is impossible.", hint="Give at least 1.")
        if mode not in tuple(Mode):
            raise UsageError(f"There is no mode {str(mode)!r}.", hint=f"Modes: {', '.join(Mode)}.")
        return Query(
            text=text,
            mode=Mode(mode),
            limit=min(limit, MAX_LIMIT),
            languages=self._language_ids(languages),
            kinds=_kinds(kinds),
        )

    def _language_ids(self, names: Sequence[str]) -> tuple[str, ...]:
        present = self.bundle.manifest.languages
        ids = {alias: language.id for language in present for alias in (*language.aliases, language.id)}
        for name in names:
            if name.lower() not in ids:
                available = ", ".join(language.id for language in present)
                raise UsageError(f"The bundle has no language {name!r}.", hint=f"It has: {available}.")
        return tuple(dict.fromkeys(ids[name.lower()] for name in names))

    def _hit(self, candidate: Candidate, number: int) -> Hit:
        bundle = self.bundle
        chunk = bundle.chunk(candidate.ordinal)
        file = bundle.file(chunk.file)
        ordinal = candidate.symbol
        if ordinal < 0:
            ordinal = chunk.first_symbol if chunk.symbol_count else chunk.enclosing
        symbol = bundle.symbol(ordinal) if ordinal >= 0 else None
        return Hit(
            path=file.path,
            start_line=chunk.span.start_line,
            end_line=chunk.span.end_line,
            score=round(candidate.score, 6),
            rank=number,
            chunk_id=_chunk_id(file, chunk),
            language=file.language,
            kind=symbol.kind.value if symbol else "",
            name=symbol.name if symbol else "",
            qualified_name=symbol.qualified_name if symbol else "",
            signature=symbol.signature if symbol else "",
            package=symbol.package if symbol else file.package,
            snippet=cut(bundle, chunk, candidate.symbol),
            match_type=_MATCH_TYPES[LEXICAL in candidate.ranks, DENSE in candidate.ranks],
            vector_score=_rounded(candidate.scores.get(DENSE)),
            keyword_score=_rounded(candidate.scores.get(LEXICAL)),
            freshness=freshness_of(file, self._checkout),
            reasons=candidate.reasons,
        )

    def close(self) -> None:
        """Close the bundle."""
        self.bundle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _kinds(names: Sequence[str]) -> tuple[Kind, ...]:
    kinds = kinds_named([name.lower() for name in names])
    if isinstance(kinds, str):
        raise UsageError(f"There is no kind {kinds!r}.", hint=f"Kinds: {', '.join(Kind)}.")
    return kinds


def _hint(query: Query, hits: Sequence[Hit], *, is_degraded: bool) -> str:
    if not hits:
        filtered = query.languages or query.kinds or query.paths or query.tags
        return "Nothing found; try fewer filters." if filtered else "Nothing found; try other words."
    return "This bundle has no vectors: hits are by keyword alone." if is_degraded else ""


def _chunk_id(file: FileRecord, chunk: ChunkRecord) -> str:
    """Names one chunk of one file's content, in any bundle: 32 hex digits."""
    place = f"{file.path}\0{chunk.span.start}\0{chunk.span.end}\0".encode()
    return hashlib.blake2b(place + chunk.content_hash, digest_size=16).hexdigest()


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 6)
