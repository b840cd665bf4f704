"""``hardtack clear``: a bundle deleted for good."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hardtack.cli import environment
from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import UsageError
from hardtack.render.style import inert
from hardtack.store.locate import Located, at_hand, locate_all
from hardtack.store.own import clear


@click.command("clear")
@click.argument("bundle", required=False, metavar="[NAME|DIR]")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
def command(*, bundle: str | None, yes: bool) -> int:
    """Delete a bundle for good: one that lies in the directory it was built of, or an installed one.

    Without a name, the bundle of the directory you stand in. The source stays, and so does everything else.

    \b
    hardtack clear
    hardtack clear ~/src/old-prototype --yes
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    located = _meant(bundle)
    said = located.installed.name if located.installed else str(located.path)
    place = said if located.installed else f"at {inert(said)}"
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("Deleting a bundle has to be confirmed.", hint="Add --yes where nobody can be asked.")
        if not click.confirm(f"Delete the bundle {place}?", err=True):
            return NOTHING_FOUND
    clear(located)
    click.echo(f"{said} was deleted.", err=True)
    return 0


def _meant(named: str | None) -> Located:
    """The bundle of that name, as ``hardtack list`` gives it, or at that place.

    Raises:
        BundleNotFound: there is none.
    """
    roots, start = environment.bundle_roots(), Path.cwd()
    if named is None:
        return environment.located_bundle(None)
    called = [each.located for each in at_hand([], roots, [start], environment.user_cache) if each.name == named]
    return called[0] if called else locate_all([named], roots, [start], environment.user_cache)[0]
