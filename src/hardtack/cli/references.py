"""``hardtack references``: lists every place that refers to a symbol."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from hardtack.cli import environment, options
from hardtack.cli.descriptors import Shape, show_usages
from hardtack.nouns.relations import RelationKind
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.mentions import mention_to_json, render_mentions

_SHAPE = Shape(mention_to_json, partial(render_mentions, "References"))


@click.command("references")
@click.argument("name", shell_complete=options.completions.names)
@options.bundle_option
@options.digest_option
@options.as_built_option
@options.mention_options
@click.option(
    "--relation",
    "kinds",
    multiple=True,
    type=click.Choice([each.value for each in RelationKind]),
    help="Only this way to refer; may be repeated.",
)
@options.list_options()
def command(*, name: str, bundle: str | None, digest: str | None, listing: options.Listing, **narrowed: Any) -> int:
    """List every place that refers to a symbol: uses, calls, imports and what inherits from it.

    \b
    hardtack references Context.JSON
    hardtack references Cart --certainty likely --path "shop/**"
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        return show_usages(LookUps(opened).references, {"name": name, **narrowed}, _SHAPE, opened, listing)
