"""Shared by all verbs that answer: print an answer in the format that was asked for. Not a verb."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from hardtack.cli import options
from hardtack.render.style import inert_json


def print_answer(
    listing: options.Listing,
    *,
    text: Callable[[], str],
    markdown: Callable[[], str],
    document: Callable[[], dict[str, Any]],
    lines: Callable[[], Iterable[Any]] | None = None,
    indent: int | None = None,
) -> None:
    """Print an answer.

    Args:
        listing: how.
        text: makes it for a person, or for a pipe.
        markdown: makes it in Markdown.
        document: makes it as one JSON document.
        lines: makes the results of a list, for JSON lines; what is no list is one line, the document.
        indent: spaces of each level of the JSON document.
    """
    if listing.format == "json":
        click.echo(inert_json(document(), indent=indent, is_spaced=True))
    elif listing.format == "jsonl":
        print_text(json_lines(lines() if lines else [document()]), listing)
    else:
        print_text(markdown() if listing.format == "markdown" else text(), listing)


def print_text(text: str, listing: options.Listing) -> None:
    """Print whole lines; colours stay in a pipe if they were asked for."""
    click.echo(text, nl=False, color=listing.style.color)


def json_lines(values: Iterable[Any]) -> str:
    """One JSON value a line."""
    return "".join(f"{inert_json(value, is_spaced=True)}\n" for value in values)


def left_out_sentence(count: int) -> str:
    """What is said of results that ``--limit`` leaves out."""
    return f"hardtack: {count} more {'is' if count == 1 else 'are'} left out; ask for more with -n."
