"""The outcomes of a fleet in, a catalogue at the shelf that names the bundle of each out.

Each publish names its bundle in the catalogue, as its last step. One that was killed before it did, or that another publish to a
store without locks has overwritten, is named here, from its pack, by the one process that does it for the whole fleet.
"""

from __future__ import annotations

from dataclasses import replace

from hardtack.descriptors import work_directory
from hardtack.errors import HardtackError
from hardtack.fleet.outcome import FAILED, Failure, Outcome
from hardtack.store.sources.source import Wanted
from hardtack.store.sources.static import StaticSource


def name_unnamed(shelf: StaticSource, outcomes: dict[int, Outcome]) -> None:
    """Name in the catalogue what was published and is not named there; an outcome that cannot be named becomes a failure.

    Raises:
        SourceError: the catalogue cannot be read.
        FormatError: what lies there is no catalogue.
    """
    newest: dict[str, int] = {}
    for each in shelf.catalogue():
        newest[each.repository] = max(newest.get(each.repository, 0), each.commit_time)
    for position, outcome in outcomes.items():
        if outcome.state == FAILED or newest.get(outcome.repository, -1) >= outcome.commit_time:
            continue
        try:
            _name(shelf, outcome)
        except HardtackError as error:
            failure = Failure(code=error.code, message=f"It is published, and not named in the catalogue. {error}", hint=error.hint)
            outcomes[position] = replace(outcome, state=FAILED, failure=failure)


def _name(shelf: StaticSource, outcome: Outcome) -> None:
    """Fetch the pack of an outcome, verify it, and name it."""
    from hardtack.bundle.reader import open_bundle  # loads the engines, for what seldom happens
    from hardtack.store.sources.catalogue import entry_of

    offer = shelf.resolve(Wanted(repository=outcome.repository, commit=outcome.commit))
    if offer is None:
        return  # somebody has taken it away again
    with work_directory() as scratch:
        shelf.fetch(offer, scratch / "bundle.hardtack")
        with open_bundle(scratch / "bundle.hardtack", check="hashes", digest=offer.bundle_digest) as bundle:
            shelf.register(entry_of(bundle, pack_digest=offer.pack_digest, size=offer.size or 0))
