"""``hardtack install``: a pack into the user's bundles, or into a root of bundles for an image."""

from __future__ import annotations

import json
from pathlib import Path

import click

from hardtack.bundle.naming import index_name
from hardtack.cli import options
from hardtack.render.style import inert


@click.command("install")
@click.argument("pack", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="Call it so (default: its repository, else the file's name).")
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Put it into DIR, for an image.")
@options.digest_option
@options.json_option
def command(*, pack: Path, name: str, into: Path | None, digest: str | None, as_json: bool) -> int:
    """Verify a pack and install its bundle, so that it is found from everywhere.

    Every byte is checked before anything can read it. With --into the bundle becomes a plain directory of DIR that everybody may
    read: set HARDTACK_BUNDLE_PATH to DIR in the image. A bundle that was called so before is replaced.

    \b
    hardtack install api.hardtack
    hardtack install api.hardtack --into /opt/bundles
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.store.install import install_into, install_pack  # help is shown without what installs

    step = options.kill_switch()
    if into is not None:
        place, found = install_into(into, pack, name=name or None, digest=digest, step=step)
        called = index_name(place)
    else:
        installed = install_pack(options.cache(), pack, name=name or None, digest=digest, step=step, notice=_say)
        place, found, called = installed.path, installed.digest, installed.name
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.install/1", "name": called, "digest": found, "place": str(place)}))
    else:
        click.echo(f"{called}: installed at {inert(str(place))}; {found}")
    return 0


def _say(sentence: str) -> None:
    click.echo(f"hardtack: {inert(sentence)}", err=True)
