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
    what = f" {hit.kind} {_code(hit.qualified_name)}" if hit.name else ""
    state = "" if hit.freshness in ("unknown", "fresh") else f" ({hit.freshness})"
    lines = [f"**{hit.rank}.** {_code(f'{hit.path}:{hit.start_line}-{hit.end_line}')}{what}{state}"]
    if style.reasons and hit.reasons:
        lines.append(f"({'; '.join(map(inert, hit.reasons))})")
    if hit.snippet:
        snippet = inert(hit.snippet)
        fence = "`" * max((len(run) + 1 for run in _FENCE.findall(snippet)), default=3)
        lines += [fence + hit.language, snippet, fence]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Inline code; a backtick in the text is shown as an apostrophe, since nothing else keeps it on one line and inert."""
    return f"`{inert(text).replace('`', chr(39))}`"
