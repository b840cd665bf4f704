"""Which candidates become hits, which are near-duplicates of one, and which further files are named."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import pytest
from checkouts import write

import hardtack
from hardtack.encoders.static import StaticEncoder
from hardtack.nouns.model import Hit, Mode, ModeName, Query
from hardtack.query.hits.best_line import BestLine
from hardtack.query.hits.snippet import SnippetCutter
from hardtack.query.searcher import Searcher

COPIED = "\n".join(
    [
        "import jars",
        "",
        "",
        "def pickle_gherkins(jar):",
        *(f"    jar.add_ingredient_number({number})" for number in range(48)),
        "    return jar",
        "",
    ]
)
MORE = "\n\ndef serve_gherkins(plate):\n" + "".join(f"    plate.arrange_gherkin_number({number})\n" for number in range(48))
MENTION = "import pickles\n\n\ndef {name}():\n    return pickles.gherkins({number})\n"
FILES = {
    "a/gherkins.py": COPIED,
    "b/gherkins.py": COPIED,
    "c/gherkins.py": COPIED.replace("number(3)", "number(33)"),
    "d/gherkins.py": COPIED.replace("jar.add", "barrel.put"),
    "e/gherkins.py": COPIED + MORE,  # two chunks
    **{f"uses/{name}.py": MENTION.format(name=name, number=number) for number, name in enumerate(["beet", "corn", "leek", "okra"])},
}


@pytest.fixture(scope="module")
def cellar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    root = tmp_path_factory.mktemp("cellar")
    write(root, FILES)
    hardtack.build_bundle(root, root / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(root / "bundle") as opened:
        yield opened


def test_copies_stand_behind_the_best_of_them(cellar: Searcher) -> None:
    hits = [hit for hit in cellar.search("pickle_gherkins", limit=100).hits if hit.name == "pickle_gherkins"]
    groups = [sorted([hit.path, *(place.path for place in hit.also)]) for hit in hits]
    assert [[f"{folder}/gherkins.py" for folder in "abce"], ["d/gherkins.py"]] == sorted(groups)
    twins = [place for hit in hits for place in hit.also]
    assert [("function", "pickle_gherkins", "pickle_gherkins", 4)] * 3 == [
        (place.kind, place.name, place.qualified_name, place.line) for place in twins
    ]


COPIES, OTHERS = 130, 6


@pytest.fixture(scope="module")
def full_of_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    """One file more often than any list is long at first, and a few others that have one of its words."""
    root = tmp_path_factory.mktemp("copies")
    for number in range(COPIES):
        (root / f"copy{number}.py").write_text("def seal_jar_lid(jar):\n    return jar.lid.seal()\n")
    for number in range(OTHERS):
        (root / f"other{number}.py").write_text(f"def turn{number}(plate):\n    return plate.spin({number}) or plate.lid\n")
    hardtack.build_bundle(root, root / "bundle", hardtack.BuildOptions(jobs=1))
    with hardtack.open_bundle(root / "bundle") as opened:
        yield opened


@pytest.mark.parametrize("mode", list(Mode))
def test_copies_however_many_take_no_place_from_what_is_found_besides(full_of_copies: Searcher, mode: ModeName) -> None:
    answer = full_of_copies.search("seal jar lid", mode=mode, limit=OTHERS + 1)
    assert ["copy", *["other"] * OTHERS] == [Path(hit.path).stem.rstrip("0123456789") for hit in answer.hits]
    assert COPIES == 1 + len(answer.hits[0].also)


def test_a_query_is_encoded_once_however_far_is_looked(full_of_copies: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    encode = StaticEncoder.encode
    monkeypatch.setattr(StaticEncoder, "encode", lambda self, texts: asked.append(texts) or encode(self, texts))
    assert OTHERS + 1 == len(full_of_copies.search("the lid of a jar to seal", limit=OTHERS + 1).hits)
    assert [["the lid of a jar to seal"]] == asked


def test_what_scores_too_little_is_not_looked_for_among_more(full_of_copies: Searcher) -> None:
    best = full_of_copies.search("seal jar lid", limit=1).hits[0].score
    assert ["seal_jar_lid"] == [hit.name for hit in full_of_copies.search("seal jar lid", min_score=best).hits]


def test_without_text_no_hit_stands_for_another_but_for_the_very_same_chunk(tmp_path: Path) -> None:
    for name, jar in (("a", 1), ("b", 2), ("c", 2)):
        (tmp_path / f"{name}.py").write_text(f"def fill(jar):\n    return jar.fill({jar})\n")
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", text="none", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as searcher:
        hits = searcher.search("fill").hits
    assert ["a.py", "b.py"] == sorted(hit.path for hit in hits)
    assert ["c.py"] == [place.path for hit in hits for place in hit.also]


def test_the_limit_counts_what_is_shown(cellar: Searcher) -> None:
    everything = cellar.search("pickle_gherkins", limit=100)
    some = cellar.search("pickle_gherkins", limit=2)
    assert (7, False) == (len(everything.hits), everything.truncated)
    assert (2, True) == (len(some.hits), some.truncated)
    assert [hit.path for hit in everything.hits[:2]] == [hit.path for hit in some.hits]


def test_copies_that_rank_after_the_last_hit_are_further_files(cellar: Searcher) -> None:
    answer = cellar.search("pickle_gherkins", limit=1, further=10, paths=["a/", "b/", "e/"])
    (hit,) = answer.hits
    paths = [hit.path, *(place.path for place in answer.further)]
    assert (["a/gherkins.py", "b/gherkins.py", "e/gherkins.py"], ()) == (sorted(paths), hit.also)


def test_the_file_of_a_copy_is_not_named_again(cellar: Searcher) -> None:
    answer = cellar.search("pickle_gherkins", limit=2, further=10, paths=["a/", "e/", "uses/"])
    assert {"a/gherkins.py", "e/gherkins.py"} <= {hit.path for hit in answer.hits} | {
        place.path for hit in answer.hits for place in hit.also
    }
    assert {"a/gherkins.py", "e/gherkins.py"}.isdisjoint(place.path for place in answer.further)


def test_further_files_follow_in_order_and_are_named_once(cellar: Searcher) -> None:
    folders = ["a/", "b/", "d/", "uses/"]
    everything = [hit.path for hit in cellar.search("pickle_gherkins", limit=100, paths=folders).hits]
    answer = cellar.search("pickle_gherkins", limit=2, further=10, paths=folders)
    assert everything[2:] == [place.path for place in answer.further]
    assert ("function", 4) == (answer.further[0].kind, answer.further[0].line)
    assert 3 == len(cellar.search("pickle_gherkins", limit=2, further=3, paths=folders).further)
    assert () == cellar.search("pickle_gherkins", limit=2).further
    assert () == cellar.search("pickle_gherkins", limit=100, further=10).further


def test_the_file_of_a_hit_is_not_among_the_further_ones(cellar: Searcher) -> None:
    answer = cellar.search("serve_gherkins", limit=1, further=10)
    assert ["e/gherkins.py"] == [hit.path for hit in answer.hits]
    assert {"e/gherkins.py"}.isdisjoint(place.path for place in answer.further)
    assert {"a/gherkins.py"}.issubset(place.path for place in answer.further)


def test_filters_hold_for_what_is_named_as_well(cellar: Searcher) -> None:
    answer = cellar.search("pickle_gherkins", limit=1, further=10, paths=["a/", "uses/*e*"])
    assert ("a/gherkins.py", ()) == (answer.hits[0].path, answer.hits[0].also)
    assert ["uses/beet.py", "uses/leek.py"] == sorted(place.path for place in answer.further)


def test_files_are_numbered_by_their_best_hits(searcher: Searcher) -> None:
    hits = searcher.search("a jar on a shelf", limit=100).hits
    numbers: dict[str, int] = {}
    for hit in hits:
        numbers.setdefault(hit.path, len(numbers) + 1)
    assert len(hits) > len(numbers) > 3
    assert [numbers[hit.path] for hit in hits] == [hit.file_rank for hit in hits]


@pytest.mark.parametrize("options", [{}, {"surroundings": True}, {"before": 2, "after": 2}, {"mode": "vector"}])
def test_a_hit_has_what_its_constructor_would_give_it(searcher: Searcher, options: dict[str, Any]) -> None:
    types = {name: tuple if get_origin(hint) is tuple else hint for name, hint in get_type_hints(Hit).items()}
    hits = searcher.search("retryWithBackoff a jar", limit=30, **options).hits
    assert hits
    for hit in hits:
        values = {name: getattr(hit, name) for name in types}
        assert [] == [name for name, value in values.items() if not isinstance(value, types[name])]
        assert Hit(**values) == hit


def test_smart_context_comes_with_imports_and_neighbours_when_they_are_asked_for(cellar: Searcher, searcher: Searcher) -> None:
    assert "import jars" == cellar.search("pickle_gherkins", surroundings=True).hits[0].imports
    hit = next(hit for hit in searcher.search("retryWithBackoff", surroundings=True).hits if hit.name == "retryWithBackoff")
    assert ("def suggest_dish(jars: Iterable[Jar]) -> str",) == hit.related
    for options in ({}, {"surroundings": True, "smart_context": False}, {"surroundings": True, "before": 1}):
        hit = next(hit for hit in searcher.search("retryWithBackoff", **options).hits if hit.name == "retryWithBackoff")
        assert ("", ()) == (hit.imports, hit.related)


def test_an_answer_is_the_same_twice(pantry_bundle: Path) -> None:
    answers = []
    for _ in range(2):
        with hardtack.open_bundle(pantry_bundle) as opened:
            answers.append(opened.search("a jar on a shelf", limit=5, further=5))
    assert answers[0] == answers[1]


def test_a_hit_can_be_read_when_its_bundle_is_closed(pantry_bundle: Path) -> None:
    with hardtack.open_bundle(pantry_bundle) as opened:
        whole = opened.search("a jar on a shelf", surroundings=True)
        assert all(hit.snippet for hit in whole.hits)
    with hardtack.open_bundle(pantry_bundle) as opened:
        later = opened.search("a jar on a shelf", surroundings=True)
    assert whole == later


def test_what_is_left_out_of_a_hit_until_it_is_read_is_as_fixed_as_the_rest(searcher: Searcher) -> None:
    hit = searcher.search("retryWithBackoff").hits[0]
    for name in ("path", "snippet"):
        with pytest.raises(AttributeError):
            setattr(hit, name, "another")
    with pytest.raises(AttributeError, match="no_such_field"):
        _ = hit.no_such_field  # type: ignore[attr-defined]
    first, second = searcher.search("retry with backoff", limit=2).hits
    assert (copy.deepcopy(first), pickle.loads(pickle.dumps(second))) == (first, second)


def test_threads_that_read_one_hit_read_the_same(pantry_bundle: Path) -> None:
    for _ in range(20):
        with hardtack.open_bundle(pantry_bundle) as opened, ThreadPoolExecutor(4) as threads:
            hits = opened.search("a jar on a shelf").hits
            read = [*threads.map(lambda hit: (hit.snippet, hit.reasons, hit.also), hits * 4)]
        assert read == [(hit.snippet, hit.reasons, hit.also) for hit in hits] * 4


LONG = "class Cellar:\n" + "".join(
    f"    def shelf_{number}(self):\n" + "".join(f"        self.place_jar({number}, {place})\n" for place in range(lines)) + "\n"
    for number, lines in enumerate([2, 400, 3, 60, 5])
)


def _shelves(between: str) -> str:
    """A class of several chunks, with this after each method."""
    method = "    def shelf_{number}(self):\n" + "        self.place_jar({number})\n" * 12 + "\n"
    return "class Shelves:\n" + "".join((method + between).format(number=number) for number in range(12))


WANTED = [
    ["class"],
    ["jar"],
    ["shelf"],
    ["shelf_3", "50"],
    ["2, 1"],
    ["1, 70"],
    *([f"1, {place}"] for place in range(100, 400, 7)),
    ["nowhere"],
]


OPTIONS: tuple[dict[str, Any], ...] = ({}, {"before": 3}, {"smart_context": False})


def test_a_view_is_what_is_cut_and_its_extent_is_all_of_it_or_the_chunk(tmp_path: Path) -> None:
    (tmp_path / "cellar.py").write_text(LONG)
    small = "class Small:\n    size = 1\n\n    def one(self):\n        return self.shelf_3\n\n\nlimit = 50\n"
    (tmp_path / "small.py").write_text(small)
    (tmp_path / "between.py").write_text(_shelves("    place_jar_in_class({number})\n"))
    (tmp_path / "notes.txt").write_text("a jar\n" * 100)
    hardtack.build_bundle(tmp_path, tmp_path / "bundle", hardtack.BuildOptions(profile="keyword", jobs=1))
    with hardtack.open_bundle(tmp_path / "bundle") as opened:
        bundle, cutter = opened.bundle, SnippetCutter(opened.bundle)
        for ordinal in range(bundle.manifest.counts.chunks):
            chunk = bundle.chunk(ordinal)
            symbols = (-1, *range(chunk.first_symbol, chunk.first_symbol + chunk.symbol_count))
            for symbol, stems, options in itertools.product(symbols, WANTED, OPTIONS):
                query = Query(text="any", **options)
                view = cutter.view(query, BestLine(stems), ordinal, symbol)
                shown = cutter.cut(query, ordinal, view)
                assert chunk.start_line <= view.match <= chunk.end_line
                assert (view.first, view.last) == (shown.start_line, shown.end_line)
                assert shown.text.count("\n") == view.last - view.first
                if view.extent[3:] != (view.first, view.last):  # a part of what is too long to be shown
                    assert view.extent[3:] == (chunk.start_line, chunk.end_line)
                elif view.symbol >= 0 and view.extent[3:] != (chunk.start_line, chunk.end_line):
                    assert f" {view.extent.name}" in shown.text.split("\n")[0]
