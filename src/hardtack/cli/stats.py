"""``hardtack stats``: reports what a bundle holds."""

from __future__ import annotations

import click

from hardtack.bundle.integrity import without_absent
from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_answer
from hardtack.query.state.statistics import parse_failures, statistics_of
from hardtack.render.stats import render_stats, stats_to_json, stats_to_markdown


@click.command("stats")
@options.bundle_option
@options.digest_option
@click.option("--failures", is_flag=True, help="Name every file that did not parse cleanly, and where.")
@options.answer_options
def command(*, bundle: str | None, digest: str | None, failures: bool, listing: options.Listing) -> int:
    """Show what a bundle holds, of what, how much of it parsed, and how large its members are.

    \b
    hardtack stats
    hardtack stats --failures
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest, as_built=True) as opened:
        counted, broken = statistics_of(opened), parse_failures(opened) if failures else ()
        manifest = without_absent(opened.path, opened.manifest)
        report = (opened.name, opened.digest, manifest, counted, broken)
        print_answer(
            listing,
            text=lambda: render_stats(*report),
            markdown=lambda: stats_to_markdown(*report),
            document=lambda: {**stats_to_json(*report), **moved_on.as_json()},
            bundle=opened,
        )
    return 0
