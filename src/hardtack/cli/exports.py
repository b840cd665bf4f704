"""``hardtack exports``: lists the exports of a package."""

from __future__ import annotations

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.descriptors import besides, nearest
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.descriptors import descriptor_json, note_line, render_exports
from hardtack.render.style import inert_json, inert_line


@click.command("exports")
@click.argument("package", shell_complete=options.completions.packages)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only symbols of this kind.")
@options.tag_option
@options.json_option
def command(
    *, package: str, bundle: str | None, digest: str | None, kinds: tuple[str, ...], tags: tuple[str, ...], as_json: bool
) -> int:
    """List everything a package, namespace or module exports.

    \b
    hardtack exports gin --kind function
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        found = LookUps(opened).exports(package, kinds=kinds, tags=tags)
        name = opened.name
    if as_json:
        document = {"schema": "hardtack.exports/1", "package": package, "results": descriptor_json(found.results, name)}
        click.echo(inert_json(document | besides(found) | moved_on.as_json(), is_spaced=True))
    elif found.results:
        click.echo(render_exports(package, found.results, total=found.total) + note_line(found.note), nl=False)
    else:
        say(f"hardtack: no exported symbols found in package {inert_line(package)}.{nearest(found.suggestions)}")
    return 0 if found.results else NOTHING_FOUND
