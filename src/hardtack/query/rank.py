"""Fused candidates in, the same candidates reordered by named rules out.

A candidate whose chunk defines exactly what was typed comes before one that defines it in other case, and both come before all
that merely mention it: the name of a thing leads to the thing. Among the rest each rule gives a factor f and says why; a score s
becomes 1 - (1 - s)^f, which stays in 0..1 and grows with both, and a rule may leave only a share of that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import ChunkRecord, SymbolName
from hardtack.model import FUNCTIONS, Candidate, Kind, Query
from hardtack.query.retrieve import QueryTerms, qualified
from hardtack.terms import parts_of

# Set by hand, with an eye on what benchmarks/findability.py said of some ten repositories (issue 4 learns them, and measures on
# others): where the scores of definitions begin, and the factors of the rules.
SAME_NAME = 0.96
SAME_NAME_JOINED = 0.93
"""For a name that is the query's once its parts are joined by dots: ``Context::JSON`` asks for ``Context.JSON``."""
SAME_NAME_FOLDED = 0.90
_STEP = 0.03
"""From one floor to the next."""
HEADROOM = 0.95
"""What the best fused score counts for before the rules, so that a rule can lift another over it."""
SAME_WORD = 2.5
SAME_WORD_FOLDED = 2.0
NAME_PARTS = 0.8
"""Added in full when the query's words and a name's parts are the same; in part by their Dice coefficient."""
TEST_SHARE = 0.85
"""Tests repeat the words of what they test."""

# Of two symbols with the same name, the one that is more of a definition.
_WEAK_KINDS = frozenset({Kind.KEY, Kind.SECTION, Kind.VARIABLE, Kind.FIELD, Kind.PROPERTY, Kind.ELEMENT, Kind.NAMESPACE})
WEAK_FACTOR = 0.5
_LONGEST_DECLARATION = 2000  # bytes
BODILESS = 0.3
"""Factor of a declaration that has the typed name: below any definition that has it."""


@dataclass(frozen=True, slots=True)
class _Effect:
    """What a rule does to one candidate."""

    factor: float = 1.0
    share: float = 1.0
    """What part of the score is left, where the factor has had its say."""
    floor: float = 0.0
    """Where its score begins; above 0 only for a definition of the query as a whole."""
    reason: str = ""
    symbol: int = -1


_NONE = _Effect()


def rank(bundle: Bundle, query: Query, candidates: Sequence[Candidate]) -> list[Candidate]:
    """``candidates`` with every rule applied, best first, equal scores in chunk order."""
    asked = _Asked(query.text)
    ranked: list[Candidate] = []
    for candidate in candidates:
        chunk = bundle.chunk(candidate.ordinal)
        effects = [rule(bundle, asked, chunk) for rule in RULES]
        ranked.append(
            replace(
                candidate,
                score=_score(candidate.score, effects),
                symbol=max(effect.symbol for effect in effects),
                reasons=(*candidate.reasons, *(effect.reason for effect in effects if effect.reason)),
            )
        )
    return sorted(ranked, key=lambda candidate: (-candidate.score, candidate.ordinal))


def _score(fused: float, effects: Sequence[_Effect]) -> float:
    factor = math.prod(effect.factor for effect in effects)
    within = (1 - (1 - HEADROOM * fused) ** factor) * math.prod(effect.share for effect in effects)
    floor = max(effect.floor for effect in effects)
    if floor:
        return floor + _STEP * within
    return SAME_NAME_FOLDED * within


class _Asked:
    """The query as the rules compare it."""

    def __init__(self, text: str) -> None:
        terms = QueryTerms(text)
        self.whole = text.strip()
        self.is_end = not (self.whole[:1].isalnum() or self.whole[:1] == "_")
        """It begins with a separator, as ``.card`` and ``::after`` do: it asks for the end of a longer name."""
        self.joined = self.whole if self.is_end else qualified(self.whole)
        self.folded = {self.whole.lower(), self.joined.lower()}
        self.words = set(terms.names) - {self.whole, self.joined}
        self.words_folded = {word.lower() for word in self.words}
        self.terms = frozenset(part for term in terms.terms for part in parts_of(term))


def _definition(bundle: Bundle, asked: _Asked, chunk: ChunkRecord) -> _Effect:
    """The symbol of the chunk that the query names best."""
    best = _NONE
    for ordinal in range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count):
        named = bundle.symbol_name(ordinal)
        floor, factor, how = _naming(asked, named)
        if factor == 1.0:
            continue
        if floor and _is_bodiless(bundle, named.kind, ordinal):
            factor, how = BODILESS, "declares"
        if named.kind in _WEAK_KINDS:
            factor = 1 + (factor - 1) * WEAK_FACTOR
        if (floor, factor) > (best.floor, best.factor):
            what = f"{how} {named.kind.value} {named.qualified_name}"
            best = _Effect(factor=factor, floor=floor, reason=what, symbol=ordinal)
    return best


def _naming(asked: _Asked, named: SymbolName) -> tuple[float, float, str]:
    """How well the query names one symbol: the floor, the factor, and in what way. A factor of 1 is not at all."""
    _, name, qualified_name, folded, parts = named
    if asked.whole in (name, qualified_name):
        return SAME_NAME, SAME_WORD, "defines"
    if asked.joined in (name, qualified_name) or (asked.is_end and name.endswith(asked.whole)):
        return SAME_NAME_JOINED, SAME_WORD, "defines"
    if not asked.folded.isdisjoint(folded):
        return SAME_NAME_FOLDED, SAME_WORD, "defines, in other case,"
    if name in asked.words or qualified_name in asked.words:
        return 0.0, SAME_WORD, "defines"
    if not asked.words_folded.isdisjoint(folded):
        return 0.0, SAME_WORD_FOLDED, "defines, in other case,"
    if parts.isdisjoint(asked.terms):
        return 0.0, 1.0, ""
    return 0.0, 1.0 + NAME_PARTS * 2 * len(parts & asked.terms) / (len(parts) + len(asked.terms)), "is named like"


def _is_bodiless(bundle: Bundle, kind: Kind, ordinal: int) -> bool:
    """Whether a function is only declared: its text is its signature, as a C prototype's is. Asked of exact matches alone."""
    if kind not in FUNCTIONS or not bundle.has_text:
        return False
    symbol = bundle.symbol(ordinal)
    if symbol.span.end - symbol.span.start > _LONGEST_DECLARATION:
        return False
    text = bundle.text_of(bundle.file(symbol.file), symbol.span.start, symbol.span.end).decode("utf-8", "replace")
    return " ".join(text.split()).rstrip("; ") == symbol.signature


def _test(bundle: Bundle, asked: _Asked, chunk: ChunkRecord) -> _Effect:
    """Tests come after what they test, unless the query asks for tests."""
    if not bundle.file(chunk.file).is_test or asked.terms & {"test", "tests", "testing", "spec"}:
        return _NONE
    return _Effect(share=TEST_SHARE, reason="is a test")


RULES: tuple[Callable[[Bundle, _Asked, ChunkRecord], _Effect], ...] = (_definition, _test)
