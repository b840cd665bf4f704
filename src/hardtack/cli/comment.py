"""``hardtack comment``: posts what a pull request's job found as its one comment, or prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra, show
from hardtack.errors import SourceError, UsageError
from hardtack.render.style import inert_line

_SAID: Final = {
    "created": "comment written",
    "updated": "comment edited",
    "unchanged": "comment left as it is",
    "removed": "comment removed",
    "nothing": "no comment",
}


@click.command("comment")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--run", type=click.IntRange(min=1), metavar="ID", help="Post what this workflow run kept.")
@click.option("--repository", default="", metavar="OWNER/NAME", help="Whose run it is [GITHUB_REPOSITORY].")
@click.option("--author", default="github-actions[bot]", show_default=True, metavar="LOGIN", help="Who the token writes as.")
@options.json_option
def command(*, file: Path | None, run: int | None, repository: str, author: str, as_json: bool) -> int:
    """Keep the one comment of a pull request up to date with what its workflow run found, as the GitHub action does.

    With FILE, the note that "hardtack ci" has kept, nothing is posted: the comment is printed. With --run, the note of that run is
    downloaded and checked, the pull request is looked up, and its comment is written, edited or removed. That needs a token that
    may write to pull requests.

    \b
    hardtack comment hardtack-comment.json
    hardtack comment --run 123456789 --repository OWNER/NAME
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    if (file is None) == (run is None):
        raise UsageError("A comment is made of a file or of a workflow run.", hint="Name FILE, or --run ID.")
    try:
        from hardtack.comment.note import LIMIT, note_of_json, note_to_json
        from hardtack.comment.rendering import comment_of
    except ImportError as error:
        raise missing_extra(error, "A comment", "comment") from error
    interruptible()
    if run is not None:
        return _posted(run, repository, author, as_json=as_json)
    assert file is not None
    try:
        with file.open("rb") as opened:
            note = note_of_json(opened.read(LIMIT + 1))
    except OSError as error:
        raise SourceError(f"{file} cannot be read: {error.strerror}.") from error
    if as_json:
        click.echo(note_to_json(note).decode())
    elif not note.is_silent:
        click.echo(comment_of(note), nl=False)
    return 0


def _posted(run: int, repository: str, author: str, *, as_json: bool) -> int:
    from hardtack.comment.posting import post
    from hardtack.store.sources.named import github_api_of

    api = github_api_of(repository or environment.variables().get("GITHUB_REPOSITORY", ""), environment.source_settings())
    posted = post(api, run, author=author)
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.posted/1", "comment": posted.done, "number": posted.number, "why": posted.why}))
    else:
        words = [f"pull request {posted.number}" if posted.number else "", _SAID[posted.done], posted.why]
        show(inert_line(": ".join(filter(None, words))))
    return 0
