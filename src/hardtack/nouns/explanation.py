"""The explanation of a search by ``explain``: the results of each stage, and the fate of a named file or symbol.

The sections and their fields are those of the tool ``analyze_query`` in JSON. A number that a stage did not compute is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hardtack.nouns.model import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuePart:
    """The parts of one sort in an issue."""

    sort: str
    """``title``, ``prose``, ``name``, ``error``, ``code``, ``frame``, ``file``, ``log`` or ``template``."""
    count: int
    """Lines, names, frames or files."""
    weight: float
    """What a word in such a part counts for; 0 for frames and files, which are compared with paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryAnalysis:
    """How the query's text was interpreted."""

    original_query: str
    has_identifier: bool
    """Whether a word looks like an identifier, as ``getUserById`` does."""
    normalized_keyword_query: str
    """The words in order, compounds followed by their parts."""
    is_symbol_like: bool
    """Whether the whole query is one name."""
    terms: tuple[str, ...]
    """The terms that were looked up in the lexical index."""
    content_words: tuple[str, ...]
    """The words that are not stop words."""
    identifiers: tuple[str, ...]
    literals: tuple[str, ...]
    """Texts in quotation marks."""
    kinds: tuple[str, ...]
    """Kinds of symbols that a word names; a hint for ranking, as the next three fields are."""
    subjects: tuple[str, ...]
    """Roles of files that a word names."""
    languages: tuple[str, ...]
    paths: tuple[str, ...]
    title: str = ""
    """Of an issue; empty for a question."""
    parts: tuple[IssuePart, ...] = ()
    """Of an issue; none for a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMode:
    """Which retrievers were used, and why."""

    mode: str
    """``hybrid``, ``vector-only`` or ``keyword-only``."""
    reason: str
    use_hybrid_flag: bool | None
    """None unless the request was for vectors alone, since hybrid is the default."""
    has_content_text_column: bool
    """Whether there is a lexical index, which every bundle has."""
    has_identifier_pattern: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLookup:
    """Whether the answer was in the cache. An explained search runs again in any case."""

    checked: bool
    hit: bool
    hit_type: str
    """``exact`` or ``miss``."""
    cache_key_prefix: str
    """16 hex digits that name the query, its filters and the bundle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSearch:
    """What the dense retriever found."""

    executed: bool
    result_count: int
    top_score: float | None
    bottom_score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordSearch:
    """What the lexical retriever found."""

    executed: bool
    normalized_query: str
    result_count: int
    top_ts_rank: float | None
    bottom_ts_rank: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """How the two lists became one."""

    executed: bool
    k_constant: int
    vector_only_count: int
    keyword_only_count: int
    both_count: int
    total_fused: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionBoost:
    """How the order changed because candidates define what the query names."""

    executed: bool
    """Whether the order changed."""
    boost_multiplier: float | None
    """None, since it is not a constant."""
    boosted_count: int
    """Files that define something the query names."""
    rank_changes: int
    """Files whose place in the order changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtering:
    """The filters of the request, and what the least score removed."""

    filters: Mapping[str, list[str] | str | None]
    """What was asked for, by the key of each filter; None where nothing was. These are kept to from the beginning."""
    min_score: float
    pre_filter_count: int
    """Ranked candidates."""
    post_filter_count: int
    """Those that reach the least score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The rank of a file or symbol after one stage."""

    stage: str
    """``keyword``, ``vector``, ``fusion``, ``ranking`` or ``answer``."""
    rank: int | None
    """1-based rank of the best of its chunks; None if there is none."""
    of: int
    """How many results the stage gave."""
    score: float | None
    place: str
    """``path:first-last`` of that chunk; empty if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """The contribution of one named feature to one file's score."""

    feature: str
    value: float
    contribution: float
    """What it added to the score that orders candidates, before the score is scaled to 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """A file or symbol named by the request: its rank at every stage, and the reasons for its final rank."""

    name: str
    """As in the request."""
    chunks: int
    """The number of chunks that it is in."""
    steps: tuple[Step, ...]
    lost_at: str
    """The stage that dropped it: ``filters``, ``retrieval``, ``ranking``, ``min_score``, ``limit``; empty if the answer has it."""
    verdict: str
    """The outcome as a sentence."""
    contributions: tuple[Contribution, ...] = ()
    """The contributions to its file's score, the largest first, negative ones last."""
    role: str = ""
    """The role in its repository of the file of its best chunk; empty if it has none, or the bundle does not say it."""
    behind: tuple[Contribution, ...] = ()
    """The features by which the first hit's file scores higher: that file's value, and the difference in contribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One search, explained."""

    query_analysis: QueryAnalysis
    search_mode: SearchMode
    cache: CacheLookup
    vector_search: VectorSearch
    keyword_search: KeywordSearch
    fusion: Fusion
    definition_boost: DefinitionBoost
    filtering: Filtering
    timings: Mapping[str, float]
    """Stage to milliseconds, as measured."""
    answer: Answer
    tracked: tuple[Tracked, ...] = ()
