"""Files are known by what was said of their earlier changes, where a bundle has a history."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from checkouts import commit, init, write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import open_bundle
from hardtack.nouns.model import Mode, Query
from hardtack.query.ranking.past_changes import PastChanges
from hardtack.query.searcher import Searcher

BODY = "def {name}():\n    return 1\n"


@pytest.fixture(scope="module", params=[0, 10], ids=["no history", "history"])
def searcher(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    root = init(tmp_path_factory.mktemp("source") / "pantry")
    commit(write(root, {f"{name}.py": BODY.format(name=name) for name in ("jar", "lid", "box")}), "begin")
    commit(write(root, {"lid.py": BODY.format(name="lid") + "\n\nTIGHT = 1\n"}), "fix leaks of vinegar")
    commit(write(root, {f"{name}.py": BODY.format(name=name) + "\n\nSIZE = 2\n" for name in ("jar", "box")}), "measure vinegar")
    place = tmp_path_factory.mktemp("bundle") / "bundle"
    build_bundle(root, place, BuildOptions(profile="keyword", jobs=1, history=request.param))
    with Searcher(open_bundle(place)) as searcher:
        yield searcher


def _column(searcher: Searcher, text: str, feature: str) -> dict[str, float]:
    _, trace = searcher.traced(Query(text=text, mode=Mode.KEYWORD))
    assert trace.ranking is not None
    table = trace.ranking.table
    column = table.values[:, table.features.index(feature)].tolist()
    return {searcher.bundle.file(file).path: value for file, value in zip(table.files.tolist(), column, strict=True) if value}


def test_who_mended_it_before_speaks_for_a_file_and_less_where_more_was_changed(searcher: Searcher) -> None:
    shares = _column(searcher, "fix leaks of vinegar again", "changed_share")
    if searcher.bundle.history is None:
        assert {} == shares
    else:
        assert 1.0 == shares["lid.py"] > shares["jar.py"] == shares["box.py"] > 0


def test_a_question_asks_what_code_does_now(searcher: Searcher) -> None:
    assert {} == _column(searcher, "where is vinegar measured", "changed_share")


def test_commits_that_are_left_out_say_nothing(searcher: Searcher) -> None:
    searcher.features.past_changes = PastChanges(searcher.bundle, range(1))
    shares = _column(searcher, "fix leaks of vinegar again", "changed_share")
    searcher.features.past_changes = PastChanges(searcher.bundle)
    assert "lid.py" not in shares
