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
from hardtack.store.sources.catalogue import parse_catalogue, with_entries
from hardtack.store.sources.source import Wanted
from hardtack.store.sources.static import StaticSource

_AT_ONCE: Final = 200
"""Bundles that wait to be named at most: writing a catalogue of ten thousand takes seconds."""


class Naming:
    """The catalogue at a shelf, and the bundles that wait to be named there."""

    def __init__(self, shelf: StaticSource, profile: str) -> None:
        """See that what is to be written can be read.

        Args:
            shelf: where the bundles lie.
            profile: of all bundles of the fleet.

        Raises:
            SourceError: the catalogue cannot be read.
            FormatError: what lies there is no catalogue.
        """
        shelf.catalogue()
        self._shelf = shelf
        self._profile = profile
        self._waiting: list[CatalogueEntry] = []
        self._next_at = _AT_ONCE
        """How many must wait before naming is tried: where it has failed, so many more."""
        self._named: set[str] = set()
        """Bundle digests of what was named here."""

    def add(self, outcome: Outcome) -> Outcome:
        """Have a bundle named with others, now or later; the outcome without what is to be said of it."""
        if outcome.entry:
            with suppress(HardtackError):  # what cannot be named now is tried again, and in the end told
                self._waiting += _entries_in(outcome.entry)
                if len(self._waiting) >= self._next_at:
                    self._next_at = len(self._waiting) + _AT_ONCE
                    self.name_waiting()
        return replace(outcome, entry="")

    def finish(self, outcomes: dict[int, Outcome]) -> None:
        """Name those that wait, and all that is at the shelf and not named; one that cannot be named becomes a failure."""
        try:
            for position in self._unnamed(outcomes):
                try:
                    self._name_from_pack(outcomes[position])
                except HardtackError as error:
                    outcomes[position] = _not_named(outcomes[position], error)
                if len(self._waiting) >= _AT_ONCE:
                    self.name_waiting()
            self.name_waiting()
        except HardtackError as error:  # the catalogue itself cannot be read or written
            self._waiting = []
            for position in self._lost(outcomes):
                outcomes[position] = _not_named(outcomes[position], error)

    def name_waiting(self) -> None:
        """Name those that wait; errors as of :meth:`StaticSource.register`, and then they wait still."""
        if self._waiting:
            self._shelf.register(*self._waiting)
            self._named.update(each.bundle_digest for each in self._waiting)
            self._waiting = []
            self._next_at = _AT_ONCE

    def _unnamed(self, outcomes: Mapping[int, Outcome]) -> list[int]:
        """Positions of bundles that do not wait, and that the catalogue names neither itself nor by a newer commit.

        Where the list has two commits of a repository that are equally old, either is enough.
        """
        held = {each.key: each for each in with_entries(self._shelf.catalogue(), self._waiting)}
        built = {position: outcome for position, outcome in outcomes.items() if outcome.state != FAILED}
        digests = {outcome.digest for outcome in built.values()}
        unnamed = []
        for position, outcome in built.items():
            named = held.get((outcome.repository, "", self._profile))
            is_newer = named is not None and named.commit_time > outcome.commit_time
            is_itself = named is not None and named.commit_time == outcome.commit_time and named.bundle_digest in digests
            if not (is_newer or is_itself):
                unnamed.append(position)
        return unnamed

    def _lost(self, outcomes: Mapping[int, Outcome]) -> list[int]:
        """Positions of bundles that are not named; where the catalogue cannot be read, of those that were not named here."""
        try:
            return self._unnamed(outcomes)
        except HardtackError:
            return [
                position for position, outcome in outcomes.items() if outcome.state != FAILED and outcome.digest not in self._named
            ]

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
    said = f"{outcome.address} is published, and not known to be named in the catalogue. {error}"
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
