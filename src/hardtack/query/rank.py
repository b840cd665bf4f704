"""Fused candidates in, the same candidates reordered by named rules out.

Each rule gives a factor f and says why; a score s becomes 1 - (1 - s)^f, which stays in 0..1 and grows with both. The definition rule
is what makes the name of a thing lead to the thing: a chunk that defines what the query names comes before all that mention it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, SymbolRecord
from hardtack.model import Candidate, Kind, Query
from hardtack.query.retrieve import QueryTerms
from hardtack.terms import parts_of

HEADROOM = 0.95
"""What the best fused score counts for before the rules, so that a rule can lift another over it."""

# Factors of the definition rule, set by hand (issue 4 learns them). The first lifts what only one retriever found, in its upper half
# (0.3 and more), over anything that defines nothing: 1 - 0.7^8 = 0.94.
SAME_NAME = 8.0
SAME_NAME_FOLDED = 6.0
SAME_WORD = 2.5
SAME_WORD_FOLDED = 2.0
NAME_PARTS = 0.8
"""Added in full when the query's words and a name's parts are the same; in part by their Dice coefficient."""
TEST_FACTOR = 0.85
"""Tests repeat the words of what they test."""

# Of two symbols with the same name, the one that is more of a definition.
_WEAK_KINDS = frozenset({Kind.KEY, Kind.SECTION, Kind.VARIABLE, Kind.FIELD, Kind.PROPERTY, Kind.ELEMENT, Kind.TARGET, Kind.NAMESPACE})
WEAK_FACTOR = 0.9


@dataclass(frozen=True, slots=True)
class _Effect:
    """What a rule does to one candidate."""

    factor: float = 1.0
    reason: str = ""
    symbol: int = -1


_NONE = _Effect()


def rank(bundle: Bundle, query: Query, candidates: Sequence[Candidate]) -> list[Candidate]:
    """``candidates`` with every rule applied, best first, equal scores in chunk order."""
    asked = _Asked(query.text)
    ranked: list[Candidate] = []
    for candidate in candidates:
        chunk = bundle.chunk(candidate.ordinal)
        factor, reasons, symbol = 1.0, list(candidate.reasons), -1
        for rule in RULES:
            effect = rule(bundle, asked, chunk)
            factor *= effect.factor
            if effect.reason:
                reasons.append(effect.reason)
            symbol = effect.symbol if effect.symbol >= 0 else symbol
        score = 1 - (1 - HEADROOM * candidate.score) ** factor
        ranked.append(replace(candidate, score=score, symbol=symbol, reasons=tuple(reasons)))
    return sorted(ranked, key=lambda candidate: (-candidate.score, candidate.ordinal))


class _Asked:
    """The query as the rules compare it."""

    def __init__(self, text: str) -> None:
        terms = QueryTerms(text)
        self.whole, *self.words = terms.names or [""]
        self.whole_folded = self.whole.lower()
        self.words_folded = [word.lower() for word in self.words]
        self.terms = frozenset(part for term in terms.terms for part in parts_of(term))


def _definition(bundle: Bundle, asked: _Asked, chunk: ChunkRecord) -> _Effect:
    """The symbol of the chunk that the query names best."""
    best = _NONE
    for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
        symbol = bundle.symbol(ordinal)
        factor, how = _naming(asked, symbol)
        if symbol.kind in _WEAK_KINDS:
            factor = 1 + (factor - 1) * WEAK_FACTOR
        if factor > best.factor:
            best = _Effect(factor=factor, reason=f"{how} {symbol.kind.value} {symbol.qualified_name}", symbol=ordinal)
    return best


def _naming(asked: _Asked, symbol: SymbolRecord) -> tuple[float, str]:
    """How well the query names one symbol, and in what way."""
    names = (symbol.name, symbol.qualified_name)
    if asked.whole in names:
        return SAME_NAME, "defines"
    folded = (symbol.name.lower(), symbol.qualified_name.lower())
    if asked.whole_folded in folded:
        return SAME_NAME_FOLDED, "defines, in other case,"
    if any(word in names for word in asked.words):
        return SAME_WORD, "defines"
    if any(word in folded for word in asked.words_folded):
        return SAME_WORD_FOLDED, "defines, in other case,"
    parts = frozenset(parts_of(symbol.name))
    shared = len(parts & asked.terms)
    if not shared:
        return 1.0, ""
    return 1.0 + NAME_PARTS * 2 * shared / (len(parts) + len(asked.terms)), "is named like"


def _test(bundle: Bundle, asked: _Asked, chunk: ChunkRecord) -> _Effect:
    """Tests come after what they test, unless the query asks for tests."""
    if not bundle.file(chunk.file).is_test or asked.terms & {"test", "tests", "testing", "spec"}:
        return _NONE
    return _Effect(factor=TEST_FACTOR, reason="is a test")


RULES: tuple[Callable[[Bundle, _Asked, ChunkRecord], _Effect], ...] = (_definition, _test)
