"""``hardtack install``: installs a pack for the user, or into a directory of bundles for an image."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.bundle.naming import index_name
from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, say, show
from hardtack.cli.progress import transfer_progress
from hardtack.render.style import inert_json, inert_line


@click.command("install")
@click.argument("pack", metavar="FILE|URL")
@click.option("--as", "name", default="", metavar="NAME", help="Call it so (default: its repository, else the file's name).")
@click.option("--into", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="Put it into DIR, for an image.")
@options.digest_option
@options.json_option
def command(*, pack: str, name: str, into: Path | None, digest: str | None, as_json: bool) -> int:
    """Verify a pack and install its bundle, so that it is found from everywhere.

    Every byte is checked before anything can read it. With --into the bundle becomes a plain directory of DIR that everybody may
    read: set HARDTACK_BUNDLE_PATH to DIR in the image. A bundle that was called so before is replaced.

    \b
    hardtack install api.hardtack
    hardtack install https://example.org/api.hardtack --digest sha256:...
    hardtack install api.hardtack --into /opt/bundles
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.store.install import install_into, install_pack  # these load urllib3, which help does without
    from hardtack.store.loose import pack_file

    interruptible()
    step, cache = environment.kill_switch(), None if into else environment.cache()
    with pack_file(pack, cache, environment.source_settings(), transfer_progress()) as (file, origin):
        if cache:
            installed = install_pack(cache, file, origin=origin, name=name or None, digest=digest, step=step, notice=_notice)
            place, found, called = installed.path, installed.digest, installed.name
        else:
            assert into
            place, found = install_into(into, file, name=name or None, digest=digest, step=step)
            called = index_name(place)
    if as_json:
        click.echo(
            inert_json({"schema": "hardtack.install/1", "name": called, "digest": found, "place": str(place)}, is_spaced=True)
        )
    else:
        show(f"{called}: installed at {inert_line(str(place))}; {found}")
    return 0


def _notice(sentence: str) -> None:
    say(f"hardtack: {inert_line(sentence)}")
