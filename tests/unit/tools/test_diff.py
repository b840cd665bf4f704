"""``diff`` and ``impact`` as tools: revisions and the working tree, what is said and refused, and that the verbs say the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from checkouts import commit, git, init, write
from command_line import run_or_raise

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.store.cache import BundleCache
from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome, run
from hardtack.tools.schema import output_schema
from hardtack.tools.tool import REPLY_BYTES, Call

OLD = {"stall.py": "def sell(what, many=1): ...\n\n\ndef close(): ...\n", ".gitignore": ".hardtack\n"}
NEW = {"stall.py": "def sell(what, many): ...\n\n\ndef _own(): ...\n"}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of two commits, with the bundle of the second."""
    monkeypatch.setenv("HARDTACK_CACHE", str(tmp_path / "cache"))
    tree = init(write(tmp_path / "shop", OLD))
    commit(tree)
    commit(write(tree, NEW))
    monkeypatch.chdir(tree)
    run_or_raise("build", ".", "--profile", "keyword", "-j", "1", "-q")
    return tree


def ask(checkout: Path, tool: str = "diff", **arguments: object) -> Outcome:
    cache = BundleCache(checkout.parent / "cache")
    catalog = Catalog(starts=[checkout], cache=lambda: cache)
    try:
        return run(tool_named(tool), Call(catalog=catalog), arguments)
    finally:
        catalog.close()


def names(found: dict[str, Any]) -> list[str]:
    return [(each.get("old") or each["new"])["name"] for each in found["symbols"]]


def test_a_revision_is_compared_with_the_working_tree_and_the_verb_says_the_same(checkout: Path) -> None:
    write(checkout, {"stall.py": "def sell(what): ...\n"})
    answer = ask(checkout, old="HEAD~1", limit=100)
    jsonschema.validate(answer.structured, output_schema(tool_named("diff")))
    assert {"close", "sell"} == set(names(answer.structured))
    assert {"breaks": 2, "may_break": 0} == answer.structured["breaking"]
    assert "parameter `many` is gone" in answer.text
    of_verb = json.loads(run_or_raise("diff", "HEAD~1", "--json").stdout)
    same = ("files_changed", "counts", "breaking", "symbols", "relations", "projects", "notes")
    assert {each: of_verb[each] for each in same} == {each: answer.structured[each] for each in same}


def test_two_commits_whatever_the_tree_is(checkout: Path) -> None:
    write(checkout, {"stall.py": ""})
    found = ask(checkout, old="HEAD~1", new="HEAD", breaking=True).structured
    assert ["sell", "close"] == sorted(names(found), reverse=True)
    assert [] == names(ask(checkout, old="HEAD~1", new="HEAD", path="docs/**").structured)


def test_a_long_answer_is_cut_and_says_so(checkout: Path) -> None:
    many = "".join(f"def {'long' * 20}_{number}(a): ...\n\n\n" for number in range(900))
    commit(write(checkout, {"many.py": many}))
    commit(write(checkout, {"many.py": many.replace("(a)", "()")}))
    answer = ask(checkout, old="HEAD~1", new="HEAD", limit=3)
    assert {"symbols": 897} == answer.structured["left_out"]
    assert "and 897 more" in answer.text
    whole = ask(checkout, old="HEAD~1", new="HEAD", limit=100, output_format="json")
    assert len(whole.text.encode()) <= REPLY_BYTES + 200  # the hint
    assert "breaking=true" in whole.text


def test_what_names_nothing_is_refused_without_a_path(checkout: Path) -> None:
    for name in ("nowhere", "--help", "HEAD~99"):
        error = ask(checkout, old=name).structured["error"]
        assert "INDEX_NOT_FOUND" == error["code"]
        assert str(checkout) not in json.dumps(error)


def test_a_served_index_is_taken_by_its_name(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "checkout", "--quiet", "HEAD~1")
    build_bundle(checkout, tmp_path / "earlier", BuildOptions(profile="keyword", jobs=1))
    catalog = Catalog(named=[str(checkout), str(tmp_path / "earlier")])
    answer = run(tool_named("diff"), Call(catalog=catalog), {"old": "earlier", "new": "shop"})
    catalog.close()
    assert {"sell", "close", "_own"} == set(names(answer.structured))


def test_an_impact_is_of_a_name_of_a_revision_or_of_the_edits(checkout: Path) -> None:
    write(checkout, {"shop/till.py": "from stall import sell\n\n\ndef ring():\n    return sell(1, 2)\n"})
    by_name = ask(checkout, "impact", name="sell")
    jsonschema.validate(by_name.structured, output_schema(tool_named("impact")))
    assert ["ring"] == [each["name"] for each in by_name.structured["reached"]]
    since = ask(checkout, "impact", old="HEAD~1")
    assert {"sell", "close", "_own", "ring"} == {each["name"] for each in since.structured["targets"]}
    edits = ask(checkout, "impact")
    assert ["ring"] == [each["name"] for each in edits.structured["targets"]]
    of_verb = json.loads(run_or_raise("impact", "--diff", "HEAD~1", "--json").stdout)
    same = ("targets", "reached", "tests", "notes", "unresolved")
    assert {each: of_verb[each] for each in same} == {each: since.structured[each] for each in same}
