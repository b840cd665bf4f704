"""A word's stem in, how much the word tells of where an answer is out: 1 for a name, next to nothing for ``fix`` and ``add``.

How rare a word is in the code says how well it tells files apart, not whether the answer has it: few files say ``fix``, and those
that do are not the ones to fix. The weights are learned from the histories of repositories that have no part in any benchmark
(``training/ranking/learn_word_weights.py`` has the formula); they say which part of its rarity a word keeps, after the relevance
weights of Robertson and Spaerck Jones (JASIS 27(3), 1976).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

UNKNOWN: Final = 1.0
"""The weight of a word that is not common to many projects: what is said of one project alone tells most."""

TELLING: Final = 0.5
"""The weight of a word that tells enough for a question to be about."""

LITTLE: Final = 0.2
"""Words that weigh less say next to nothing of what a question is about."""

_SHIPPED: Final = Path(__file__).parent / "word_weights.tsv"


@lru_cache(maxsize=1 << 12)
def weight_of(stem: str) -> float:
    """How much the words of a stem tell; :data:`UNKNOWN` for one that not many projects share."""
    if (at := _shipped().find(f"\n{stem}\t")) < 0:
        return UNKNOWN
    return float(_shipped()[at + len(stem) + 2 :].partition("\n")[0])


@lru_cache(maxsize=1)
def _shipped() -> str:
    """A line each for the stems that many projects share: the stem, a tab and its weight. A search asks for a few of thousands."""
    return "\n" + _SHIPPED.read_text("utf-8")
