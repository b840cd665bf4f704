"""An answer as one JSON document."""

from __future__ import annotations

from typing import Any, Final

from hardtack.nouns.model import Answer, Hit
from hardtack.render.fit import TOKEN_CHARACTERS, fitted
from hardtack.render.schema import answer_to_json, hit_to_json, place_to_json
from hardtack.render.style import Costs, Style, inert_json

_ADDRESSES: Final = 160
"""Bytes by which a hit of the tools is longer than one of ``hardtack.search/1``: two addresses, without the path in each."""


def render_answer(answer: Answer, style: Style) -> str:
    """The document: indented for a terminal, else on one line."""
    if style.max_tokens:
        answer = fitted_as_json(answer, style.max_tokens)
    return inert_json(answer_to_json(answer), indent=2 if style.columns else None, is_spaced=True) + "\n"


def fitted_as_json(answer: Answer, tokens: int) -> Answer:
    """As much of ``answer`` as fits into ``tokens`` of four bytes, in JSON on one line.

    A hit has two shapes in JSON, that of ``hardtack.search/1`` and that of the tools. The larger one counts, so that the same
    budget gives the same hits, and as much of each, on the command line and to an agent.
    """
    addresses = sum(map(_addresses_size, answer.hits))
    if _size(answer_to_json(answer)) + addresses <= tokens * TOKEN_CHARACTERS:  # most answers fit, and need no cost of each hit
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
    """Bytes of a value inside the document, with the comma that follows."""
    return len(inert_json(value, is_spaced=True).encode()) + len(", ")
