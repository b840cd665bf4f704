"""``hardtack status``: the bundle at hand, whether it can be searched, and how far it is from a checkout."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Literal

import click

from hardtack.bundle.naming import OWN_PLACE
from hardtack.bundle.reader import open_bundle
from hardtack.cli import environment, options
from hardtack.render.status import BundleStatus, render_status, status_to_json


@click.command("status")
@options.bundle_option
@options.checkout_option
@options.query_encoder_options
@click.option("--fast", is_flag=True, help="Check sizes, and hash nothing.")
@options.json_option
def command(*, bundle: str | None, checkout: Path | None, fast: bool, as_json: bool) -> int:
    """Say which bundle is at hand, whether it can be searched, how old it is, and how many files changed since.

    Every byte of the bundle is hashed, even of one that was verified when it was installed.

    A bundle in its own directory (SRC/.hardtack/bundle) is held against that directory, any other against --checkout DIR.

    \b
    hardtack status
    hardtack status -b /opt/bundles/api --checkout ~/src/api
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.checkout.head import Checkout
    from hardtack.query.checkout.worktree import count_untracked
    from hardtack.query.searcher import Searcher
    from hardtack.query.state.changes import freshness_counts  # help is shown without what searches
    from hardtack.query.state.readiness import readiness_of
    from hardtack.query.state.staleness import staleness_of

    located = environment.located_bundle(bundle)
    if checkout is None and located.path.absolute().parts[-2:] == OWN_PLACE.parts:
        checkout = located.path.absolute().parents[1]
    check: Literal["hashes", "sizes"] = "sizes" if fast else "hashes"
    opened = open_bundle(located.path, check=check, digest=located.digest)
    with Searcher(opened, encoder=options.encoder_settings()) as searcher:
        is_comparable = checkout is not None and not opened.manifest.provenance.roots
        status = BundleStatus(
            name=located.name,
            place=str(located.path),
            digest=opened.digest,
            check=check,
            manifest=opened.manifest,
            has_text=opened.has_text,
            readiness=readiness_of(searcher),
            staleness=staleness_of(opened.manifest.provenance, time.time(), Checkout(checkout) if checkout else None),
            checkout=str(checkout) if checkout else "",
            freshness=freshness_counts(opened, checkout) if checkout and is_comparable else {},
            untracked=count_untracked(opened, checkout) if checkout and is_comparable else None,
        )
    if as_json:
        click.echo(json.dumps(status_to_json(status)))
    else:
        click.echo(render_status(status), nl=False)
    return 0
