"""The SDK's own client, in both eras of the protocol and over every transport: all that is offered can be used."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import PromptReference
from mcp_servers import CALLS, DEFAULT_CALLS, KINDS, MODES, environment, error_of, listening, stdio, talk, text_of

from hardtack.tools import TOOLS


@pytest.fixture(scope="module")
def places(pantry_bundle: Path) -> Iterator[dict[str, StdioServerParameters | str]]:
    """Where the pantry is served, by kind."""
    with ExitStack() as stack:
        addresses = {kind: stack.enter_context(listening(kind, "-b", pantry_bundle)) for kind in KINDS if kind != "stdio"}
        yield {"stdio": stdio("-b", pantry_bundle), **addresses}


@pytest.fixture(params=[(kind, mode) for kind in KINDS for mode in MODES], ids="-".join)
def connection(
    request: pytest.FixtureRequest, places: dict[str, StdioServerParameters | str]
) -> tuple[str, StdioServerParameters | str, str]:
    kind, mode = request.param
    return kind, places[kind], mode


def test_every_tool_that_only_reads_is_called_here() -> None:
    assert {name for toolset, names in TOOLS.items() if toolset not in ("default", "changes", "build") for name in names} == set(
        CALLS
    )
    assert set(TOOLS["default"]) == set(DEFAULT_CALLS)


def test_a_server_without_flags_offers_five_tools_that_answer_in_text_alone(pantry_bundle: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "hardtack", "serve", "--bundle", str(pantry_bundle)],
        env=environment(),
    )

    async def say(client: Client) -> tuple[list[Any], list[Any]]:
        calls = [await client.call_tool(name, given) for name, given in DEFAULT_CALLS.items()]
        return (await client.list_tools()).tools, calls

    listed, results = talk("stdio", server, "auto", say)
    assert list(TOOLS["default"]) == [tool.name for tool in listed]
    listing = json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed], separators=(",", ":"))
    assert len(listing) <= 4 * 2000
    assert all(tool.meta == {"anthropic/alwaysLoad": True} for tool in listed)
    for result in results:
        assert not result.is_error, result.content
        assert result.structured_content is None
        assert "open_shelf" in text_of(result.content[0])


def test_every_tool_answers_what_its_published_schema_says(connection: tuple[str, StdioServerParameters | str, str]) -> None:
    async def say(client: Client) -> dict[str, tuple[Any, Any]]:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == set(CALLS)
        return {name: (tools[name], await client.call_tool(name, CALLS[name])) for name in CALLS}

    for name, (tool, result) in talk(*connection, say).items():
        assert not result.is_error, (name, result.content)
        jsonschema.Draft202012Validator(tool.output_schema).validate(result.structured_content)
        jsonschema.Draft202012Validator(tool.input_schema).validate(CALLS[name])
        assert [block.type for block in result.content] == ["text"], name
        assert tool.annotations.read_only_hint, name
        assert tool.annotations.open_world_hint is False, name
        assert tool.title and tool.description, name
        if isinstance(rows := result.structured_content.get("result"), list):
            assert rows, f"{name} found nothing"


def test_what_goes_wrong_in_a_tool_is_in_its_result(connection: tuple[str, StdioServerParameters | str, str]) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("no_such_tool", {}, "TOOL_NOT_FOUND"),
        ("search_code", {}, "INVALID_REQUEST"),
        ("search_code", {"query": 7}, "INVALID_REQUEST"),
        ("search_code", {"query": "jar", "index_name": "elsewhere"}, "INDEX_NOT_FOUND"),
        ("index_codebase", {"path": "."}, "TOOL_NOT_FOUND"),
    ]

    async def say(client: Client) -> list[Any]:
        return [await client.call_tool(name, given) for name, given, _ in wrong]

    for (_, _, code), result in zip(wrong, talk(*connection, say), strict=True):
        assert result.is_error
        assert result.structured_content is None, "some clients hold it against the schema of a success"
        assert error_of(text_of(result.content[0]))["error"]["code"] == code


def test_resources_prompts_and_completions_work(connection: tuple[str, StdioServerParameters | str, str]) -> None:
    async def say(client: Client) -> None:
        listed = (await client.list_resources()).resources
        shelf = next(resource for resource in listed if resource.name == "src/pantry/shelf.py")
        assert str(shelf.uri) == "hardtack://pantry/src/pantry/shelf.py"
        assert shelf.mime_type == "text/x-python"
        (whole,) = (await client.read_resource(str(shelf.uri))).contents
        assert text_of(whole).startswith('"""Shelves and the jars that stand on them."""\n')
        (lines,) = (await client.read_resource(f"{shelf.uri}#L5-L7")).contents
        assert text_of(lines) == "import json\nfrom dataclasses import dataclass\nfrom pathlib import Path\n"
        (same,) = (await client.read_resource(f"{shelf.uri}?lines=5-7")).contents
        assert text_of(same) == text_of(lines)
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.name for template in templates] == ["file", "lines"]

        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["explore_codebase", "where_to_change", "explain_symbol"]
        filled = await client.get_prompt("where_to_change", {"goal": "jars may be opened"})
        assert "jars may be opened" in text_of(filled.messages[0].content)

        found = await client.complete(PromptReference(name="explain_symbol"), {"name": "name", "value": "open_s"})
        assert found.completion.values == ["open_shelf"]

    talk(*connection, say)
