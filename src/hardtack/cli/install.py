"""``hardtack install``: a pack into the user's bundles, or into a root of bundles for an image."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from hardtack.bundle.naming import index_name
from hardtack.cli import environment, options
from hardtack.cli.progress import transfer_progress
from hardtack.render.style import inert

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache
    from hardtack.store.records import Origin


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
    from hardtack.store.install import install_into, install_pack  # help is shown without what installs

    step = environment.kill_switch()
    with _file_of(pack, None if into else environment.cache()) as (file, origin):
        if into is not None:
            place, found = install_into(into, file, name=name or None, digest=digest, step=step)
            called = index_name(place)
        else:
            cache = environment.cache()
            installed = install_pack(cache, file, origin=origin, name=name or None, digest=digest, step=step, notice=_say)
            place, found, called = installed.path, installed.digest, installed.name
    if as_json:
        click.echo(json.dumps({"schema": "hardtack.install/1", "name": called, "digest": found, "place": str(place)}))
    else:
        click.echo(f"{called}: installed at {inert(str(place))}; {found}")
    return 0


@contextmanager
def _file_of(pack: str, cache: BundleCache | None) -> Iterator[tuple[Path, Origin]]:
    """The pack's file, fetched into the cache or a temporary directory if it lies on the web, and where it came from."""
    from hardtack.store.records import Origin

    if "://" not in pack:
        yield Path(pack), Origin()
        return
    from hardtack.store.cache_writing import prepare_cache
    from hardtack.store.loose import fetch_pack
    from hardtack.store.scratch import scratch_directory

    if cache:
        prepare_cache(cache)
    with scratch_directory(cache.tmp) if cache else TemporaryDirectory(prefix="hardtack-") as directory:
        file, address = fetch_pack(pack, Path(directory), environment.source_settings(), transfer_progress())
        yield file, Origin(source=address)


def _say(sentence: str) -> None:
    click.echo(f"hardtack: {inert(sentence)}", err=True)
