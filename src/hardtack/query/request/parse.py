"""The options of a search in, a checked :class:`Query` out."""

from __future__ import annotations

from typing import Final, Unpack

from hardtack.bundle.reader import Bundle
from hardtack.errors import UsageError
from hardtack.nouns.model import Mode, ModeName, Query
from hardtack.query.request.filter_words import well_formed
from hardtack.query.request.filters import FilterOptions, filters_from

MAX_LIMIT: Final = 100
MAX_QUERY_CHARACTERS: Final = 65_536
_MODES: Final = tuple(Mode)


class SearchOptions(FilterOptions, total=False):
    """The options of a search, all optional. The filters are those of :data:`FILTERS`."""

    mode: Mode | ModeName
    """``hybrid`` (the default), ``vector`` or ``keyword``."""
    limit: int
    """Hits at most; 10 by default, never more than 100."""
    min_score: float
    """The least score of a hit, 0 to 1."""
    smart_context: bool
    """Show the function or type around each match; on by default."""
    surroundings: bool
    """With smart context, also give each hit's imports and the signatures of the symbols after it."""
    before: int | None
    """Lines to show before each hit; turns smart context off, as ``after`` does."""
    after: int | None
    """Lines to show after each hit."""
    further: int
    """How many files to name that rank after those of the hits."""


def parse_request(
    bundle: Bundle,
    text: str,
    *,
    mode: Mode | ModeName = Mode.HYBRID,
    limit: int = 10,
    min_score: float = 0.0,
    smart_context: bool = True,
    surroundings: bool = False,
    before: int | None = None,
    after: int | None = None,
    further: int = 0,
    **filters: Unpack[FilterOptions],
) -> Query:
    """Check the text and the :class:`SearchOptions` of a search, and make a query of them.

    Raises:
        UsageError: an empty or oversized text, an impossible limit or score, an unknown mode, language, kind or tag, or a search
            by vectors of a bundle without them. Each has its code (:data:`hardtack.errors.REQUEST_CODES`).
    """
    _check(text, mode, limit, min_score, before=before, after=after, further=further)
    if mode == Mode.VECTOR and not bundle.has_vectors:
        raise no_vectors(bundle)
    return Query(
        text=well_formed(text),
        mode=Mode(mode),
        limit=min(limit, MAX_LIMIT),
        filters=filters_from(bundle, filters),
        min_score=min_score,
        smart_context=smart_context,
        surroundings=surroundings,
        before=before,
        after=after,
        further=min(further, MAX_LIMIT),
    )


def resolve_mode(mode: str | None, is_hybrid: bool | None) -> str:
    """The mode by its name, or else by a flag, which is false for vectors alone; hybrid if neither is given."""
    return mode or (Mode.VECTOR if is_hybrid is False else Mode.HYBRID)


def no_vectors(bundle: Bundle) -> UsageError:
    """The error for a request that a bundle without vectors cannot meet."""
    return UsageError(
        f"The bundle {bundle.name!r} has no vectors.", code="EMBEDDING_UNAVAILABLE", hint="Search it in keyword mode, or by name."
    )


def check_limit(limit: int) -> None:
    """Check a limit.

    Raises:
        UsageError: LIMIT_INVALID.
    """
    if limit < 1:
        raise UsageError(f"A limit of {limit} is impossible.", code="LIMIT_INVALID", hint="Give at least 1.")


def check_score(min_score: float) -> None:
    """Check a least score.

    Raises:
        UsageError: it is not between 0 and 1.
    """
    if not 0 <= min_score <= 1:
        raise UsageError(f"A least score of {min_score} is impossible.", hint="Scores lie between 0 and 1.")


def _check(text: str, mode: Mode | str, limit: int, min_score: float, **lines: int | None) -> None:
    if len(text) > MAX_QUERY_CHARACTERS:
        raise UsageError(
            f"The query has {len(text)} characters; at most {MAX_QUERY_CHARACTERS} are taken.",
            code="QUERY_TOO_LONG",
            details={"characters": len(text), "most": MAX_QUERY_CHARACTERS},
            hint="Ask for the part that tells most.",
        )
    if not text.strip():
        raise UsageError("The query is empty.", code="QUERY_EMPTY", hint="Give a name or some words.")
    check_limit(limit)
    if mode not in _MODES:
        raise UsageError(
            f"There is no mode {str(mode)!r}.",
            code="MODE_INVALID",
            details={"available": [*Mode]},
            hint=f"Modes: {', '.join(Mode)}.",
        )
    check_score(min_score)
    for name, number in lines.items():
        if number is not None and number < 0:
            raise UsageError(f"{number} for {name!r} is impossible.", hint="Give 0 or more.")
