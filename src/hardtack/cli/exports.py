"""``hardtack exports``: a package in, what it offers to others out."""

from __future__ import annotations

import json

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.descriptors import descriptor_to_json
from hardtack.query.lookups import LookUps
from hardtack.render.descriptors import render_exports
from hardtack.render.style import inert


@click.command("exports")
@click.argument("package")
@options.bundle_option
@options.digest_option
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
    with options.opened_bundle(bundle, digest) as opened:
        symbols = LookUps(opened).exports(package, kinds=kinds, tags=tags).results
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.exports/1", "package": package, "results": descriptor_to_json(symbols)}))
    elif symbols:
        click.echo(render_exports(package, symbols), nl=False)
    else:
        click.echo(f"hardtack: no exported symbols found in package {inert(package)}.", err=True)
    return 0 if symbols else NOTHING_FOUND
