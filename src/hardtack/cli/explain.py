"""``hardtack explain``: a query in, how its answer came about out."""

from __future__ import annotations

from typing import Any

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_answer
from hardtack.render.explanation import explanation_to_json, explanation_to_markdown, render_explanation


@click.command("explain")
@click.argument("query", nargs=-1, required=True)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--where", multiple=True, metavar="PATH", help="Tell what became of this file, or of the chunk at PATH:LINE.")
@click.option("--symbol", "symbols", multiple=True, metavar="NAME", help="Tell what became of the symbol of this name.")
@options.search_options
@options.answer_options
def command(*, query: tuple[str, ...], bundle: str | None, digest: str | None, listing: options.Listing, **asked: Any) -> int:
    """Search, and tell what each stage found and why hits stand where they do.

    \b
    hardtack explain "where are hashes checked"
    hardtack explain "oldest jar" --where src/shelf.py --symbol Shelf.take_oldest
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.explain.explanation import explain  # help is shown without what ranks
    from hardtack.query.searcher import Searcher

    with Searcher(environment.opened_bundle(bundle, digest), encoder=options.encoder_settings()) as searcher:
        explanation = explain(searcher, " ".join(query), **asked)
        print_answer(
            listing,
            text=lambda: render_explanation(explanation, listing.style),
            markdown=lambda: explanation_to_markdown(explanation),
            document=lambda: {**explanation_to_json(explanation), **moved_on.as_json()},
            indent=2,
            bundle=searcher.bundle,
        )
    return 0
