"""Answers in, text for people and programs out. Nothing here opens a bundle, searches or prints.

Only the text format is imported at once: it is the default of a search, and each search is a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from hardtack.nouns.model import Answer
from hardtack.render import text
from hardtack.render.style import PLAIN, Style

Renderer = Callable[[Answer, Style], str]
Format = Literal["text", "json", "jsonl", "markdown"]


def _text(answer: Answer, style: Style) -> str:
    if style.max_tokens:
        from hardtack.render.fit import fitted

        answer = fitted(answer, style.max_tokens, text.costs(answer, style))
    return text.render_answer(answer, style)


def _markdown(answer: Answer, style: Style) -> str:
    from hardtack.render.markdown import render_answer

    return render_answer(answer, style)


def _json(answer: Answer, style: Style) -> str:
    from hardtack.render.json import render_answer

    return render_answer(answer, style)


def _jsonl(answer: Answer, style: Style) -> str:
    from hardtack.render.jsonl import render_answer

    return render_answer(answer, style)


RENDERERS: dict[str, Renderer] = {
    "text": _text,
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _markdown,
}
"""Format name -> renderer; each gives whole lines, with a newline at the end."""


def render_answer(answer: Answer, format: Format = "text", style: Style = PLAIN) -> str:
    """An answer in one of the formats of ``hardtack search --format``, whole lines."""
    return RENDERERS[format](answer, style)


__all__ = ["PLAIN", "RENDERERS", "Format", "Renderer", "Style", "render_answer"]
