"""``hardtack catalogue``: lists what was published to a place of many repositories."""

from __future__ import annotations

import click

from hardtack.cli import environment, options
from hardtack.cli.answers import print_answer, print_text
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.render.style import counted


@click.command("catalogue")
@click.argument("address", metavar="ADDRESS")
@click.argument("query", nargs=-1)
@options.list_options()
def command(*, address: str, query: tuple[str, ...], listing: options.Listing) -> int:
    """List the bundles that were published to a folder, a bucket or a server; with a query, those that may answer it.

    \b
    hardtack catalogue /srv/bundles
    hardtack catalogue https://bundles.example.org "retry with backoff" -n 5
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.likely_bundles import likeliest_of  # these load urllib3 and numpy, which help does without
    from hardtack.render.catalogue import catalogue_to_json, catalogue_to_markdown, render_catalogue
    from hardtack.store.sources.named import catalogue_at

    entries = likeliest_of(catalogue_at(address, environment.source_settings()), " ".join(query))[: listing.limit]
    if not entries and listing.format in ("text", "markdown"):
        say("No bundle there has any of these words among its most telling ones." if query else "No bundle is named there.")
    elif listing.shows_counts:
        print_text(counted([entry.repository for entry in entries]), listing)
    else:
        print_answer(
            listing,
            text=lambda: render_catalogue(entries),
            markdown=lambda: catalogue_to_markdown(entries),
            document=lambda: catalogue_to_json(entries),
            lines=lambda: catalogue_to_json(entries)["bundles"],
        )
    return 0 if entries else NOTHING_FOUND
