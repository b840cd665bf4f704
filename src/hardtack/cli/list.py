"""``hardtack list``: the bundles at hand."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.query.staleness import staleness_of
from hardtack.render.listing import Listed, list_to_json, render_list
from hardtack.store.locate import at_hand


@click.command("list")
@options.bundle_option
@options.json_option
def command(*, bundle: str | None, as_json: bool) -> int:
    """List the bundles that can be searched from here: that of this directory, and those installed.

    \b
    hardtack list
    hardtack list --json
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    found = at_hand([bundle] if bundle else [], options.bundle_roots(), [Path.cwd()])
    now = time.time()
    listed = [
        Listed(
            name=each.name,
            place=str(each.located.path),
            digest=each.digest,
            manifest=each.manifest,
            staleness=staleness_of(each.manifest.provenance, now) if each.manifest else None,
            trouble=each.trouble,
        )
        for each in found
    ]
    if as_json:
        click.echo(json.dumps(list_to_json(listed)))
    elif listed:
        click.echo(render_list(listed), nl=False)
    else:
        click.echo("No bundle is at hand. Build one with: hardtack build SRC", err=True)
    return 0 if listed else NOTHING_FOUND
