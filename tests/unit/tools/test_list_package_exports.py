"""``list_package_exports``: the exports of a package, page by page, as JSON and as Markdown, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hardtack.tools.run import Outcome

Ask = Callable[..., Outcome]
TOOL = "list_package_exports"


def of(ask: Ask, **arguments: object) -> dict[str, Any]:
    return ask(TOOL, **arguments).structured


def names(ask: Ask, **arguments: object) -> list[tuple[str, str]]:
    return [(each["kind"], each["name"]) for each in of(ask, **arguments)["result"]]


def error(ask: Ask, **arguments: object) -> dict[str, Any]:
    failure: dict[str, Any] = of(ask, **arguments)["error"]
    return failure


def test_exports_come_by_kind_and_then_by_name(ask: Ask) -> None:
    expected = [("class", "Cart"), ("constant", "Limit"), ("function", "Open"), ("interface", "Priced")]
    assert expected == names(ask, package="shop")
    assert expected == names(ask, namespace="shop")


def test_what_is_hidden_or_a_test_is_not_exported(ask: Ask) -> None:
    offered = names(ask, package="lib.base")
    assert ("function", "work") in offered
    assert ("function", "_hidden") not in offered
    assert ("function", "TestOpen") not in names(ask, package="shop")


def test_a_symbol_is_told_in_the_fields_of_the_seed(ask: Ask) -> None:
    cart = of(ask, package="shop")["result"][0]
    assert {
        "language": "go",
        "kind": "class",
        "name": "Cart",
        "package": "shop",
        "signature": "type Cart struct",
        "description": "Cart holds items.",
        "location": {
            "file_path": "shop/cart.go",
            "uri": "hardtack://yards/shop/cart.go#L11-L14",
            "start_line": 11,
            "end_line": 14,
        },
        "metadata": {"visibility": "exported", "kind": "struct"},
    } == cart


def test_markdown_is_in_the_shape_of_the_seed(ask: Ask) -> None:
    assert (
        "# Package: shop\n\n**Total exported symbols:** 4\n\n## Class (1)\n\n### `Cart`\n\n`type Cart struct`\nCart holds items.\n"
        "📍 `shop/cart.go:11`\n\n## Constant (1)\n\n### `Limit`\n"
    ) == ask(TOOL, package="shop").text[: len(ask(TOOL, package="shop").text.partition("`Limit`\n")[0]) + len("`Limit`\n")]


def test_json_is_a_bare_array(ask: Ask) -> None:
    outcome = ask(TOOL, package="App\\Models", output_format="json")
    assert outcome.structured["result"] == json.loads(outcome.text)
    assert ["Post", "User"] == [each["name"] for each in outcome.structured["result"]]


def test_kinds_are_ours_and_the_seeds(ask: Ask) -> None:
    assert [("class", "Cart")] == names(ask, package="shop", symbol_type="class")
    assert [("class", "Cart")] == names(ask, package="shop", symbol_type="struct")
    assert [("constant", "Limit"), ("interface", "Priced")] == names(ask, package="shop", symbol_type=["const", "interface"])
    assert [("constant", "Limit"), ("interface", "Priced")] == names(ask, package="shop", symbol_type="const,interface")
    assert [("method", "Price")] == names(ask, package="shop", symbol_type="method")
    refused = error(ask, package="shop", symbol_type="gadget")
    assert "SYMBOL_TYPE_INVALID" == refused["code"]
    assert "function" in refused["details"]["available"]


def pages_of(ask: Ask, package: str, limit: int) -> list[list[str]]:
    """The names on each page."""
    pages: list[list[str]] = []
    cursor = None
    while not pages or cursor:
        page = of(ask, package=package, limit=limit, **({"cursor": cursor} if cursor else {}))
        pages.append([each["name"] for each in page["result"]])
        cursor = page.get("next_cursor")
        assert bool(cursor) == page.get("truncated", False)
    return pages


def test_pages_follow_each_other_and_leave_nothing_out(ask: Ask) -> None:
    pages = pages_of(ask, "lib.many", 40)
    assert [40, 40, 40, 30] == [len(page) for page in pages]
    assert [f"item_{number:03}" for number in range(150)] == [name for page in pages for name in page]


def test_a_page_that_does_not_fit_a_reply_ends_early_and_the_next_goes_on_from_there(ask: Ask) -> None:
    pages = pages_of(ask, "lib.wordy", 100)
    assert 100 > len(pages[0])
    assert [f"wordy_{number:03}" for number in range(120)] == [name for page in pages for name in page]


def test_a_page_says_in_text_how_to_go_on(ask: Ask) -> None:
    markdown = ask(TOOL, package="lib.many", limit=2)
    cursor = markdown.structured["next_cursor"]
    assert "**Total exported symbols:** 150 (2 shown)" in markdown.text
    assert markdown.text.endswith(f"2 of 150 shown. Go on with cursor {cursor}, or ask for less.\n")
    array = json.loads(ask(TOOL, package="lib.many", limit=2, output_format="json").text)
    assert {"type": "hint", "message": f"2 of 150 shown. Go on with cursor {cursor}, or ask for less."} == array[-1]
    assert 3 == len(array)


def test_a_cursor_is_of_one_request(ask: Ask) -> None:
    cursor = of(ask, package="lib.many", limit=2)["next_cursor"]
    assert "item_002" == of(ask, package="lib.many", limit=7, cursor=cursor)["result"][0]["name"]
    assert "CURSOR_INVALID" == error(ask, package="lib.base", limit=2, cursor=cursor)["code"]
    assert "CURSOR_INVALID" == error(ask, package="lib.many", symbol_type="function", cursor=cursor)["code"]
    assert "CURSOR_INVALID" == error(ask, package="lib.many", cursor="")["code"]


def test_a_limit_above_the_most_is_clamped(ask: Ask) -> None:
    page = of(ask, package="lib.many", limit=10**9)
    assert (100, True) == (len(page["result"]), page["truncated"])
    assert "LIMIT_INVALID" == error(ask, package="lib.many", limit=0)["code"]
    assert "LIMIT_INVALID" == error(ask, package="lib.many", limit=-1)["code"]


@pytest.mark.parametrize("output_format", ["markdown", "json"])
def test_a_package_that_is_not_there_gets_the_nearest(ask: Ask, output_format: str) -> None:
    outcome = ask(TOOL, package="shpo", output_format=output_format)
    assert ([], 0, "shop") == (outcome.structured["result"], outcome.structured["total"], outcome.structured["suggestions"][0])
    assert "No exported symbols found in package 'shpo'" in outcome.structured["hint"]
    assert "Nearest: shop" in outcome.text
    assert "QUERY_EMPTY" == error(ask, package=" ")["code"]
