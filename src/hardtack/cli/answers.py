"""Shared by all verbs that answer: print an answer in the format that was asked for, as a terminal shows it best. Not a verb."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import environment, options
from hardtack.render.style import inert_json

if TYPE_CHECKING:
    from hardtack.render.places import Place
    from hardtack.render.terminal import Screen


def print_answer(
    listing: options.Listing,
    *,
    text: Callable[[], str],
    markdown: Callable[[], str],
    document: Callable[[], dict[str, Any]],
    lines: Callable[[], Iterable[Any]] | None = None,
    indent: int | None = None,
    bundle: Bundle | None = None,
) -> None:
    """Print an answer.

    Args:
        listing: how.
        text: makes it for a pipe.
        markdown: makes it in Markdown, and for a terminal.
        document: makes it as one JSON document.
        lines: makes the results of a list, for JSON lines; what is no list is one line, the document.
        indent: spaces of each level of the JSON document.
        bundle: what it is of, for links to its files.
    """
    if listing.format == "json":
        click.echo(inert_json(document(), indent=indent, is_spaced=True))
    elif listing.format == "jsonl":
        print_text(json_lines(lines() if lines else [document()]), listing)
    elif listing.format == "text" and listing.terminal is None:
        print_text(text(), listing)
    else:
        print_markdown(markdown(), listing, bundle)


def print_places(places: Sequence[Place], listing: options.Listing, bundle: Bundle) -> None:
    """Print a list of places as text, or how many there are in each file."""
    from hardtack.render.places import render_counts, render_places  # here and below: a search prints no places

    if listing.shows_counts:
        print_text(render_counts(places), listing)
    elif listing.terminal is None:
        print_text(render_places(places, listing.style), listing)
    else:
        from hardtack.render.terminal import places_on  # loads rich, which a pipe does without

        print_paged(places_on(places, _screen(listing.terminal, bundle)), listing.terminal)


def print_markdown(text: str, listing: options.Listing, bundle: Bundle | None = None) -> None:
    """Print Markdown as it is, or as a terminal shows it if it was not asked for."""
    if listing.format == "markdown" or listing.terminal is None:
        print_text(text, listing)
    else:
        from hardtack.render.terminal import markdown_on

        print_paged(markdown_on(text, _screen(listing.terminal, bundle)), listing.terminal)


def print_text(text: str, listing: options.Listing) -> None:
    """Print whole lines; colours stay in a pipe if they were asked for."""
    if listing.terminal and listing.format == "text":
        print_paged(text, listing.terminal)
    else:
        click.echo(text, nl=False, color=listing.style.color)


def print_paged(text: str, terminal: environment.Terminal) -> None:
    """Print what a terminal is sent, through the user's pager if it is longer than the screen."""
    if terminal.has_pager and text.count("\n") >= terminal.rows:
        click.echo_via_pager(text, color=True)
    else:
        click.echo(text, nl=False, color=True)


def _screen(terminal: environment.Terminal, bundle: Bundle | None) -> Screen:
    from hardtack.render.terminal import Screen

    screen = Screen(terminal.columns, terminal.has_color)
    return screen._replace(link=_links_of(bundle, terminal.host)) if bundle else screen


def _links_of(bundle: Bundle, host: str) -> Callable[[str, int], str]:
    """Where a place of a bundle can be opened: the file of the checkout, else the page of the site that has the repository."""
    from hardtack.render.links import file_address, permalink_of

    directories, provenance = bundle.places(), bundle.manifest.provenance

    @cache
    def file_of(path: str) -> Path | None:
        return next((file for each in directories if (file := Path(each, path)).is_file()), None)

    def link(path: str, line: int) -> str:
        if not bundle.file_at(path):
            return ""
        file = file_of(path)
        return file_address(file, line, host) if file else permalink_of(provenance, path, line)

    return link


def json_lines(values: Iterable[Any]) -> str:
    """One JSON value a line."""
    return "".join(f"{inert_json(value, is_spaced=True)}\n" for value in values)


def left_out_sentence(count: int) -> str:
    """What is said of results that ``--limit`` leaves out."""
    return f"hardtack: {count} more {'is' if count == 1 else 'are'} left out; ask for more with -n."
