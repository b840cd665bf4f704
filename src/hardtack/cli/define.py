"""``hardtack define``: shows the descriptor of a type."""

from __future__ import annotations

import click

from hardtack.cli import environment, options
from hardtack.cli.descriptors import show
from hardtack.query.lookup.lookups import LookUps


@click.command("define")
@click.argument("name", shell_complete=options.completions.names)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--package", default="", help="Only in this package or namespace.")
@click.option("--file", default="", metavar="PATH", help="Met in this file: prefer what is declared there, else in its language.")
@options.list_options()
def command(*, name: str, bundle: str | None, digest: str | None, package: str, file: str, listing: options.Listing) -> int:
    """Show what a class, struct, interface, trait, enum or type is: its fields, methods and relations.

    \b
    hardtack define Context
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        return show(LookUps(opened).define, {"name": name, "package": package, "file": file}, opened, listing)
