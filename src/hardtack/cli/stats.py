"""``hardtack stats``: what a bundle holds."""

from __future__ import annotations

import json

import click

from hardtack.cli import options
from hardtack.query.health import parse_failures
from hardtack.render.stats import render_stats, stats_to_json


@click.command("stats")
@options.bundle_option
@options.digest_option
@click.option("--failures", is_flag=True, help="Name every file that did not parse cleanly, and where.")
@options.json_option
def command(*, bundle: str | None, digest: str | None, failures: bool, as_json: bool) -> int:
    """Show what a bundle holds, of what, and how large its members are."""
    with options.opened_bundle(bundle, digest) as opened:
        broken = parse_failures(opened) if failures else ()
        if as_json:
            click.echo(json.dumps(stats_to_json(opened.name, opened.digest, opened.manifest, broken)))
        else:
            click.echo(render_stats(opened.name, opened.digest, opened.manifest, broken), nl=False)
    return 0
