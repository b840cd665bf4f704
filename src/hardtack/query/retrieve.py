"""A query in, one ranked list of candidates for each retriever out.

Two retrievers: ``lexical`` asks the BM25 index for the query's terms, weighted by field; ``dense`` asks the vectors for the
neighbours of the encoded query. Filters are applied inside the engines, so a list is short only when the bundle has no more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hardtack.bundle.lexical import Filter
from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import KINDS
from hardtack.errors import UsageError
from hardtack.model import Candidate, Kind, Mode, Query, Tag
from hardtack.query.globs import path_predicate
from hardtack.terms import terms_of, whole_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.encoders import Encoder

LEXICAL = "lexical"
DENSE = "dense"

DEPTH = 100
"""Candidates each retriever gives at least; rules that reorder can only lift what is in the list."""

# Weights of the fields of a BM25 sum. Set by hand: a whole name is the strongest evidence there is, the parts of a
# name outweigh prose, a path says less than a name. Issue 4 learns them.
FIELD_WEIGHTS = {"name": 2.5, "scope": 0.6, "signature": 1.0, "doc": 1.2, "path": 1.0, "body": 1.0}
WHOLE_NAME_WEIGHT = 6.0
MAX_TERMS = 64
"""Each costs a posting list in seven fields; 64 take 2 ms over 100,000 chunks (ENGINES A)."""

KEYWORD_HALF = 10.0
"""The BM25 score that is reported as one half."""

_SEPARATOR = re.compile(r"::|->|[.#\\/]")
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:::|->|[.#\\])[^\W\d]\w*)*")
_COMPOUND = re.compile(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|[^_]_[^_]|::|->|[.#\\]")


@dataclass(frozen=True)
class QueryTerms:
    """What a query's text is asked with; derived once."""

    text: str

    @cached_property
    def terms(self) -> list[str]:
        """Distinct search terms in order, at most :data:`MAX_TERMS`."""
        return list(dict.fromkeys(terms_of(self.text)))[:MAX_TERMS]

    @cached_property
    def names(self) -> list[str]:
        """What may be a symbol's name: the whole text, as it is and joined by dots, then each word spelt like an identifier."""
        text = self.text.strip()
        words = [word for word in _IDENTIFIER.findall(text) if _COMPOUND.search(word)]
        return list(dict.fromkeys((text, qualified(text), *map(qualified, words))))[:MAX_TERMS]


def qualified(name: str) -> str:
    """A qualified name however its language joins it, joined by dots; anything with a space in it stays as it is."""
    return name if " " in name else _SEPARATOR.sub(".", name).strip(".")


def retrieve(bundle: Bundle, query: Query, encoder: Encoder | None) -> dict[str, list[Candidate]]:
    """The lists of the retrievers that ``query.mode`` asks for, best first.

    Args:
        bundle: where to look.
        query: what is asked; its languages are ids.
        encoder: makes the query's vector; None leaves the dense retriever out.
    """
    depth = max(DEPTH, 2 * query.limit)
    files = _files(bundle, query)
    lists: dict[str, list[Candidate]] = {}
    if query.mode in (Mode.HYBRID, Mode.KEYWORD):
        lists[LEXICAL] = _lexical(bundle, query, depth, files)
    if encoder is not None and query.mode in (Mode.HYBRID, Mode.VECTOR):
        lists[DENSE] = _dense(bundle, query, depth, files, encoder)
    return lists


def _files(bundle: Bundle, query: Query) -> list[int] | None:
    """Ordinals of the files that the path globs allow; None allows all."""
    if not query.paths:
        return None
    matches = path_predicate(query.paths)
    return [ordinal for ordinal, file in enumerate(bundle.files) if matches(file.path)]


def _lexical(bundle: Bundle, query: Query, depth: int, files: list[int] | None) -> list[Candidate]:
    asked = QueryTerms(query.text)
    terms: dict[str, Sequence[tuple[str, float]]] = {
        field: [(term, weight) for term in asked.terms] for field, weight in FIELD_WEIGHTS.items()
    }
    terms["symbol"] = [(whole, WHOLE_NAME_WEIGHT) for name in asked.names if (whole := whole_name(name))]
    only = Filter(languages=query.languages, kinds=query.kinds, files=files)
    if query.tags:  # known when all files are, so they are not in the index: every hit is asked for, and those without are dropped
        wanted, tags = mask_of(query.tags), bundle.tags_of_chunks
        all_found = bundle.lexical.search(terms, max(bundle.manifest.counts.chunks, 1), only)
        found = [(ordinal, score) for ordinal, score in all_found if tags[ordinal] & wanted][:depth]
    else:
        found = bundle.lexical.search(terms, depth, only)
    return _candidates(LEXICAL, [(ordinal, score / (score + KEYWORD_HALF)) for ordinal, score in found])


def _dense(bundle: Bundle, query: Query, depth: int, files: list[int] | None, encoder: Encoder) -> list[Candidate]:
    vector = encoder.encode([query.text])[0]
    if not vector.any():
        return []
    found = bundle.vectors.search(vector, depth, _allowed(bundle, query, files))
    return _candidates(DENSE, [(ordinal, min(max(cosine, 0.0), 1.0)) for ordinal, cosine in found])


def _allowed(bundle: Bundle, query: Query, files: list[int] | None) -> NDArray[np.bool_] | None:
    """One flag a chunk, or None when every chunk may answer."""
    if files is None and not query.languages and not query.kinds and not query.tags:
        return None
    import numpy as np

    allowed = np.ones(bundle.manifest.counts.chunks, dtype=np.bool_)
    if query.kinds:
        wanted = sum(1 << KINDS.index(kind) for kind in query.kinds)
        allowed &= (np.asarray(bundle.kinds_of_chunks) & np.uint32(wanted)) != 0
    if query.tags:
        allowed &= (np.asarray(bundle.tags_of_chunks) & np.uint32(mask_of(query.tags))) != 0
    if files is not None or query.languages:
        chosen = set(range(len(bundle.files)) if files is None else files)
        for ordinal, file in enumerate(bundle.files):
            if ordinal not in chosen or (query.languages and file.language not in query.languages):
                allowed[file.first_chunk : file.first_chunk + file.chunk_count] = False
    return allowed


def _candidates(retriever: str, found: Sequence[tuple[int, float]]) -> list[Candidate]:
    return [
        Candidate(ordinal=ordinal, score=score, ranks={retriever: rank}, scores={retriever: score})
        for rank, (ordinal, score) in enumerate(found, start=1)
    ]


def mask_of(tags: Sequence[Tag]) -> int:
    """The number whose bits are the places of ``tags`` in :class:`Tag`, as columns of tags have it."""
    return sum(tag.bit for tag in set(tags))


_WIDER = {
    Kind.CLASS: (Kind.CLASS, Kind.STRUCT, Kind.ENUM, Kind.BLOCK, Kind.RESOURCE),
    Kind.INTERFACE: (Kind.INTERFACE, Kind.TRAIT),
}


def kinds_named(names: Sequence[str]) -> tuple[Kind, ...] | str:
    """The kinds that filter words ask for (CONTRACTS 0.10), or the first word that is no kind."""
    kinds: dict[Kind, None] = {}
    for name in names:
        try:
            kind = Kind({"const": "constant", "var": "variable"}.get(name, name))
        except ValueError:
            return name
        kinds |= dict.fromkeys(_WIDER.get(kind, (kind,)))
    return tuple(kinds)


def tags_named(names: Sequence[str]) -> tuple[Tag, ...]:
    """The tags of these names, in any case.

    Raises:
        UsageError: there is no such tag.
    """
    known = {tag.value: tag for tag in Tag}
    for name in names:
        if name.lower() not in known:
            raise UsageError(f"There is no tag {name!r}.", hint=f"Tags: {', '.join(Tag)}.")
    return tuple(known[name.lower()] for name in names)
