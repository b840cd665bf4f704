"""What is promised of the tools together: their names, schemas, hints and codes, and that the page about them is current."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest

import hardtack
from hardtack.errors import REQUEST_CODES, UsageError
from hardtack.tools import TOOLS, tool_named, tools_of
from hardtack.tools.failure import OTHER_CODES
from hardtack.tools.schema import listing_of
from hardtack.tools.tool import TOOLSETS

ROOT = Path(__file__).parents[2]
PACKAGE = Path(hardtack.__file__).parent
SELF_EXPLAINING = {
    *("output_format", "format", "limit", "offset", "max_results", "search_mode", "of", "start_line", "end_line", "package"),
    *("min_certainty", "relations", "regex"),
}
"""Parameters that their names, types, values and bounds explain."""
ALL = [listing_of(tool, with_output=True) for tool in tools_of(allow_build=True)]


def test_every_tool_is_served_and_those_that_build_only_where_building_is_allowed() -> None:
    assert tuple(TOOLS) == TOOLSETS
    listed = [name for names in TOOLS.values() for name in names]
    assert len(listed) == len(set(listed))
    assert listed == [tool.name for tool in tools_of(allow_build=True)]
    assert [name for name in listed if name not in TOOLS["build"]] == [tool.name for tool in tools_of()]
    assert {"index_codebase", "clear_index"} == set(TOOLS["build"])
    with pytest.raises(UsageError, match="There is no tool 'clear_index'"):
        tool_named("clear_index")


def test_toolsets_choose_and_what_is_no_toolset_is_refused() -> None:
    assert list(TOOLS["files"]) == [tool.name for tool in tools_of(["files"])]
    with pytest.raises(UsageError, match="There is no toolset 'everything'"):
        tools_of(["everything"])


@pytest.mark.parametrize("listing", ALL, ids=lambda listing: listing["name"])
def test_every_tool_says_what_it_is_and_its_schemas_are_schemas(listing: dict[str, Any]) -> None:
    assert 35 <= len(listing["description"]) <= 900
    assert listing["title"]
    assert ("outputSchema" in listing) == (listing["name"] not in TOOLS["default"])
    for schema in (listing["inputSchema"], listing.get("outputSchema", {"type": "object"})):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert "object" == schema["type"]
        assert not {"anyOf", "oneOf", "allOf", "$ref"} & set(schema)
    assert False is listing["inputSchema"]["additionalProperties"]


@pytest.mark.parametrize("listing", ALL, ids=lambda listing: listing["name"])
def test_every_parameter_is_explained_and_every_list_says_of_what(listing: dict[str, Any]) -> None:
    properties = listing["inputSchema"]["properties"]
    assert [] == [name for name, each in properties.items() if name not in SELF_EXPLAINING and not each.get("description")]
    for part in _parts(listing["inputSchema"]):
        assert "items" in part or part.get("type") != "array"


def test_what_builds_says_that_it_changes_things_and_nothing_else_does() -> None:
    writing = {listing["name"] for listing in ALL if not listing["annotations"]["readOnlyHint"]}
    destroying = {listing["name"] for listing in ALL if listing["annotations"].get("destructiveHint")}
    assert set(TOOLS["build"]) == writing
    assert "clear_index" in destroying <= writing


@pytest.mark.parametrize(("toolset", "most"), [("default", 2000), ("contract", 5000), ("all", 6500)])
def test_the_list_of_tools_costs_at_most_so_many_tokens_of_four_characters(toolset: str, most: int) -> None:
    listed = [listing_of(tool) for tool in tools_of([toolset], allow_build=True)]
    assert len(json.dumps({"tools": listed}, ensure_ascii=False, separators=(",", ":"))) <= 4 * most


def test_every_code_of_a_request_is_used_and_every_code_used_is_explained() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py") if path.name != "errors.py"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    words = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    given = {keyword.value for node in nodes if isinstance(node, ast.Call) for keyword in node.keywords if keyword.arg == "code"}
    used = {
        value.value for value in given if isinstance(value, ast.Constant) and re.fullmatch("[A-Z]+(_[A-Z]+)+", str(value.value))
    }
    assert set() == used - {*REQUEST_CODES, *OTHER_CODES}
    assert {"USAGE"} >= set(REQUEST_CODES) - words
    assert not set(REQUEST_CODES) & set(OTHER_CODES)


def test_the_page_about_the_tools_is_current() -> None:
    assert _maker().page() == (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")


def _parts(schema: Any) -> list[dict[str, Any]]:
    """Every mapping in a schema."""
    if isinstance(schema, dict):
        return [schema, *(part for value in schema.values() for part in _parts(value))]
    return [part for value in schema for part in _parts(value)] if isinstance(schema, list | tuple) else []


def _maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_tools", ROOT / "docs" / "make_tools.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
