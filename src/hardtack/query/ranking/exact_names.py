"""A query that is a name in, the symbols that it names as a whole out: what was typed leads to its definition."""

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
from hardtack.text.terms import whole_name

# Where the scores of definitions of the typed name begin, and how far they reach; everything else scores below.
SAME_NAME: Final = 0.96
SAME_NAME_JOINED: Final = 0.93
"""For a name that is the query's once its parts are joined by dots: ``Context::JSON`` asks for ``Context.JSON``."""
SAME_NAME_FOLDED: Final = 0.90
_STEP: Final = 0.03

WEAK_FACTOR: Final = 0.5
"""Of two symbols with the same name, the one that is more of a definition."""
_LONGEST_DECLARATION: Final = 2000  # bytes
BODILESS: Final = 0.3
"""Factor of a declaration that has the typed name: below any definition that has it."""
_MOST_DEFINITIONS: Final = 500
"""Of one name that are looked at."""


class Definition(NamedTuple):
    """A symbol that the query names as a whole."""

    floor: float
    factor: float
    how: str
    symbol: int

    def score(self, chance: float) -> float:
        """The score of its chunk, whose file is meant with that chance by all else that speaks for it."""
        return self.floor + _STEP * self.factor * chance


def definitions(bundle: Bundle, analysis: TextAnalysis) -> dict[int, Definition]:
    """Chunk to the symbol that starts in it and is what the query names; the best where there are several."""
    found = sorted(_named_wholly(bundle, analysis), key=lambda each: (each.floor, each.factor, -each.symbol))
    if not found:
        return {}
    chunks = bundle.columns.chunks_of(np.array([each.symbol for each in found], dtype=np.int64)).tolist()
    return {chunk: each for chunk, each in zip(chunks, found, strict=True) if chunk >= 0}


def _named_wholly(bundle: Bundle, analysis: TextAnalysis) -> Iterator[Definition]:
    whole = analysis.whole
    is_end = not (whole[:1].isalnum() or whole[:1] == "_")  # ``.card`` and ``::after`` ask for the end of a longer name
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
        floor, how = _naming(whole, joined, named, is_end=is_end)
        if floor:
            factor = WEAK_FACTOR if named.kind in WEAK else 1.0
            if _is_bodiless(bundle, named.kind, symbol):
                factor, how = BODILESS, "declares"
            yield Definition(floor, factor, how, symbol)


def _naming(whole: str, joined: str, named: SymbolName, *, is_end: bool) -> tuple[float, str]:
    """Where the score of a symbol begins that the query names, and in what way; 0 for one that it does not name."""
    if whole in (named.name, named.qualified_name):
        return SAME_NAME, "defines"
    is_ended_so = named.name.endswith(whole) if is_end else named.qualified_name.endswith(f".{joined}")
    if is_ended_so or joined in (named.name, named.qualified_name):
        return SAME_NAME_JOINED, "defines"
    is_lazy = whole.islower() or named.kind not in WEAK  # who writes ``Tokenizer`` does not mean the fields ``tokenizer``
    if is_lazy and not {whole.lower(), joined.lower()}.isdisjoint(named.folded):
        return SAME_NAME_FOLDED, "defines, in other case,"
    return 0.0, ""


def _is_bodiless(bundle: Bundle, kind: Kind, ordinal: int) -> bool:
    """Whether a function is only declared: its text is its signature, as a C prototype's is. Asked of exact matches alone."""
    if kind not in FUNCTIONS or not bundle.has_text:
        return False
    symbol = bundle.symbol(ordinal)
    if symbol.span.end - symbol.span.start > _LONGEST_DECLARATION:
        return False
    text = bundle.text_of(bundle.file(symbol.file), symbol.span.start, symbol.span.end).decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("; ") == symbol.signature
