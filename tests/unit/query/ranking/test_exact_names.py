"""Symbols whose whole name is the query, and their lowest scores."""

from __future__ import annotations

import pytest

from hardtack.bundle.reader import Bundle
from hardtack.query.ranking.exact_names import SAME_NAME, SAME_NAME_FOLDED, SAME_NAME_JOINED, definitions
from hardtack.query.request.analysis import analyse


@pytest.mark.parametrize(
    ("text", "name", "floor"),
    [
        ("ShelfFull", "ShelfFull", SAME_NAME),
        ("Shelf.put", "Shelf.put", SAME_NAME),
        ("Shelf::put", "Shelf.put", SAME_NAME_JOINED),
        ("shelffull", "ShelfFull", SAME_NAME_FOLDED),
        ("`suggest_dish()`", "suggest_dish", SAME_NAME),
    ],
)
def test_a_name_leads_to_its_definition(bundle: Bundle, text: str, name: str, floor: float) -> None:
    found = definitions(bundle, analyse(text))
    assert {(name, floor)} == {(bundle.symbol(each.symbol).qualified_name, each.floor) for each in found.values()}
    assert all(bundle.columns.of_symbols("chunk")[each.symbol] == chunk for chunk, each in found.items())


def test_words_that_name_nothing_as_a_whole_have_no_definition(bundle: Bundle) -> None:
    assert [{}, {}, {}] == [definitions(bundle, analyse(text)) for text in ("how is a jar put on a shelf", "nowhere", "?")]


def test_a_score_begins_at_the_floor_and_a_chance_raises_it(bundle: Bundle) -> None:
    (found,) = definitions(bundle, analyse("ShelfFull")).values()
    assert SAME_NAME == found.score(0.0) < found.score(0.5) < found.score(1.0) <= 1.0
