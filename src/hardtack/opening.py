"""The name of a bundle, as a person gives it, in; a searcher of the verified bundle out."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from hardtack.errors import SourceError
from hardtack.query.searcher import Searcher
from hardtack.store.cache import BundleCache, cache_root
from hardtack.store.locate import Located, locate, open_located

if TYPE_CHECKING:
    from hardtack.bundle.reader import Check
    from hardtack.encoders import EncoderSettings


def open_bundle(
    bundle: str | Path,
    *,
    check: Check | None = None,
    digest: str | None = None,
    checkout: Path | None = None,
    encoder: EncoderSettings | None = None,
    cache: Path | None = None,
) -> Searcher:
    """Verify a bundle and open it for searching, as it was built.

    Args:
        bundle: what ``-b`` takes: a bundle's directory, a pack, a directory that was built, or the name or digest of an installed
            bundle.
        check: ``hashes`` hashes every member, ``sizes`` compares sizes only; None does the latter for installed bundles, which were
            hashed when they were installed, and the former for any other.
        digest: refuse a bundle with any other digest.
        checkout: a checkout of the same repository; each hit then says whether it is still current there.
        encoder: the user's configuration of encoders outside the bundle; None for none.
        cache: the directory that bundles are installed in; None for the user's own.

    Raises:
        BundleError: there is no bundle, or it does not match its manifest.
        PolicyError: an installed bundle is named, and others may write to the cache.
    """

    def users_cache() -> BundleCache | None:
        with suppress(SourceError):
            return BundleCache(cache or cache_root(""))
        return None

    def find() -> Located:
        located = locate(os.fspath(bundle), [], Path(os.sep), users_cache)
        return located._replace(check=check or located.check)

    return Searcher(open_located(find, digest=digest, cache=users_cache), checkout=checkout, encoder=encoder)
