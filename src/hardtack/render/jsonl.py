"""An answer as JSON lines, one hit each."""

from __future__ import annotations

import json

from hardtack.model import Answer
from hardtack.render.schema import hit_to_json
from hardtack.render.style import Style


def render_answer(answer: Answer, style: Style) -> str:
    """One line a hit, nothing for an answer without hits."""
    return "".join(json.dumps(hit_to_json(hit), ensure_ascii=False) + "\n" for hit in answer.hits)
