"""``hardtack function``: shows the descriptor of a function."""

from __future__ import annotations

import click

from hardtack.cli import environment, options
from hardtack.cli.descriptors import show
from hardtack.query.lookup.lookups import LookUps


@click.command("function")
@click.argument("name", shell_complete=options.completions.names)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--package", default="", help="Only in this package or namespace.")
@click.option("--class", "owner", default="", help="Only a method of this type.")
@click.option("--file", default="", metavar="PATH", help="Met in this file: prefer what is declared there, else in its language.")
@options.list_options()
def command(
    *, name: str, bundle: str | None, digest: str | None, package: str, owner: str, file: str, listing: options.Listing
) -> int:
    """Show a function's or method's parameters, returns and code.

    \b
    hardtack function ClientIP --class Context
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        asked = {"name": name, "package": package, "owner": owner, "file": file}
        return show(LookUps(opened).function, asked, opened, listing)
