"""What an MCP client sends: arguments of every tool, and lines of JSON-RPC to a server that goes on answering.

A case of ``tools`` is a tool's name, a line feed, and its arguments as JSON. A case of ``mcp`` is one line; a ping follows it.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from functools import cache
from typing import Any, Final

from driver import Generator, Target
from forge import FROZEN
from mcp_servers import CALLS, DEFAULT_CALLS, arguments, environment
from mutations import another_json, value

from hardtack.tools import names_of, tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import run
from hardtack.tools.tool import Call

_SECONDS = 120.0
"""How long the server may take for a line and a ping, on a busy machine."""
_LIKELY: tuple[Any, ...] = (
    *(
        "pantry/stock.py",
        "web/cart.ts",
        "pantry",
        "cmd/serve",
        ".",
        "Stock",
        "portions",
        "MessKit.add",
        "main",
        "must_ration",
        "Stock.crates",
    ),
    *(
        "function",
        "class",
        "python",
        "go,typescript",
        "*.py",
        "pantry/**",
        "docs",
        "code",
        "hybrid",
        "keyword",
        "vector",
        "where is stock rationed",
    ),
    *(
        "pantry/stock.py:3-9",
        "hardtack://hybrid/web/cart.ts#L1-L4",
        "def |class ",
        "json",
        "",
        0,
        1,
        2,
        5,
        10,
        100,
        True,
        False,
        None,
        0.5,
        1.0,
    ),
    *(
        ["python"],
        ["pantry/stock.py", "x"],
        ["function", "method"],
        {"languages": ["python"]},
        {"paths": ["pantry/**"], "kinds": ["class"]},
    ),
)
"""Values that some parameter takes, so that calls get past the check of arguments."""
_ODD = (
    *(
        "../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "hardtack://frozen/src/pantry/shelf.py",
        "hardtack://x/%2e%2e/%2e%2e",
    ),
    *(
        "C:\\Windows",
        "\\\\host\\share",
        "a" * 70_000,
        "\ud800",
        "\0",
        "%00",
        "src/pantry/shelf.py:1-9",
        "#L1-L9",
        "MTIz",
        "=" * 50,
        "*",
        "[",
    ),
    *("true", "5", "5.0", "-1", "[]", "{}", '["a"]', "null", "NaN", "١٢"),
)


@cache
def _call() -> Call:
    return Call(catalog=Catalog(named=[str(FROZEN / "hybrid")]))


def _of_the_frozen_bundle(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call on the pantry as one on the frozen bundle."""
    other = {
        "src/pantry/shelf.py": "pantry/stock.py",
        "Shelf": "Stock",
        "open_shelf": "must_ration",
        "pantry.shelf": "pantry",
        "src": "pantry",
    }
    return {key: other.get(each, each) if isinstance(each, str) else each for key, each in given.items()}


_CHANGES: Final = {"diff": {"old": "HEAD"}, "impact": {"name": "must_ration"}}
"""Calls of the toolset of changes; the frozen bundle is of no checkout, so the first is refused."""


def _tool_seeds() -> list[bytes]:
    seeds = [
        f"{name}\n{json.dumps(_of_the_frozen_bundle(given))}".encode()
        for name, given in {**CALLS, **DEFAULT_CALLS, **_CHANGES}.items()
    ]
    assert {seed.partition(b"\n")[0].decode() for seed in seeds} == set(names_of())
    for seed in seeds:
        _call_tool(seed)
    return seeds


def _another_call(generator: Generator, seed: bytes) -> bytes:
    name, _, given = seed.partition(b"\n")
    document = json.loads(given)
    known = tool_named(name.decode()).parameters.__struct_fields__
    for _ in range(generator.choice((1, 1, 2, 3))):
        key = generator.choice(known) if known and generator.random() < 0.95 else generator.choice(_ODD)
        chance = generator.random()
        document[key] = generator.choice(_LIKELY if chance < 0.7 else _ODD) if chance < 0.9 else value(generator)
    try:
        data = json.dumps(document).encode()
    except RecursionError:
        return seed
    return name + b"\n" + (another_json(generator, data) if generator.random() < 0.2 else data)


def _call_tool(case: bytes) -> str:
    name, _, given = case.partition(b"\n")
    try:
        document: Any = json.loads(given)
    except (ValueError, RecursionError):
        document = given.decode("utf-8", "replace")
    tool = name.decode("utf-8", "replace")
    if tool not in names_of():
        return "no case"
    outcome = run(tool_named(tool), _call(), document)
    json.dumps(outcome.structured, allow_nan=False).encode("utf-8", "strict")
    outcome.text.encode("utf-8", "strict")
    if outcome.error is None:
        return "answered"
    if outcome.structured["error"]["code"] == "INTERNAL_ERROR":
        raise outcome.error
    return "refused"


# -- a server ---------------------------------------------------------------------------------------------------------------------


class _Server:
    """A server as a process, with its lines."""

    def __init__(self) -> None:
        command = [sys.executable, *arguments("--bundle", FROZEN / "hybrid")]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), bufsize=0
        )
        self._read = b""
        self._pings = 0
        started = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}
        self.send(json.dumps({"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": started}).encode())
        self.wait_for(b'"begin"')
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(line + b"\n")
        while view:
            view = view[self.process.stdin.write(view) :]

    def ping(self) -> int:
        """Wait until the server has answered a ping; the number of lines that came before it."""
        self._pings += 1
        name = f"ping-{os.getpid()}-{self._pings}"
        self.send(json.dumps({"jsonrpc": "2.0", "id": name, "method": "ping"}).encode())
        return self.wait_for(json.dumps(name).encode())

    def wait_for(self, word: bytes) -> int:
        assert self.process.stdout is not None
        deadline, lines = time.monotonic() + _SECONDS, 0
        while True:
            line, end, rest = self._read.partition(b"\n")
            if end:
                self._read = rest
                message = json.loads(line)
                assert message["jsonrpc"] == "2.0"
                assert message.get("error", {}).get("code") != -32603, message  # an internal error
                lines += 1
                if word in line[:200] or word in line[-200:]:
                    return lines
                continue
            if not select.select([self.process.stdout], [], [], max(deadline - time.monotonic(), 0))[0]:
                raise AssertionError(f"the server did not answer within {_SECONDS} s")
            piece = self.process.stdout.read(1 << 16)
            if not piece:
                raise AssertionError(f"the server ended with {self.process.wait()}")
            self._read += piece


_servers: dict[int, _Server] = {}
"""The server of each process that fuzzes: it must not outlive it, and its standard input closes with it."""


def _line_seeds() -> list[bytes]:
    calls = [
        {"method": "tools/call", "params": {"name": name, "arguments": _of_the_frozen_bundle(given)}}
        for name, given in {**CALLS, **DEFAULT_CALLS}.items()
    ]
    reference = {"type": "ref/prompt", "name": "find-code"}
    others: list[dict[str, Any]] = [
        {"method": "tools/list"},
        {"method": "tools/list", "params": {"cursor": "x"}},
        {"method": "resources/list"},
        {"method": "resources/templates/list"},
        {"method": "resources/read", "params": {"uri": "hardtack://hybrid/pantry/stock.py"}},
        {"method": "prompts/list"},
        {"method": "prompts/get", "params": {"name": "find-code", "arguments": {"query": "x"}}},
        {"method": "completion/complete", "params": {"ref": reference, "argument": {"name": "path", "value": "s"}}},
        {"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "x"}},
        {"method": "logging/setLevel", "params": {"level": "debug"}},
        {
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}},
        },
    ]
    return [json.dumps({"jsonrpc": "2.0", "id": 7, **each}).encode() for each in (*calls, *others)]


def _another_line(generator: Generator, seed: bytes) -> bytes:
    line = another_json(generator, seed)
    if generator.random() < 0.1:
        line = b"[" + b",".join([line] * generator.choice((1, 2, 20))) + b"]"
    return line.replace(b"\n", b" ").replace(b"ping-", b"pong-")[:300_000]


def _say(case: bytes) -> str:
    server = _servers.get(os.getpid())
    if server is None:
        server = _servers[os.getpid()] = _Server()
    try:
        server.send(case.replace(b"\n", b" "))
        return "answered" if server.ping() > 1 else "passed over"
    except BaseException:
        server.process.kill()
        server.process.wait()
        del _servers[os.getpid()]
        raise


TARGETS = (
    Target(name="tools", seeds=_tool_seeds, mutate=_another_call, execute=_call_tool, share=3),
    Target(name="mcp", seeds=_line_seeds, mutate=_another_line, execute=_say),
)
