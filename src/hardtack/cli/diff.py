"""``hardtack diff``: compares two bundles by their symbols."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.compared import opened_pair
from hardtack.nouns.changes import Comparison, Verdict
from hardtack.render.style import inert_json

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
@click.option("--format", "format_", type=click.Choice(["text", "json", "markdown"]), default="text", help="Shape of the answer.")
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.")
def command(
    *,
    old: str,
    new: str | None,
    exported: bool,
    breaking: bool,
    paths: tuple[str, ...],
    any_repository: bool,
    limit: int | None,
    format_: str,
    as_json: bool,
    color: str,
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
    click.echo(_rendered(comparison, "json" if as_json else format_, limit, color), nl=False)
    is_broken = any(each.verdict is Verdict.BREAKS for each in comparison.symbols)
    return BREAKING if breaking and is_broken else 0


def _rendered(comparison: Comparison, format_: str, limit: int | None, color: str) -> str:
    from hardtack.render.changes import comparison_to_json, comparison_to_markdown, render_comparison

    if format_ == "json":
        document = comparison_to_json(comparison, limit=limit or _IN_JSON)
        return inert_json(document | moved_on.as_json(), is_spaced=True) + "\n"
    if format_ == "markdown":
        return comparison_to_markdown(comparison, limit=limit or _SHOWN)
    return render_comparison(comparison, environment.style(color), limit=limit or _SHOWN)
