"""``hardtack pack``: makes one file of a bundle."""

from __future__ import annotations

import json
from pathlib import Path

import click

from hardtack.bundle.naming import PACK_SUFFIX
from hardtack.bundle.packing import write_pack
from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, show
from hardtack.render.stats import readable_size
from hardtack.render.style import inert_line


@click.command("pack")
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where the pack goes [NAME.hardtack, here].")
@click.option("--for-builds", is_flag=True, help="Take along what only the next build reads; half as much again.")
@options.bundle_option
@options.json_option
def command(*, directory: str | None, output: Path | None, for_builds: bool, bundle: str | None, as_json: bool) -> int:
    """Make one file of a bundle, to be sent, kept or served as it is.

    The bundle is verified first. The same bundle gives the same file. A pack that lies at its destination is replaced, anything
    else is left alone.

    \b
    hardtack pack -o click.hardtack
    hardtack verify click.hardtack
    hardtack search -b click.hardtack "parse options"
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    located = environment.located_bundle(directory or bundle)
    interruptible()
    place = output or Path(located.name + PACK_SUFFIX)
    info = write_pack(located.path, place, for_builds=for_builds, step=environment.kill_switch())
    if as_json:
        document = {"schema": "hardtack.pack/1", "path": str(info.path), "bytes": info.size}
        click.echo(json.dumps({**document, "pack_digest": info.digest, "bundle_digest": info.bundle_digest}))
    else:
        show(f"{inert_line(str(info.path))}: {readable_size(info.size)}; pack {info.digest}, bundle {info.bundle_digest}")
    return 0
