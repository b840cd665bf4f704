"""``hardtack diff``: compares two bundles by their symbols."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import environment, moved_on, options
from hardtack.errors import BundleNotFound
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
        before, after = _opened(old, new, stack)
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


def _opened(old: str, new: str | None, stack: ExitStack) -> tuple[Bundle, Bundle]:
    """The two bundles, which ``stack`` closes.

    Raises:
        HardtackError: one of them names neither a bundle nor a commit, or cannot be built.
    """
    from hardtack.diff.revisions import Revisions

    revisions = Revisions(environment.user_cache, environment.bundle_roots(), environment.starts(), notice=moved_on.say_once)
    stack.callback(revisions.close)
    named = {each: _named(each, stack) for each in (old, new) if each}
    of_tree = None if new else _of_working_tree(stack)
    like = of_tree or next((each for each in named.values() if each), None) or _of_working_tree(stack)
    for each, bundle in named.items():
        if bundle is None:
            found = revisions.find(each, like)
            named[each] = opened = stack.enter_context(_open(found.path, found.digest))
            opened.name = each
    before = named[old]
    assert before
    return before, (named[new] if new else of_tree or _laid_over(before, stack)) or before


def _named(name: str, stack: ExitStack) -> Bundle | None:
    """The bundle of that name as it was built; None if there is none."""
    try:
        return stack.enter_context(environment.opened_bundle(name, as_built=True))
    except BundleNotFound:
        return None


def _of_working_tree(stack: ExitStack) -> Bundle | None:
    """The bundle at hand with the working tree over it; None if there is none."""
    try:
        return stack.enter_context(environment.opened_bundle(None))
    except BundleNotFound:
        return None


def _laid_over(before: Bundle, stack: ExitStack) -> Bundle | None:
    """The working tree over the bundle of an older commit; None if it is the same."""
    checkout = environment.checkout_for(before.path, before.manifest.provenance)
    over = environment.working_tree(before, checkout) if checkout else None
    if over is None or over.path is None:
        return None
    moved_on.remember(over.moved)
    laid = stack.enter_context(_open(over.path, None))
    laid.name, laid.moved_on = checkout.directory.name if checkout else before.name, over.moved
    return laid


def _open(path: Path, digest: str | None) -> Bundle:
    from hardtack.bundle.reader import open_bundle

    return open_bundle(path, digest=digest)


def _rendered(comparison: Comparison, format_: str, limit: int | None, color: str) -> str:
    from hardtack.render.changes import comparison_to_json, comparison_to_markdown, render_comparison

    if format_ == "json":
        document = comparison_to_json(comparison, limit=limit or _IN_JSON)
        return inert_json(document | moved_on.as_json(), is_spaced=True) + "\n"
    if format_ == "markdown":
        return comparison_to_markdown(comparison, limit=limit or _SHOWN)
    return render_comparison(comparison, environment.style(color), limit=limit or _SHOWN)
