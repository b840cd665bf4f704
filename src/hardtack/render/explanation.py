"""The explanation of a search in, text or JSON out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from hardtack.nouns.explanation import Explanation, Filtering, Step, Tracked
from hardtack.nouns.model import Hit
from hardtack.render.markdown import code, fenced, prose, table
from hardtack.render.schema import hit_to_json
from hardtack.render.style import Style, inert_line

EXPLAIN_SCHEMA = "hardtack.explain/1"

_STAGES = (
    *("query_analysis", "search_mode", "cache", "vector_search", "keyword_search", "fusion", "definition_boost", "filtering"),
    "timings",
)
_HITS = 10
"""Hits that the text lists at most."""
_FEATURES = 8
"""Contributions of features that the text lists at most, for each tracked file or symbol."""


def explanation_to_json(explanation: Explanation) -> dict[str, Any]:
    """The whole explanation: keys in a fixed order, none left out; unknown values are null."""
    answer = explanation.answer
    return {
        "schema": EXPLAIN_SCHEMA,
        "bundle": {"digest": answer.bundle_digest, "commit": answer.bundle_commit, "name": answer.bundle_name},
        **stages_to_json(explanation),
        "results": [hit_to_json(hit) for hit in answer.hits],
        "tracked": tracked_to_json(explanation),
    }


def stages_to_json(explanation: Explanation) -> dict[str, Any]:
    """What each stage did, keys in a fixed order; filters that were not given are null."""
    stages = {name: getattr(explanation, name) for name in _STAGES}
    document = {name: dict(stage) if name == "timings" else _fields(stage) for name, stage in stages.items()}
    document["filtering"] = {**document["filtering"].pop("filters"), **document["filtering"]}
    return document


def tracked_to_json(explanation: Explanation) -> list[dict[str, Any]]:
    """How each tracked file or symbol passed through the stages."""
    return [_fields(tracked) for tracked in explanation.tracked]


def _fields(section: Any) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(section).items()}


def render_explanation(explanation: Explanation, style: Style) -> str:
    """For a person: the query, what each stage did, the hits, and each tracked file or symbol."""
    lines = [
        *_heading("Query", style),
        *_query(explanation),
        "",
        *_heading("Stages", style),
        *_stages(explanation),
        "",
        *_heading("Hits", style),
        *_hits(explanation, style),
    ]
    for tracked in explanation.tracked:
        lines += ["", *_heading(inert_line(tracked.name), style), *_tracked(tracked)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def explanation_to_markdown(explanation: Explanation) -> str:
    """The same as Markdown."""
    hits = explanation.answer.hits[:_HITS]
    rest = len(explanation.answer.hits) - _HITS
    parts = [
        "# Query\n\n" + "".join(f"- **{name}**: {prose(text)}\n" for name, text in _read(explanation)),
        "## Stages\n\n"
        + table(("stage", "found", "ms"), [(name, what, f"{ms:.2f}") for name, what, ms in _stage_rows(explanation)], numbers=1),
        "## Hits\n\n" + ("".join(map(_hit_to_markdown, hits)) or "none\n") + (f"\nand {rest} more\n" if rest > 0 else ""),
        *(
            f"## {code(tracked.name)}\n\n"
            + fenced("\n".join(line.removeprefix("  ").rstrip() for line in _tracked(tracked)), "")
            + "\n"
            for tracked in explanation.tracked
        ),
    ]
    return "\n".join(filter(None, parts))


def _hit_to_markdown(hit: Hit) -> str:
    name = f", {prose(hit.kind or '')} {code(hit.qualified_name)}" if hit.name else ""
    reasons = f": {'; '.join(map(prose, hit.reasons))}" if hit.reasons else ""
    return f"{hit.rank}. {hit.score:.3f} {code(f'{hit.path}:{hit.start_line}-{hit.end_line}')}{name}{reasons}\n"


def _heading(text: str, style: Style) -> list[str]:
    return [style.paint(text, "1")]


def _query(explanation: Explanation) -> list[str]:
    return [f"  {name.ljust(8)}  {text}" for name, text in _read(explanation)]


def _read(explanation: Explanation) -> list[tuple[str, str]]:
    """What was read in the query, as (label, what)."""
    read, mode, filtering = explanation.query_analysis, explanation.search_mode, explanation.filtering
    parts = ", ".join(f"{part.count} {part.sort}{f' (weight {part.weight:g})' * bool(part.weight)}" for part in read.parts)
    of_text = [  # the text of an issue is long, and most of it says little
        ("text", read.original_query),
        ("terms", " ".join(read.terms)),
        ("about", " ".join(read.content_words)),
        ("read as", "a name" if read.is_symbol_like else "words with an identifier" if read.has_identifier else "words"),
        ("quoted", ", ".join(read.literals)),
    ]
    of_issue = [("read as", "an issue"), ("title", read.title), ("parts", parts), ("terms", " ".join(read.terms))]
    rows = [
        *(of_issue if read.parts else of_text),
        ("hints", ", ".join((*read.kinds, *read.subjects, *read.languages, *read.paths))),
        ("mode", f"{mode.mode}: {mode.reason}"),
        ("filters", "; ".join(_filters(filtering))),
    ]
    return [(name, inert_line(" ".join(text.split()))) for name, text in rows if text]


def _filters(filtering: Filtering) -> Iterable[str]:
    for name, value in filtering.filters.items():
        if value:
            yield f"{name.removesuffix('_filter').replace('_', ' ')} {value if isinstance(value, str) else ', '.join(value)}"
    if filtering.min_score:
        yield f"score at least {filtering.min_score}"


def _stages(explanation: Explanation) -> list[str]:
    rows = _stage_rows(explanation)
    return [f"  {name.ljust(8)}  {(what or '-').ljust(64)}{f'  {ms:8.2f} ms' if ms else ''}" for name, what, ms in rows]


def _stage_rows(explanation: Explanation) -> list[tuple[str, str, float]]:
    """(name, result, milliseconds) of each stage."""
    times = explanation.timings
    keyword, vector, fusion = explanation.keyword_search, explanation.vector_search, explanation.fusion
    boost, filtering = explanation.definition_boost, explanation.filtering
    found = f"{fusion.both_count} by both, {fusion.keyword_only_count} by keyword, {fusion.vector_only_count} by vector alone"
    moved = f"{boost.boosted_count} files define what is named, {boost.rank_changes} stand elsewhere by that"
    return [
        ("analysis", "", times["query_analysis_ms"]),
        (
            "keyword",
            _listed(keyword.executed, keyword.result_count, keyword.top_ts_rank, keyword.bottom_ts_rank),
            times["keyword_search_ms"],
        ),
        (
            "vector",
            _listed(vector.executed, vector.result_count, vector.top_score, vector.bottom_score),
            times["embedding_ms"] + times["vector_search_ms"],
        ),
        ("fusion", f"{fusion.total_fused}: {found}", times["rrf_fusion_ms"]),
        ("ranking", f"{filtering.pre_filter_count}: {moved}", times["definition_boost_ms"]),
        ("answer", f"{len(explanation.answer.hits)} of {filtering.post_filter_count} that pass", times["snippets_ms"]),
        ("all", "", times["total_ms"]),
    ]


def _listed(executed: bool, count: int, top: float | None, bottom: float | None) -> str:
    if not executed:
        return "not asked"
    return f"{count}, scores {top:.3f} to {bottom:.3f}" if top is not None and bottom is not None else "nothing"


def _hits(explanation: Explanation, style: Style) -> list[str]:
    lines = []
    for hit in explanation.answer.hits[:_HITS]:
        name = f"  {hit.kind} {inert_line(hit.qualified_name)}" if hit.name else ""
        lines.append(
            f"  {hit.rank:3}  {hit.score:.3f}  {style.paint(inert_line(hit.path), '35')}:{hit.start_line}-{hit.end_line}{name}"
        )
        lines += [f"              {inert_line(reason)}" for reason in hit.reasons]
    rest = len(explanation.answer.hits) - _HITS
    return [*(lines or ["  none"]), *([f"  and {rest} more"] if rest > 0 else [])]


def _tracked(tracked: Tracked) -> list[str]:
    lines = [f"  {inert_line(tracked.verdict)}"]
    if tracked.role:
        lines.append(f"  its file's role is {inert_line(tracked.role)}")
    lines += [f"  {_step(step)}" for step in tracked.steps]
    for title, entries in (("its file has", tracked.contributions), ("the first hit's has more of", tracked.behind)):
        if entries:
            lines.append(f"  {title}")
            lines += [f"    {each.contribution:+8.3f}  {each.feature} {each.value:g}" for each in entries[:_FEATURES]]
    return lines


def _step(step: Step) -> str:
    where = f"number {step.rank} of {step.of}" if step.rank is not None else f"not among {step.of}"
    return f"{step.stage.ljust(8)}  {where.ljust(22)}" + (
        f"  {step.score:.3f}  {inert_line(step.place)}" if step.score is not None else ""
    )
