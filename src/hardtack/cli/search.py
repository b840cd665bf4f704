"""``hardtack search``: a query in, hits out."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.query.searcher import Searcher
from hardtack.render import RENDERERS


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@options.bundle_option
@options.digest_option
@click.option("-n", "--limit", type=int, default=10, show_default=True, help="Hits at most.")
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language; may be repeated.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only chunks that define a symbol of this kind.")
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Only paths that match; may be repeated.")
@options.tag_option
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "vector", "keyword"]),
    default="hybrid",
    show_default=True,
    help="Search by terms, by meaning, or both.",
)
@click.option("--why", is_flag=True, help="Say why each hit ranks where it does.")
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Say of each hit whether this checkout still has it.",
)
@options.format_options
def command(
    *,
    query: tuple[str, ...],
    bundle: str | None,
    digest: str | None,
    limit: int,
    languages: tuple[str, ...],
    kinds: tuple[str, ...],
    paths: tuple[str, ...],
    tags: tuple[str, ...],
    mode: str,
    why: bool,
    checkout: Path | None,
    format_: str,
    as_json: bool,
    color: str,
) -> int:
    """Search a bundle by name or by words.

    \b
    hardtack search open_bundle
    hardtack search "where are hashes checked" --lang python -n 3
    hardtack search Context.JSON --format json
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with Searcher(options.opened_bundle(bundle, digest), checkout=checkout) as searcher:
        text = " ".join(query)
        answer = searcher.search(text, mode=mode, limit=limit, languages=languages, kinds=kinds, paths=paths, tags=tags)
    style = options.style(color, reasons=why)
    click.echo(RENDERERS["json" if as_json else format_](answer, style), nl=False, color=style.color)
    return 0 if answer.hits else NOTHING_FOUND
