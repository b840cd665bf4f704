"""``find_type_definition``: the descriptor of a type as JSON and as Markdown, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hardtack.tools.run import Outcome

Ask = Callable[..., Outcome]
TOOL = "find_type_definition"


def of(ask: Ask, **arguments: object) -> dict[str, Any]:
    return ask(TOOL, **arguments).structured


def error(ask: Ask, **arguments: object) -> dict[str, Any]:
    failure: dict[str, Any] = of(ask, **arguments)["error"]
    return failure


def test_a_type_is_told_in_the_fields_of_the_seed(ask: Ask) -> None:
    cart = of(ask, type_name="Cart")
    assert ("go", "struct", "Cart", "shop", "shop.Cart", "type Cart struct", "Cart holds items.\nIt rolls.") == tuple(
        cart[key] for key in ("language", "kind", "name", "package", "full_name", "signature", "description")
    )
    assert {
        "file_path": "shop/cart.go",
        "uri": "hardtack://yards/shop/cart.go#L11-L14",
        "start_line": 11,
        "end_line": 14,
    } == cart["location"]
    assert ["Items", "total"] == [field["name"] for field in cart["fields"]]


def test_methods_come_with_their_places_and_without_their_code(ask: Ask) -> None:
    methods = of(ask, type_name="Cart")["methods"]
    assert ["Price", "sum"] == [method["name"] for method in methods]
    assert all("code" not in method and method["location"]["uri"].startswith("hardtack://yards/shop/") for method in methods)


def test_markdown_of_a_type_is_in_the_shape_of_the_seed(ask: Ask) -> None:
    assert (
        "# Cart\n\n**Kind:** struct\n**Package:** shop\n**Signature:** `type Cart struct`\n"
        "**Description:**\n\n```\nCart holds items.\nIt rolls.\n```\n\n**Location:** `shop/cart.go:11-14`\n\n"
        "**Relations:**\n\n- implements `Priced`: `shop.Priced`\n\n"
        '**Fields:**\n\n- `Items []string` `json:"items"`\n- `total int`\n\n'
        "**Methods:**\n\n- `func (c *Cart) Price(currency string) (int, error)`\n- `func (c *Cart) sum() int`\n\n"
        '**Code:**\n\n```go\ntype Cart struct {\n\tItems []string `json:"items"` // in order\n\ttotal int\n}\n```\n'
    ) == ask(TOOL, type_name="Cart").text


def test_markdown_of_a_laravel_model_shows_its_relations(ask: Ask) -> None:
    shown = ask(TOOL, type_name="App\\Models\\User").text.splitlines()
    for line in (
        "**Kind:** model",
        "**Namespace:** App\\Models",
        "**Signature:** `class User extends Model`",
        "- `protected ?string $author = null` - Who wrote it.",
        "    - Location: `app/User.php:15-15`",
        "        - `$really = true`: `bool`",
        "**Laravel Relations:**",
        "- `posts`: `HasMany<App\\Models\\Post>` (foreignKey=user_id, localKey=id)",
        "- `active`: `scopeActive`",
    ):
        assert line in shown


def test_a_class_that_holds_its_methods_does_not_show_their_code(ask: Ask) -> None:
    text = ask(TOOL, type_name="Job").text
    assert "**Methods:**" in text
    assert "return self.prepare()" not in text


def test_json_is_the_account_itself(ask: Ask) -> None:
    outcome = ask(TOOL, type_name="Oven", output_format="json")
    assert outcome.structured == json.loads(outcome.text)


def test_a_type_with_many_methods_tells_them_in_short_and_says_so(ask: Ask) -> None:
    long = of(ask, type_name="Long")
    assert long["truncated"]
    assert "get_function_details" in long["hint"]
    assert 100 < len(long["methods"])
    assert {"language", "kind", "name", "signature", "location", "visibility"} == set(long["methods"][0])


@pytest.mark.parametrize("name", ["filePath", "path", "file", "source_file", "target_file"])
def test_a_file_path_goes_by_other_names(ask: Ask, name: str) -> None:
    assert "Cart" == of(ask, type_name="Cart", **{name: "shop/cart.go"})["name"]


def test_a_package_goes_by_namespace(ask: Ask) -> None:
    assert "App\\Models" == of(ask, type_name="User", namespace="App\\Models")["namespace"]
    assert "SYMBOL_NOT_FOUND" == error(ask, type_name="User", namespace="shop")["code"]


def test_another_index_can_be_asked(ask: Ask) -> None:
    assert "hardtack://pantry/src/pantry/shelf.py" in of(ask, type_name="Jar", index_name="pantry")["location"]["uri"]
    assert "SYMBOL_NOT_FOUND" == error(ask, type_name="Jar")["code"]


def test_what_is_not_there_gets_the_nearest_names(ask: Ask) -> None:
    refused = error(ask, type_name="Crat")
    assert ("SYMBOL_NOT_FOUND", "Cart") == (refused["code"], refused["details"]["suggestions"][0])


def test_a_name_that_is_a_functions_is_said_to_be_one(ask: Ask) -> None:
    assert "There is a function work" in error(ask, type_name="work")["hint"]


def test_parameters_are_checked(ask: Ask) -> None:
    assert "type_name" == error(ask)["details"]["param"]
    assert ("INVALID_REQUEST", "output_format") == (
        (refused := error(ask, type_name="Cart", output_format="xml"))["code"],
        refused["details"]["param"],
    )
    assert "QUERY_EMPTY" == error(ask, type_name="  ")["code"]
    assert "SYMBOL_NOT_FOUND" == error(ask, type_name="Ca\ud800rt")["code"]
    assert "QUERY_TOO_LONG" == error(ask, type_name="x" * 1_000_000)["code"]
    assert "INDEX_NOT_FOUND" == error(ask, type_name="Cart", index_name="attic")["code"]
