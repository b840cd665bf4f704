"""The entries of a catalogue and a query in, the bundles that may answer out, likeliest first.

A bundle is the likelier the more of the query its telling words hold, each word counted by how few of the bundles have it; a symbol
that the query names, and a word of the repository's own name, count more. It is a choice of what to open, not a ranking of answers:
those are ranked over all bundles that were opened (:mod:`hardtack.query.several`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import log
from typing import Final

from hardtack.nouns.catalogue import CatalogueEntry
from hardtack.query.request.analysis import TextAnalysis, analyse
from hardtack.text import parts_of, stem_of

_BEGINNING: Final = 2
"""Characters that a word and its stem have in common; one of fewer is its own stem."""
_OF_A_SYMBOL: Final = 2.0
"""How much a symbol that the query names counts, beside a word."""
_OF_THE_REPOSITORY: Final = 2.0
"""How much a word of the repository's name counts, beside a telling word."""
_LEAST: Final = 0.5
"""How much the last of the telling words counts, beside the first."""


class LikelyBundles:
    """The entries of a catalogue, ready to be asked."""

    def __init__(self, entries: Sequence[CatalogueEntry]) -> None:
        """Number the words of each entry by how telling they are."""
        self._count = len(entries)
        self._places: list[dict[str, int]] = [{word: at for at, word in enumerate(each.telling.words)} for each in entries]
        self._symbols = [frozenset(each.telling.symbols) for each in entries]
        self._repositories = [frozenset(map(stem_of, parts_of_path(f"{each.repository}/{each.root}"))) for each in entries]
        self._by_beginning: dict[str, list[str]] = defaultdict(list)
        for word in sorted(set().union(*self._places)):
            self._by_beginning[word[:_BEGINNING]].append(word)

    def likeliest(self, text: str) -> list[int]:
        """The places of the entries that have anything of the query, likeliest first; those of equal chance in their order."""
        analysis = analyse(text)
        scores = [0.0] * self._count
        self._add_words(analysis, scores)
        self._add_names(analysis, scores)
        return sorted((at for at in range(self._count) if scores[at]), key=lambda at: (-scores[at], at))

    def _add_words(self, analysis: TextAnalysis, scores: list[float]) -> None:
        stems = {stem: analysis.weights[term] for term, stem in analysis.stems.items()}
        stems |= {stem: 1.0 for part in analysis.parts if (stem := stem_of(part)) not in stems and part in analysis.content_terms}
        for stem, weight in stems.items():
            spellings = [word for word in self._by_beginning.get(stem[:_BEGINNING], ()) if stem_of(word) == stem]
            found = {at: share for at in range(self._count) if (share := self._share(at, stem, spellings))}
            for at, share in found.items():
                scores[at] += weight * share * self._rarity(len(found))

    def _share(self, at: int, stem: str, spellings: Iterable[str]) -> float:
        """How telling a stem is of an entry, from 0 to 1, and more for the repository's name."""
        if stem in self._repositories[at]:
            return _OF_THE_REPOSITORY
        places = self._places[at]
        first = min((places[word] for word in spellings if word in places), default=None)
        return 0.0 if first is None else 1.0 - (1.0 - _LEAST) * first / len(places)

    def _add_names(self, analysis: TextAnalysis, scores: list[float]) -> None:
        for name in {analysis.symbol, *analysis.identifiers, *analysis.names} - {""}:
            having = [at for at, symbols in enumerate(self._symbols) if name in symbols]
            for at in having:
                scores[at] += _OF_A_SYMBOL * self._rarity(len(having))

    def _rarity(self, having: int) -> float:
        return log(1.0 + self._count / having)


def likeliest_of(entries: Sequence[CatalogueEntry], text: str) -> list[CatalogueEntry]:
    """The entries that have anything of the query, likeliest first; all of them, in their order, for a query of no words."""
    return [entries[at] for at in LikelyBundles(entries).likeliest(text)] if text.strip() else [*entries]


def parts_of_path(path: str) -> list[str]:
    """The words of a repository's address and directory."""
    return [part for name in path.replace("-", "/").replace(".", "/").split("/") for part in parts_of(name)]
