"""``hardtack map``: what is in a repository, part by part."""

from __future__ import annotations

from dataclasses import asdict

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_answer
from hardtack.query.explore.repository_map import repository_map
from hardtack.render.repository_map import parts_in, render_map


@click.command("map")
@click.argument("path", default=".", shell_complete=options.completions.paths)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option(
    "--max-tokens", type=click.IntRange(min=100), default=2500, show_default=True, help="Tokens of four characters at most."
)
@options.answer_options
def command(*, path: str, bundle: str | None, digest: str | None, max_tokens: int, listing: options.Listing) -> int:
    """Show what is in the repository, or in the directory PATH: its parts, what each is for, and what others use of it.

    \b
    hardtack map
    hardtack map src/server --max-tokens 1000
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        found = repository_map(opened, path, parts=parts_in(max_tokens))
        print_answer(
            listing,
            text=lambda: render_map(found, max_tokens),
            markdown=lambda: render_map(found, max_tokens),
            document=lambda: {"schema": "hardtack.map/1", **asdict(found)} | moved_on.as_json(),
            bundle=opened,
        )
    return 0
