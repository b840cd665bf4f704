"""``index_stats``: what a bundle holds, how old it is, and how well its files parsed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, TypedDict, cast

from msgspec import Meta

from hardtack.bundle.integrity import without_absent
from hardtack.errors import BundleError
from hardtack.nouns.outline import ParseFailure
from hardtack.nouns.statistics import ParseCounts, created_at
from hardtack.query.searcher import Searcher
from hardtack.query.state.statistics import languages_of, parse_failures, size_of, statistics_of
from hardtack.render.stats import parse_stats_to_json, readable_size
from hardtack.tools.tool import Call, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which indexes, and how much of each."""

    index_name: Annotated[str | None, Meta(description="One index; without it, a list of all.")] = None
    include_failures: Annotated[bool, Meta(description="Also name each source file that did not parse cleanly, and where.")] = False


class LanguageStatistics(TypedDict):
    """Counts of one language."""

    language: str
    file_count: int
    chunk_count: int
    line_count: int


class ParseStatistics(TypedDict):
    """How well the source code parsed; prose, configuration and plain text are not counted."""

    parse_health_pct: float
    total_files: int
    total_ok: int
    by_language: dict[str, ParseCounts]


class IndexStatistics(TypedDict, total=False):
    """The statistics of one index."""

    name: str
    file_count: int
    chunk_count: int
    storage_size: Annotated[int, Meta(description="Bytes.")]
    storage_size_pretty: str
    created_at: Annotated[str, Meta(description="When the indexed commit was made.")]
    updated_at: str
    is_stale: bool
    staleness_days: Annotated[int, Meta(description="Days since created_at; -1 when that is unknown.")]
    languages: list[LanguageStatistics]
    symbols: Annotated[dict[str, int], Meta(description="Kind of symbol to how many there are.")]
    parse_stats: ParseStatistics
    warnings: list[str]
    parse_failures: list[ParseFailure]
    repo_url: str
    commit_hash: str
    commits_behind: Annotated[int, Meta(description="Commits that the checkout's HEAD has and the index has not.")]
    embedding_model: str
    skipped: Annotated[dict[str, int], Meta(description="Why files are not in the index, to how many.")]
    roles: Annotated[dict[str, int], Meta(description="Role of a file in the repository to how many there are.")]


class IndexStatsResult(IndexStatistics, total=False):
    """The statistics of the one index that was named, or of all."""

    result: Annotated[list[IndexStatistics], Meta(description="One entry for each index, when none was named.")]


def _call(call: Call, arguments: Arguments) -> ToolReply:
    if arguments.index_name:
        return ToolReply(value=_index(call, arguments.index_name, failures=arguments.include_failures))
    indexes: list[IndexStatistics] = []
    broken: list[str] = []
    for entry in call.catalog.entries():
        call.check()
        try:
            indexes.append(_index(call, entry.name, failures=arguments.include_failures))
        except BundleError:
            broken.append(entry.name)
    if broken:
        return ToolReply(value=indexes, hint=f"Cannot be read: {', '.join(broken)}; get_status says why.")
    return ToolReply(value=indexes, hint="" if indexes else "No index is served. Build one with: hardtack build SRC")


def _index(call: Call, name: str, *, failures: bool) -> IndexStatistics:
    with call.catalog.searcher(name, as_built=True) as searcher:
        return _statistics(call, name, searcher, failures=failures)


def _statistics(call: Call, name: str, searcher: Searcher, *, failures: bool) -> IndexStatistics:
    bundle, manifest = searcher.bundle, searcher.bundle.manifest
    counted, staleness = statistics_of(bundle), call.catalog.staleness(call.catalog.entry(name))
    size = size_of(without_absent(bundle.path, manifest))
    statistics: IndexStatistics = {
        "name": name,
        "file_count": manifest.counts.files,
        "chunk_count": manifest.counts.chunks,
        "storage_size": size,
        "storage_size_pretty": readable_size(size),
    }
    if made := created_at(manifest.provenance):
        statistics["created_at"] = statistics["updated_at"] = made
    statistics["is_stale"] = staleness.is_stale
    statistics["staleness_days"] = staleness.days
    statistics["languages"] = [
        {"language": each.id, "file_count": each.files, "chunk_count": each.chunks, "line_count": each.lines}
        for each in languages_of(manifest)
    ]
    statistics["symbols"] = dict(counted.symbols)
    statistics["parse_stats"] = cast(ParseStatistics, parse_stats_to_json(counted.health))
    statistics["warnings"] = staleness.warnings
    if failures:
        statistics["parse_failures"] = [cast(ParseFailure, asdict(failure)) for failure in parse_failures(bundle)]
    if manifest.provenance.repository:
        statistics["repo_url"] = f"https://{manifest.provenance.repository}"
    if manifest.provenance.commit:
        statistics["commit_hash"] = manifest.provenance.commit
    if staleness.distance:
        statistics["commits_behind"] = staleness.distance.behind
    if manifest.encoder:
        statistics["embedding_model"] = manifest.encoder.name
    if manifest.skipped:
        statistics["skipped"] = dict(manifest.skipped)
    statistics["roles"] = dict(counted.roles)
    return statistics


TOOL = Tool(
    name="index_stats",
    toolset="indexes",
    title="Statistics of an index",
    description=("Numbers of one index, or of all: files, chunks, languages, symbols, how well files parsed, what was skipped."),
    parameters=Arguments,
    result=IndexStatsResult,
    call=_call,
    says_commits=True,
)
