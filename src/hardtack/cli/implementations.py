"""``hardtack implementations``: lists what implements a type or method."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from hardtack.cli import environment, options
from hardtack.cli.descriptors import Shape, show_usages
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.mentions import mention_to_json, render_mentions

_SHAPE = Shape(mention_to_json, partial(render_mentions, "Implementations"))


@click.command("implementations")
@click.argument("name", shell_complete=options.completions.names)
@options.bundle_option
@options.digest_option
@options.as_built_option
@options.mention_options
@options.list_options()
def command(*, name: str, bundle: str | None, digest: str | None, listing: options.Listing, **narrowed: Any) -> int:
    """List what inherits, implements, embeds or uses a type, directly or not; of a method, what overrides it.

    \b
    hardtack implementations Handler
    hardtack implementations React.Component
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        return show_usages(LookUps(opened).implementations, {"name": name, **narrowed}, _SHAPE, opened, listing)
