"""The installed bundles as a source: ``hardtack pull --offline`` follows the same rules as online."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.integrity import read_manifest
from hardtack.errors import BundleError, PolicyError, SourceError, UsageError
from hardtack.git import is_same_repository
from hardtack.store.cache import BundleCache, Installed
from hardtack.store.sources.pointer import profile_of
from hardtack.store.sources.source import Offer, Packed, Progress, Published, Wanted


class InstalledSource:
    """A :class:`Source` of installed bundles."""

    name = "what is installed"

    def __init__(self, cache: BundleCache) -> None:
        """List the installed bundles.

        Raises:
            PolicyError: others may write to the cache.
        """
        self._entries = cache.entries()

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The installed bundle that matches; of several, one with the wanted profile if there is one.

        Raises:
            PolicyError: a reference must be shown to name it still, which nothing here can.
        """
        if wanted.ref and wanted.is_fresh:
            raise PolicyError(
                f"What is installed cannot show that {wanted.ref} still names it.", hint="Leave out --offline or --require-fresh."
            )
        fitting = [(entry, manifest) for entry in self._entries if (manifest := _fitting(entry, wanted))]
        if not fitting:
            return None
        entry, _ = min(fitting, key=lambda each: profile_of(each[1]) != wanted.profile)
        origin = entry.origin
        return Offer(
            address=str(entry.path),
            commit=origin.commit,
            pack_digest=origin.pack_digest,
            bundle_digest=entry.digest,
            commit_time=origin.commit_time,
            repository=origin.repository,
        )

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Always an error: an installed bundle is fetched only if it was removed after it was offered."""
        raise SourceError(f"{offer.address} is gone or damaged.", hint="Pull it again without --offline.")

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Refused: nobody else can pull from the cache."""
        raise UsageError("Nothing is published to what is installed here.", hint="Install a pack with: hardtack install FILE")


def _fitting(entry: Installed, wanted: Wanted) -> Manifest | None:
    """The manifest of an installed bundle if it matches ``wanted``; None if not, or if it cannot be read."""
    origin = entry.origin
    if (wanted.digest or wanted.commit or wanted.ref) not in (entry.digest, origin.commit, origin.branch):
        return None
    if wanted.repository and not is_same_repository(wanted.repository, origin.repository):
        return None
    try:
        manifest, _ = read_manifest(entry.path)
    except BundleError:
        return None
    return manifest if not wanted.root or wanted.root == manifest.provenance.subdirectory else None
