"""``hardtack explore``: one composed answer to a question, an issue or names."""

from __future__ import annotations

from typing import Any

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_markdown
from hardtack.cli.exits import NOTHING_FOUND
from hardtack.render.style import inert_json


@click.command("explore")
@click.argument("text", nargs=-1, required=True)
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option(
    "--max-tokens",
    type=click.IntRange(min=100),
    metavar="N",
    default=2500,
    show_default=True,
    help="Characters of the whole answer at most, of JSON bytes, divided by 4.",
)
@options.answer_options
def command(*, text: tuple[str, ...], bundle: str | None, digest: str | None, max_tokens: int, listing: options.Listing) -> int:
    """Answer a question with the code, the calls between, callers and tests.

    \b
    hardtack explore from Server.run to Handler.next
    hardtack explore "who calls Cart.add" --max-tokens 1000
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.explore.explore import explore  # help is shown without what ranks
    from hardtack.query.searcher import Searcher
    from hardtack.render.bounded import within
    from hardtack.render.exploration import TOKEN, exploration_json, render_exploration

    with Searcher(environment.opened_bundle(bundle, digest), encoder=environment.encoder_settings()) as searcher:
        found = explore(searcher, " ".join(text))

        def document() -> dict[str, Any]:
            whole = {"schema": "hardtack.explore/1", **exploration_json(found), **moved_on.as_json()}
            return dict(within(whole, TOKEN * max_tokens - 1))

        if listing.format in ("json", "jsonl"):
            click.echo(inert_json(document()))  # without spaces, as its bytes are counted
        else:
            print_markdown(render_exploration(found, TOKEN * max_tokens)[0], listing, searcher.bundle)
    return 0 if found.places or found.named or found.ambiguous or found.outside else NOTHING_FOUND
