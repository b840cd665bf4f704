"""``hardtack search``: a query in, hits out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hardtack.cli import flags, options
from hardtack.cli.searching import search


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@options.declared(flags.BUNDLES)
@options.declared(flags.DIGEST)
@options.search_options
@options.declared(flags.WHY)
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Say of each hit whether this checkout still has it; of several bundles, it is one of the first.",
)
@options.declared(*flags.CONTEXT)
@options.declared(*flags.SIZES)
@options.declared(*flags.SHAPES)
def command(**said: Any) -> int:
    """Search a bundle, or several as one, by name or by words.

    \b
    hardtack search open_bundle
    hardtack search "where are hashes checked" --lang python -n 3
    hardtack search Context.JSON --format json
    hardtack search "retry with backoff" -b api -b worker
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    return search(encoder=options.encoder_settings, is_all=False, **said)
