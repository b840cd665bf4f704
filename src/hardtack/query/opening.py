"""The path of a bundle in, a searcher of the verified bundle out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hardtack.bundle import reader
from hardtack.bundle.reader import Check
from hardtack.query.searcher import Searcher

if TYPE_CHECKING:
    from hardtack.encoders import EncoderSettings


def open_bundle(
    path: str | Path,
    *,
    check: Check = "hashes",
    digest: str | None = None,
    checkout: Path | None = None,
    encoder: EncoderSettings | None = None,
) -> Searcher:
    """Verify the bundle at ``path`` and open it for searching.

    Args:
        path: the bundle's directory.
        check: ``hashes`` hashes every member; ``sizes`` compares sizes only, for bundles that were hashed at installation.
        digest: refuse a bundle with any other digest.
        checkout: a checkout of the same repository; each hit then says whether it is still current there.
        encoder: the user's configuration of encoders outside the bundle; None for none.

    Raises:
        BundleError: there is no bundle, or it does not match its manifest.
    """
    return Searcher(reader.open_bundle(Path(path), check=check, digest=digest), checkout=checkout, encoder=encoder)
