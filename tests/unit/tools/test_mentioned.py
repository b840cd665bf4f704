"""``find_references`` and ``find_implementations``: every usage, page by page, as JSON and as Markdown, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hardtack.tools.run import Outcome

Ask = Callable[..., Outcome]
GREP = "a search for the text run lists them (grep)."


def of(ask: Ask, tool: str, name: str, **arguments: object) -> dict[str, Any]:
    return ask(tool, symbol_name=name, **arguments).structured


def places(ask: Ask, tool: str, name: str, **arguments: object) -> list[tuple[str, int, str, str]]:
    found = of(ask, tool, name, **arguments)["result"]
    return [(each["file_path"], each["line"], each["relation"], each.get("in", "")) for each in found]


def error(ask: Ask, tool: str, **arguments: object) -> dict[str, Any]:
    failure: dict[str, Any] = ask(tool, **arguments).structured["error"]
    return failure


def test_references_are_told_with_their_line_and_what_they_are_in(ask: Ask) -> None:
    assert {
        "file_path": "lib/base.py",
        "line": 10,
        "column": 21,
        "relation": "calls",
        "certainty": "exact",
        "in": "Job.run",
        "kind": "method",
        "code": "        return self.prepare()",
        "target": "lib/base.py:12-13",
        "uri": "hardtack://yards/lib/base.py#L10-L10",
    } == of(ask, "find_references", "Job.prepare")["result"][0]


def test_references_say_what_the_name_means(ask: Ask) -> None:
    found = of(ask, "find_references", "run")
    assert (3, 3) == (found["symbol_count"], len(found["symbols"]))
    assert ["lib/base.py", "lib/base.py", "lib/more.py"] == [each["location"]["file_path"] for each in found["symbols"]]
    assert found["symbols"][0]["location"]["uri"].startswith("hardtack://yards/")


def test_references_can_be_kept_to_a_way_to_refer(ask: Ask) -> None:
    everything = places(ask, "find_references", "Job", class_name=None)
    assert {"inherits", "imports", "references"} == {relation for _, _, relation, _ in everything}
    assert [("lib/base.py", 16, "inherits", "Bake")] == places(ask, "find_references", "Job", relation="inherits")
    both = places(ask, "find_references", "Job", relation="inherits, imports")
    assert both == places(ask, "find_references", "Job", relation=["inherits", "imports"])
    assert {"inherits", "imports"} == {relation for _, _, relation, _ in both}
    refused = error(ask, "find_references", symbol_name="Job", relation="loves")
    assert ("INVALID_REQUEST", "relation") == (refused["code"], refused["details"]["param"])


def test_references_can_be_kept_to_files_and_to_what_is_sure(ask: Ask) -> None:
    assert ["lib/more.py"] == [path for path, *_ in places(ask, "find_references", "Job.run", file_pattern="**/more.py")]
    assert places(ask, "find_references", "Job.run", file_pattern=["**/more.py", "lib/base.py"]) == places(
        ask, "find_references", "Job.run"
    )
    sure = of(ask, "find_references", "Oven.run", certainty="exact")
    assert (0, True) == (sure["total"], sure["hint"].startswith("Oven.run is in the bundle, and no reference to it is known there"))
    assert sure["hint"].endswith(f"but its name stands on 6 more lines of 2 files of code, comments included: {GREP}")
    refused = error(ask, "find_references", symbol_name="Job", certainty="sure")
    assert ("INVALID_REQUEST", "certainty") == (refused["code"], refused["details"]["param"])


def test_markdown_groups_references_by_symbol_and_file(ask: Ask) -> None:
    assert (
        "# References: `Job.prepare`\n\n## method `def prepare(self) -> int` `lib/base.py:12-13` (2)\n\n### `lib/base.py`\n\n"
        "- 10: calls, exact, in `Job.run`: `return self.prepare()`\n"
        "- 27: calls, exact, in `work`: `job.run(); job.prepare()`\n"
    ) == ask("find_references", symbol_name="Job.prepare").text


def test_json_is_the_structured_result(ask: Ask) -> None:
    outcome = ask("find_references", symbol_name="work", output_format="json")
    assert outcome.structured == json.loads(outcome.text)


def test_pages_follow_each_other_and_leave_nothing_out(ask: Ask) -> None:
    lines, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        page = of(ask, "find_references", "item_000", relation="calls", **({"cursor": cursor} if cursor else {}))
        lines += [each["line"] for each in page["result"]]
        cursor, pages = page.get("next_cursor"), pages + 1
        assert 120 == page["total"]
    assert (3, list(range(5, 125))) == (pages, lines)


def test_a_cursor_is_of_one_request_and_one_tool(ask: Ask) -> None:
    cursor = of(ask, "find_references", "item_000", limit=1)["next_cursor"]
    for tool, arguments in (
        ("find_references", {"symbol_name": "item_001"}),
        ("find_references", {"symbol_name": "item_000", "relation": "calls"}),
        ("find_references", {"symbol_name": "item_000", "certainty": "exact"}),
        ("find_references", {"symbol_name": "item_000", "index_name": "pantry"}),
        ("find_implementations", {"symbol_name": "item_000"}),
    ):
        assert "CURSOR_INVALID" == error(ask, tool, **arguments, cursor=cursor)["code"]


def test_implementations_come_with_their_way(ask: Ask) -> None:
    direct, indirect = of(ask, "find_implementations", "Job")["result"]
    assert ("Bake", "inherits", 1) == (direct["in"], direct["relation"], direct["depth"])
    assert ("BakeBread", 2, ["Bake"]) == (indirect["in"], indirect["depth"], indirect["through"])


def test_implementations_of_a_method_override_it(ask: Ask) -> None:
    assert [("lib/base.py", 17, "inherits", "Bake.run")] == places(ask, "find_implementations", "run", class_name="Job")
    assert [("shop/cart.go", 25, "implements", "Cart.Price")] == places(ask, "find_implementations", "Priced.Price")


def test_a_types_name_means_the_type_and_nothing_else_that_is_called_so(ask: Ask) -> None:
    assert ["class"] == [each["kind"] for each in of(ask, "find_implementations", "Oven")["symbols"]]
    assert 2 == of(ask, "find_references", "Oven")["symbol_count"]


def test_implementations_of_what_is_not_indexed_are_found(ask: Ask) -> None:
    found = of(ask, "find_implementations", "Illuminate\\Database\\Eloquent\\Model")
    assert "symbols" not in found
    assert ["Post", "User"] == [each["in"] for each in found["result"]]


@pytest.mark.parametrize("tool", ["find_references", "find_implementations"])
def test_a_name_that_is_nowhere_gets_the_nearest(ask: Ask, tool: str) -> None:
    outcome = ask(tool, symbol_name="prepaer")
    assert ([], 0) == (outcome.structured["result"], outcome.structured["total"])
    assert "Job.prepare" == outcome.structured["suggestions"][0]
    assert "Nothing is called 'prepaer'. Nearest: Job.prepare" in outcome.structured["hint"]
    assert outcome.structured["hint"] in outcome.text


@pytest.mark.parametrize("tool", ["find_references", "find_implementations"])
def test_parameters_are_checked(ask: Ask, tool: str) -> None:
    assert "symbol_name" == error(ask, tool)["details"]["param"]
    assert "QUERY_EMPTY" == error(ask, tool, symbol_name="")["code"]
    assert "QUERY_TOO_LONG" == error(ask, tool, symbol_name="x" * 1001)["code"]
    assert "LIMIT_INVALID" == error(ask, tool, symbol_name="Job", limit=0)["code"]
    assert "CURSOR_INVALID" == error(ask, tool, symbol_name="Job", cursor="zzz")["code"]


def test_a_limit_above_the_most_is_clamped(ask: Ask) -> None:
    page = of(ask, "find_references", "item_000", limit=10**9)
    assert (100, True) == (len(page["result"]), page["truncated"])
