"""``hardtack cat``: a stored file, or some lines of it."""

from __future__ import annotations

import re
import sys

import click

from hardtack.cli import options
from hardtack.cli.main import NOTHING_FOUND
from hardtack.query.files import read_lines

_RANGE = re.compile(r"(?P<path>.+):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?")


@click.command("cat")
@click.argument("target", metavar="PATH[:FIRST[-LAST]]")
@options.bundle_option
@options.digest_option
def command(*, target: str, bundle: str | None, digest: str | None) -> int:
    """Print a file, or some of its lines, from the bundle's own text.

    \b
    hardtack cat src/click/core.py:100-120
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with options.opened_bundle(bundle, digest) as opened:
        file, first, last = opened.file_at(target), 1, None
        if file is None and (match := _RANGE.fullmatch(target)):
            file, first = opened.file_at(match["path"]), int(match["first"])
            last = int(match["last"] or match["first"])
        if file is None:
            click.echo(f"hardtack: the bundle has no file {target}.", err=True)
            return NOTHING_FOUND
        sys.stdout.buffer.write(read_lines(opened, file, first, last))
    return 0
