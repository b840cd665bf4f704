"""What the tools that search have in common: how a search is asked for, and what is said before and after its hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, cast

import msgspec
from msgspec import Meta

from hardtack.nouns.model import Answer, Mode, Provenance
from hardtack.nouns.statistics import StalenessNote, created_at
from hardtack.query.request.filters import FILTERS
from hardtack.query.request.parse import MAX_LIMIT, SearchOptions, resolve_mode
from hardtack.tools.tool import COMMA, REPLY_BYTES, Call, IndexName, Parameters, ToolReply

TOKENS: Final = REPLY_BYTES // 4
"""What hits may take, in tokens of four bytes, where the caller does not say."""
_BESIDES: Final = 2_000
"""Bytes of a reply for what stands before and after its hits."""

_CUT: Final = "Hits were cut to fit: ask for fewer, or for more tokens where there is max_tokens."
_CLAMPED: Final = f"At most {MAX_LIMIT} hits are given: narrow the search with language, symbol_type or filters."

Limit = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_LIMIT})]
MaxTokens = Annotated[
    Annotated[int, Meta(ge=1)] | None,
    Meta(description=f"Of the answer (default {TOKENS:,})."),
]


def _filters_type() -> type[msgspec.Struct]:
    """The parameter ``filters``: a field for each filter of the library that has one, and the least score."""
    fields: list[tuple[str, Any, Any]] = []
    for parameter in (row.parameter for row in FILTERS if row.parameter):
        kind, default = (tuple[str, ...], ()) if parameter.is_many else (str, "")
        fields.append((parameter.name, Annotated[kind, Meta(description=parameter.description)], default))
    fields.append(("min_relevance", Annotated[float, Meta(ge=0, le=1, description="The least score.")], 0.0))
    return msgspec.defstruct(
        "Filters",
        fields,
        namespace={"__doc__": "What narrows a search besides its language and the symbol."},
        module=__name__,
        forbid_unknown_fields=True,
        kw_only=True,
        frozen=True,
    )


Filters = _filters_type()


class SearchParameters(Parameters, kw_only=True, frozen=True):
    """How a search is asked for."""

    query: Annotated[
        str,
        Meta(
            description="A name, a phrase of the code, or a question.",
            extra_json_schema={"minLength": 1, "maxLength": 10_000},
        ),
    ]
    index_name: IndexName = None
    limit: Limit = 10
    language: Annotated[
        str | None,
        Meta(
            description="Comma-separated: 'python', 'ts,tsx'.",
            extra={COMMA: True},
        ),
    ] = None
    use_hybrid_search: Annotated[bool | None, Meta(description="false: by meaning alone.")] = None
    search_mode: Annotated[str | None, Meta(extra_json_schema={"enum": [*Mode, None]})] = None
    symbol_type: Annotated[
        str | tuple[str, ...] | None,
        Meta(description="function, method, class (also struct, enum), interface (also trait), type, constant, ..."),
    ] = None
    symbol_name: Annotated[str | None, Meta(description="Glob, in any case: 'get*', 'Shelf.take_*'.")] = None
    filters: Annotated[Filters | None, Meta(description="Narrows further.")] = None  # type: ignore[valid-type]  # made of FILTERS


def options_of(asked: SearchParameters) -> SearchOptions:
    """What the library is asked for."""
    narrowing: Any = asked.filters or Filters()
    options: dict[str, Any] = {
        "mode": resolve_mode(asked.search_mode, asked.use_hybrid_search),
        "limit": asked.limit,
        "min_score": narrowing.min_relevance,
    }
    for row in FILTERS:
        given = [getattr(asked, row.shorthand)] if row.shorthand else []
        if row.parameter:
            given.append(getattr(narrowing, row.parameter.name))
        words = [word for each in given if each for word in ([each] if isinstance(each, str) else each)]
        options[row.name] = words if row.is_many else "".join(words)
    return cast(SearchOptions, options)


class SearchContext(TypedDict):
    """Stands before the hits when nobody said which index to search."""

    type: Literal["search_context"]
    searching: Annotated[str, Meta(description="The repository, or the index where that is not known.")]
    index_name: str
    last_indexed_at: NotRequired[Annotated[str, Meta(description="When the indexed commit was made.")]]


class StalenessWarning(StalenessNote):
    """Stands after the hits of an index that is of another commit than the checkout's HEAD."""

    index_name: NotRequired[str]


def search_context(name: str, provenance: Provenance) -> SearchContext:
    """The header of an answer from an index that was found and not named."""
    header = SearchContext(type="search_context", searching=provenance.repository or name, index_name=name)
    if made := created_at(provenance):
        header["last_indexed_at"] = made
    return header


def staleness_warnings(call: Call, names: Sequence[str]) -> list[StalenessWarning]:
    """What is to be said of the commits of these indexes; which index is meant where there are several."""
    warnings: list[StalenessWarning] = []
    noted = call.catalog.noted()
    for name in names:
        if (moved := noted.get(name)) and moved.is_laid_over:
            continue  # the answer is not of the index's commit
        for note in call.catalog.staleness(call.catalog.entry(name)).notes:
            warning: Any = {**note, "index_name": name} if len(names) > 1 else note
            warnings.append(warning)
    return warnings


def ranked_reply(
    value: Any, answer: Answer, fitted: Answer, asked_for: int, *, tokens: int = TOKENS, text: str | None = None, besides: int = 0
) -> ToolReply:
    """The reply of a tool that ranks, which says whether hits were cut to fit, or fewer may be had than were asked for.

    Args:
        value: of the reply.
        answer: what was found.
        fitted: as much of it as the tokens hold.
        asked_for: the limit that the caller gave.
        tokens: what hits may take.
        text: of the reply.
        besides: bytes of what is told besides hits, headers and warnings.
    """
    is_cut, is_clamped = len(fitted.hits) < len(answer.hits), asked_for > MAX_LIMIT
    return ToolReply(
        value=value,
        text=text,
        is_truncated=is_cut or is_clamped,
        hint=answer.hint or (_CUT if is_cut else _CLAMPED if is_clamped else ""),
        room=4 * tokens + _BESIDES + besides,
    )
