"""``hardtack gc``: removes installed bundles that no name refers to any more."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import show
from hardtack.render.stats import readable_size
from hardtack.store.collect import collect


@click.command("gc")
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and leave all as it is.")
@options.json_option
def command(*, dry_run: bool, as_json: bool) -> int:
    """Remove installed bundles that no name and no lock file stands for any more, and what killed installs left.

    What lost its name within the last day is kept: somebody may be opening it. Bundles in their own directories
    (SRC/.hardtack/bundle) and below HARDTACK_BUNDLE_PATH are never touched.

    \b
    hardtack gc --dry-run
    hardtack gc
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    done = collect(environment.cache(), dry_run=dry_run)
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.gc/1", "dry_run": dry_run, **asdict(done)}))
    else:
        verb = "would be removed" if dry_run else "removed"
        parts = (_counted(done.bundles, "bundle"), _counted(done.members, "member"), f"{done.abandoned} unfinished")
        show(f"{', '.join(parts)} {verb}: {readable_size(done.bytes)}; {_counted(done.kept, 'bundle')} kept")
    return 0


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
