"""``hardtack clear``: deletes a bundle for good."""

from __future__ import annotations

import sys

import click

from hardtack.cli import environment
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.errors import UsageError
from hardtack.render.style import inert_line
from hardtack.store.locate import locate_listed
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
    if bundle == "":  # an unset variable of a script, which must not stand for the bundle at hand
        raise UsageError("The name of the bundle to delete is empty.", hint="Leave it out for the bundle of this directory.")
    if bundle is None:
        located = environment.located_bundle(None)
    else:
        located = locate_listed(bundle, environment.bundle_roots(), environment.working_directory(), environment.user_cache)
    name = located.installed.name if located.installed else str(located.path)
    place = name if located.installed else f"at {inert_line(name)}"
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("Deleting a bundle has to be confirmed.", hint="Add --yes where nobody can be asked.")
        if not click.confirm(f"Delete the bundle {place}?", err=True):
            return NOTHING_FOUND
    clear(located)
    say(f"{name} was deleted.")
    return 0
