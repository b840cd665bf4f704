"""A query that is a name in, the symbols with exactly that name out, so that a typed name leads to its definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from hardtack.bundle.format.records import SymbolName
from hardtack.bundle.indexes.names import Family, words_of
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, Kind
from hardtack.query.ranking.name_match import WEAK
from hardtack.query.request.analysis import TextAnalysis, qualified
from hardtack.text import whole_name

# The lowest score of a definition of the typed name. Each reaches up to _STEP higher; every other candidate scores below
# SAME_NAME_FOLDED.
SAME_NAME: Final = 0.96
SAME_NAME_JOINED: Final = 0.93
"""The names are equal once their parts are joined by dots: ``Context::JSON`` finds ``Context.JSON``."""
SAME_NAME_FOLDED: Final = 0.90
"""The names are equal in lower case."""
_STEP: Final = 0.03

WEAK_FACTOR: Final = 0.5
"""Factor for symbols of :data:`WEAK` kinds, so that a class ranks above a field of the same name."""
_LONGEST_DECLARATION: Final = 2000
"""Bytes; a longer function has a body."""
BODILESS: Final = 0.3
"""Factor for a declaration without a body, so that it ranks below every definition of the same name."""
_MOST_DEFINITIONS: Final = 500
"""Symbols of one name that are examined at most."""


class Definition(NamedTuple):
    """A symbol whose whole name is the query."""

    floor: float
    """:data:`SAME_NAME`, :data:`SAME_NAME_JOINED` or :data:`SAME_NAME_FOLDED`."""
    factor: float
    """1, or less for weak kinds and for declarations."""
    how: str
    """The verb of the hit's reason: ``defines``, ``declares`` ..."""
    symbol: int
    """Ordinal."""

    def score(self, chance: float) -> float:
        """The score of the symbol's chunk, from the probability (0 to 1) that the ranking model gives it."""
        return self.floor + _STEP * self.factor * chance


def definitions(bundle: Bundle, analysis: TextAnalysis) -> dict[int, Definition]:
    """Maps each chunk to the best symbol that starts in it and has the query as its name."""
    found = sorted(_exact_matches(bundle, analysis), key=lambda each: (each.floor, each.factor, -each.symbol))
    if not found:
        return {}
    chunks = bundle.columns.chunks_of(np.array([each.symbol for each in found], dtype=np.int64)).tolist()
    return {chunk: each for chunk, each in zip(chunks, found, strict=True) if chunk >= 0}


def _exact_matches(bundle: Bundle, analysis: TextAnalysis) -> Iterator[Definition]:
    whole = analysis.whole
    is_end = not (whole[:1].isalnum() or whole[:1] == "_")  # ``.card`` and ``::after`` match the end of a longer name
    joined = whole if is_end else qualified(whole)
    index = bundle.names
    keys = [(Family.WHOLE, whole_name(whole)), (Family.WHOLE, whole_name(joined.rpartition(".")[2]))]
    if is_end:
        keys += [(Family.PART, word) for word in words_of(whole)[-1:]]
    symbols: dict[int, None] = {}
    for family, word in dict.fromkeys(keys):
        row = index.row(word) if word else -1
        if row >= 0:
            symbols |= dict.fromkeys(index.postings(family, row)[:_MOST_DEFINITIONS].tolist())
    for symbol in symbols:
        named = bundle.symbol_name(symbol)
        floor, how = _match_level(whole, joined, named, is_end=is_end)
        if floor:
            factor = WEAK_FACTOR if named.kind in WEAK else 1.0
            if _is_bodiless(bundle, named.kind, symbol):
                factor, how = BODILESS, "declares"
            yield Definition(floor, factor, how, symbol)


def _match_level(whole: str, joined: str, named: SymbolName, *, is_end: bool) -> tuple[float, str]:
    """The lowest score of a symbol that the query names, and the verb of its reason; 0 and "" if the query does not name it."""
    if whole in (named.name, named.qualified_name):
        return SAME_NAME, "defines"
    has_ending = named.name.endswith(whole) if is_end else named.qualified_name.endswith(f".{joined}")
    if has_ending or joined in (named.name, named.qualified_name):
        return SAME_NAME_JOINED, "defines"
    ignores_case = whole.islower() or named.kind not in WEAK  # the query ``Tokenizer`` does not mean fields named ``tokenizer``
    if ignores_case and not {whole.lower(), joined.lower()}.isdisjoint(named.folded):
        return SAME_NAME_FOLDED, "defines, in other case,"
    return 0.0, ""


def _is_bodiless(bundle: Bundle, kind: Kind, ordinal: int) -> bool:
    """Whether a function is only declared, as a C prototype: its text is its signature. Reads text, so only for exact matches."""
    if kind not in FUNCTIONS or not bundle.has_text:
        return False
    symbol = bundle.symbol(ordinal)
    if symbol.span.end - symbol.span.start > _LONGEST_DECLARATION:
        return False
    text = bundle.text_of(bundle.file(symbol.file), symbol.span.start, symbol.span.end).decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("; ") == symbol.signature
