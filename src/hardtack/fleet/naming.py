"""The outcomes of a fleet in, a catalogue at the shelf that names the bundle of each out.

Each time the whole catalogue is written, so one process does it for many bundles at once, and no two overwrite each other. What a
fleet that was killed has published and not named is named from its pack, by the next run.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from hardtack.descriptors import work_directory
from hardtack.errors import FormatError, HardtackError
from hardtack.fleet.outcome import FAILED, Failure, Outcome
from hardtack.notations import parse_json
from hardtack.nouns.catalogue import CatalogueEntry
from hardtack.store.sources.catalogue import parse_catalogue
from hardtack.store.sources.source import Wanted
from hardtack.store.sources.static import StaticSource

_AT_ONCE: Final = 200
"""Bundles that wait to be named at most: writing a catalogue of ten thousand takes seconds."""


class Naming:
    """The catalogue at a shelf, and the bundles that wait to be named there."""

    def __init__(self, shelf: StaticSource) -> None:
        """See that what is to be written can be read.

        Raises:
            SourceError: the catalogue cannot be read.
            FormatError: what lies there is no catalogue.
        """
        shelf.catalogue()
        self._shelf = shelf
        self._waiting: list[CatalogueEntry] = []

    def add(self, outcome: Outcome) -> Outcome:
        """Have a bundle named with others, now or later; the outcome without what is to be said of it."""
        if outcome.entry:
            with suppress(HardtackError):  # what cannot be named now is tried again, and in the end told
                self._waiting += _entries_in(outcome.entry)
                if len(self._waiting) >= _AT_ONCE:
                    self._name_waiting()
        return replace(outcome, entry="")

    def finish(self, outcomes: dict[int, Outcome]) -> None:
        """Name those that wait, then all that is at the shelf and not named; one that cannot be named becomes a failure."""
        try:
            self._name_waiting()
            unnamed = self._unnamed(outcomes)
            for position in unnamed:
                try:
                    self._name_from_pack(outcomes[position])
                except HardtackError as error:
                    outcomes[position] = _not_named(outcomes[position], error)
            self._name_waiting()
        except HardtackError as error:  # the catalogue itself cannot be read or written
            for position, outcome in outcomes.items():
                if outcome.state != FAILED:
                    outcomes[position] = _not_named(outcome, error)

    def _unnamed(self, outcomes: Mapping[int, Outcome]) -> list[int]:
        """Positions of bundles that the catalogue names neither itself nor by a newer commit."""
        newest: dict[str, int] = {}
        for each in self._shelf.catalogue():
            newest[each.repository] = max(newest.get(each.repository, 0), each.commit_time)
        built = {position: outcome for position, outcome in outcomes.items() if outcome.state != FAILED}
        return [position for position, outcome in built.items() if newest.get(outcome.repository, -1) < outcome.commit_time]

    def _name_waiting(self) -> None:
        if self._waiting:
            self._shelf.register(*self._waiting)
            self._waiting = []

    def _name_from_pack(self, outcome: Outcome) -> None:
        """Fetch the pack of an outcome, verify it, and have it named."""
        from hardtack.bundle.reader import open_bundle  # loads the engines, for what seldom happens
        from hardtack.store.sources.catalogue import entry_of

        offer = self._shelf.resolve(Wanted(repository=outcome.repository, commit=outcome.commit))
        if offer is None:
            return  # somebody has taken it away again
        with work_directory() as scratch:
            self._shelf.fetch(offer, scratch / "bundle.hardtack")
            with open_bundle(scratch / "bundle.hardtack", check="hashes", digest=offer.bundle_digest) as bundle:
                self._waiting.append(entry_of(bundle, pack_digest=offer.pack_digest, size=offer.size or 0))


def _not_named(outcome: Outcome, error: HardtackError) -> Outcome:
    said = f"{outcome.address} is published, and not named in the catalogue. {error}"
    return replace(outcome, state=FAILED, failure=Failure(code=error.code, message=said, hint=error.hint))


def _entries_in(text: str) -> list[CatalogueEntry]:
    """The entries of a small catalogue that a process of the fleet wrote.

    Raises:
        FormatError: it is none.
    """
    try:
        document = parse_json(text)
    except ValueError as error:
        raise FormatError(f"A process of the fleet wrote no catalogue: {error}.") from error
    if not isinstance(document, dict):
        raise FormatError("A process of the fleet wrote no catalogue.")
    return parse_catalogue(document, "what a process of the fleet wrote")
