"""``hardtack similar``: finds the code that is most similar to the code at a place."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_text
from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import UsageError
from hardtack.query.files.path_spelling import place_of
from hardtack.render import RENDERERS
from hardtack.render.style import counted
from hardtack.render.text import path_shown


@click.command("similar")
@click.argument("place", metavar="PATH:LINE[-LINE]")
@options.bundle_option
@options.digest_option
@options.as_built_option
@options.checkout_option
@click.option("-n", "--limit", type=int, default=10, show_default=True, help="Hits at most.")
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Only hits that are as much like it, 0 to 1.")
@click.option("--exclude-same-file", is_flag=True, help="Leave out what is in the same file.")
@click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="Characters of the whole answer at most, divided by 4.")
@options.count_option
@options.format_options
def command(
    *,
    place: str,
    bundle: str | None,
    digest: str | None,
    checkout: Path | None,
    limit: int,
    min_score: float,
    exclude_same_file: bool,
    max_tokens: int | None,
    shows_counts: bool,
    format_: str,
    as_json: bool,
    color: str,
) -> int:
    """Find the code that is most like the code at a place: copies, parallel implementations, tests.

    \b
    hardtack similar src/shelf.py:12
    hardtack similar src/shelf.py:10-40 --min-score 0.6 --exclude-same-file
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.similar import similar  # loads numpy, which help does without

    at = place_of(place)
    if at.first is None:
        raise UsageError(f"{place!r} is no place in a file.", hint="Name a path and a line, as in src/shelf.py:12.")
    with environment.opened_bundle(bundle, digest, checkout) as opened:
        answer = similar(
            opened,
            at.path,
            at.first,
            None if at.last == at.first else at.last,
            limit=limit,
            min_score=min_score,
            exclude_same_file=exclude_same_file,
            checkout=checkout,
        )
    format_ = "json" if as_json else format_
    options.require_text_for_counts(format_, shows_counts=shows_counts)
    if format_ == "json":
        answer = answer._replace(moved_on=moved_on.taken())
    style = environment.style(color, max_tokens=max_tokens)
    text = counted(map(path_shown, answer.hits)) if shows_counts else RENDERERS[format_](answer, style)
    print_text(text, options.Listing(format_, None, shows_counts, style, environment.terminal(color)))
    return 0 if answer.hits else NOTHING_FOUND
