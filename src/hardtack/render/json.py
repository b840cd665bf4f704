"""An answer as one JSON document."""

from __future__ import annotations

import json

from hardtack.model import Answer
from hardtack.render.schema import answer_to_json
from hardtack.render.style import Style


def render_answer(answer: Answer, style: Style) -> str:
    """Indented for people when they look at it, else on one line."""
    return json.dumps(answer_to_json(answer), ensure_ascii=False, indent=2 if style.columns else None) + "\n"
