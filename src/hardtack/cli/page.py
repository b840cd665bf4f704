"""``hardtack page``: writes a bundle as a page for a browser."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, missing_extra, show
from hardtack.render.stats import readable_size
from hardtack.render.style import inert_json, inert_line

if TYPE_CHECKING:
    from hardtack.nouns.changes import Comparison


@click.command("page")
@click.argument("directory", required=False, metavar="[BUNDLE]")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE|DIR",
    help="Where the page goes: NAME.html or a directory.",
)
@click.option("--diff", "old", metavar="OLD", help="Add a page of what changed since OLD: a bundle, a pack or a commit.")
@options.bundle_option
@options.json_option
def command(*, directory: str | None, output: Path, old: str | None, bundle: str | None, as_json: bool) -> int:
    """Write a bundle as a page that any browser and any static server shows: search, files, sources, references, pictures.

    The bundle is verified first. A small bundle fits into one file, NAME.html; any bundle into a directory. The page asks nobody
    for anything. A page that lies at its destination is replaced, anything else is left alone.

    \b
    hardtack page -o site
    hardtack page -b click.hardtack -o click.html
    hardtack page --diff v1.hardtack -o site
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    try:
        from hardtack.page.page import write_page
    except ImportError as error:
        raise missing_extra(error, "Writing a page", "page") from error
    located = environment.located_bundle(directory or bundle)
    interruptible()
    comparison = _compared(old, located.path) if old else None
    info = write_page(located.path, output, name=located.name, step=environment.kill_switch(), comparison=comparison)
    start = info.path / "index.html" if info.is_directory else info.path
    if as_json:
        document = {
            "path": str(info.path),
            "start": str(start),
            "files": info.files,
            "bytes": info.size,
            "bundle_digest": info.bundle,
        }
        click.echo(inert_json({"schema": "hardtack.page/1", **document, "uncoloured": list(info.uncoloured)}, is_spaced=True))
    else:
        number = f"{info.files:,} file{'' if info.files == 1 else 's'}"
        said = f"{inert_line(str(start))}: {number}, {readable_size(info.size)}; bundle {info.bundle}"
        slow = "".join(f"\n  without colours, as it took too long: {inert_line(path)}" for path in info.uncoloured)
        show(said + slow)
    return 0


def _compared(old: str, new: Path) -> Comparison:
    """What differs between the bundle, pack or commit ``old`` and the bundle at ``new``."""
    from hardtack.cli.compared import opened_pair
    from hardtack.diff.comparison import compare

    with ExitStack() as stack:
        return compare(*opened_pair(old, str(new), stack))
