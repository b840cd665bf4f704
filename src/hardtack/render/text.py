"""An answer for a terminal: one heading a hit, and the first lines of what was found."""

from __future__ import annotations

from hardtack.model import Answer, Hit
from hardtack.render.style import Style, inert

_SHOWN_LINES = 8


def render_answer(answer: Answer, style: Style) -> str:
    """Hits best first, a blank line between them; the hint, if there is one, at the end."""
    blocks = [_hit(hit, style) for hit in answer.hits]
    if answer.hint:
        blocks.append(style.paint(answer.hint, "2") + "\n")
    return "\n".join(blocks)


def _hit(hit: Hit, style: Style) -> str:
    place = f"{style.paint(inert(hit.path), '35')}:{style.paint(f'{hit.start_line}-{hit.end_line}', '32')}"
    what = f"{hit.kind} {style.paint(inert(hit.qualified_name), '1')}" if hit.name else ""
    state = "" if hit.freshness in ("unknown", "fresh") else style.paint(hit.freshness, "33")
    heading = "  ".join(part for part in (place, what, style.paint(f"{hit.score:.3f}", "2"), state) if part)
    lines = [heading]
    if style.reasons:
        scores = (("keyword", hit.keyword_score), ("vector", hit.vector_score))
        found = [f"{name} {score:.3f}" for name, score in scores if score is not None]
        lines.append(style.paint("  because: " + "; ".join([*found, *map(inert, hit.reasons)]), "2"))
    snippet = hit.snippet.split("\n") if hit.snippet else []
    lines += [_shortened("    " + inert(line.expandtabs(4)), style) for line in snippet[:_SHOWN_LINES]]
    if len(snippet) > _SHOWN_LINES:
        lines.append(style.paint("    ...", "2"))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _shortened(line: str, style: Style) -> str:
    return line if not style.columns or len(line) <= style.columns else line[: style.columns - 1] + "…"
