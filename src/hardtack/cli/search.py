"""``hardtack search``: a query in, hits out."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_text
from hardtack.cli.exits import NOTHING_FOUND
from hardtack.errors import NoBundleHere, UsageError
from hardtack.nouns.model import Answer
from hardtack.render import RENDERERS
from hardtack.render.style import MARKDOWN_FURTHER, MARKDOWN_TOKENS, counted
from hardtack.render.text import path_shown


@click.command("search")
@click.argument("query", nargs=-1, required=True)
@options.bundles_option
@click.option("--all-bundles", "every", is_flag=True, help="Search every bundle that 'hardtack list' shows, as one.")
@options.digest_option
@click.option("--build", "builds", is_flag=True, help="Build the bundle of this directory first where there is none.")
@options.as_built_option
@options.search_options
@click.option("--why", is_flag=True, help="Say why each hit ranks where it does.")
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Say of each hit whether this checkout still has it; of several bundles, it is one of the first.",
)
@click.option("--context", metavar="N", type=click.IntRange(min=0), help="Short for --before N --after N.")
@click.option("--before", metavar="N", type=click.IntRange(min=0), help="Show N lines before each hit.")
@click.option("--after", metavar="N", type=click.IntRange(min=0), help="Show N lines after each hit.")
@click.option("--surroundings", is_flag=True, help="In JSON, give each hit's imports and the signatures that follow it.")
@click.option(
    "--smart-context/--no-smart-context",
    default=True,
    show_default=True,
    help="Show the function or type around each match, else the chunk.",
)
@click.option(
    "--max-tokens",
    metavar="N",
    type=click.IntRange(min=1),
    help=f"Characters of the whole answer at most, divided by 4.  [default: {MARKDOWN_TOKENS} in markdown, else no bound]",
)
@click.option(
    "--further",
    metavar="N",
    type=click.IntRange(min=0),
    help=f"Name N files that come after those of the hits.  [default: {MARKDOWN_FURTHER} in markdown, else 0]",
)
@options.count_option
@options.format_options
def command(
    *,
    query: tuple[str, ...],
    bundles: tuple[str, ...],
    every: bool,
    digest: str | None,
    builds: bool,
    why: bool,
    checkout: Path | None,
    context: int | None,
    before: int | None,
    after: int | None,
    max_tokens: int | None,
    further: int | None,
    shows_counts: bool,
    format_: str,
    as_json: bool,
    color: str,
    **asked: Any,
) -> int:
    """Search a bundle, or several as one, by name or by words.

    \b
    hardtack search open_bundle
    hardtack search "where are hashes checked" --lang python -n 3
    hardtack search Context.JSON --format json
    hardtack search "retry with backoff" -b api -b worker
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    format_ = "json" if as_json else format_
    options.require_text_for_counts(format_, shows_counts=shows_counts)
    asked["before"] = context if before is None else before
    asked["after"] = context if after is None else after
    asked["further"] = (MARKDOWN_FURTHER if format_ == "markdown" else 0) if further is None else further
    text, named = " ".join(query), [*dict.fromkeys(bundles)]
    if every and (named or digest):
        raise UsageError("--all-bundles is every bundle, and one is named.", hint="Drop --all-bundles, or what is named.")
    if builds and (every or named or digest):
        raise UsageError("--build is of this directory, and another bundle is named.", hint="Drop --build, or what is named.")
    answer = _answer_of_many(text, named, every, digest, checkout, asked)
    if answer is None:
        try:
            answer = _answer(text, named, digest, checkout, asked)
        except NoBundleHere as error:
            _build(error, builds=builds)
            answer = _answer(text, named, digest, checkout, asked)
    if format_ == "json":
        answer = answer._replace(moved_on=moved_on.taken())
    style = environment.style(color, reasons=why, max_tokens=max_tokens)
    text = counted(map(path_shown, answer.hits)) if shows_counts else RENDERERS[format_](answer, style)
    print_text(text, options.Listing(format_, None, shows_counts, style, environment.terminal(color)))
    return 0 if answer.hits else NOTHING_FOUND


def _build(error: NoBundleHere, *, builds: bool) -> None:
    """Build the bundle of the working directory's checkout.

    Raises:
        NoBundleHere: it is not to be built; says how it can be.
    """
    if not builds:
        raise NoBundleHere(str(error), hint=f"{error.hint}; or in one step: hardtack search --build QUERY") from error
    from hardtack.cli.build import build_here
    from hardtack.store.first_bundle import tree_around

    build_here(tree_around(environment.working_directory()))


def _answer_of_many(
    text: str, bundles: list[str], every: bool, digest: str | None, checkout: Path | None, asked: dict[str, Any]
) -> Answer | None:
    """What the likeliest of many bundles answer as one; None where few are named."""
    shelf, left_out = environment.shelf(bundles, every=every, encoder=options.encoder_settings())
    if shelf is None:
        return None
    if digest or checkout:
        flag = "--digest" if digest else "--checkout"
        raise UsageError(f"{flag} is of one bundle, and many are searched.", hint=f"Drop {flag}, or name one bundle.")
    with shelf:
        answer = shelf.search(text, **asked)
    return answer._replace(hint=" ".join(filter(None, (answer.hint, *left_out))))


def _answer(text: str, bundles: list[str], digest: str | None, checkout: Path | None, asked: dict[str, Any]) -> Answer:
    """What one bundle answers, or several as one."""
    from hardtack.query.searcher import Searcher  # help is shown without what ranks

    if digest and len(bundles) > 1:
        raise UsageError("A digest is one bundle's, and several are named.", hint="Drop --digest, or name one bundle.")
    encoder = options.encoder_settings()
    with ExitStack() as stack:
        searchers = [
            stack.enter_context(Searcher(environment.opened_bundle(named, digest, own), checkout=own, encoder=encoder))
            for named, own in zip_longest(bundles, [checkout])
        ]
        if len(searchers) == 1:
            return searchers[0].search(text, **asked)
        from hardtack.query.several import by_name, search_all

        return search_all(by_name(searchers), text, **asked)
