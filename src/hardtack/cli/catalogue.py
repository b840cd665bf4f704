"""``hardtack catalogue``: lists what was published to a place of many repositories."""

from __future__ import annotations

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.render.style import inert_json


@click.command("catalogue")
@click.argument("address", metavar="ADDRESS")
@click.argument("query", nargs=-1)
@click.option("-n", "--limit", type=click.IntRange(min=1), metavar="N", help="List N bundles at most.")
@options.json_option
def command(*, address: str, query: tuple[str, ...], limit: int | None, as_json: bool) -> int:
    """List the bundles that were published to a folder, a bucket or a server; with a query, those that may answer it.

    \b
    hardtack catalogue /srv/bundles
    hardtack catalogue https://bundles.example.org "retry with backoff" -n 5
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.likely_bundles import likeliest_of  # these load urllib3 and numpy, which help does without
    from hardtack.render.catalogue import catalogue_to_json, render_catalogue
    from hardtack.store.sources.named import catalogue_at

    entries = likeliest_of(catalogue_at(address, environment.source_settings()), " ".join(query))[:limit]
    if as_json:
        click.echo(inert_json(catalogue_to_json(entries), is_spaced=True))
    elif entries:
        click.echo(render_catalogue(entries), nl=False)
    else:
        say("No bundle there has any of these words among its most telling ones." if query else "No bundle is named there.")
    return 0 if entries else NOTHING_FOUND
