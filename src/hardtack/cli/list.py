"""``hardtack list``: lists the bundles that can be searched from here."""

from __future__ import annotations

import time
from typing import Any, Final

import click

from hardtack.bundle.integrity import without_absent
from hardtack.cli import environment, options
from hardtack.cli.answers import left_out_sentence, print_answer, print_text
from hardtack.cli.exits import NOTHING_FOUND, say
from hardtack.errors import PolicyError, SourceError
from hardtack.nouns.statistics import Staleness
from hardtack.query.state.staleness import staleness_of
from hardtack.render.listing import ListedBundle, list_to_json, list_to_markdown, render_list
from hardtack.render.style import counted, inert_line
from hardtack.store.locate import AtHand, Located, at_hand, passed_over

_SHOWN: Final = ("source", "branch", "pack_digest", "signer", "trust", "installed_at")
"""Fields of an installed bundle's origin that are shown; the others are in its manifest."""


@click.command("list")
@options.bundle_option
@options.list_options()
def command(*, bundle: str | None, listing: options.Listing) -> int:
    """List the bundles that can be searched from here: that of this directory, and those installed.

    \b
    hardtack list
    hardtack list --json
    """  # noqa: D301  (\b is click's mark for lines not to be wrapped)
    found = at_hand([bundle] if bundle else [], environment.bundle_roots(), environment.starts(), environment.user_cache)
    found, left_out = found[: listing.limit], len(found[listing.limit or len(found) :])
    now = time.time()
    listed = [
        ListedBundle(
            name=each.name,
            place=str(each.located.path),
            digest=each.digest,
            manifest=without_absent(each.located.path, each.manifest) if each.manifest else None,
            staleness=_staleness_of(each, now) if each.manifest else None,
            trouble=each.trouble,
            installed=_record_of(each.located),
        )
        for each in found
    ]
    if not listed and listing.format in ("text", "markdown"):
        say("No bundle is at hand. Build one with: hardtack build SRC")
    elif listing.shows_counts:
        print_text(counted([each.name for each in listed]), listing)
    else:
        print_answer(
            listing,
            text=lambda: render_list(listed),
            markdown=lambda: list_to_markdown(listed),
            document=lambda: list_to_json(listed) | ({"left_out": left_out} if left_out else {}),
            lines=lambda: list_to_json(listed)["bundles"],
        )
    if left_out and listing.format != "json":
        say(left_out_sentence(left_out))
    for fault in [] if bundle else _left_out():
        say(f"Left out: {inert_line(fault)}")
    return 0 if listed else NOTHING_FOUND


def _staleness_of(bundle: AtHand, now: float) -> Staleness:
    assert bundle.manifest
    provenance = bundle.manifest.provenance
    return staleness_of(provenance, now, environment.checkout_for(bundle.located.path, provenance))


def _record_of(located: Located) -> dict[str, Any]:
    """The name and origin of an installed bundle; empty for any other."""
    if not located.installed:
        return {}
    origin = located.installed.origin._asdict()
    return {"name": located.installed.name, **{key: origin[key] for key in _SHOWN if origin[key]}}


def _left_out() -> list[str]:
    """The bundle in the checkout that the user did not build there, and faults of the records of installed bundles."""
    strangers = passed_over(environment.starts(), environment.bundle_roots(), environment.user_cache)
    cache = environment.user_cache()
    if cache is None:
        return strangers
    try:
        _, faults = cache.survey()
        return [*strangers, *faults]
    except (PolicyError, SourceError) as error:
        return [*strangers, f"{error} {error.hint}"]
