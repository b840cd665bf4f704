"""What is installed already, as a source: for those who are offline, by the same rules as online."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hardtack.errors import SourceError, UsageError
from hardtack.store.cache import Cache
from hardtack.store.sources.source import Offer, Packed, Progress, Published, Wanted


class InstalledSource:
    """A :class:`Source` of installed bundles."""

    name = "what is installed"

    def __init__(self, cache: Cache) -> None:
        """Look at what is installed.

        Raises:
            PolicyError: others may write to the cache.
        """
        self._entries = cache.entries()

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The installed bundle that fits."""
        for entry in self._entries:
            origin = entry.origin
            is_other = wanted.repository and origin.repository and wanted.repository != origin.repository
            if not is_other and (wanted.digest or wanted.commit or wanted.ref) in (entry.digest, origin.commit, origin.branch):
                return Offer(
                    address=str(entry.path),
                    commit=origin.commit,
                    pack_digest=origin.pack_digest,
                    bundle_digest=entry.digest,
                    commit_time=origin.commit_time,
                    repository=origin.repository,
                )
        return None

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Nothing can be fetched: what was offered has gone in between."""
        raise SourceError(f"{offer.address} is gone or damaged.", hint="Pull it again without --offline.")

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Refused: nobody pulls from here."""
        raise UsageError("Nothing is published to what is installed here.", hint="Install a pack with: hardtack install FILE")
