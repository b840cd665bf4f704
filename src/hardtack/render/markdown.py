"""An answer as Markdown: compact, each snippet in a fence that its own text cannot close."""

from __future__ import annotations

import re

from hardtack.model import Answer, Hit
from hardtack.render.style import Style, inert

_FENCE = re.compile(r"`{3,}")


def render_answer(answer: Answer, style: Style) -> str:
    """A heading and a fenced snippet for each hit; the hint at the end."""
    blocks = [_hit(hit, style) for hit in answer.hits]
    if answer.hint:
        blocks.append(answer.hint + "\n")
    return "\n".join(blocks)


def _hit(hit: Hit, style: Style) -> str:
    what = f" {hit.kind} {code(hit.qualified_name)}" if hit.name else ""
    state = "" if hit.freshness in ("unknown", "fresh") else f" ({hit.freshness})"
    lines = [f"**{hit.rank}.** {code(f'{hit.path}:{hit.start_line}-{hit.end_line}')}{what}{state}"]
    if style.reasons and hit.reasons:
        lines.append(f"({'; '.join(map(inert, hit.reasons))})")
    if hit.snippet:
        lines.append(fenced(hit.snippet, hit.language))
    return "\n".join(lines) + "\n"


def fenced(text: str, language: str) -> str:
    """A code block with a fence longer than any run of backticks in it."""
    shown = inert(text)
    fence = "`" * max((len(run) + 1 for run in _FENCE.findall(shown)), default=3)
    return f"{fence}{language}\n{shown}\n{fence}"


def code(text: str) -> str:
    """Inline code; a backtick in the text is shown as an apostrophe, since nothing else keeps it on one line and inert."""
    return f"`{inert(text).replace('`', chr(39))}`"
