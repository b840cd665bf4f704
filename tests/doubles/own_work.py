"""What a user's builder is remembered to have made, in a test's cache."""

from __future__ import annotations

import os
from pathlib import Path

from hardtack.bundle.format.digest import digest_of
from hardtack.store.built import BuiltHere
from hardtack.store.cache import BundleCache


def users_cache() -> BundleCache:
    """The cache that the command line uses in tests."""
    return BundleCache(Path(os.environ["HARDTACK_CACHE"]))


def made_own(place: Path, cache: BundleCache | None = None) -> Path:
    """Have the bundle at ``place`` remembered as one that the user built there; gives ``place``."""
    digest = digest_of((place / "manifest.json").read_bytes())
    BuiltHere(lambda: cache or users_cache()).add(Path(os.path.realpath(place.parent), place.name), digest)
    return place
