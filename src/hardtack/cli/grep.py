"""``hardtack grep``: prints every stored line that contains a text."""

from __future__ import annotations

from typing import Final

import click

from hardtack.cli import environment, moved_on, options
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.errors import UsageError
from hardtack.query.files.grep import MOST_LINE
from hardtack.query.files.stored_files import MAX_LINES, FoundLines, StoredFiles
from hardtack.render.lines import matches_to_json, render_counts, render_matches, render_paths
from hardtack.render.style import inert_json, inert_line

_SCHEMA: Final = "hardtack.grep/1"


@click.command("grep")
@click.argument("pattern")
@click.argument("globs", nargs=-1, metavar="[PATH-GLOB]...")
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--repo", type=click.Choice(["docs", "code", "both"]), default="both", help="Only documentation, or only code.")
@click.option("-E", "--regex", is_flag=True, help="PATTERN is a regular expression (RE2).")
@click.option("-n", "--limit", type=int, default=MAX_LINES, show_default=True, help="Lines at most.")
@click.option("-l", "--files-with-matches", "shows_paths", is_flag=True, help="Print the paths of files that match.")
@click.option("-c", "--count", "shows_counts", is_flag=True, help="Print how many lines of each file match.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "jsonl"]), default="text", help="Shape of the answer.")
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.")
def command(
    *,
    pattern: str,
    globs: tuple[str, ...],
    bundle: str | None,
    digest: str | None,
    repo: str,
    regex: bool,
    limit: int,
    shows_paths: bool,
    shows_counts: bool,
    format_: str,
    as_json: bool,
    color: str,
) -> int:
    """Print every line that has a text in it, from the bundle's own text.

    Case counts; (?i) before a regular expression ignores it. A glob is held against whole paths: ** is any run of characters, * any
    run without a slash; a directory stands for all below it. Documentation comes first, then code.

    \b
    hardtack grep "TODO(" src
    hardtack grep -E "(?i)todo|fixme" "**/*.py" -l
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    format_ = "json" if as_json else format_
    if format_ != "text" and (shows_paths or shows_counts):
        raise UsageError("Paths and counts alone are given as text.", hint="Drop -l and -c, or --format.")
    with environment.opened_bundle(bundle, digest) as opened:
        files = StoredFiles(opened)
        found = files.search(pattern, repo=repo, globs=globs, limit=limit, regex=regex)
        documentation = files.documentation
    if format_ == "json":
        results = matches_to_json(found.matches, documentation)
        document = {"schema": _SCHEMA, "query": pattern, "repo": found.repo, "results": results, "truncated": found.truncated}
        document |= {"cut": found.cut} if found.cut else {}
        more = {**({"hint": found.hint} if found.hint else {}), **moved_on.as_json()}
        click.echo(inert_json({**document, **more}))
    elif format_ == "jsonl":
        click.echo("".join(f"{inert_json(result)}\n" for result in matches_to_json(found.matches, documentation)), nl=False)
    elif shows_paths or shows_counts:
        click.echo((render_paths if shows_paths else render_counts)(found.matches), nl=False)
    else:
        text = render_matches(found.matches, pattern, environment.style(color))
        click.echo(text.encode(), nl=False)  # as bytes: of text, click strips escape sequences where there is no terminal
    if format_ == "text":
        _print_note(found)
    return 0 if found.matches else NOTHING_FOUND


def _print_note(found: FoundLines) -> None:
    """Print on standard error that there is more, or what to try."""
    if found.hint:
        say(f"hardtack: {inert_line(found.hint)}")
    elif found.reached:
        shown = len(found.matches)
        say(f"hardtack: more lines match than these {shown}; ask for more with -n, or narrow the paths.")
    if found.cut:
        say(f"hardtack: {found.cut} lines are longer than {MOST_LINE} bytes and cut; hardtack cat PATH:LINE has all of one.")
