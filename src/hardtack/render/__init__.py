"""Answers in, text for people and programs out. Pure: nothing here opens, searches or prints."""

from __future__ import annotations

from collections.abc import Callable

from hardtack.nouns.model import Answer
from hardtack.render import text
from hardtack.render.style import PLAIN, Style

Renderer = Callable[[Answer, Style], str]


def _markdown(answer: Answer, style: Style) -> str:
    from hardtack.render.markdown import render_answer  # here as below: a terminal does without

    return render_answer(answer, style)


def _json(answer: Answer, style: Style) -> str:
    from hardtack.render.json import render_answer

    return render_answer(answer, style)


def _jsonl(answer: Answer, style: Style) -> str:
    from hardtack.render.jsonl import render_answer

    return render_answer(answer, style)


RENDERERS: dict[str, Renderer] = {
    "text": text.render_answer,
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _markdown,
}
"""Format name -> renderer; each gives whole lines, newline at the end."""

__all__ = ["PLAIN", "RENDERERS", "Renderer", "Style"]
