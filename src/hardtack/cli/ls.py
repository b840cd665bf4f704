"""``hardtack ls``: lists a directory of a bundle."""

from __future__ import annotations

import click

from hardtack.cli import environment, moved_on, options
from hardtack.query.files.left_out import left_out_to_json
from hardtack.query.files.stored_files import StoredFiles
from hardtack.render.lines import entries_to_json, render_entries, render_left_out
from hardtack.render.style import inert_json


@click.command("ls")
@click.argument("path", default=".")
@options.bundle_option
@options.digest_option
@options.as_built_option
@click.option("--repo", type=click.Choice(["docs", "code", "both"]), default="both", help="Only documentation, or only code.")
@click.option("-a", "--all", "hidden", is_flag=True, help="Also list what begins with a dot, and what was left out of the bundle.")
@options.json_option
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.")
def command(*, path: str, bundle: str | None, digest: str | None, repo: str, hidden: bool, as_json: bool, color: str) -> int:
    """List what lies in a directory of the bundle, by whole paths; without PATH, the top.

    \b
    hardtack ls src
    hardtack ls --repo docs
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        directory = StoredFiles(opened).directory(path, repo=repo, hidden=hidden)
    if as_json:
        lists = {"entries": entries_to_json(directory.entries), "left_out": left_out_to_json(directory.left_out)}
        document = {"schema": "hardtack.ls/1", "path": directory.path, "repo": directory.repo, **lists}
        click.echo(inert_json({**document, **moved_on.as_json()}))
    else:
        style = environment.style(color)
        text = render_entries(directory.entries, style) + (render_left_out(directory.left_out) if hidden else "")
        click.echo(text, nl=False, color=style.color)
    return 0
