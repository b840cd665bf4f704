"""``hardtack ls``: lists a directory of a bundle."""

from __future__ import annotations

from typing import Any

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import left_out_sentence, print_answer, print_text
from hardtack.cli.exits import say
from hardtack.query.files.left_out import left_out_to_json
from hardtack.query.files.stored_files import StoredFiles
from hardtack.render.lines import entries_to_json, entries_to_markdown, render_entries, render_left_out
from hardtack.render.markdown import fenced
from hardtack.render.style import inert_line


@click.command("ls")
@click.argument("path", default=".")
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--repo", type=click.Choice(["docs", "code", "both"]), default="both", help="Only documentation, or only code.")
@click.option("-a", "--all", "hidden", is_flag=True, help="Also list what begins with a dot, and what was left out of the bundle.")
@options.list_options()
def command(*, path: str, bundle: str | None, digest: str | None, repo: str, hidden: bool, listing: options.Listing) -> int:
    """List what lies in a directory of the bundle, by whole paths; without PATH, the top.

    \b
    hardtack ls src
    hardtack ls --repo docs
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        directory = StoredFiles(opened).directory(path, repo=repo, hidden=hidden)
    entries = directory.entries[: listing.limit]
    more = len(directory.entries) - len(entries)
    skipped = render_left_out(directory.left_out) if hidden else ""

    def document() -> dict[str, Any]:
        lists = {"entries": entries_to_json(entries), "left_out": left_out_to_json(directory.left_out)}
        named = {"schema": "hardtack.ls/1", "path": directory.path, "repo": directory.repo}
        return {**named, **lists, **({"truncated": True} if more else {}), **moved_on.as_json()}

    if listing.shows_counts:
        print_text(f"{inert_line(directory.path)}:{len(directory.entries)}\n", listing)
        return 0
    print_answer(
        listing,
        text=lambda: render_entries(entries, listing.style) + skipped,
        markdown=lambda: entries_to_markdown(entries) + (f"\n{fenced(skipped.rstrip(), '')}\n" if skipped else ""),
        document=document,
        lines=lambda: entries_to_json(entries),
    )
    if more and listing.format != "json":
        say(left_out_sentence(more))
    return 0
