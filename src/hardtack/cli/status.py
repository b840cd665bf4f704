"""``hardtack status``: reports which searches work in a bundle, its age, and what changed in a checkout."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from hardtack.bundle.reader import Check, open_bundle
from hardtack.cli import environment, options
from hardtack.cli.answers import print_answer
from hardtack.render.status import render_status, status_to_json, status_to_markdown


@click.command("status")
@options.bundle_option
@options.checkout_option
@options.query_encoder_options
@click.option("--fast", is_flag=True, help="Check sizes, and hash nothing.")
@options.answer_options
def command(*, bundle: str | None, checkout: Path | None, fast: bool, listing: options.Listing) -> int:
    """Say which bundle is at hand, whether it can be searched, how old it is, and how many files changed since.

    Every byte of the bundle is hashed, even of one that was verified when it was installed. That does not show who built it: who
    answers for it is said by itself.

    It is held against --checkout DIR, else against the directory that it was built of (SRC/.hardtack/bundle), else against the
    checkout that you are in, if that is of the same repository.

    \b
    hardtack status
    hardtack status -b /opt/bundles/api --checkout ~/src/api
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    from hardtack.query.checkout.around import checkout_at
    from hardtack.query.searcher import Searcher  # these load numpy, which help does without
    from hardtack.query.state.bundle_status import status_of
    from hardtack.store.locate import checked, origin_of

    located = environment.located_bundle(bundle)
    check: Check = "sizes" if fast else "hashes"
    opened = checked(located, open_bundle(located.path, check=check, digest=located.digest), environment.user_cache)
    own = checkout_at(checkout) if checkout else environment.checkout_for(located.path, opened.manifest.provenance)
    compared = own.directory if own else None
    with Searcher(opened, encoder=options.encoder_settings()) as searcher:
        origin = origin_of(located, opened.digest, environment.user_cache)
        status = status_of(searcher, located.name, located.path, check=check, origin=origin, now=time.time(), checkout=compared)
        status = replace(status, over=environment.working_tree(opened, own).moved if own else None)
    print_answer(
        listing,
        text=lambda: render_status(status),
        markdown=lambda: status_to_markdown(status),
        document=lambda: status_to_json(status),
    )
    return 0
