"""Which bundles of a catalogue may answer: by rare words, by symbols, by the repository's name."""

from __future__ import annotations

import pytest

from hardtack.nouns.catalogue import CatalogueEntry, Telling
from hardtack.query.likely_bundles import LikelyBundles


def an_entry(repository: str, words: str, symbols: str = "") -> CatalogueEntry:
    return CatalogueEntry(
        repository=f"github.com/acme/{repository}",
        root="",
        profile="hybrid",
        commit="",
        commit_time=0,
        bundle_digest="",
        pack_digest="",
        size=0,
        files=0,
        languages=(),
        telling=Telling(tuple(words.split()), tuple(symbols.split())),
    )


PLACES = {
    "bakery": an_entry("bakery", "server oven bread retry error", "Oven bake_bread"),
    "brewery": an_entry("brewery", "server kettle beer backoff error", "Kettle"),
    "cellar": an_entry("cellar", "server shelf jar error connection", "Shelf open_jar"),
    "retry-after": an_entry("retry-after", "server header seconds", "parse_header"),
}


@pytest.mark.parametrize(
    ("query", "likeliest"),
    [
        ("how is bread made in the oven", ["bakery"]),
        ("backoff", ["brewery"]),
        ("Shelf", ["cellar"]),
        ("open_jar", ["cellar"]),
        ("where are connections opened to jars", ["cellar"]),  # inflected, as the search itself takes them
        ("retry", ["retry-after", "bakery"]),  # the repository's own name counts more
        ("server error with a kettle", ["brewery", "cellar", "bakery", "retry-after"]),  # what all have says little
        ("zebra", []),
        ("the of", []),
    ],
)
def test_bundles_with_the_rarest_words_of_the_query_come_first(query: str, likeliest: list[str]) -> None:
    names = [*PLACES]
    assert likeliest == [names[at] for at in LikelyBundles([*PLACES.values()]).likeliest(query)]


def test_of_equal_chance_the_order_of_the_catalogue_decides() -> None:
    entries = [an_entry(name, "jar shelf") for name in "cab"]
    assert [0, 1, 2] == LikelyBundles(entries).likeliest("jar")
    assert [] == LikelyBundles([]).likeliest("jar")


def test_the_more_telling_a_word_is_of_a_bundle_the_likelier_it_is() -> None:
    entries = [an_entry("a", "shelf lid label jar"), an_entry("b", "jar shelf lid label")]
    assert [1, 0] == LikelyBundles(entries).likeliest("jar")
