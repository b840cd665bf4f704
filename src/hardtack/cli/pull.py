"""``hardtack pull``: the bundle that fits this checkout, from where it was published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardtack.cli import options
from hardtack.render.style import inert

if TYPE_CHECKING:
    from hardtack.store.pull import Pulled


@click.command("pull")
@options.source_options
@click.option("--commit", default="", metavar="COMMIT", help="The bundle of this commit.")
@click.option("--ref", default="", metavar="NAME", help="The bundle that this branch or tag names now.")
@options.digest_option
@click.option("--repository", default="", metavar="HOST/OWNER/NAME", help="Of this repository (default: git's origin).")
@click.option("--root", default="", metavar="DIR", help="Of this directory of the repository, built apart.")
@click.option(
    "--profile", type=click.Choice(["hybrid", "keyword"]), default="hybrid", help="With or without vectors.", show_default=True
)
@click.option("--checkout", type=click.Path(path_type=Path, exists=True, file_okay=False), default=".", help="For this checkout.")
@click.option("--name", default="", metavar="NAME", help="Call it so (default: its repository).")
@click.option("--any", "takes_any", is_flag=True, help="Take a branch's bundle even if HEAD does not come from it.")
@click.option("--allow-older", is_flag=True, help="Take what a branch names even if it is older than what it named.")
@click.option("--pin", is_flag=True, help="Write it into .hardtack.lock, so that every later pull takes the very same.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@options.json_option
def command(
    *,
    addresses: tuple[str, ...],
    offline: bool,
    commit: str,
    ref: str,
    digest: str | None,
    repository: str,
    root: str,
    profile: str,
    checkout: Path,
    name: str,
    takes_any: bool,
    allow_older: bool,
    pin: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Bring the published bundle that fits this checkout, verify it, and install it.

    Looked for is the bundle of HEAD or of its nearest ancestor, never of a descendant; .hardtack.lock, --digest, --commit and --ref
    say otherwise. Sources are asked in order; what one cannot give, the next may. Leaves with 1 when nothing is published, with 5
    when nobody could be asked, with 6 when what there is was refused.

    \b
    hardtack pull --from https://bundles.example.org/api
    hardtack pull --from s3://bundles/api --repository github.com/example/api --ref main
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.store.aims import aim_at, configured_sources
    from hardtack.store.history import History
    from hardtack.store.offline import InstalledSource
    from hardtack.store.pins import LOCK_FILE, Pin, read_pins, remember_pins, write_pin
    from hardtack.store.pull import Pull
    from hardtack.store.resolve import Aim
    from hardtack.store.sources.named import sources_for
    from hardtack.store.sources.source import Source

    def notice(sentence: str) -> None:
        if not quiet:
            click.echo(f"hardtack: {inert(sentence)}", err=True)

    cache, history, settings = options.cache(), History(checkout), options.source_settings()
    top = history.top or checkout
    pins = read_pins(top / LOCK_FILE)
    said = Aim(digest=digest or "", commit=commit, ref=ref, repository=repository, root=root, profile=profile, takes_any=takes_any)
    aim = aim_at(said, history, checkout, pins, name=name, repins=pin)
    sources: list[Source] = (
        [InstalledSource(cache)]
        if offline
        else sources_for(addresses, () if addresses else configured_sources(top), aim.repository, settings, notice)
    )
    pulled = Pull(
        cache=cache,
        sources=sources,
        history=history if history.head else None,
        name=name,
        allows_older=allow_older,
        notice=notice,
        progress=None if quiet else options.transfer_progress(),
        step=options.kill_switch(),
    ).run(aim)
    installed = pulled.installed
    if pin:
        write_pin(
            top / LOCK_FILE, name or aim.repository or installed.name, Pin(digest=installed.digest, commit=installed.origin.commit)
        )
    if pin or pins:
        cache.prepare()
        remember_pins(cache, top / LOCK_FILE)
    click.echo(json.dumps(_to_json(pulled)) if as_json else _told(pulled))
    return 0


def _told(pulled: Pulled) -> str:
    """What a person wants to know of it."""
    installed, distance = pulled.installed, pulled.found.distance
    what = installed.origin.commit[:12] or "no commit"
    if pulled.found.ref:
        what += f" ({pulled.found.ref})"
    if distance is not None:
        what += ", HEAD's own" if distance == 0 else f", {distance} commit{'' if distance == 1 else 's'} behind HEAD"
    how = "was there" if pulled.was_there else f"installed from {pulled.source}"
    return f"{inert(installed.name)}: {inert(what)}, {inert(how)}; {installed.digest}"


def _to_json(pulled: Pulled) -> dict[str, object]:
    installed = pulled.installed
    return {
        "schema": "hardtack.pull/1",
        "name": installed.name,
        "digest": installed.digest,
        "pack_digest": installed.origin.pack_digest,
        "commit": installed.origin.commit,
        "ref": pulled.found.ref,
        "distance": pulled.found.distance,
        "source": pulled.source,
        "was_there": pulled.was_there,
        "place": str(installed.path),
    }
