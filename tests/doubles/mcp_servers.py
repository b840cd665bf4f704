"""Servers as processes, and the SDK's own client to talk to them: over standard input and output, streamable HTTP, and SSE."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent, TextResourceContents
from processes import piped

MODES = ("auto", "legacy")
"""Of the client: the stateless protocol of 2026-07-28, and the handshake of before."""
KINDS = ("stdio", "http", "sse")
TOKEN = "a token that nobody guesses"

CALLS: dict[str, dict[str, Any]] = {
    "search_code": {"query": "take the oldest jar", "limit": 3},
    "hybrid_search": {"query": "open_shelf", "limit": 3},
    "analyze_query": {"query": "where is a shelf opened", "limit": 3},
    "find_similar": {"path": "src/pantry/shelf.py", "line": 30, "limit": 3},
    "find_type_definition": {"type_name": "Shelf"},
    "get_function_details": {"function_name": "open_shelf"},
    "list_package_exports": {"package": "pantry.shelf"},
    "find_implementations": {"symbol_name": "Printer"},
    "find_references": {"symbol_name": "open_shelf"},
    "search": {"query": "class Shelf"},
    "smart_search": {"query": "MAX_JARS"},
    "open_file": {"path": "src/pantry/shelf.py"},
    "get_snippet": {"path": "src/pantry/shelf.py", "start_line": 1, "end_line": 5},
    "list_dir": {"path": "src"},
    "get_history": {"name": "src/pantry/shelf.py"},
    "list_indexes": {},
    "index_stats": {},
    "get_status": {},
}
"""Of each contract tool that only reads, on the pantry."""

DEFAULT_CALLS: dict[str, dict[str, Any]] = {
    "explore": {"query": "who calls open_shelf"},
    "symbol": {"name": "open_shelf"},
    "usages": {"name": "open_shelf"},
    "search_text": {"text": "def open_shelf"},
    "read": {"path": "src/pantry/shelf.py", "outline": True},
}


_Result = TypeVar("_Result")


def arguments(*flags: str | Path) -> list[str]:
    """The command line of a server of the contract tools that sends structured results, unless ``flags`` say otherwise."""
    return ["-P", "-m", "hardtack", "serve", "--toolsets", "contract", "--output-schemas", *map(str, flags)]


def environment(**variables: str) -> dict[str, str]:
    """This process's, without what tells where bundles are, and with ``variables``."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("HARDTACK_")}, **variables}


@contextmanager
def started(*flags: str | Path, command: Sequence[str] = (), **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A server as a process, of which all three streams are open; it is gone afterwards.

    Args:
        flags: of the server.
        command: the whole command line, where it is not this interpreter's alone.
        options: of :class:`subprocess.Popen`.
    """
    command = command or [sys.executable, *arguments(*flags)]
    pipe = subprocess.PIPE
    settings = {"stdin": pipe, "stdout": pipe, "stderr": pipe, "env": environment(), **options}
    process = subprocess.Popen(command, **settings)
    try:
        yield process
    finally:
        process.kill()
        process.wait(10)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()


@contextmanager
def listening(kind: str, *flags: str | Path) -> Iterator[str]:
    """A server that listens for HTTP with :data:`TOKEN`; its address."""
    token = environment(HARDTACK_SERVE_TOKEN=TOKEN)
    with started(*flags, f"--{kind}", "--port", "0", env=token, stdin=subprocess.DEVNULL) as process:
        yield event_of(process, "listening")["url"]


def event_of(process: subprocess.Popen[bytes], event: str) -> dict[str, Any]:
    """The next event of that name that a server logs."""
    while line := piped(process.stderr).readline():
        found: dict[str, Any] = json.loads(line)
        if found.get("event") == event:
            return found
    raise AssertionError(f"the server ended and never logged {event}")


@asynccontextmanager
async def client(kind: str, place: StdioServerParameters | str, mode: str, **options: Any) -> AsyncIterator[Client]:
    """A client of a server: of its command line, or of its address."""
    async with AsyncExitStack() as stack:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        transport: Any = place
        if kind == "http":
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            transport = streamable_http_client(str(place), http_client=http)
        elif kind == "sse":
            transport = sse_client(str(place), headers=headers)
        yield await stack.enter_async_context(Client(transport, mode=mode, **options))


def stdio(*flags: str | Path, **variables: str) -> StdioServerParameters:
    """What starts a server that answers on standard output."""
    return StdioServerParameters(command=sys.executable, args=arguments(*flags), env=environment(**variables))


def talk(
    kind: str, place: StdioServerParameters | str, mode: str, say: Callable[[Client], Awaitable[_Result]], **options: Any
) -> _Result:
    """What came of talking to a server."""

    async def _talk() -> _Result:
        with anyio.fail_after(60):
            async with client(kind, place, mode, **options) as connected:
                return await say(connected)

    return anyio.run(_talk)


def error_of(text: str) -> dict[str, Any]:
    """What the text of a failed call says, which has to be JSON with a code."""
    found: dict[str, Any] = json.loads(text)
    assert found["error"]["code"] and found["error"]["message"]
    return found


def text_of(given: object) -> str:
    """The text of a part of an answer, which has to be text."""
    assert isinstance(given, TextContent | TextResourceContents)
    return given.text


class Wire:
    """One client that writes and reads the lines of the protocol itself."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.others: list[dict[str, Any]] = []
        """Messages that answered nothing that was waited for."""
        self._last = 0

    def open(self) -> dict[str, Any]:
        """Shake hands; what the server says of itself."""
        who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
        answer = self.ask("initialize", **who)
        self.tell("notifications/initialized")
        result: dict[str, Any] = answer["result"]
        return result

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self.answer_to(self.send(method, **params))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured result of a tool; what its text says of an error."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        told: dict[str, Any] = error_of(result["content"][0]["text"]) if result["isError"] else result["structuredContent"]
        return told

    def send(self, method: str, **params: Any) -> int:
        """Ask without waiting; the request's number."""
        self._last += 1
        self._write({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self._last

    def tell(self, method: str, **params: Any) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def answer_to(self, number: int) -> dict[str, Any]:
        """The answer to the request of that number; what comes before it is kept in ``others``."""
        while line := piped(self.process.stdout).readline():
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number:
                return message
            self.others.append(message)
        raise AssertionError(f"the server ended: {piped(self.process.stderr).read().decode()}")

    def write_line(self, line: bytes) -> None:
        piped(self.process.stdin).write(line + b"\n")
        piped(self.process.stdin).flush()

    def _write(self, message: dict[str, Any]) -> None:
        self.write_line(json.dumps(message).encode())


@contextmanager
def wired(*flags: str | Path, **options: Any) -> Iterator[Wire]:
    """A client that shook hands with a server of its own; the arguments are those of :func:`started`."""
    with started(*flags, **options) as process:
        wire = Wire(process)
        wire.open()
        yield wire
