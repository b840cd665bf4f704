"""The path of a bundle in, a searcher of the verified bundle out: how a program begins."""

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
        check: ``hashes`` hashes every member; ``sizes`` is for bundles that were hashed when they were installed.
        digest: refuse any bundle but the one of this digest.
        checkout: a checkout of the same repository; each hit then says whether it is still current there.
        encoder: what the user set up for bundles that do not carry their encoder; None for nothing.

    Raises:
        BundleError: there is no bundle there, or it is not what its manifest says.
    """
    return Searcher(reader.open_bundle(Path(path), check=check, digest=digest), checkout=checkout, encoder=encoder)
