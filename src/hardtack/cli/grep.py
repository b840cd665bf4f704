"""``hardtack grep``: prints every stored line that contains a text."""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.answers import print_answer, print_paged, print_text
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.errors import UsageError
from hardtack.query.files.around import NearLine, with_context
from hardtack.query.files.grep import MOST_LINE
from hardtack.query.files.patterns import LineRule
from hardtack.query.files.stored_files import MAX_LINES, FoundLines, StoredFiles
from hardtack.render.lines import (
    matches_to_json,
    matches_to_markdown,
    render_counts,
    render_groups,
    render_matches,
    render_paths,
)
from hardtack.render.style import inert_line

_SCHEMA: Final = "hardtack.grep/1"

_LINES = click.IntRange(min=0)
_line_options = options.together(
    click.option("-E", "--regex", is_flag=True, help="PATTERN is a regular expression (RE2)."),
    click.option("-i", "--ignore-case", is_flag=True, help="Letters match in either case."),
    click.option("-w", "--word-regexp", "whole_words", is_flag=True, help="Match whole words alone."),
    click.option("-v", "--invert-match", "inverted", is_flag=True, help="Print the lines that do not match."),
    click.option(
        "-g",
        "--glob",
        "overrides",
        multiple=True,
        metavar="GLOB",
        help="Only files that match, as in .gitignore; ! leaves out.",
    ),
    click.option("-A", "--after-context", "--after", "after", metavar="N", type=_LINES, help="Print N lines after each match."),
    click.option("-B", "--before-context", "--before", "before", metavar="N", type=_LINES, help="Print N lines before each match."),
    click.option("-C", "--context", metavar="N", type=_LINES, default=0, help="Print N lines before and after each match."),
    click.option("-n", "--line-number", "numbered", is_flag=True, help="Print line numbers, as is done anyway."),
)
"""The flags of ripgrep and grep."""


@click.command("grep")
@click.argument("pattern")
@click.argument("globs", nargs=-1, metavar="[PATH-GLOB]...")
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--repo", type=click.Choice(["docs", "code", "both"]), default="both", help="Only documentation, or only code.")
@_line_options
@click.option("--limit", type=int, default=MAX_LINES, show_default=True, help="Matching lines at most.")
@click.option("-l", "--files-with-matches", "shows_paths", is_flag=True, help="Print the paths of files that match.")
@options.count_option
@options.format_options
def command(
    *,
    pattern: str,
    globs: tuple[str, ...],
    bundle: str | None,
    digest: str | None,
    repo: str,
    regex: bool,
    overrides: tuple[str, ...],
    after: int | None,
    before: int | None,
    context: int,
    numbered: bool,
    limit: int,
    shows_paths: bool,
    shows_counts: bool,
    format_: str,
    as_json: bool,
    color: str,
    **rule: bool,
) -> int:
    """Print every line that has a text in it, from the bundle's own text.

    Case counts without -i. A glob is held against whole paths: ** is any run of characters, * any run without a slash; a directory
    stands for all below it. Globs of -g are as in .gitignore. Documentation comes first, then code.

    \b
    hardtack grep "TODO(" src
    hardtack grep -iw todo -C 2 -g "*.py"
    hardtack grep -E "todo|fixme" "**/*.py" -l
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    format_ = "json" if as_json else format_
    if format_ != "text" and (shows_paths or shows_counts):
        raise UsageError("Paths and counts alone are given as text.", hint="Drop -l and -c, or --format.")
    before, after = context if before is None else before, context if after is None else after
    with environment.opened_bundle(bundle, digest) as opened:
        files = StoredFiles(opened)
        lines = LineRule(**rule)
        found = files.search(pattern, repo=repo, globs=globs, limit=limit, regex=regex, overrides=overrides, rule=lines)
        documentation = files.documentation
        near = list(with_context(files, found.matches, before, after)) if before or after else []
    listing = options.Listing(format_, None, shows_counts, environment.style(color), environment.terminal(color))
    if shows_paths or shows_counts:
        print_text((render_paths if shows_paths else render_counts)(found.matches), listing)
    elif format_ == "text":
        text = render_groups(near, pattern, listing.style) if near else render_matches(found.matches, pattern, listing.style)
        if listing.terminal:
            print_paged(text, listing.terminal)
        else:
            click.echo(text.encode(), nl=False)  # as bytes: of text, click strips escape sequences where there is no terminal
    else:
        results = matches_to_json(chain.from_iterable(near) if near else found.matches, documentation)
        print_answer(
            listing,
            text=str,
            markdown=lambda: matches_to_markdown(near or [[NearLine(*each, True)] for each in found.matches]),
            document=lambda: _document(pattern, found, results),
            lines=lambda: results,
        )
    if format_ in ("text", "markdown"):
        _print_note(found, numbered=numbered, pattern=pattern)
    return 0 if found.matches else NOTHING_FOUND


def _document(pattern: str, found: FoundLines, results: list[dict[str, Any]]) -> dict[str, Any]:
    document = {"schema": _SCHEMA, "query": pattern, "repo": found.repo, "results": results, "truncated": found.truncated}
    more = {**({"cut": found.cut} if found.cut else {}), **({"hint": found.hint} if found.hint else {})}
    return {**document, **more, **moved_on.as_json()}


def _print_note(found: FoundLines, *, numbered: bool, pattern: str) -> None:
    """Print on standard error that there is more, or what to try."""
    if found.hint:
        said = " -n shows line numbers and takes none; --limit N bounds the lines." if numbered and pattern.isdecimal() else ""
        say(f"hardtack: {inert_line(found.hint)}{said}")
    elif found.reached:
        shown = len(found.matches)
        say(f"hardtack: more lines match than these {shown}; ask for more with --limit, or narrow the paths.")
    if found.cut:
        say(f"hardtack: {found.cut} lines are longer than {MOST_LINE} bytes and cut; hardtack cat PATH:LINE has all of one.")
