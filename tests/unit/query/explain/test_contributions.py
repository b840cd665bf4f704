"""Contributions of features, with tables and models that are small enough to check by hand."""

from __future__ import annotations

import numpy as np
import pytest

from hardtack.bundle.reader import Bundle
from hardtack.nouns.explanation import Contribution
from hardtack.nouns.model import Candidate
from hardtack.query.explain.contributions import contributions_to, definition_boost, lead_over
from hardtack.query.ranking.exact_names import SAME_NAME
from hardtack.query.ranking.features import FEATURES, FileTable
from hardtack.query.ranking.model import RankingModel
from hardtack.query.ranking.rank import Ranking

WEIGHTS = {"lexical_best": 2.0, "defines": 1.0, "depth": -0.5}
MODEL = RankingModel(
    means=np.zeros(len(FEATURES)),
    scales=np.ones(len(FEATURES)),
    weights=np.array([WEIGHTS.get(name, 0.0) for name in FEATURES]),
)


def _ranked(*rows: dict[str, float], candidates: tuple[Candidate, ...] = ()) -> Ranking:
    """A ranking of files 2, 4, 6, ... with these features."""
    values = np.array([[row.get(name, 0.0) for name in FEATURES] for row in rows])
    files = np.arange(2, 2 + 2 * len(rows), 2)
    nothing = np.zeros(len(rows))
    table = FileTable(files=files, values=values, features=FEATURES, best_symbols=np.full(len(rows), -1), nearness=nothing)
    return Ranking([*candidates], table, MODEL)


def test_contributions_are_told_most_first_and_nothing_is_told_of_what_added_nothing() -> None:
    ranked = _ranked({"lexical_best": 0.5}, {"lexical_best": 0.25, "depth": 3.0, "defines": 1.0})
    expected = (
        Contribution(feature="defines", value=1.0, contribution=1.0),
        Contribution(feature="lexical_best", value=0.25, contribution=0.5),
        Contribution(feature="depth", value=3.0, contribution=-1.5),
    )
    assert expected == contributions_to(ranked, 4)


@pytest.mark.parametrize("file", [-1, 0, 3, 6])
def test_a_file_that_was_not_ranked_has_none(file: int) -> None:
    ranked = _ranked({"lexical_best": 0.5}, {"defines": 1.0})
    assert ((), (), ()) == (contributions_to(ranked, file), lead_over(ranked, 2, file), contributions_to(None, file))


def test_a_lead_is_where_the_first_got_more() -> None:
    ranked = _ranked({"lexical_best": 0.5, "depth": 2.0}, {"lexical_best": 0.25, "depth": 3.0, "defines": 1.0})
    expected = (
        Contribution(feature="lexical_best", value=0.5, contribution=0.5),
        Contribution(feature="depth", value=2.0, contribution=0.5),
    )
    assert expected == lead_over(ranked, 2, 4)
    assert () == lead_over(ranked, 2, 2)


def test_a_definition_that_overtakes_a_mention_changed_the_order(bundle: Bundle) -> None:
    ranked = _ranked({"lexical_best": 0.9}, {"lexical_best": 0.5, "defines": 1.0}, {"lexical_best": 0.1})
    boost = definition_boost(ranked, bundle)
    assert (True, 1, 2) == (boost.executed, boost.boosted_count, boost.rank_changes)


def test_a_definition_that_was_first_anyway_changed_nothing(bundle: Bundle) -> None:
    ranked = _ranked({"lexical_best": 0.9, "defines": 1.0}, {"lexical_best": 0.5})
    boost = definition_boost(ranked, bundle)
    assert (False, 1, 0) == (boost.executed, boost.boosted_count, boost.rank_changes)


def test_a_chunk_that_was_lifted_for_what_it_defines_counts(bundle: Bundle) -> None:
    lifted = Candidate(ordinal=bundle.file(4).first_chunk, score=SAME_NAME + 0.01)
    ranked = _ranked({"lexical_best": 0.9}, {"lexical_best": 0.1}, candidates=(lifted,))
    boost = definition_boost(ranked, bundle)
    assert (True, 1, 2) == (boost.executed, boost.boosted_count, boost.rank_changes)
    assert not definition_boost(None, bundle).executed
