"""What the tools that search have in common: how a search is asked for, and what is said before and after its hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from hardtack.nouns.model import Answer, Mode, Provenance
from hardtack.nouns.statistics import StalenessNote, created_at
from hardtack.query.request.parse import MAX_LIMIT, SearchOptions, mode_meant
from hardtack.tools.tool import REPLY_BYTES, Call, IndexName, Parameters, ToolReply

TOKENS: Final = REPLY_BYTES // 4
"""What hits may take, in tokens of four bytes, where the caller does not say."""
_BESIDES: Final = 2_000
"""Bytes of a reply for what stands before and after its hits."""

_CUT: Final = "Hits were cut to fit: ask for fewer, or for more tokens where there is max_tokens."
_CLAMPED: Final = f"At most {MAX_LIMIT} hits are given: narrow the search with language, symbol_type or filters."

Limit = Annotated[int, Meta(description=f"Hits at most, up to {MAX_LIMIT}.", extra_json_schema={"minimum": 1})]
MaxTokens = Annotated[
    Annotated[int, Meta(ge=1)] | None,
    Meta(
        description=f"Budget of the whole answer, in tokens of 4 bytes (default {TOKENS:,}): long hits shrink before any is lost."
    ),
]


class Filters(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """What narrows a search besides its language and the symbol."""

    symbol_types: Annotated[tuple[str, ...], Meta(description="As symbol_type.")] = ()
    file_pattern: Annotated[str, Meta(description="Glob of paths: 'src/**/*.py', '*_test.go', 'docs/'.")] = ""
    ddd_patterns: Annotated[
        tuple[str, ...],
        Meta(
            description="Any role that the symbol has by its name: aggregate, entity, value_object, repository, service, command, "
            "query, handler; or laravel:model, laravel:controller, laravel:route."
        ),
    ] = ()
    packages: Annotated[tuple[str, ...], Meta(description="Packages, namespaces or folders, any of which holds the file.")] = ()
    min_relevance: Annotated[float, Meta(ge=0, le=1, description="The least score.")] = 0.0
    param_type: Annotated[str, Meta(description="Only functions that take this type, as 'Jar' in list[Jar].")] = ""
    returns: Annotated[str, Meta(description="Only functions that return this type.")] = ""


class SearchParameters(Parameters, kw_only=True, frozen=True):
    """How a search is asked for."""

    query: Annotated[
        str,
        Meta(
            description="A name (parse_config, Shelf.take), a phrase of the code, or a question in plain words.",
            extra_json_schema={"minLength": 1, "maxLength": 10_000},
        ),
    ]
    index_name: IndexName = None
    limit: Limit = 10
    language: Annotated[
        str | None, Meta(description="Comma-separated languages, aliases or extensions: 'python', 'ts,tsx', 'shell', 'terraform'.")
    ] = None
    use_hybrid_search: Annotated[
        bool | None, Meta(description="null or true: by meaning and keywords; false: by meaning alone. search_mode wins.")
    ] = None
    search_mode: Annotated[
        str | None, Meta(description="hybrid, vector or keyword.", extra_json_schema={"enum": [*Mode, None]})
    ] = None
    symbol_type: Annotated[
        str | tuple[str, ...] | None,
        Meta(
            description="Only chunks that define such a symbol: function, method, class (also struct, enum), interface (also "
            "trait), type, constant, variable, field, module, ...; several mean any."
        ),
    ] = None
    symbol_name: Annotated[
        str | None, Meta(description="Glob for the symbol's name, in any case: 'get*', '*Handler', 'Shelf.take_*'.")
    ] = None
    filters: Annotated[Filters | None, Meta(description="Narrows further.")] = None


def options_of(asked: SearchParameters) -> SearchOptions:
    """What the library is asked for."""
    filters = asked.filters or Filters()
    symbol_types = [asked.symbol_type] if isinstance(asked.symbol_type, str) else asked.symbol_type or ()
    return SearchOptions(
        mode=mode_meant(asked.search_mode, asked.use_hybrid_search),
        limit=asked.limit,
        languages=[asked.language] if asked.language else [],
        kinds=[*symbol_types, *filters.symbol_types],
        paths=[filters.file_pattern] if filters.file_pattern else [],
        tags=filters.ddd_patterns,
        symbol_name=asked.symbol_name or "",
        packages=filters.packages,
        parameter_type=filters.param_type,
        returns=filters.returns,
        min_score=filters.min_relevance,
    )


class SearchContext(TypedDict):
    """Stands before the hits when nobody said which index to search."""

    type: Literal["search_context"]
    searching: Annotated[str, Meta(description="The repository, or the index where that is not known.")]
    index_name: str
    last_indexed_at: NotRequired[Annotated[str, Meta(description="When the indexed commit was made.")]]


class StalenessWarning(StalenessNote):
    """Stands after the hits of an index that is old, or of another commit than the checkout's."""

    index_name: NotRequired[str]


def search_context(name: str, provenance: Provenance) -> SearchContext:
    """The header of an answer from an index that was found and not named."""
    header = SearchContext(type="search_context", searching=provenance.repository or name, index_name=name)
    if made := created_at(provenance):
        header["last_indexed_at"] = made
    return header


def staleness_warnings(call: Call, bundles: Sequence[tuple[str, Provenance]]) -> list[StalenessWarning]:
    """What the ages and commits of these bundles give reason to say; which bundle is meant where there are several."""
    warnings: list[StalenessWarning] = []
    for name, provenance in bundles:
        for note in call.catalog.staleness(provenance).notes:
            warning: Any = {**note, "index_name": name} if len(bundles) > 1 else note
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
