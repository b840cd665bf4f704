"""Answers in, text for people and programs out. Pure: nothing here opens, searches or prints."""

from __future__ import annotations

from collections.abc import Callable

from hardtack.model import Answer
from hardtack.render import markdown, text
from hardtack.render.style import PLAIN, Style

Renderer = Callable[[Answer, Style], str]


def _json(answer: Answer, style: Style) -> str:
    from hardtack.render.json import render_answer  # who reads does without what programs are given

    return render_answer(answer, style)


def _jsonl(answer: Answer, style: Style) -> str:
    from hardtack.render.jsonl import render_answer

    return render_answer(answer, style)


RENDERERS: dict[str, Renderer] = {
    "text": text.render_answer,
    "json": _json,
    "jsonl": _jsonl,
    "markdown": markdown.render_answer,
}
"""Format name -> renderer; each gives whole lines, newline at the end."""

__all__ = ["PLAIN", "RENDERERS", "Renderer", "Style"]
