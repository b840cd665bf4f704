"""An answer for a terminal: one heading a hit, and the lines of it to look at first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hardtack.nouns.model import Answer, Hit, Place
from hardtack.render.fit import Costs, fitted, shortened
from hardtack.render.groups import by_file, freshness_shown, path_shown, place_shown, text_shown, twins_shown
from hardtack.render.style import Style, inert

SHOWN_LINES: Final = 8
"""Of a hit for which no more were asked for."""
_TITLE = "Further files:\n"


def render_answer(answer: Answer, style: Style) -> str:
    """Hits best first, those of one file together, a blank line between them; the further files; the hint at the end."""
    if style.max_tokens:
        costs = Costs(
            hit=lambda hit: len(_hit(hit, style, is_best=False)) + 1,
            file=lambda hit: len(_hit(hit, style, is_best=True)) - len(_hit(hit, style, is_best=False)),
            place=lambda place: len(_place(place)),
            further=len(_TITLE) + 1,
            rest=len(_hint(answer, style)) + 1 if answer.hint else 0,
        )
        answer = fitted(answer, style.max_tokens, costs)
    blocks = [_hit(hit, style, is_best=not number) for hits in by_file(answer.hits) for number, hit in enumerate(hits)]
    if answer.further:
        blocks.append(_further(answer.further))
    if answer.hint:
        blocks.append(_hint(answer, style))
    return "\n".join(blocks)


def _hint(answer: Answer, style: Style) -> str:
    return style.paint(answer.hint, "2") + "\n"


def _hit(hit: Hit, style: Style, *, is_best: bool) -> str:
    is_asked = bool(hit.context_before or hit.context_after)
    shown = hit if is_asked or style.max_tokens else shortened(hit, SHOWN_LINES)
    place = f"{style.paint(inert(path_shown(hit)), '35') if is_best else '  '}:{style.paint(place_shown(shown), '32')}"
    what = f"{hit.kind} {style.paint(inert(hit.qualified_name), '1')}" if hit.name else ""
    state = style.paint(said, "33") if (said := freshness_shown(hit)) else ""
    heading = "  ".join(part for part in (place, what, style.paint(f"{hit.score:.3f}", "2"), state) if part)
    lines = [heading]
    if hit.also:
        lines.append(style.paint(f"  also: {twins_shown(hit, inert)}", "2"))
    if style.reasons:
        scores = (("keyword", hit.keyword_score), ("vector", hit.vector_score))
        found = [f"{name} {score:.3f}" for name, score in scores if score is not None]
        lines.append(style.paint("  because: " + "; ".join([*found, *map(inert, hit.reasons)]), "2"))
    snippet = text_shown(shown)
    lines += [_shortened("    " + inert(line.expandtabs(4)), style) for line in snippet.split("\n")] if snippet else []
    if shown.snippet_end_line != hit.snippet_end_line:
        lines.append(style.paint("    ...", "2"))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _further(places: Sequence[Place]) -> str:
    return _TITLE + "".join(map(_place, places))


def _place(place: Place) -> str:
    return inert(f"  {path_shown(place)}:{place.line}  {' '.join(place.qualified_name.split())}").rstrip() + "\n"


def _shortened(line: str, style: Style) -> str:
    return line if not style.columns or len(line) <= style.columns else line[: style.columns - 1] + "…"
