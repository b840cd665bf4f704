"""``hardtack callers``: lists the callers of a symbol."""

from __future__ import annotations

from typing import Any

import click

from hardtack.cli import environment, options
from hardtack.cli.descriptors import Shape, show_usages
from hardtack.query.lookup.lookups import LookUps
from hardtack.render.mentions import caller_to_json, render_callers

_SHAPE = Shape(caller_to_json, render_callers)


@click.command("callers")
@click.argument("name", shell_complete=options.completions.names)
@options.bundle_option
@options.digest_option
@options.as_built_option
@options.mention_options
@options.list_options()
def command(*, name: str, bundle: str | None, digest: str | None, listing: options.Listing, **narrowed: Any) -> int:
    """List who calls a function or method, or instantiates a type, and at which lines.

    \b
    hardtack callers ServeHTTP --class Engine
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        return show_usages(LookUps(opened).callers, {"name": name, **narrowed}, _SHAPE, opened, listing)
