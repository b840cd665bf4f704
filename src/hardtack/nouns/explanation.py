"""How a search came to its answer, as ``explain`` tells it: what each stage saw, and where a named file or symbol ended up.

Values only. The first sections and their fields are named as CONTRACTS 1D names those of ``analyze_query``; what we tell besides
comes after. A number that a stage did not come to is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hardtack.nouns.model import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryAnalysis:
    """What the query's text was read as."""

    original_query: str
    has_identifier: bool
    """A word follows the identifier pattern, as ``getUserById`` does."""
    normalized_keyword_query: str
    """The words in order, compounds followed by their parts."""
    is_symbol_like: bool
    """The whole query is one name."""
    terms: tuple[str, ...]
    """What the lexical index was asked for."""
    content_words: tuple[str, ...]
    """Words that are about something."""
    identifiers: tuple[str, ...]
    literals: tuple[str, ...]
    """What stands in quotation marks."""
    kinds: tuple[str, ...]
    """Kinds of symbols a word asks for; a hint, as the next three are."""
    subjects: tuple[str, ...]
    """Sorts of files a word asks for."""
    languages: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchMode:
    """Which retrievers answered, and why."""

    mode: str
    """``hybrid``, ``vector-only`` or ``keyword-only``."""
    reason: str
    use_hybrid_flag: bool | None
    """None unless vectors alone were asked for: hybrid is what happens when nobody asks."""
    has_content_text_column: bool
    """Whether there is a lexical index, which every bundle has."""
    has_identifier_pattern: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """Whether the answer was at hand. What is explained is made anew in any case."""

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
    """What it moved that candidates define what was asked for."""

    executed: bool
    """An order was changed by it."""
    boost_multiplier: float | None
    """None: it is no constant."""
    boosted_count: int
    """Files that define something the query names."""
    rank_changes: int
    """Files that stand elsewhere in the order than they would without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtering:
    """What was kept out."""

    filters: Mapping[str, list[str] | str | None]
    """What was asked for, by the key of each filter; None where nothing was. These are kept to from the beginning."""
    min_score: float
    pre_filter_count: int
    """Ranked candidates."""
    post_filter_count: int
    """Those that reach the least score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Where a thing stood after one stage."""

    stage: str
    """``keyword``, ``vector``, ``fusion``, ``ranking`` or ``answer``."""
    rank: int | None
    """Of the best of its chunks, 1-based; None when none is there."""
    of: int
    """How many the stage gave."""
    score: float | None
    place: str
    """``path:first-last`` of that chunk; empty when none is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What one named feature did to one file's score."""

    feature: str
    value: float
    contribution: float
    """Added to the score that orders candidates, before it is made a number between 0 and 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """A file or symbol that was asked after: where it stood at every stage, and why it ended where it did."""

    name: str
    """As it was asked for."""
    chunks: int
    """How many chunks it is in."""
    steps: tuple[Step, ...]
    lost_at: str
    """The stage that lost it: ``filters``, ``retrieval``, ``ranking``, ``min_score``, ``limit``; empty when it is in the answer."""
    verdict: str
    """What became of it, in a sentence."""
    contributions: tuple[Contribution, ...] = ()
    """What speaks for its file, most first, then what speaks against it."""
    behind: tuple[Contribution, ...] = ()
    """Where the file of the first hit has more: that one's value, and by how much more it gained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One search, explained."""

    query_analysis: QueryAnalysis
    search_mode: SearchMode
    cache: Cache
    vector_search: VectorSearch
    keyword_search: KeywordSearch
    fusion: Fusion
    definition_boost: DefinitionBoost
    filtering: Filtering
    timings: Mapping[str, float]
    """Stage to milliseconds, named as CONTRACTS 1D does; measured, and so different every time."""
    answer: Answer
    tracked: tuple[Tracked, ...] = ()
