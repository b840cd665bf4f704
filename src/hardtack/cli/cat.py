"""``hardtack cat``: prints stored files, or some of their lines."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import click

from hardtack.cli import environment, moved_on, options
from hardtack.query.files.stored_files import Excerpt, StoredFiles
from hardtack.render.lines import encoding_to_json, lines_to_json
from hardtack.render.style import inert, inert_json

_SCHEMA: Final = "hardtack.cat/1"
_LINES: Final = 1000
"""Lines that are written as JSON together."""
_PIECE: Final = 1 << 16
"""Bytes that are escaped together."""


@click.command("cat")
@click.argument("targets", metavar="PATH[:FIRST[-[LAST]]]...", nargs=-1, required=True, shell_complete=options.completions.paths)
@options.bundle_option
@options.digest_option
@options.as_built_option
@options.json_option
def command(*, targets: tuple[str, ...], bundle: str | None, digest: str | None, as_json: bool) -> int:
    """Print files, or some of their lines, from the bundle's own text.

    Into a pipe or a file the stored bytes go as they are; on a terminal, control characters are shown escaped.

    \b
    hardtack cat README.md
    hardtack cat src/click/core.py:100-120 src/click/types.py:40-
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        files = StoredFiles(opened)
        excerpts = [files.read_target(target) for target in targets]
    if as_json:
        for piece in _document(excerpts):
            click.echo(piece, nl=False)
    elif sys.stdout.isatty():
        for excerpt in excerpts:
            for piece in _escaped(excerpt.text):
                click.echo(piece, nl=False)
    else:
        for excerpt in excerpts:
            sys.stdout.buffer.write(excerpt.text)
    return 0


def _document(excerpts: Sequence[Excerpt]) -> Iterator[str]:
    """The JSON document in pieces, on one line: a file may have more lines than should be in memory as objects."""
    yield f'{{"schema":"{_SCHEMA}","results":['
    for number, excerpt in enumerate(excerpts):
        place = {"path": excerpt.path, "start_line": excerpt.start_line, "end_line": excerpt.end_line, **encoding_to_json(excerpt)}
        yield f'{"," if number else ""}{inert_json(place)[:-1]},"lines":['
        lines, at = excerpt.each_line(), excerpt.start_line
        while some := lines_to_json(islice(lines, _LINES), at):
            yield f"{',' if at > excerpt.start_line else ''}{inert_json(some)[1:-1]}"
            at += len(some)
        yield "]}"
    more = moved_on.as_json()
    yield f"]{f',{inert_json(more)[1:-1]}' if more else ''}}}\n"


def _escaped(text: bytes) -> Iterator[str]:
    """The text for a terminal, in pieces."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for at in range(0, len(text), _PIECE):
        yield inert(decoder.decode(text[at : at + _PIECE], final=at + _PIECE >= len(text))).replace("\\u{d}\n", "\n")
