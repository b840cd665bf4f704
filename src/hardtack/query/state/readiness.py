"""An open bundle in, which kinds of search work on it, here and now, out. Tries each: opens the index, loads the encoder."""

from __future__ import annotations

from hardtack.errors import HardtackError
from hardtack.nouns.statistics import Readiness
from hardtack.query.searcher import Searcher


def readiness_of(searcher: Searcher) -> Readiness:
    """Which kinds of search work. Loads what a search would load, and asks the encoder's service if one is set up and allowed."""
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
