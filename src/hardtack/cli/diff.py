"""``hardtack diff``: compares two bundles by their symbols."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Final

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import moved_on, options
from hardtack.cli.answers import print_answer
from hardtack.cli.compared import opened_pair
from hardtack.nouns.changes import Comparison, Verdict

BREAKING: Final = 1
"""Exit code of ``--breaking`` where something certainly breaks."""
_SHOWN: Final = 20
_IN_JSON: Final = 1000


@click.command("diff")
@click.argument("old", shell_complete=options.completions.bundles)
@click.argument("new", required=False, shell_complete=options.completions.bundles)
@options.as_built_option
@click.option("--exported", is_flag=True, help="Only symbols that code outside of the repository can name.")
@click.option("--breaking", is_flag=True, help="Only what breaks callers or may; exit code 1 if something surely does.")
@click.option(
    *("--path", "paths"),
    multiple=True,
    metavar="GLOB",
    shell_complete=options.completions.paths,
    help="Only paths that match; may be repeated.",
)
@click.option("--any-repository", is_flag=True, help="Compare bundles of different repositories, such as a fork's, too.")
@click.option(
    *("-n", "--limit"), type=click.IntRange(min=1), help=f"Entries of each section at most (default: {_SHOWN}; in JSON {_IN_JSON})."
)
@options.answer_options
def command(
    *,
    old: str,
    new: str | None,
    exported: bool,
    breaking: bool,
    paths: tuple[str, ...],
    any_repository: bool,
    limit: int | None,
    listing: options.Listing,
) -> int:
    """Compare two bundles: what was added, removed, moved, renamed or changed, and what of it breaks callers.

    OLD and NEW are directories, packs or names of installed bundles, or revisions of git: an installed bundle of the commit is
    taken, else one is built into the cache. Without NEW, OLD is compared with the working tree.

    \b
    hardtack diff HEAD~3
    hardtack diff main --breaking
    hardtack diff v1.hardtack v2.hardtack --breaking
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.diff.comparison import compare
    from hardtack.query.request.globs import path_predicate
    from hardtack.query.request.top import spelt_glob

    with ExitStack() as stack:
        before, after = opened_pair(old, new, stack)
        globs = [spelt_glob(after, glob) for glob in paths]
        comparison = compare(
            before,
            after,
            takes=path_predicate(globs) if globs else lambda path: True,
            exported=exported,
            breaking=breaking,
            any_repository=any_repository,
        )
        _print(comparison, listing, limit, after)
    is_broken = any(each.verdict is Verdict.BREAKS for each in comparison.symbols)
    return BREAKING if breaking and is_broken else 0


def _print(comparison: Comparison, listing: options.Listing, limit: int | None, after: Bundle) -> None:
    from hardtack.render.changes import comparison_to_json, comparison_to_markdown, render_comparison

    document = partial(comparison_to_json, comparison, limit=limit or _IN_JSON)
    print_answer(
        listing,
        text=lambda: render_comparison(comparison, listing.style, limit=limit or _SHOWN),
        markdown=lambda: comparison_to_markdown(comparison, limit=limit or _SHOWN),
        document=lambda: document() | moved_on.as_json(),
        lines=lambda: document()["symbols"],
        bundle=after,
    )
