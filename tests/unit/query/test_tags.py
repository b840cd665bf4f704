"""Searches by tag: only chunks in which a symbol with the tag starts, in the order of the unfiltered search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import run

import hardtack
from hardtack.errors import UsageError
from hardtack.nouns.model import ModeName, Tag
from hardtack.query.searcher import Searcher

ROLES = ("Repository", "Service", "Helper")
NAMES = [f"{what}{role}" for what in ("Order", "Jar", "Crate") for role in ROLES]
MODES: tuple[ModeName, ...] = ("keyword", "vector", "hybrid")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("tags")
    for name in NAMES:
        (root / f"{name}.py").write_text(
            f'class {name}:\n    """Keeps orders and finds them."""\n\n    def find(self, order): ...\n'
        )
    hardtack.build_bundle(root, root / "bundle", hardtack.BuildOptions(jobs=1))
    return root / "bundle"


@pytest.fixture(scope="module")
def searcher(place: Path) -> Iterator[Searcher]:
    with hardtack.open_bundle(place) as opened:
        yield opened


@pytest.mark.parametrize("mode", MODES)
def test_a_tag_keeps_the_chunks_that_have_it_and_no_other(searcher: Searcher, mode: ModeName) -> None:
    for tag, role in ((Tag.REPOSITORY, "Repository"), (Tag.SERVICE, "Service")):
        hits = searcher.search("orders that a class finds", mode=mode, tags=[tag]).hits
        assert {f"{what}{role}.py" for what in ("Order", "Jar", "Crate")} == {hit.path for hit in hits}


@pytest.mark.parametrize("mode", ["keyword", "vector"])
def test_a_tag_does_not_change_the_order(searcher: Searcher, mode: ModeName) -> None:
    everything = searcher.search("orders", mode=mode, limit=100).hits
    tagged = searcher.search("orders", mode=mode, limit=100, tags=["repository", "SERVICE"]).hits
    assert [hit.path for hit in everything if "Helper" not in hit.path] == [hit.path for hit in tagged]


def test_more_than_a_retriever_gives_at_first_may_be_without_the_tag(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardtack.query.retrieval.retrieve.DEPTH", 1)
    for mode in MODES:
        hits = searcher.search("find", mode=mode, limit=1, tags=["service"]).hits
        assert ["Service"] == [hit.path[-len("Service.py") : -len(".py")] for hit in hits]


def test_a_tag_that_nothing_has_finds_nothing_and_says_what_to_try(searcher: Searcher) -> None:
    answer = searcher.search("orders", tags=["laravel:model"])
    assert ((), "Nothing found; try fewer filters.") == (answer.hits, answer.hint)


def test_an_unknown_tag_is_refused(searcher: Searcher) -> None:
    with pytest.raises(UsageError, match=r"^There is no tag 'repo'\.$"):
        searcher.search("orders", tags=["repo"])


def test_the_command_line_filters_searches_and_exports(place: Path) -> None:
    hits = json.loads(run("search", "orders", "--tag", "repository", "-b", place, "--json").stdout)["hits"]
    assert ["CrateRepository.py", "JarRepository.py", "OrderRepository.py"] == sorted(hit["path"] for hit in hits)
    results = json.loads(run("exports", "JarRepository", "--tag", "repository", "-b", place, "--json").stdout)["results"]
    assert [("JarRepository", ["repository"])] == [(symbol["name"], symbol["tags"]) for symbol in results]
    assert [] == json.loads(run("exports", "JarRepository", "--tag", "service", "-b", place, "--json").stdout)["results"]
