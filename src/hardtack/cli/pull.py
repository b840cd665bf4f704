"""``hardtack pull``: installs the published bundle that fits this checkout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardtack.cli import environment, options
from hardtack.cli.exits import interruptible, say, show
from hardtack.cli.progress import transfer_progress
from hardtack.render.style import inert_json, inert_line

if TYPE_CHECKING:
    from hardtack.store.pull import Pulled


@click.command("pull")
@click.option(
    "--from",
    "addresses",
    multiple=True,
    metavar="ADDRESS",
    envvar="HARDTACK_SOURCE",
    help="Where to look: https://..., s3://..., github:owner/name, a folder; may be repeated (env HARDTACK_SOURCE).",
)
@click.option("--offline", is_flag=True, envvar="HARDTACK_OFFLINE", help="Take what is installed (env HARDTACK_OFFLINE=1).")
@click.option("--commit", default="", metavar="COMMIT", help="The bundle of this commit.")
@click.option("--ref", default="", metavar="NAME", help="The bundle that this branch or tag names now.")
@options.digest_option
@click.option("--repository", default="", metavar="HOST/OWNER/NAME", help="Of this repository (default: git's origin).")
@click.option("--subdirectory", default="", metavar="DIR", help="Of this directory of the repository, built apart.")
@click.option("--profile", type=click.Choice(["hybrid", "keyword"]), default="hybrid", help="With or without vectors.")
@click.option("--checkout", type=click.Path(path_type=Path, exists=True, file_okay=False), default=".", help="For this checkout.")
@click.option("--as", "name", default="", metavar="NAME", help="Call it so (default: its repository).")
@click.option("--any", "takes_any", is_flag=True, help="Take a branch's bundle even if HEAD does not come from it.")
@click.option("--allow-older", is_flag=True, help="Take what a branch names even if it is older than what it named.")
@click.option(
    "--require-fresh",
    is_flag=True,
    envvar="HARDTACK_REQUIRE_FRESH",
    help="Refuse what a branch or tag names if it has expired or never does (env HARDTACK_REQUIRE_FRESH=1).",
)
@click.option("--pin", is_flag=True, help="Write it into .hardtack.lock, so that later pulls take the very same.")
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
    subdirectory: str,
    profile: str,
    checkout: Path,
    name: str,
    takes_any: bool,
    allow_older: bool,
    require_fresh: bool,
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
    hardtack pull --from s3://bundles/api --repository HOST/OWNER/NAME --ref v1
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.store.aims import ProjectCheckout  # these load urllib3, which help does without
    from hardtack.store.pull import pull_for
    from hardtack.store.resolve import Aim

    def notice(sentence: str) -> None:
        if not quiet:
            say(f"hardtack: {inert_line(sentence)}")

    interruptible()
    cache, project = environment.cache(), ProjectCheckout(checkout)
    wanted = Aim(digest=digest or "", commit=commit, ref=ref, repository=repository, root=subdirectory, profile=profile)
    pulled = pull_for(
        project,
        replace(wanted, takes_any=takes_any, is_fresh=require_fresh),
        cache=cache,
        addresses=None if offline else addresses,
        settings=environment.source_settings(),
        name=name,
        allows_older=allow_older,
        is_pinned=pin,
        notice=notice,
        progress=None if quiet else transfer_progress(),
        step=environment.kill_switch(),
    )
    _print(pulled, as_json=as_json)
    return 0


def _print(pulled: Pulled, *, as_json: bool) -> None:
    if as_json:
        click.echo(inert_json(_to_json(pulled), is_spaced=True))
    else:
        show(_summary(pulled))


def _summary(pulled: Pulled) -> str:
    installed, distance = pulled.installed, pulled.found.distance
    what = installed.origin.commit[:12] or "no commit"
    if pulled.found.ref:
        what += f" ({pulled.found.ref})"
    if distance is not None:
        what += ", HEAD's own" if distance == 0 else f", {distance} commit{'' if distance == 1 else 's'} behind HEAD"
    how = "was there" if pulled.was_there else f"installed from {pulled.source}"
    return f"{inert_line(installed.name)}: {inert_line(what)}, {inert_line(how)}; {installed.digest}"


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
