"""``search`` and ``smart_search``: their answers, the lines that ``grep`` would print, pages of them, and every refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tool_calls import Ask, asker, outcome_of

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome
from hardtack.tools.tool import REPLY_BYTES, Call

NAMES = ("search", "smart_search")


def _outcome(catalog: Catalog, name: str, **arguments: Any) -> Outcome:
    return outcome_of(Call(catalog=catalog), name, **arguments)


def _size(answer: dict[str, Any]) -> int:
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())


def _pages(ask: Ask, name: str, **arguments: Any) -> list[dict[str, Any]]:
    """The answers of all pages."""
    answers = [ask(name, **arguments)]
    while cursor := answers[-1]["meta"].get("next_cursor"):
        answers.append(ask(name, **arguments, cursor=cursor))
        assert len(answers) < 100, "it does not end"
    return answers


@pytest.fixture(scope="module")
def ask(pantry_bundle: Path) -> Ask:
    return asker(Catalog(named=[str(pantry_bundle)]))


@pytest.fixture(scope="module")
def long_lines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """A bundle with a thousand lines of one text, another with lines that are long, and one line that is longer than an answer."""
    place = tmp_path_factory.mktemp("long")
    (place / "many.txt").write_text("".join(f"needle {number} {'x' * 90}\n" for number in range(1000)))
    (place / "wide.txt").write_text("".join(f"thread {number} {'é' * 5000}\n" for number in range(20)))
    (place / "huge.txt").write_text("pin " + "word " * 30_000 + "\n")
    build_bundle(place, place / "bundle", BuildOptions(jobs=1, profile="keyword"))
    yield asker(Catalog(named=[str(place / "bundle")]))


def test_every_line_that_has_the_text_comes_whole_with_its_path_and_number(ask: Ask) -> None:
    answer = ask("search", query="class Shelf")
    assert [
        {"path": "src/pantry/shelf.py", "line": 13, "preview": "class ShelfFull(Exception):"},
        {"path": "src/pantry/shelf.py", "line": 29, "preview": "class Shelf:"},
    ] == answer["result"][:2]
    assert {"repo": "both", "truncated": False} == {key: answer["meta"][key] for key in ("repo", "truncated")}
    assert isinstance(answer["meta"]["duration_ms"], int)


def test_smart_search_says_of_each_line_in_which_part_it_is(ask: Ask) -> None:
    plain, smart = (ask(name, query="shelf")["result"] for name in NAMES)
    assert plain == [{key: value for key, value in match.items() if key != "repo"} for match in smart]
    assert {"README.md": "docs", "docs/guide.md": "docs", "src/pantry/shelf.py": "code"}.items() <= {
        match["path"]: match["repo"] for match in smart
    }.items()
    assert ["docs", "code"] == list(dict.fromkeys(match["repo"] for match in smart))


@pytest.mark.parametrize("name", NAMES)
def test_parts_globs_and_patterns_narrow(ask: Ask, name: str) -> None:
    docs = ask(name, query="shelf", repo="docs")
    assert ({"README.md", "docs/guide.md"}, "docs") == ({match["path"] for match in docs["result"]}, docs["meta"]["repo"])
    globbed = ask(name, query="shelf", file_glob="src/**/*.py")
    assert {path.partition("/")[0] for path in (match["path"] for match in globbed["result"])} == {"src"}
    assert ask(name, query="shelf", glob="src/**/*.py")["result"] == globbed["result"]
    regex = ask(name, query=r"(?i)class shelf\b", regex=True)
    assert ["class Shelf:"] == [match["preview"] for match in regex["result"] if match["path"].endswith(".py")]


@pytest.mark.parametrize("name", NAMES)
def test_pages_together_are_the_whole(ask: Ask, name: str) -> None:
    whole, pages = ask(name, query="e", limit=10_000)["result"], _pages(ask, name, query="e", limit=25)
    assert whole == [match for page in pages for match in page["result"]]
    assert len(whole) > 100
    for number, page in enumerate(pages, start=1):
        is_last = number == len(pages)
        assert (not is_last, not is_last) == (page["meta"]["truncated"], "cursor" in page["meta"].get("hint", ""))


def test_both_tools_take_the_same_cursors_and_no_other_question_does(ask: Ask) -> None:
    cursor = ask("search", query="e", limit=5)["meta"]["next_cursor"]
    assert ask("search", query="e", cursor=cursor, limit=1)["result"][0].items() <= (
        ask("smart_search", query="e", cursor=cursor, repo="both")["result"][0].items()
    )
    for other in (
        {"query": "a"},
        {"query": "e", "repo": "code"},
        {"query": "e", "file_glob": "**"},
        {"query": "e", "regex": True},
        {"query": "e", "cursor": cursor[:-1]},
        {"query": "e", "cursor": ""},
        {"query": "e", "cursor": "\ud800"},
    ):
        refused = ask("search", **{"cursor": cursor, **other})
        assert "CURSOR_INVALID" == refused["error"]["code"]


def test_a_cursor_of_another_bundle_is_refused(ask: Ask, long_lines: Ask) -> None:
    cursor = long_lines("search", query="e", limit=1)["meta"]["next_cursor"]
    assert "CURSOR_INVALID" == ask("search", query="e", cursor=cursor)["error"]["code"]


def test_nothing_found_is_no_error_and_comes_with_advice(ask: Ask) -> None:
    answer = ask("search", query="zz.*yzx")
    assert ([], False) == (answer["result"], answer["meta"]["truncated"])
    assert "needs regex" in answer["meta"]["hint"]
    assert "try **/shelf.py" in ask("search", query="Shelf", file_glob="shelf.py")["meta"]["hint"]


def test_an_answer_that_does_not_fit_is_cut_between_lines_and_goes_on_from_there(long_lines: Ask) -> None:
    pages = _pages(long_lines, "smart_search", query="needle")
    assert [*range(1, 1001)] == [match["line"] for page in pages for match in page["result"]]
    assert {200} == {len(page["result"]) for page in pages}
    assert all(_size(page) <= REPLY_BYTES for page in pages)


def test_lines_that_do_not_fit_are_dropped_before_the_next_page_begins(long_lines: Ask) -> None:
    pages = _pages(long_lines, "search", query="thread")
    assert [*range(1, 21)] == [match["line"] for page in pages for match in page["result"]]
    assert len(pages) > 1
    assert all(_size(page) <= REPLY_BYTES for page in pages)
    assert all(match["preview"].endswith("é[cut here]") for page in pages[:-1] for match in page["result"])


def test_one_line_longer_than_an_answer_is_cut_and_said_to_be(long_lines: Ask) -> None:
    answer = long_lines("search", query="pin ")
    (match,) = answer["result"]
    assert 4000 < len(match["preview"]) < 4200
    assert match["preview"].endswith("[cut here]")
    assert (True, "Long lines are cut; get_snippet shows more of one.") == (answer["meta"]["truncated"], answer["meta"]["hint"])
    assert "next_cursor" not in answer["meta"]


def test_ten_thousand_lines_come_whole_when_they_are_asked_for(long_lines: Ask) -> None:
    answer = long_lines("search", query="needle", limit=10_000)
    assert (1000, False) == (len(answer["result"]), answer["meta"]["truncated"])
    assert all(match["preview"].endswith("x") for match in answer["result"])


def test_a_limit_beyond_the_most_is_lowered_and_that_is_said(ask: Ask) -> None:
    answer = ask("search", query="Shelf", limit=10**9)
    assert (True, "No more than 10000 lines are given at once.") == (answer["meta"]["truncated"], answer["meta"]["hint"])
    assert ask("search", query="Shelf")["result"] == answer["result"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": ""}, "QUERY_EMPTY"),
        ({"query": "x" * (1 << 20)}, "QUERY_TOO_LONG"),
        ({"query": "x", "limit": 0}, "LIMIT_INVALID"),
        ({"query": "x", "limit": -1}, "LIMIT_INVALID"),
        ({"query": "x", "repo": "web"}, "REPO_INVALID"),
        ({"query": "x", "file_glob": ""}, "FILE_GLOB_INVALID"),
        ({"query": "x", "file_glob": "../**"}, "FILE_GLOB_INVALID"),
        ({"query": "x", "index_name": "nowhere"}, "INDEX_NOT_FOUND"),
        ({"query": "(", "regex": True}, "REGEX_INVALID"),
        ({}, "INVALID_REQUEST"),
        ({"query": 7}, "INVALID_REQUEST"),
        ({"query": "x", "file_glob": ["*", "**"]}, "INVALID_REQUEST"),
        ({"query": "x", "limit": "many"}, "INVALID_REQUEST"),
        ({"query": "x", "colour": "red"}, "INVALID_REQUEST"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_every_refusal_has_its_code(ask: Ask, name: str, arguments: dict[str, Any], code: str) -> None:
    assert code == ask(name, **arguments)["error"]["code"]


def test_a_bundle_without_text_is_unreadable_and_its_place_is_not_told(bare_bundle: Path) -> None:
    outcome = _outcome(Catalog(named=[str(bare_bundle)]), "search", query="x")
    assert "FILE_UNREADABLE" == outcome.structured["error"]["code"]
    assert str(bare_bundle) not in outcome.text


def test_the_index_is_named_where_there_are_several(pantry_bundle: Path, bare_bundle: Path) -> None:
    ask = asker(Catalog(named=[str(pantry_bundle), str(bare_bundle)]))
    assert "pantry" == ask("search", query="Shelf")["meta"]["index_name"]
    assert "pantry" == ask("search", query="Shelf", index_name="pantry")["meta"]["index_name"]
    assert "FILE_UNREADABLE" == ask("search", query="Shelf", index_name="pantry-2")["error"]["code"]


def test_text_of_files_cannot_steer_a_terminal_and_is_the_same_text_when_read(pantry_bundle: Path) -> None:
    outcome = _outcome(Catalog(named=[str(pantry_bundle)]), "search", query="\x1b[31m")
    (line,) = outcome.structured["result"]
    assert 'return "\x1b[31mred' in line["preview"].replace("'", '"')
    assert not {"\x1b", "\u202e", "\U000e0041"} & set(outcome.text)
