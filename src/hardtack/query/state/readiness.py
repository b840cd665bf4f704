"""An open bundle in, what works in it out: which kinds of search, and whether every engine can open its members.

The indexes are opened and the encoder is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardtack.bundle.reader import Bundle
from hardtack.errors import HardtackError
from hardtack.nouns.statistics import Readiness
from hardtack.query.retrieval.encoder import check_encoder

if TYPE_CHECKING:
    from hardtack.query.searcher import Searcher


def readiness_of(searcher: Searcher) -> Readiness:
    """Which kinds of search work.

    Loads what a search would load, and sends a request to the encoder's service if one is set up and allowed.
    """
    bundle, troubles = searcher.bundle, []
    is_intact, has_encoder, has_terms = bundle.is_unchanged, False, False
    if not is_intact:
        troubles.append("A member was changed after it was checked.")
    if not bundle.has_vectors:
        troubles.append("It was built without vectors: searches are by keyword alone.")
    else:
        try:
            has_encoder = bool(searcher.encoder)
        except HardtackError as error:
            troubles.append(str(error))
    try:
        has_terms = bool(bundle.lexical)
    except HardtackError as error:
        troubles.append(str(error))
    return Readiness(is_intact=is_intact, has_encoder=has_encoder, has_terms=has_terms, troubles=tuple(troubles))


def check_everything(bundle: Bundle) -> None:
    """Check what hashes cannot: read every row, and let each engine and the encoder open its members.

    Raises:
        BundleError: something in the bundle is not as its format, or its manifest, requires.
    """
    bundle.check_records()
    _ = bundle.lexical
    if bundle.has_vectors:
        _ = bundle.vectors
        check_encoder(bundle)
