"""``hardtack exports``: lists the exports of a package."""

from __future__ import annotations

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import json_lines, left_out_sentence, print_places, print_text
from hardtack.cli.descriptors import besides, nearest
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.descriptors import descriptor_json, note_line, render_exports
from hardtack.render.places import places_of_symbols
from hardtack.render.style import inert_json, inert_line


@click.command("exports")
@click.argument("package", shell_complete=options.completions.packages)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only symbols of this kind.")
@options.tag_option
@options.list_options()
def command(
    *,
    package: str,
    bundle: str | None,
    digest: str | None,
    kinds: tuple[str, ...],
    tags: tuple[str, ...],
    listing: options.Listing,
) -> int:
    """List everything a package, namespace or module exports.

    \b
    hardtack exports gin --kind function
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        found = LookUps(opened).exports(package, kinds=kinds, tags=tags)
        results = found.results[: listing.limit]
        left_out = len(found.results) - len(results)
        if listing.format == "json":
            document = {"schema": "hardtack.exports/1", "package": package, "results": descriptor_json(results, opened.name)}
            more = {"left_out": left_out} if left_out else {}
            click.echo(inert_json(document | more | besides(found) | moved_on.as_json(), is_spaced=True))
            return 0 if results else NOTHING_FOUND
        if not results:
            say(f"hardtack: no exported symbols found in package {inert_line(package)}.{nearest(found.suggestions)}")
            return NOTHING_FOUND
        if listing.format == "markdown":
            print_text(render_exports(package, results, total=found.total) + note_line(found.note), listing)
        elif listing.format == "jsonl":
            print_text(json_lines(descriptor_json(results, opened.name)), listing)
        else:
            print_places(places_of_symbols(results), listing, opened)
        if left_out:
            say(left_out_sentence(left_out))
        if found.note and listing.format != "markdown":
            say(f"hardtack: {inert_line(found.note)}")
        return 0
