"""An answer as JSON lines, one hit each."""

from __future__ import annotations

from hardtack.nouns.model import Answer, Hit
from hardtack.render.fit import fitted
from hardtack.render.schema import hit_to_json
from hardtack.render.style import Costs, Style, inert_json


def render_answer(answer: Answer, style: Style) -> str:
    """One line a hit, nothing for an answer without hits."""
    if style.max_tokens:
        costs = Costs(hit=lambda hit: len(_line(hit)), file=lambda hit: 0, place=lambda place: 0, further=0, rest=0)
        answer = fitted(answer._replace(further=()), style.max_tokens, costs)
    return "".join(map(_line, answer.hits))


def _line(hit: Hit) -> str:
    return inert_json(hit_to_json(hit), is_spaced=True) + "\n"
