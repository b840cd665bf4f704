"""``hardtack stats``: reports what a bundle holds."""

from __future__ import annotations

import click

from hardtack.bundle.integrity import without_absent
from hardtack.cli import environment, moved_on, options
from hardtack.cli.exits import show
from hardtack.query.state.statistics import parse_failures, statistics_of
from hardtack.render.stats import render_stats, stats_to_json
from hardtack.render.style import inert_json


@click.command("stats")
@options.bundle_option
@options.digest_option
@click.option("--failures", is_flag=True, help="Name every file that did not parse cleanly, and where.")
@options.json_option
def command(*, bundle: str | None, digest: str | None, failures: bool, as_json: bool) -> int:
    """Show what a bundle holds, of what, how much of it parsed, and how large its members are.

    \b
    hardtack stats
    hardtack stats --failures
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest, as_built=True) as opened:
        counted, broken = statistics_of(opened), parse_failures(opened) if failures else ()
        manifest = without_absent(opened.path, opened.manifest)
        if as_json:
            click.echo(
                inert_json(
                    {**stats_to_json(opened.name, opened.digest, manifest, counted, broken), **moved_on.as_json()}, is_spaced=True
                )
            )
        else:
            show(render_stats(opened.name, opened.digest, manifest, counted, broken))
    return 0
