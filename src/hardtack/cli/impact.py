"""``hardtack impact``: says who a change reaches, and which tests it may break."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any, Final

import click

from hardtack.bundle.reader import Bundle
from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_markdown, print_text
from hardtack.cli.compared import opened_pair
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.errors import UsageError
from hardtack.nouns.impact import Impact
from hardtack.nouns.relations import Certainty
from hardtack.render.style import inert_json, inert_line

_RUNNERS: Final = ("pytest", "go", "jest", "junit", "cargo")
_IN_JSON: Final = 10_000
_IN_MARKDOWN: Final = 20


@click.command("impact")
@click.argument("names", nargs=-1, shell_complete=options.completions.names)
@options.bundle_option
@options.as_built_option
@click.option(
    "--diff",
    "old",
    metavar="OLD",
    shell_complete=options.completions.bundles,
    help="What changed since this bundle or git revision.",
)
@click.option("--tests", "runner", type=click.Choice(_RUNNERS), help="Print the tests alone, as arguments of this runner.")
@click.option("--depth", type=click.IntRange(1, 12), default=12, show_default=True, help="Steps that are followed at most.")
@click.option(
    "--certainty", type=click.Choice(options.CERTAINTIES[:2]), default="likely", show_default=True, help="Of a step, at least."
)
@click.option("--class", "owner", default="", help="Only members of this type, where names are given.")
@click.option("--package", default="", shell_complete=options.completions.packages, help="Only in this package or namespace.")
@click.option(
    *("--path", "paths"),
    multiple=True,
    metavar="GLOB",
    shell_complete=options.completions.paths,
    help="With --diff, only changes in paths that match; may be repeated.",
)
@click.option("--any-repository", is_flag=True, help="With --diff, take a bundle of another repository, such as a fork's, too.")
@options.list_options()
def command(
    *,
    names: tuple[str, ...],
    bundle: str | None,
    old: str | None,
    runner: str | None,
    paths: tuple[str, ...],
    any_repository: bool,
    listing: options.Listing,
    **narrowed: Any,
) -> int:
    """Say who is reached by a change of the symbols NAMES, or by all that changed since OLD, and which tests it may break.

    OLD is compared with the bundle that -b names, else with the working tree. Without names and OLD, it is what differs between the
    bundle and its working tree.

    \b
    hardtack impact Client.send
    hardtack impact --diff main
    pytest $(hardtack impact --diff main --tests pytest)
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    if names and old:
        raise UsageError("Names and --diff do not go together.", hint="Give names, or an earlier bundle.")
    narrowed["certainty"] = Certainty(narrowed["certainty"])
    with ExitStack() as stack:
        if names:
            from hardtack.impact.impact import impact_of_names

            opened = stack.enter_context(environment.opened_bundle(bundle))
            found = impact_of_names(opened, names, **narrowed)
        else:
            before, opened = _opened(old, bundle, stack)
            found = _of_changes(before, opened, paths, narrowed, any_repository=any_repository)
        if runner:
            return _tell_runner(opened, found, runner)
        return _show(found, listing, opened)


def _opened(old: str | None, bundle: str | None, stack: ExitStack) -> tuple[Bundle, Bundle]:
    """What is compared: OLD with the bundle or the working tree; without it the bundle with the working tree."""
    if old:
        return opened_pair(old, bundle, stack)
    before = stack.enter_context(environment.opened_bundle(bundle, as_built=True))
    return before, stack.enter_context(environment.opened_bundle(bundle))


def _of_changes(
    before: Bundle, opened: Bundle, paths: tuple[str, ...], narrowed: dict[str, Any], *, any_repository: bool
) -> Impact:
    from hardtack.impact.impact import impact_of_changes
    from hardtack.query.request.globs import path_predicate
    from hardtack.query.request.top import spelt_glob

    if narrowed.pop("owner") or narrowed.pop("package"):
        raise UsageError("--class and --package narrow names.", hint="With changes, take --path.")
    globs = [spelt_glob(opened, glob) for glob in paths]
    takes = path_predicate(globs) if globs else lambda path: True
    return impact_of_changes(before, opened, takes=takes, any_repository=any_repository, **narrowed)


def _tell_runner(opened: Bundle, found: Impact, runner: str) -> int:
    from hardtack.impact.runners import arguments

    made = arguments(opened, found.tests, runner)
    if made.arguments:
        click.echo("".join(f"{inert_line(each)}\n" for each in made.arguments), nl=False)
    if made.left_out:
        tests = "test is" if made.left_out == 1 else "tests are"
        say(f"hardtack: {made.left_out} affected {tests} left out: {runner} cannot be given them.")
    _say_asides(found)
    return 0 if made.arguments else NOTHING_FOUND


def _say_asides(found: Impact) -> None:
    from hardtack.render.impact import asides

    for sentence in asides(found):
        say(f"hardtack: {inert_line(sentence)}.")


def _show(found: Impact, listing: options.Listing, bundle: Bundle) -> int:
    from hardtack.render import impact as rendering

    limit = listing.limit
    if listing.format == "json":
        document = rendering.impact_to_json(found, limit=limit or _IN_JSON)
        click.echo(inert_json(document | moved_on.as_json(), is_spaced=True))
    elif listing.format == "jsonl":
        for each in rendering.impact_to_jsonl(found, limit=limit or _IN_JSON):
            click.echo(inert_json(each, is_spaced=True))
    elif listing.format == "markdown":
        click.echo(rendering.impact_to_markdown(found, limit=limit or _IN_MARKDOWN), nl=False)
    elif listing.terminal is not None and not listing.shows_counts:
        print_markdown(rendering.impact_to_markdown(found, limit=limit), listing, bundle)  # which says all that is said below
    else:
        if listing.shows_counts:
            print_text(rendering.render_counts(found), listing)
        else:
            print_text(rendering.render_impact(found, listing.style, limit=limit), listing)
        say(f"hardtack: {rendering.summary(found)}.")
        if not listing.shows_counts and (left := rendering.left_out(found, limit)):
            say(f"hardtack: {left} more {'is' if left == 1 else 'are'} left out; ask for more with -n.")
        _say_asides(found)
    changed = any(each.changes for each in found.targets)
    return 0 if found.reached or found.tests or changed else NOTHING_FOUND
