"""``hardtack verify``: every byte of a bundle against its manifest."""

from __future__ import annotations

import json
from pathlib import Path

import click

from hardtack.bundle.reader import open_bundle
from hardtack.cli import options
from hardtack.store.locate import locate


@click.command("verify")
@click.argument("directory", required=False, metavar="[DIR]")
@options.bundle_option
@options.digest_option
@options.json_option
def command(*, directory: str | None, bundle: str | None, digest: str | None, as_json: bool) -> int:
    """Check every byte of a bundle against its manifest.

    Leaves with 0 when all of it is as it was built, and with 3 and every fault when it is not.
    """
    from hardtack.query.searcher import check_everything  # help is shown without what ranks

    located = locate(directory or bundle, options.bundle_roots(), Path.cwd())
    with open_bundle(located.path, check="hashes", digest=digest) as opened:
        check_everything(opened)
        members, size = len(opened.manifest.members), sum(member.size for member in opened.manifest.members)
        if as_json:
            document = {"schema": "hardtack.verify/1", "bundle": str(located.path), "digest": opened.digest}
            click.echo(json.dumps({**document, "members": members, "bytes": size}))
        else:
            click.echo(f"{located.path}: {members} members, {size} bytes, all as built; {opened.digest}")
    return 0
