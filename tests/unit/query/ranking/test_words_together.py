"""Weights of words, the choice of the ranking model, and words that co-occur on one line of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from checkouts import write

import hardtack
from hardtack.nouns.model import Mode, Query
from hardtack.query.ranking.features import FEATURES
from hardtack.query.ranking.file_bm25 import MOST_WORDS, pairs_of
from hardtack.query.ranking.model import RankingModel
from hardtack.query.request import vocabulary as word_weights
from hardtack.query.request.analysis import analyse
from hardtack.query.request.aspects import read_text
from hardtack.query.request.vocabulary import INFORMATIVE_WEIGHT, LITTLE_WEIGHT, UNKNOWN_WEIGHT, weight_of
from hardtack.query.searcher import Searcher

FILES = {
    "together.py": "def connect(host):\n    return open_socket(host, retry_timeout=3)\n",
    "apart.py": "RETRY = 3\n\n\ndef connect(host):\n    return host\n\n\nTIMEOUT = 5\n",
    "neither.py": "def greet():\n    return 'hello'\n",
    "fields.py": "class Field:\n    pass\n",
    "v1/fields.py": "class Field:\n    pass\n",
    "v1/colours.py": "RED = 1\n",
    "api/v1/routes.py": "ROUTES = ()\n",
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    root = tmp_path_factory.mktemp("together")
    write(root, FILES)
    hardtack.build_bundle(root, root / "bundle", hardtack.BuildOptions(jobs=1))
    with hardtack.open_bundle(root / "bundle") as searcher:
        yield searcher


def _feature(searcher: Searcher, text: str, feature: str) -> dict[str, float]:
    _, trace = searcher.traced(Query(text=text, mode=Mode.HYBRID))
    assert trace.ranking is not None
    paths = [searcher.bundle.file(file).path for file in trace.ranking.table.files.tolist()]
    return dict(zip(paths, trace.ranking.table.values[:, FEATURES.index(feature)].tolist(), strict=True))


def test_what_is_said_of_every_change_tells_less_than_what_it_is_about() -> None:
    weights = analyse("fix the websocket handshake").weights
    assert weights["fix"] < LITTLE_WEIGHT < weights["handshake"] <= weights["websocket"]
    assert UNKNOWN_WEIGHT == analyse("frobnicator").weights["frobnicator"]


def test_of_words_that_all_tell_little_the_best_counts_as_one_that_tells() -> None:
    weights = analyse("add support").weights
    assert max(weights.values()) == pytest.approx(INFORMATIVE_WEIGHT)
    assert weights["add"] < weights["support"]


def test_every_weight_that_comes_with_the_package_is_a_share_of_a_rarity() -> None:
    lines = (Path(word_weights.__file__).parent / "word_weights.tsv").read_text("utf-8").splitlines()
    weights = dict(line.split("\t") for line in lines)
    assert len(lines) == len(weights) > 1000
    assert all(0 < float(weight) < 1.5 for weight in weights.values())
    assert [float(weight) for weight in weights.values()] == [weight_of(stem) for stem in weights]


@pytest.mark.parametrize("stem", ["", "frobnic", "\t", "0\t0.19", "websocke", "ebsocket"])
def test_what_is_no_stem_of_many_projects_has_the_weight_of_an_unknown_one(stem: str) -> None:
    assert weight_of(stem) == UNKNOWN_WEIGHT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the redirect after login", True),
        ("added a timeout to the retry loop", True),
        ("how is a redirect followed", False),
        ("redirect after login", False),
        ("fix", False),
        ("the fix", False),
        ("", False),
    ],
)
def test_what_begins_like_the_subject_of_a_commit_tells_of_a_change(text: str, *, expected: bool) -> None:
    assert expected is analyse(text).describes_change


def test_each_sort_of_query_is_ranked_by_its_own_model(small: Searcher) -> None:
    models = small.ranking

    def model(text: str) -> RankingModel:
        return models.of(read_text(small.bundle, text, {}))

    assert models.changes is model("Fix the redirect after login")
    assert models.questions is model("redirect after login")
    assert models.issues is model(
        "Redirect after login\n" + "it goes to the page before and not to the one that was asked for " * 3
    )
    assert not (models.changes.weights == models.questions.weights).all()


def test_words_on_one_line_speak_for_a_file_more_than_words_far_apart(small: Searcher) -> None:
    shares = _feature(small, "timeout and retry", "pairs_share")
    assert (1.0, 0.0) == (shares["together.py"], shares["apart.py"])
    assert 0.0 == _feature(small, "hello", "pairs_share")["neither.py"]


def test_a_compound_is_paired_by_its_parts_and_not_with_them() -> None:
    analysis = analyse("retryTimeout host")
    pairs = pairs_of(analysis, analysis.content_terms)
    terms = analysis.content_terms
    assert {("retry", "timeout"), ("retry", "host"), ("timeout", "host")} == {
        tuple(sorted((terms[one], terms[other]), key="retry timeout host".index))
        for one, other in zip(pairs.one.tolist(), pairs.other.tolist(), strict=True)
    }


def test_a_query_of_many_words_is_looked_for_by_those_that_tell_most() -> None:
    analysis = analyse(" ".join(f"word{letter}x" for letter in "abcdefghijklmnopqrstuvwxyz"))
    pairs = pairs_of(analysis, analysis.content_terms)
    assert MOST_WORDS * (MOST_WORDS - 1) // 2 == len(pairs.hashes)


def test_a_file_of_an_older_version_stands_aside_of_the_one_that_took_its_place(small: Searcher) -> None:
    secondary = _feature(small, "field colours routes", "is_copy")
    assert (0.0, 1.0) == (secondary["fields.py"], secondary["v1/fields.py"])
    assert (0.0, 0.0) == (secondary["v1/colours.py"], secondary["api/v1/routes.py"])
