"""An answer as one JSON document."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hardtack.model import Answer
from hardtack.render.fit import Costs, fitted
from hardtack.render.schema import answer_to_json, hit_to_json, place_to_json
from hardtack.render.style import Style


def render_answer(answer: Answer, style: Style) -> str:
    """Indented for people when they look at it, else on one line."""
    indent = 2 if style.columns else None
    if style.max_tokens:
        bare = replace(answer, hits=(), further=())
        costs = Costs(
            hit=lambda hit: _size(hit_to_json(hit), indent),
            file=lambda hit: 0,
            place=lambda place: _size(place_to_json(place), indent),
            further=_size({"further": []}, indent),
            rest=_size(answer_to_json(bare), indent),
        )
        answer = fitted(answer, style.max_tokens, costs)
    return json.dumps(answer_to_json(answer), ensure_ascii=False, indent=indent) + "\n"


def _size(value: dict[str, Any], indent: int | None) -> int:
    """Characters of a value inside the document: it may be indented by two levels, and is set off from the next."""
    written = json.dumps(value, ensure_ascii=False, indent=indent)
    return len(written) + len(", ") + (2 * 2 * (written.count("\n") + 2) if indent else 0)
