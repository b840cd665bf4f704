"""``hardtack history``: lists the commits that changed a file or a symbol."""

from __future__ import annotations

from typing import Any

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_answer, print_text
from hardtack.cli.descriptors import besides, nearest
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.results import ResultPage
from hardtack.render.descriptors import descriptor_json
from hardtack.render.history import commit_to_json, render_commits, render_history
from hardtack.render.style import inert_line


@click.command("history")
@click.argument("name", metavar="PATH|SYMBOL", shell_complete=options.completions.names)
@options.bundle_option
@options.digest_option
@click.option("--body", "with_body", is_flag=True, help="Show whole messages, not subjects alone.")
@click.option("--class", "owner", default="", help="Only a member of this type.")
@click.option("--package", default="", shell_complete=options.completions.packages, help="Only in this package or namespace.")
@click.option("--file", default="", metavar="PATH", help="Met in this file: prefer what is declared there, else in its language.")
@options.list_options(20)
def command(
    *,
    name: str,
    bundle: str | None,
    digest: str | None,
    with_body: bool,
    owner: str,
    package: str,
    file: str,
    listing: options.Listing,
) -> int:
    """List the commits that changed a file, or a symbol and what is inside it, newest first.

    The bundle must have been built with a history (--history N; in hardtack ci it has one).

    \b
    hardtack history src/shop/cart.py
    hardtack history Cart.add --body
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest, as_built=True) as opened:
        found = LookUps(opened).history(name, package=package, owner=owner, file=file, page=ResultPage(0, listing.limit or 20))
    more = found.total - len(found.results)
    results = [commit_to_json(entry, with_body=with_body) for entry in found.results]

    def document() -> dict[str, Any]:
        return {
            "schema": "hardtack.history/1",
            "name": name,
            **({"path": found.path} if found.path else {}),
            "symbols": descriptor_json(found.symbols, opened.name),
            "results": results,
            "total": found.total,
            **besides(found),
            **moved_on.as_json(),
        }

    if found.results and listing.shows_counts:
        print_text(f"{inert_line(found.path or name)}:{found.total}\n", listing)
    elif found.results or listing.format == "json":
        print_answer(
            listing,
            text=lambda: render_commits(found.results, with_body=with_body),
            markdown=lambda: render_history(name, found.path, found.symbols, found.results, found.note, with_body=with_body),
            document=document,
            lines=lambda: results,
        )
        if listing.format == "text":
            say(f"hardtack: {inert_line(found.note)}")
        if more and listing.format != "json":
            say(f"hardtack: {more} more; -n {found.total} lists all")
    elif found.path or found.symbols:
        say(f"hardtack: {inert_line(found.nothing)}")
    else:
        nothing = f"hardtack: no file and no symbol is called {inert_line(name)}.{nearest(found.suggestions)}"
        say(f"{nothing} {inert_line(found.note)}".rstrip())
    return 0 if found.results else NOTHING_FOUND
