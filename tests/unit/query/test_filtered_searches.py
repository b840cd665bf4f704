"""Whole searches with filters on symbols and packages: the hits that pass, in the order of the unfiltered search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hardtack.nouns.model import Hit, Mode, ModeName
from hardtack.query.searcher import Searcher

WORDS = "put the oldest jar on a shelf and print its label"
FILTERS: list[tuple[str, dict[str, Any], Callable[[Hit], bool]]] = [
    ("a name", {"symbol_name": "parselabel"}, lambda hit: hit.name == "ParseLabel"),
    ("a glob", {"symbol_name": "*shelf*"}, lambda hit: "shelf" in hit.qualified_name.lower()),
    (
        "a kind so called",
        {"symbol_name": "p*", "kinds": ["method"]},
        lambda hit: hit.kind == "method" and hit.name.lower()[0] == "p",
    ),
    ("a parameter type", {"parameter_type": "JarView"}, lambda hit: "JarView" in hit.signature),
    ("a return type", {"returns": "Jar"}, lambda hit: "-> Jar" in hit.signature),
    ("a package", {"packages": ["pantry"]}, lambda hit: hit.path.startswith("src/pantry/")),
    ("a language by extension", {"languages": ["ts,go"]}, lambda hit: hit.path.endswith((".ts", ".go"))),
]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("filters", "passes"), [row[1:] for row in FILTERS], ids=[row[0] for row in FILTERS])
def test_every_hit_passes_and_says_what_about_it_does(
    searcher: Searcher, mode: ModeName, filters: dict[str, Any], passes: Callable[[Hit], bool]
) -> None:
    hits = searcher.search(WORDS, mode=mode, limit=100, **filters).hits
    assert hits
    assert [] == [hit for hit in hits if not passes(hit)]


@pytest.mark.parametrize("mode", ["keyword", "vector"])
@pytest.mark.parametrize("filters", [row[1] for row in FILTERS], ids=[row[0] for row in FILTERS])
def test_a_short_list_is_the_beginning_of_a_long_one(
    searcher: Searcher, mode: ModeName, filters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = [hit.chunk_id for hit in searcher.search(WORDS, mode=mode, limit=100, **filters).hits]
    monkeypatch.setattr("hardtack.query.retrieval.retrieve.DEPTH", 1)
    assert everything[:1] == [hit.chunk_id for hit in searcher.search(WORDS, mode=mode, limit=1, **filters).hits]


def test_a_name_that_nothing_has_finds_nothing_and_says_what_to_try(searcher: Searcher) -> None:
    answer = searcher.search(WORDS, symbol_name="oldest")
    assert ((), "Nothing found; try fewer filters.") == (answer.hits, answer.hint)
