"""Answers in, text for people and programs out. Pure: nothing here opens, searches or prints."""

from __future__ import annotations

from collections.abc import Callable

from hardtack.model import Answer
from hardtack.render import json, jsonl, markdown, text
from hardtack.render.style import PLAIN, Style

Renderer = Callable[[Answer, Style], str]

RENDERERS: dict[str, Renderer] = {
    "text": text.render_answer,
    "json": json.render_answer,
    "jsonl": jsonl.render_answer,
    "markdown": markdown.render_answer,
}
"""Format name -> renderer; each gives whole lines, newline at the end."""

__all__ = ["PLAIN", "RENDERERS", "Renderer", "Style"]
