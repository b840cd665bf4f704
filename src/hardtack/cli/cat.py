"""``hardtack cat``: prints stored files, or some of their lines."""

from __future__ import annotations

import sys
from typing import Any

import click

from hardtack.cli import environment, moved_on, options
from hardtack.query.files.stored_files import Excerpt, StoredFiles
from hardtack.render.lines import encoding_to_json, lines_to_json
from hardtack.render.style import inert_json


@click.command("cat")
@click.argument("targets", metavar="PATH[:FIRST[-[LAST]]]...", nargs=-1, required=True, shell_complete=options.completions.paths)
@options.bundle_option
@options.digest_option
@options.json_option
def command(*, targets: tuple[str, ...], bundle: str | None, digest: str | None, as_json: bool) -> int:
    """Print files, or some of their lines, from the bundle's own text.

    \b
    hardtack cat README.md
    hardtack cat src/click/core.py:100-120 src/click/types.py:40-
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        files = StoredFiles(opened)
        excerpts = [files.read_target(target) for target in targets]
    if as_json:
        click.echo(inert_json({"schema": "hardtack.cat/1", "results": [*map(_result, excerpts)], **moved_on.as_json()}))
    else:
        sys.stdout.buffer.write(b"".join(excerpt.text for excerpt in excerpts))
    return 0


def _result(excerpt: Excerpt) -> dict[str, Any]:
    lines = lines_to_json(excerpt.lines, excerpt.start_line)
    place = {"path": excerpt.path, "start_line": excerpt.start_line, "end_line": excerpt.end_line}
    return {**place, **encoding_to_json(excerpt), "lines": lines}
