"""An answer as one JSON document."""

from __future__ import annotations

import json
from typing import Any, Final

from hardtack.nouns.model import Answer, Hit
from hardtack.render.fit import TOKEN_CHARACTERS, Costs, fitted
from hardtack.render.schema import answer_to_json, hit_to_json, place_to_json
from hardtack.render.style import Style

_ADDRESSES: Final = 160
"""Bytes of the two addresses that a tool gives of a hit, besides its path in each, less what it leaves out."""


def render_answer(answer: Answer, style: Style) -> str:
    """Indented for people when they look at it, else on one line."""
    if style.max_tokens:
        answer = fitted_as_json(answer, style.max_tokens)
    return json.dumps(answer_to_json(answer), ensure_ascii=False, indent=2 if style.columns else None) + "\n"


def fitted_as_json(answer: Answer, tokens: int) -> Answer:
    """As much of ``answer`` as ``tokens`` of four bytes hold, in JSON on one line.

    Of the two shapes that a hit has in JSON, ``hardtack.search/1`` and that of the tools, the larger one counts: the same budget
    gives the same hits, and as much of each, whoever asks.
    """
    besides = sum(map(_addresses_size, answer.hits))
    if _size(answer_to_json(answer)) + besides <= tokens * TOKEN_CHARACTERS:  # as most do: said by one look at all of it
        return answer
    costs = Costs(
        hit=_hit_size,
        file=lambda hit: 0,
        place=lambda place: _size(place_to_json(place)),
        further=_size({"further": []}),
        rest=_size(answer_to_json(answer._replace(hits=(), further=()))),
    )
    return fitted(answer, tokens, costs)


def _hit_size(hit: Hit) -> int:
    return _size(hit_to_json(hit)) + _addresses_size(hit)


def _addresses_size(hit: Hit) -> int:
    return 2 * len(hit.path.encode()) + _ADDRESSES


def _size(value: dict[str, Any]) -> int:
    """Bytes of a value inside the document: it is set off from the next."""
    return len(json.dumps(value, ensure_ascii=False).encode()) + len(", ")
