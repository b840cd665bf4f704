"""``hardtack exports``: a package in, what it offers to others out."""

from __future__ import annotations

import json

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.descriptors import descriptor_to_json
from hardtack.errors import UsageError
from hardtack.model import Kind
from hardtack.query.describe import describe_symbol
from hardtack.query.retrieve import kinds_named, tags_named
from hardtack.query.symbols import exports
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
    wanted = kinds_named(kinds)
    if isinstance(wanted, str):
        raise UsageError(f"There is no kind {wanted!r}.", hint=f"Kinds: {', '.join(Kind)}.")
    with options.opened_bundle(bundle, digest) as opened:
        found = exports(opened, package, frozenset(wanted)) if wanted else exports(opened, package)
        asked = set(tags_named(tags))
        symbols = [describe_symbol(opened, each) for each in found if not asked or asked.intersection(opened.tags_of(each))]
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.exports/1", "package": package, "results": descriptor_to_json(symbols)}))
    elif symbols:
        click.echo(render_exports(package, symbols), nl=False)
    else:
        click.echo(f"hardtack: no exported symbols found in package {inert(package)}.", err=True)
    return 0 if symbols else NOTHING_FOUND
