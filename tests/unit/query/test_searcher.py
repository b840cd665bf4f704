"""Whole searches of a real bundle: filters compared with a plain implementation, names before mentions, and errors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardtack.errors import UsageError
from hardtack.nouns.model import Hit, Kind, Mode, ModeName
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher

WORDS = "the oldest jar on a shelf"
FILTERS: list[tuple[str, dict[str, Any], Callable[[Hit, set[Kind]], bool]]] = [
    ("a language", {"languages": ["python"]}, lambda hit, kinds: hit.language == "python"),
    ("an alias", {"languages": ["PY", "golang"]}, lambda hit, kinds: hit.language in ("python", "go")),
    ("a kind", {"kinds": ["interface"]}, lambda hit, kinds: bool(kinds & {Kind.INTERFACE, Kind.TRAIT})),
    ("a wide kind", {"kinds": ["class"]}, lambda hit, kinds: bool(kinds & {Kind.CLASS, Kind.STRUCT, Kind.ENUM})),
    ("two kinds", {"kinds": ["section", "Method"]}, lambda hit, kinds: bool(kinds & {Kind.SECTION, Kind.METHOD})),
    ("a path", {"paths": ["*.py"]}, lambda hit, kinds: hit.path.endswith(".py")),
    ("two paths", {"paths": ["src", "/web/**"]}, lambda hit, kinds: hit.path.startswith(("src/", "web/"))),
    (
        "everything at once",
        {"languages": ["python"], "kinds": ["function"], "paths": ["src/**"]},
        lambda hit, kinds: hit.language == "python" and Kind.FUNCTION in kinds and hit.path.startswith("src/"),
    ),
    ("a path that is not there", {"paths": ["missing/"]}, lambda hit, kinds: False),
]


def _kinds_in(searcher: Searcher, hit: Hit) -> set[Kind]:
    bundle = searcher.bundle
    chunks = map(bundle.chunk, range(bundle.manifest.counts.chunks))
    place = (hit.path, hit.start_line)
    (chunk,) = (chunk for chunk in chunks if (bundle.file(chunk.file).path, chunk.span.start_line) == place)
    return {symbol.kind for symbol in bundle.symbols_of(chunk)}


def _identity(hit: Hit, mode: ModeName) -> tuple[object, ...]:
    """What filtering must not change: what a retriever said; scores of a ranking are relative to what it ranks."""
    return (hit.chunk_id, hit.score, hit.vector_score) if mode == "vector" else (hit.chunk_id, hit.keyword_score)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("filters", "keeps"), [row[1:] for row in FILTERS], ids=[row[0] for row in FILTERS])
def test_a_filter_keeps_what_filtering_by_hand_keeps(
    searcher: Searcher, mode: ModeName, filters: dict[str, Any], keeps: Callable[[Hit, set[Kind]], bool]
) -> None:
    everything = searcher.search(WORDS, mode=mode, limit=100)
    assert not everything.truncated
    expected = [_identity(hit, mode) for hit in everything.hits if keeps(hit, _kinds_in(searcher, hit))]
    found = [_identity(hit, mode) for hit in searcher.search(WORDS, mode=mode, limit=100, **filters).hits]
    assert (set(expected), len(expected)) == (set(found), len(found))
    if mode == "vector":
        assert expected == found


def test_vectors_rank_every_chunk_there_is(searcher: Searcher) -> None:
    hits = searcher.search(WORDS, mode="vector", limit=100).hits
    assert searcher.bundle.manifest.counts.chunks == len({hit.chunk_id for hit in hits}) == len(hits)


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_definition_of_exactly_what_was_typed_comes_first(searcher: Searcher, mode: ModeName) -> None:
    bundle = searcher.bundle
    symbols = [bundle.symbol(ordinal) for ordinal in range(bundle.manifest.counts.symbols)]
    for name in sorted({symbol.name for symbol in symbols} | {symbol.qualified_name for symbol in symbols}):
        first = searcher.search(name, mode=mode).hits[0]
        assert name in (first.name, first.qualified_name)
        assert first.score >= 0.95


@pytest.mark.parametrize("joined", ["Shelf.put", "Shelf::put", "Shelf->put", "Shelf#put", " Shelf.put\n"])
def test_a_qualified_name_is_found_however_its_parts_are_joined(searcher: Searcher, joined: str) -> None:
    assert "Shelf.put" == searcher.search(joined).hits[0].qualified_name


def test_a_definition_in_other_case_comes_next(searcher: Searcher) -> None:
    hits = searcher.search("SHELFFULL").hits
    assert ("ShelfFull", "defines, in other case, class ShelfFull") == (hits[0].name, hits[0].reasons[0])
    assert 0.90 <= hits[0].score < 0.95
    assert all(hit.score < 0.90 for hit in hits[1:])


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("query", ["Shelf", "jar", WORDS, "def", "ParseLabel year", "retry with backoff", "?!", "jar " * 2000])
def test_scores_lie_between_nothing_and_one_and_fall(searcher: Searcher, mode: ModeName, query: str) -> None:
    hits = searcher.search(query, mode=mode, limit=100).hits
    scores = [hit.score for hit in hits]
    assert sorted(scores, reverse=True) == scores
    assert list(range(1, len(hits) + 1)) == [hit.rank for hit in hits]
    for hit in hits:
        assert all(0 <= score <= 1 for score in (hit.score, hit.vector_score, hit.keyword_score) if score is not None)


def test_a_hit_says_which_retrievers_found_it(searcher: Searcher) -> None:
    expected = {("both", True, True), ("semantic", False, True), ("keyword", True, False), ("keyword", False, False)}
    found = set()
    for mode in Mode:
        for hit in searcher.search("puttanesca", mode=mode, limit=100).hits:
            found.add((hit.match_type, hit.keyword_score is not None, hit.vector_score is not None))
    assert expected == found


def test_a_hit_names_its_chunk_the_same_in_every_bundle(searcher: Searcher, bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as bare:
        without = {hit.chunk_id: hit.path for hit in bare.search(WORDS, limit=100).hits}
    within = {hit.chunk_id: hit.path for hit in searcher.search(WORDS, mode="keyword", limit=100).hits}
    assert without == within
    chunk = searcher.bundle.chunk(0)
    file = searcher.bundle.file(0)
    place = f"{file.path}\0{chunk.span.start}\0{chunk.span.end}\0".encode()
    ids = {hit.chunk_id for hit in searcher.search(WORDS, mode="vector", limit=100).hits}
    assert hashlib.blake2b(place + chunk.content_hash, digest_size=16).hexdigest() in ids


def test_an_answer_names_its_bundle_and_says_when_there_is_more(searcher: Searcher) -> None:
    answer = searcher.search(WORDS, limit=2)
    assert (2, True, "") == (len(answer.hits), answer.truncated, answer.hint)
    assert (searcher.bundle.digest, "pantry") == (answer.bundle_digest, answer.bundle_name)
    assert searcher.bundle.manifest.provenance.commit == answer.bundle_commit
    assert not searcher.search(WORDS, limit=100).truncated


def test_a_search_that_finds_nothing_says_what_to_try(searcher: Searcher) -> None:
    assert "Nothing found; try other words." == searcher.search("zzyzx", mode="keyword").hint
    assert "Nothing found; try fewer filters." == searcher.search("jar", mode="keyword", paths=["missing/"]).hint


def test_a_bundle_without_vectors_answers_by_keyword_and_says_so(bare_bundle: Path) -> None:
    with open_bundle(bare_bundle) as bare:
        answer = bare.search("Shelf")
        assert ("Shelf", "", "keyword") == (answer.hits[0].name, answer.hits[0].snippet, answer.hits[0].match_type)
        assert "This bundle has no vectors: hits are by keyword alone." == answer.hint
        with pytest.raises(UsageError, match=r"has no vectors\.$"):
            bare.search("Shelf", mode="vector")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": " \n"}, "The query is empty."),
        ({"text": "x" * 65_537}, "The query has 65537 characters; at most 65536 are taken."),
        ({"limit": 0}, "A limit of 0 is impossible."),
        ({"mode": "fuzzy"}, "There is no mode 'fuzzy'."),
        ({"languages": ["cobol"]}, "The bundle has no language 'cobol'."),
        ({"kinds": ["thing"]}, "There is no kind 'thing'."),
    ],
)
def test_a_request_that_means_nothing_is_refused(searcher: Searcher, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        searcher.search(**{"text": "jar", **arguments})
    assert message == str(refused.value)


def test_more_than_a_hundred_hits_are_never_given(searcher: Searcher) -> None:
    assert len(searcher.search("jar", limit=10**9).hits) <= 100
