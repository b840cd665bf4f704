"""``hardtack function``: a function by name, its typed account out."""

from __future__ import annotations

import click

from hardtack.cli import options
from hardtack.cli.descriptors import show
from hardtack.query.lookups import LookUps


@click.command("function")
@click.argument("name")
@options.bundle_option
@options.digest_option
@click.option("--package", default="", help="Only in this package or namespace.")
@click.option("--class", "owner", default="", help="Only a method of this type.")
@options.json_option
def command(*, name: str, bundle: str | None, digest: str | None, package: str, owner: str, as_json: bool) -> int:
    """Show a function's or method's parameters, returns and code.

    \b
    hardtack function ClientIP --class Context
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with options.opened_bundle(bundle, digest) as opened:
        return show("function", name, LookUps(opened).function(name, package=package, owner=owner), as_json=as_json)
