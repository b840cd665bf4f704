"""An open bundle in, an error out where one of its parts cannot be used, beyond what its hashes say."""

from __future__ import annotations

from hardtack.bundle.reader import Bundle
from hardtack.query.retrieval.encoder import check_encoder


def check_everything(bundle: Bundle) -> None:
    """Beyond the hashes: follow every row, and have each engine and the encoder open its members.

    Raises:
        BundleError: something in the bundle is not what its format, or its manifest, says.
    """
    bundle.check_records()
    _ = bundle.lexical
    if bundle.has_vectors:
        _ = bundle.vectors
        check_encoder(bundle)
