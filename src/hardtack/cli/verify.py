"""``hardtack verify``: checks every byte of a bundle, or of a pack, against its manifest."""

from __future__ import annotations

from pathlib import Path

import click

from hardtack.bundle.format.pack import is_pack, open_pack
from hardtack.bundle.reader import open_bundle
from hardtack.cli import environment, options
from hardtack.cli.exits import show
from hardtack.query.state.readiness import check_everything
from hardtack.render.style import inert_json


@click.command("verify")
@click.argument("directory", required=False, metavar="[DIR|FILE]")
@options.bundle_option
@options.digest_option
@options.json_option
def command(*, directory: str | None, bundle: str | None, digest: str | None, as_json: bool) -> int:
    """Check every byte of a bundle, or of a pack, against its manifest.

    Leaves with 0 when all of it is as it was built, and with 3 and every fault when it is not.
    """
    located = environment.located_bundle(directory or bundle)
    pack_digest = _pack_digest(located.path)
    with open_bundle(located.path, check="hashes", digest=digest) as opened:
        check_everything(opened)
        sizes = [member.size for listed in opened.manifest.members if (member := opened.member(listed.name))]
        counted = {"members": len(sizes), "bytes": sum(sizes)}
        if as_json:
            document = {"schema": "hardtack.verify/1", "bundle": str(located.path), "digest": opened.digest}
            click.echo(inert_json({**document, **({"pack_digest": pack_digest} if pack_digest else {}), **counted}, is_spaced=True))
        else:
            show(f"{located.path}: {len(sizes)} members, {sum(sizes)} bytes, all as built; {opened.digest}")
            if pack_digest:
                show(f"  packed as {pack_digest}")
    return 0


def _pack_digest(path: Path) -> str:
    """The digest of the pack at ``path``; empty for a directory."""
    if not is_pack(path):
        return ""
    with open_pack(path) as pack:
        return pack.digest()
