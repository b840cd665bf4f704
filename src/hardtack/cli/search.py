"""``hardtack search``: a query in, hits out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.render import RENDERERS
from hardtack.render.markdown import FURTHER


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@options.bundle_option
@options.digest_option
@options.search_options
@click.option("--why", is_flag=True, help="Say why each hit ranks where it does.")
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Say of each hit whether this checkout still has it.",
)
@options.context_options
@options.size_options
@options.format_options
def command(
    *,
    query: tuple[str, ...],
    bundle: str | None,
    digest: str | None,
    package: tuple[str, ...],
    why: bool,
    checkout: Path | None,
    context: int | None,
    before: int | None,
    after: int | None,
    smart_context: bool,
    surroundings: bool,
    max_tokens: int | None,
    further: int | None,
    format_: str,
    as_json: bool,
    color: str,
    **narrowed: Any,
) -> int:
    """Search a bundle by name or by words.

    \b
    hardtack search open_bundle
    hardtack search "where are hashes checked" --lang python -n 3
    hardtack search Context.JSON --format json
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.searcher import Searcher  # help is shown without what ranks

    format_ = "json" if as_json else format_
    if further is None:
        further = FURTHER if format_ == "markdown" else 0
    with Searcher(options.opened_bundle(bundle, digest), checkout=checkout, encoder=options.encoder_settings()) as searcher:
        text = " ".join(query)
        answer = searcher.search(
            text,
            packages=package,
            smart_context=smart_context,
            surroundings=surroundings,
            before=context if before is None else before,
            after=context if after is None else after,
            further=further,
            **narrowed,
        )
    style = options.style(color, reasons=why, max_tokens=max_tokens)
    click.echo(RENDERERS[format_](answer, style), nl=False, color=style.color)
    return 0 if answer.hits else NOTHING_FOUND
