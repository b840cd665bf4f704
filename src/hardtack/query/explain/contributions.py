"""A ranking in, the contributions of its features out: to the score of one file, and of definitions to the order of all files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from hardtack.bundle.reader import Bundle
from hardtack.nouns.explanation import Contribution, DefinitionBoost
from hardtack.query.ranking.exact_names import SAME_NAME_FOLDED
from hardtack.query.ranking.features import FileTable
from hardtack.query.ranking.rank import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DEFINITIONS: Final = ("defines", "defines_alone")
"""Features of files that define a name in the query."""

_LEAST_SHOWN: Final = 0.005
"""Smaller contributions are 0 when they are shown with two decimals."""


def contributions_to(ranking: Ranking | None, file: int) -> tuple[Contribution, ...]:
    """The contribution of each feature to a file's score, in descending order; empty for a file that was not ranked."""
    row = _row(ranking, file)
    return _contributions(ranking.table, row, ranking.added[row]) if ranking is not None and row >= 0 else ()


def lead_over(ranking: Ranking | None, first: int, file: int) -> tuple[Contribution, ...]:
    """The features that contribute more to the score of the file ``first`` than to that of ``file``, the greatest difference first.

    Each with its value for ``first`` and the difference of the contributions.
    """
    mine, other = _row(ranking, first), _row(ranking, file)
    if ranking is None or mine < 0 or other < 0:
        return ()
    differences = _contributions(ranking.table, mine, ranking.added[mine] - ranking.added[other])
    return tuple(each for each in differences if each.contribution > 0)


def _contributions(table: FileTable, row: int, added: Floats) -> tuple[Contribution, ...]:
    values = table.values[row]
    order = np.argsort(-added, kind="stable").tolist()
    return tuple(
        Contribution(
            feature=table.features[place], value=round(float(values[place]), 6), contribution=round(float(added[place]), 6)
        )
        for place in order
        if abs(added[place]) >= _LEAST_SHOWN
    )


def _row(ranking: Ranking | None, file: int) -> int:
    """The row of a file in the table of features; -1 if it was not ranked."""
    return -1 if ranking is None else ranking.table.row_of(file)


def definition_boost(ranking: Ranking | None, bundle: Bundle) -> DefinitionBoost:
    """How many files have another rank than they would have without the features :data:`DEFINITIONS`.

    Without them these features are 0, and the chunk that defines the query itself gets no higher score.
    """
    if ranking is None:
        return DefinitionBoost(executed=False, boost_multiplier=None, boosted_count=0, rank_changes=0)
    table, model = ranking.table, ranking.model
    places = [place for place, name in enumerate(table.features) if name.endswith(DEFINITIONS)]
    plain = table.values.copy()
    plain[:, places] = 0.0
    without = SAME_NAME_FOLDED * model.chances(model.scores(plain), model.scores(plain))
    scores = SAME_NAME_FOLDED * model.chances(model.scores(table.values), model.scores(table.values))
    boosted: NDArray[np.bool_] = np.any(table.values[:, places] > 0, axis=1)
    for candidate in ranking.candidates:
        if candidate.score <= SAME_NAME_FOLDED:  # only a chunk that defines the query itself has a higher score
            break
        row = _row(ranking, bundle.chunk(candidate.ordinal).file)
        if row >= 0:
            boosted[row] = True
            scores[row] = max(scores[row], candidate.score)
    moved = int((_order(scores) != _order(without)).sum())
    return DefinitionBoost(executed=moved > 0, boost_multiplier=None, boosted_count=int(boosted.sum()), rank_changes=moved)


def _order(scores: Iterable[float]) -> NDArray[np.int64]:
    order: NDArray[np.int64] = np.argsort(-np.asarray(scores), kind="stable")
    return order
