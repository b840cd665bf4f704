"""The commits of a file or a symbol: what a name means, which commits are listed, and what is said where there are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import command_line
import pytest
from checkouts import commit, git, init, write
from tool_calls import outcome_of

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import UsageError
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.results import ResultPage
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome
from hardtack.tools.tool import Call

SHOP = """class Cart:
    limit = 10

    def add(self, item):
        self.items.append(item)
        return item

    def clear(self):
        self.items = []


class Till:
    def add(self, amount):
        return amount
"""
OPTIONS = BuildOptions(profile="keyword", jobs=1, history=4)
HOSTILE = "Limit \x1b[31mred\x1b[0m `x` \u202eesrever <b> [a](b)"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four of six commits, with one of them merged."""
    root = init(tmp_path_factory.mktemp("source") / "shop")
    commit(write(root, {"shop.py": SHOP, "notes.md": "# Notes\n"}), "begin", time=1_600_000_000)
    commit(write(root, {"notes.md": "# Notes\n\nOld.\n"}), "old notes", time=1_600_100_000)
    text = SHOP.replace("append(item)", "append(str(item))")
    commit(write(root, {"shop.py": text}), "text in carts\n\nWhy: ```labels```.\n\nAnd more.", time=1_600_200_000)
    git(root, "mv", "shop.py", "store.py")
    text = text.replace("limit = 10", "limit = 11")
    commit(write(root, {"store.py": text}), HOSTILE, time=1_600_300_000)
    commit(write(root, {"store.py": text.replace("return amount", "return -amount")}), "tills", time=1_600_400_000)
    commit(write(root, {"other.py": "x = 1\n", "jar.bin": b"\0\1\xff" * 400}), "other", time=1_600_500_000)
    build_bundle(root, root.parent / "bundle", OPTIONS)
    return root.parent / "bundle"


@pytest.fixture
def bundle(place: Path) -> Iterator[Bundle]:
    with open_bundle(place) as opened:
        yield opened


def ask(place: Path, **arguments: object) -> Outcome:
    return outcome_of(Call(catalog=Catalog(named=[str(place)])), "get_history", **arguments)


def subjects(bundle: Bundle, name: str, owner: str = "") -> list[str]:
    return [each.subject for each in LookUps(bundle).history(name, owner=owner).results]


def test_a_path_leads_to_the_commits_of_the_file_under_all_its_names(bundle: Bundle) -> None:
    found = LookUps(bundle).history("store.py")
    assert ("store.py", 3) == (found.path, found.total)
    assert [("Till.add",), ("Cart.limit",), ("Cart.add",)] == [each.symbols for each in found.results]
    assert "2020-09-15T20:00:00Z" == found.results[2].date
    assert found.results == LookUps(bundle).history("/home/me/shop/store.py:3").results


def test_a_name_leads_to_the_commits_of_the_symbol_and_of_what_is_inside_it(bundle: Bundle) -> None:
    found = LookUps(bundle).history("Cart")
    assert [("Cart.limit",), ("Cart.add",)] == [each.symbols for each in found.results]
    assert ["Cart"] == [each.name for each in found.symbols]
    assert ["text in carts"] == subjects(bundle, "Cart.add")


def test_namesakes_are_all_meant_until_one_is_told_apart(bundle: Bundle) -> None:
    assert ["tills", "text in carts"] == subjects(bundle, "add")
    assert ["tills"] == subjects(bundle, "add", owner="Till")


def test_pages_are_slices_of_all(bundle: Bundle) -> None:
    whole = LookUps(bundle).history("store.py")
    page = LookUps(bundle).history("store.py", page=ResultPage(1, 1))
    assert (whole.results[1:2], whole.total) == (page.results, page.total)


def test_an_answer_says_which_commits_it_is_of(bundle: Bundle) -> None:
    note = "Of the last 4 commits, since 2020-09-15; older ones are not in this bundle."
    assert note == LookUps(bundle).history("store.py").note
    nothing = LookUps(bundle).history("notes.md")
    assert "None of the last 4 commits, since 2020-09-15, changed notes.md." == nothing.nothing
    unknown = LookUps(bundle).history("Cart.clear")
    assert "None of the last 4 commits, since 2020-09-15, is known to have changed Cart.clear." == unknown.nothing


def test_a_name_that_nothing_has_gets_the_nearest_names(bundle: Bundle) -> None:
    found = LookUps(bundle).history("Cart.ad")
    assert ((), "") == (found.results, found.path)
    assert "Cart.add" in found.suggestions
    assert "The build left out jar.bin as binary (a NUL byte at 0)." == LookUps(bundle).history("jar.bin").note


def test_a_bundle_without_a_history_says_so_and_what_to_do(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "plain", {"a.py": "a = 1\n"})
    build_bundle(root, tmp_path / "bundle", BuildOptions(profile="keyword", jobs=1))
    with open_bundle(tmp_path / "bundle") as bundle, pytest.raises(UsageError, match="has no history") as refused:
        LookUps(bundle).history("a.py")
    assert ("HISTORY_UNAVAILABLE", True) == (refused.value.code, "--history 200" in refused.value.hint)
    monkeypatch.setenv("HARDTACK_BUNDLE", str(tmp_path / "bundle"))
    with pytest.raises(UsageError, match="has no history"):
        command_line.run_or_raise("history", "a.py")
    failure = ask(tmp_path / "bundle", name="a.py").structured["error"]
    assert "HISTORY_UNAVAILABLE" == failure["code"]


def test_the_verb_lists_them_as_text_and_as_json(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARDTACK_BUNDLE", str(place))
    shown = command_line.run("history", "store.py", "-n", "2")
    assert 0 == shown.exit_code
    assert " 2020-09-18 tills  [1 file, Till.add]\n" in shown.output
    assert "Of the last 4 commits, since 2020-09-15" in shown.output
    assert "1 more; -n 3 lists all" in shown.output
    whole = json.loads(command_line.run("history", "Cart.add", "--body", "--json").stdout)
    assert ("hardtack.history/1", 1) == (whole["schema"], whole["total"])
    (entry,) = whole["results"]
    assert ("text in carts", "Why: ```labels```.\n\nAnd more.", ["Cart.add"], 1) == (
        *(entry[key] for key in ("subject", "body", "symbols", "files")),
    )
    assert 40 == len(entry["commit"])
    assert "body" not in json.loads(command_line.run("history", "Cart.add", "--json").stdout)["results"][0]
    assert 1 == command_line.run("history", "notes.md").return_value
    assert 1 == command_line.run("history", "nothing_has_this_name").return_value


def test_what_strangers_wrote_cannot_control_a_terminal_or_end_its_fence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARDTACK_BUNDLE", str(place))
    for text in (
        command_line.run("history", "store.py", "--body", "--format", "markdown").output,
        ask(place, name="store.py", include_body=True).text,
    ):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "``Limit" in text or "`` Limit" in text
        assert "````\n" in text


def test_the_tool_gives_pages_and_says_how_to_go_on(place: Path) -> None:
    first = ask(place, name="store.py", limit=2)
    assert (2, 3, True) == (len(first.structured["result"]), first.structured["total"], first.structured["truncated"])
    rest = ask(place, name="store.py", limit=2, cursor=first.structured["next_cursor"])
    assert ["text in carts"] == [each["subject"] for each in rest.structured["result"]]
    nothing = ask(place, name="notes.md")
    assert ([], True) == (nothing.structured["result"], "None of the last 4 commits" in nothing.structured["hint"])


def test_reports_on_a_bundle_say_which_commits_it_knows(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARDTACK_BUNDLE", str(place))
    for verb in ("stats", "status"):
        assert "4 commits, since 2020-09-15" in command_line.run(verb).output
        assert 4 == json.loads(command_line.run(verb, "--json").stdout)["history"]["commits"]
