"""Errors become errors of the protocol; no tool can end the server, and no error has a path of this machine."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_servers import text_of

from hardtack.errors import UsageError
from hardtack.mcp.server import THREADS, server_of
from hardtack.nouns.model import MovedOn
from hardtack.tools import TOOLS
from hardtack.tools.catalog import Catalog
from hardtack.tools.tool import Call

MODES = ["auto", "legacy"]


def _talk(server: Server[Any], mode: str, say: Callable[[Client], Awaitable[Any]]) -> Any:
    async def talk() -> Any:
        with anyio.fail_after(20):
            async with Client(server, mode=mode) as client:
                return await say(client)

    return anyio.run(talk)


class _Panic(BaseException):
    """The exception of an engine that is written in Rust and panics."""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("error", [ValueError("in /home/somebody/secret"), _Panic("in /home/somebody/secret"), MemoryError()])
def test_whatever_a_tool_throws_is_an_answer_that_tells_nothing(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, mode: str, error: BaseException
) -> None:
    def throw(*_: object, **__: object) -> None:
        raise error

    async def say(client: Client) -> Any:
        with monkeypatch.context() as patched:
            patched.setattr("hardtack.query.files.stored_files.StoredFiles.search", throw)
            failed = await client.call_tool("search", {"query": "jar"})
        return failed, await client.call_tool("search", {"query": "jar"})

    with caplog.at_level(logging.CRITICAL):
        failed, found = _talk(server_of(catalog, ["contract"]), mode, say)
    assert failed.is_error
    assert json.loads(failed.content[0].text)["error"]["code"] == "INTERNAL_ERROR"
    assert "somebody" not in failed.content[0].text
    assert failed.structured_content is None
    assert not found.is_error


@pytest.mark.parametrize("mode", MODES)
def test_what_is_refused_beside_tools_is_an_error_with_its_code_as_data(catalog: Catalog, mode: str) -> None:
    async def say(client: Client) -> Any:
        found = []
        for ask in (
            lambda: client.read_resource("hardtack://pantry/nowhere.py"),
            lambda: client.read_resource("file:///etc/passwd"),
            lambda: client.get_prompt("no_such_prompt"),
            lambda: client.get_prompt("explain_symbol"),
            lambda: client.list_resources(cursor="nonsense"),
        ):
            with pytest.raises(MCPError) as refused:
                await ask()
            found.append((refused.value.code, refused.value.data["error"]["code"]))
        return found

    codes = ["FILE_NOT_FOUND", "INVALID_REQUEST", "INVALID_REQUEST", "INVALID_REQUEST", "CURSOR_INVALID"]
    assert [(-32602, code) for code in codes] == _talk(server_of(catalog), mode, say)


@pytest.mark.parametrize("mode", MODES)
def test_a_bug_beside_tools_tells_nothing(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, mode: str
) -> None:
    def throw(*_: object) -> None:
        raise OSError("/home/somebody/secret")

    async def say(client: Client) -> MCPError:
        monkeypatch.setattr("hardtack.mcp.resources.read", throw)
        with pytest.raises(MCPError) as failed:
            await client.read_resource("hardtack://pantry/README.md")
        return failed.value

    with caplog.at_level(logging.CRITICAL):
        failed = _talk(server_of(catalog), mode, say)
    assert failed.code == -32603
    assert "somebody" not in json.dumps([failed.message, failed.data])


class _NoBuilder:
    """Takes the place of a builder; nothing is built."""

    def __call__(self, call: Call, source: Path, **_: bool) -> None: ...


def test_toolsets_choose_what_is_offered(catalog: Catalog) -> None:
    async def names(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    assert list(TOOLS["files"]) == _talk(server_of(catalog, ["files"]), "auto", names)
    assert _talk(server_of(catalog, ["build"]), "auto", names) == []
    assert list(TOOLS["build"]) == _talk(server_of(catalog, ["build"], build=_NoBuilder()), "auto", names)
    assert list(TOOLS["default"]) == _talk(server_of(catalog), "auto", names)
    everything = [name for toolset, names_ in TOOLS.items() if toolset != "build" for name in names_]
    assert everything == _talk(server_of(catalog, ["all"]), "auto", names)
    contract = [name for name in everything if name not in (*TOOLS["default"], *TOOLS["changes"])]
    assert contract == _talk(server_of(catalog, ["contract"]), "auto", names)
    with pytest.raises(UsageError, match="nonsense"):
        server_of(catalog, ["search", "nonsense"])


@pytest.mark.parametrize("mode", MODES)
def test_no_reply_is_sent_twice(catalog: Catalog, mode: str) -> None:
    async def say(client: Client) -> Any:
        calls = [("open_file", {"path": "README.md"}), ("read", {"path": "README.md"})]
        return [await client.call_tool(name, arguments) for name, arguments in calls], await client.call_tool(
            "read", {"path": "README.md", "format": "json"}
        )

    texts, structured = _talk(server_of(catalog, ["all"]), mode, say)
    assert [None, None] == [each.structured_content for each in texts]
    assert all(len(text_of(each.content[0])) > 100 for each in texts)
    assert structured.structured_content["path"] == "README.md"
    assert len(text_of(structured.content[0])) < 60
    (opened, read), _ = _talk(server_of(catalog, ["all"], output_schemas=True), mode, say)
    assert opened.structured_content["result"]["path"] == "README.md"
    assert len(text_of(opened.content[0])) < 60
    assert read.structured_content is None


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [("read", {"path": "README.md"}, "1 "), ("search_text", {"text": "jar"}, "jar"), ("explore", {}, "files")],
)
def test_a_note_on_an_answer_in_markdown_does_not_take_its_place(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: dict[str, Any], said: str
) -> None:
    moved = MovedOn("pantry", "a" * 40, "b" * 40, "main", 2)
    monkeypatch.setattr(Catalog, "noting", lambda _: nullcontext({"pantry": moved}))

    async def say(client: Client) -> Any:
        return await client.call_tool(tool, arguments), await client.call_tool("open_file", {"path": "README.md"})

    answer, opened = _talk(server_of(catalog, ["all"], output_schemas=True), "auto", say)
    assert answer.structured_content is None
    assert said in text_of(answer.content[0])
    assert "Note: " in text_of(answer.content[0])
    assert opened.structured_content["result"]["path"] == "README.md"


def test_schemas_of_results_are_listed_only_where_they_are_wanted(catalog: Catalog) -> None:
    async def listed(client: Client) -> list[bool]:
        return [tool.output_schema is not None for tool in (await client.list_tools()).tools]

    assert {False} == set(_talk(server_of(catalog, ["all"]), "auto", listed))
    assert {True} == set(_talk(server_of(catalog, ["contract"], output_schemas=True), "auto", listed))


def test_a_tool_of_another_toolset_is_not_there(catalog: Catalog) -> None:
    async def call(client: Client) -> Any:
        return json.loads(text_of((await client.call_tool("open_file", {"path": "README.md"})).content[0]))["error"]

    found = _talk(server_of(catalog, ["search"]), "auto", call)
    assert found["code"] == "TOOL_NOT_FOUND"
    assert "search_code" in found["hint"]


def test_no_more_calls_are_worked_on_at_once_than_there_are_threads(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, running, most = threading.Lock(), 0, 0
    original = Catalog.entries

    def entries(self: Catalog) -> Any:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.02)
        with lock:
            running -= 1
        return original(self)

    async def say(client: Client) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4 * THREADS):
                group.start_soon(client.call_tool, "list_indexes", {})

    monkeypatch.setattr(Catalog, "entries", entries)
    _talk(server_of(catalog, ["contract"]), "auto", say)
    assert 1 < most <= THREADS


def test_an_answer_waits_until_what_gives_it_is_loaded(catalog: Catalog) -> None:
    loaded = threading.Event()

    def ready() -> None:
        loaded.wait(5)

    async def say(client: Client) -> bool:
        assert (await client.list_tools()).tools
        with anyio.move_on_after(0.2) as early:
            await client.call_tool("list_indexes", {})
        loaded.set()
        return early.cancelled_caught and not (await client.call_tool("list_indexes", {})).is_error

    assert _talk(server_of(catalog, ["contract"], ready=ready), "legacy", say)
