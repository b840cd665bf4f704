"""``get_function_details``: the descriptor of a function with its code, as JSON and as Markdown, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hardtack.tools.run import Outcome

Ask = Callable[..., Outcome]
TOOL = "get_function_details"


def of(ask: Ask, **arguments: object) -> dict[str, Any]:
    return ask(TOOL, **arguments).structured


def error(ask: Ask, **arguments: object) -> dict[str, Any]:
    failure: dict[str, Any] = of(ask, **arguments)["error"]
    return failure


def test_a_function_is_told_in_the_fields_of_the_seed(ask: Ask) -> None:
    opened = of(ask, function_name="Open")
    assert ("go", "function", "Open", "shop", "exported") == tuple(
        opened[key] for key in ("language", "kind", "name", "namespace", "visibility")
    )
    assert [("name", "string"), ("size", "int")] == [(each["name"], each["type"]) for each in opened["parameters"]]
    assert ["*Cart", "error"] == [each["type"] for each in opened["returns"]]
    assert "func Open(name string, size int) (*Cart, error) { return nil, fmt.Errorf(name) }" == opened["code"]
    assert "hardtack://yards/shop/cart.go#L23-L23" == opened["location"]["uri"]


def test_markdown_of_a_go_function_is_in_the_shape_of_the_seed(ask: Ask) -> None:
    assert (
        "# Price\n\n**Type:** method\n**Package:** shop\n**Receiver:** `*Cart`\n"
        "**Signature:** `func (c *Cart) Price(currency string) (int, error)`\n**Location:** `shop/cart.go:25-25`\n\n"
        "**Parameters:**\n\n- `currency: string`\n\n**Returns:**\n\n- `int`\n- `error`\n\n"
        "**Code:**\n\n```go\nfunc (c *Cart) Price(currency string) (int, error) { return c.sum(), nil }\n```\n"
    ) == ask(TOOL, function_name="Price", class_name="Cart").text


def test_markdown_of_a_php_method_is_in_the_shape_of_the_seed(ask: Ask) -> None:
    shown = ask(TOOL, function_name="scopeActive", class_name="User").text
    assert (
        "# scopeActive\n\n**Kind:** scope\n**Namespace:** App\\Models\n**Class:** `User`\n"
        "**Signature:** `public function scopeActive($query, bool $really = true): mixed`\n**Location:** `app/User.php:15-15`\n\n"
        "**Parameters:**\n\n- `$query`\n- `$really = true`: `bool`\n\n**Returns:**\n\n- `mixed`\n\n**Code:**\n\n```php\n"
    ) == shown[: shown.index("```php\n") + len("```php\n")]


def test_json_is_the_account_itself(ask: Ask) -> None:
    outcome = ask(TOOL, function_name="work", output_format="json")
    assert outcome.structured == json.loads(outcome.text)


def test_methods_of_one_name_are_ambiguous_until_their_class_is_named(ask: Ask) -> None:
    refused = error(ask, function_name="run")
    assert ("SYMBOL_AMBIGUOUS", 3) == (refused["code"], refused["details"]["count"])
    assert {
        "name": "run",
        "qualified_name": "Job.run",
        "kind": "method",
        "file_path": "lib/base.py",
        "start_line": 8,
        "signature": 'def run(self, how: str = "fast") -> int',
    } == refused["details"]["candidates"][0]
    assert "qualified name" in refused["hint"]
    assert "Bake" == of(ask, function_name="run", class_name="Bake")["receiver"]
    assert "Oven" == of(ask, function_name="Oven.run")["receiver"]
    assert "Oven" == of(ask, function_name="run", file_path="lib/more.py")["receiver"]


def test_an_interface_and_what_implements_it_are_told_apart_by_class(ask: Ask) -> None:
    assert "SYMBOL_AMBIGUOUS" == error(ask, function_name="Price")["code"]
    assert of(ask, function_name="Price", class_name="Priced")["is_abstract"]


def test_what_was_passed_over_is_named(ask: Ask) -> None:
    used = ask(TOOL, function_name="use")
    assert ("lib/used.py", ["use tests/test_used.py:1-2"]) == (
        used.structured["location"]["file_path"],
        used.structured["metadata"]["namesakes"],
    )
    assert "**Others of this name:** `use tests/test_used.py:1-2`" in used.text
    assert "namesakes" not in of(ask, function_name="work").get("metadata", {})


def test_long_code_is_cut_and_says_so(ask: Ask) -> None:
    vast = of(ask, function_name="vast")
    assert vast["truncated"]
    assert vast["code"].startswith("def vast()")
    assert "lib/vast.py" == vast["location"]["file_path"]


def test_what_is_not_there_gets_the_nearest_names(ask: Ask) -> None:
    refused = error(ask, function_name="wrok")
    assert ("SYMBOL_NOT_FOUND", "work") == (refused["code"], refused["details"]["suggestions"][0])
    assert "There is a class BakeBread, which is no function." in error(ask, function_name="BakeBread")["hint"]
    assert (
        "There is a method Job.run, but not where you asked for it." in error(ask, function_name="run", class_name="Cart")["hint"]
    )


def test_parameters_are_checked(ask: Ask) -> None:
    assert "function_name" == error(ask)["details"]["param"]
    assert "QUERY_EMPTY" == error(ask, function_name="")["code"]
    assert "INVALID_REQUEST" == error(ask, function_name="work", class_name=7)["code"]
