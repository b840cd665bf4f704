"""``hardtack search``: a query in, hits out."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.errors import UsageError
from hardtack.model import Answer
from hardtack.render import RENDERERS
from hardtack.render.markdown import FURTHER


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@options.bundles_option
@options.digest_option
@options.search_options
@click.option("--why", is_flag=True, help="Say why each hit ranks where it does.")
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Say of each hit whether this checkout still has it; of several bundles, it is one of the first.",
)
@options.context_options
@options.size_options
@options.format_options
def command(
    *,
    query: tuple[str, ...],
    bundle: tuple[str, ...],
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
    """Search a bundle, or several as one, by name or by words.

    \b
    hardtack search open_bundle
    hardtack search "where are hashes checked" --lang python -n 3
    hardtack search Context.JSON --format json
    hardtack search "retry with backoff" -b api -b worker
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    format_ = "json" if as_json else format_
    if further is None:
        further = FURTHER if format_ == "markdown" else 0
    answer = _answer(
        bundle,
        digest,
        checkout,
        " ".join(query),
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


def _answer(bundles: Sequence[str], digest: str | None, checkout: Path | None, text: str, **asked: Any) -> Answer:
    gc.disable()  # modules and records stay until this process ends: looking for cycles among them takes 4 of 140 ms
    from hardtack.query.searcher import Searcher  # help is shown without what ranks

    encoder = options.encoder_settings()
    named = [*dict.fromkeys(bundles)]
    if len(named) < 2:
        opened = options.opened_bundle(named[0] if named else None, digest)
        with Searcher(opened, checkout=checkout, encoder=encoder) as searcher:
            return searcher.search(text, **asked)
    if digest:
        raise UsageError("A digest is one bundle's, and several are named.", hint="Drop --digest, or name one bundle.")
    from hardtack.query.several import by_name, search_all  # for who asks several

    with ExitStack() as stack:
        searchers = [
            stack.enter_context(Searcher(options.opened_bundle(name), checkout=None if number else checkout, encoder=encoder))
            for number, name in enumerate(named)
        ]
        return search_all(by_name(searchers), text, **asked)
