"""An answer as text for a terminal: the hits of each file together, a heading for each hit, and its lines.

The functions that format a hit's place, lines and duplicates serve Markdown too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from hardtack.nouns.model import Answer, Hit, Place
from hardtack.render.style import Costs, Style, columns_of, inert, inert_line

SHOWN_LINES: Final = 8
"""Lines of a hit, unless more were asked for."""
TWINS: Final = 5
"""Duplicates of a hit that are named at most."""
_TITLE = "Further files:\n"


def render_answer(answer: Answer, style: Style) -> str:
    """Hits best first, those of one file together, a blank line between them; the further files; the hint at the end."""
    blocks = [_hit(hit, style, is_best=not number) for hits in by_file(answer.hits) for number, hit in enumerate(hits)]
    if answer.further:
        blocks.append(_further(answer.further))
    if answer.hint:
        blocks.append(_hint(answer, style))
    return "\n".join(blocks)


def costs(answer: Answer, style: Style) -> Costs:
    """How many characters :func:`render_answer` prints for each part of an answer."""
    return Costs(
        hit=lambda hit: len(_hit(hit, style, is_best=False)) + 1,
        file=lambda hit: len(_hit(hit, style, is_best=True)) - len(_hit(hit, style, is_best=False)),
        place=lambda place: len(_place(place)),
        further=len(_TITLE) + 1,
        rest=len(_hint(answer, style)) + 1 if answer.hint else 0,
    )


def _hint(answer: Answer, style: Style) -> str:
    return style.paint(inert_line(answer.hint), "2") + "\n"


def _hit(hit: Hit, style: Style, *, is_best: bool) -> str:
    has_context = bool(hit.context_before or hit.context_after)
    shown = hit if has_context or style.max_tokens else shortened(hit, SHOWN_LINES)
    place = f"{style.paint(inert_line(path_shown(hit)), '35') if is_best else '  '}:{style.paint(place_shown(shown), '32')}"
    what = f"{hit.kind} {style.paint(inert_line(hit.qualified_name), '1')}" if hit.name else ""
    state = style.paint(freshness, "33") if (freshness := freshness_shown(hit)) else ""
    heading = "  ".join(part for part in (place, what, style.paint(f"{hit.score:.3f}", "2"), state) if part)
    lines = [heading]
    if hit.also:
        lines.append(style.paint(f"  also: {twins_shown(hit, inert_line)}", "2"))
    if style.reasons:
        scores = (("keyword", hit.keyword_score), ("vector", hit.vector_score))
        found = [f"{name} {score:.3f}" for name, score in scores if score is not None]
        lines.append(style.paint("  because: " + "; ".join([*found, *map(inert_line, hit.reasons)]), "2"))
    snippet = text_shown(shown)
    lines += [_clipped("    " + inert(line.expandtabs(4)), style) for line in snippet.split("\n")] if snippet else []
    if shown.snippet_end_line != hit.snippet_end_line:
        lines.append(style.paint("    ...", "2"))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _further(places: Sequence[Place]) -> str:
    return _TITLE + "".join(map(_place, places))


def _place(place: Place) -> str:
    return f"  {inert_line(path_shown(place))}:{place.line}  {inert_line(' '.join(place.qualified_name.split()))}".rstrip() + "\n"


def _clipped(line: str, style: Style) -> str:
    if not style.columns or columns_of(line) <= style.columns:
        return line
    kept = 0
    for end, width in enumerate(accumulate(map(columns_of, line))):
        if width >= style.columns:
            break
        kept = end + 1
    return line[:kept] + "…"


def by_file(hits: Sequence[Hit]) -> list[list[Hit]]:
    """The hits of each file, files in order of their best hit, hits as they come."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(path_shown(hit), []).append(hit)
    return list(groups.values())


def path_shown(found: Hit | Place) -> str:
    """The path, after the index name where several bundles were searched."""
    return f"{found.index_name}:{found.path}" if found.index_name else found.path


def text_shown(hit: Hit) -> str:
    """The snippet, with the lines of context before and after it."""
    return "\n".join(part for part in (hit.context_before, hit.snippet, hit.context_after) if part)


def twins_shown(hit: Hit, format_place: Callable[[str], str]) -> str:
    """The places of the first duplicates of a hit, each through ``format_place``, and how many more there are."""
    named = ", ".join(format_place(f"{path_shown(twin)}:{twin.line}") for twin in hit.also[:TWINS])
    return f"{named} and {len(hit.also) - TWINS} more" if len(hit.also) > TWINS else named


def place_shown(hit: Hit) -> str:
    """``FIRST-LAST``, or the one line; verbs that take a place can parse it."""
    first, last = _lines_shown(hit)
    return f"{first}-{last}" if last > first else str(first)


def freshness_shown(hit: Hit) -> str:
    """``deleted``, or ``changed`` and the present lines; empty for a file that is fresh or was not compared."""
    if hit.freshness in ("unknown", "fresh"):
        return ""
    first, last = hit.current_start_line, hit.current_end_line
    if first is None or last is None:
        return hit.freshness
    return f"{hit.freshness}, now {first}-{last}" if last > first else f"{hit.freshness}, now {first}"


def _lines_shown(hit: Hit) -> tuple[int, int]:
    """The first and the last line that are shown; of a hit without a snippet twice the line of its definition or match."""
    if hit.snippet_start_line is None or hit.snippet_end_line is None:
        line = hit.selection_line or hit.start_line
        line = line if hit.start_line <= line <= hit.end_line else hit.match_line or hit.start_line
        return line, line
    before, after = (text.count("\n") + 1 if text else 0 for text in (hit.context_before, hit.context_after))
    return hit.snippet_start_line - before, hit.snippet_end_line + after


def shortened(hit: Hit, count: int) -> Hit:
    """``hit`` with ``count`` lines of its snippet, without blank ones at either end, and without context, imports and related.

    If the match is in the documentation before the definition, the lines begin with the end of that, at most a third of ``count``.
    If the definition is less than ``count`` lines before the match, they begin with the definition. Else they are around the match.
    """
    lines = hit.snippet.split("\n") if hit.snippet else []
    bare = hit._replace(context_before="", context_after="", imports="", related=())
    if count >= len(lines) or hit.snippet_start_line is None:
        return bare
    if count < 1:
        bare = bare._replace(current_start_line=None, current_end_line=None)
        return bare._replace(snippet="", snippet_start_line=None, snippet_end_line=None)
    match = (hit.match_line or hit.snippet_start_line) - hit.snippet_start_line
    definition = (hit.selection_line or 0) - hit.snippet_start_line
    if match <= definition < len(lines):
        start = max(match, definition - count // 3)
    elif definition >= 0 and match - definition < count:
        start = definition
    else:
        start = match - count // 3
    start = min(max(start, 0), len(lines) - count)
    end = start + count
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    while end > start + 1 and not lines[start].strip():
        start += 1
    return bare._replace(
        snippet="\n".join(lines[start:end]),
        snippet_start_line=hit.snippet_start_line + start,
        snippet_end_line=hit.snippet_start_line + end - 1,
        current_start_line=None if hit.current_start_line is None else hit.current_start_line + start,
        current_end_line=None if hit.current_start_line is None else hit.current_start_line + end - 1,
    )
