"""A flood over HTTP costs the token's owner little time and the operator's disk little room."""

from __future__ import annotations

import itertools
import json
import os
import resource
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp_servers import TOKEN, environment, event_of, started
from processes import piped

OWN = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}


class Served:
    """A server as a process, its owner's session, and the lines that it logs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.url = event_of(process, "listening")["url"]
        self.address = urlsplit(self.url).hostname or "", urlsplit(self.url).port or 0
        self.lines: list[bytes] = []
        self._reading = threading.Thread(target=lambda: self.lines.extend(piped(process.stderr)), daemon=True)
        self._reading.start()
        self._numbers = itertools.count(1)
        self.http = httpx2.Client(timeout=30, headers=OWN)
        answer = self.post("initialize", HELLO)
        self.http.headers["mcp-session-id"] = answer.headers["mcp-session-id"]

    def post(self, method: str, params: object = None) -> httpx2.Response:
        return self.http.post(
            self.url, json={"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params or {}}
        )

    def seconds(self, method: str, params: object = None) -> float:
        start = time.perf_counter()
        assert self.post(method, params).status_code == 200
        return time.perf_counter() - start

    def search(self) -> float:
        return self.seconds("tools/call", {"name": "search_code", "arguments": {"query": "take the oldest jar", "limit": 3}})

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def logged(self) -> list[bytes]:
        """All lines, once the server has ended."""
        self.process.terminate()
        assert self.process.wait(10) == 0
        self._reading.join(10)
        return self.lines


@contextmanager
def served(bundle: Path, files: int = 1024) -> Iterator[Served]:
    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    variables = environment(HARDTACK_SERVE_TOKEN=TOKEN)
    with started("-b", bundle, "--http", "--port", "0", env=variables, preexec_fn=few_files, stdin=subprocess.DEVNULL) as process:
        found = Served(process)
        with closing(found.http):
            yield found


@pytest.fixture
def many_files() -> Iterator[None]:
    """This process may open the files that a flood takes, beside those that it has open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = len(os.listdir("/proc/self/fd")) + 2_000
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this process may open {hard} files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def flood(address: tuple[str, int], count: int, said: bytes) -> Iterator[None]:
    """So many open connections that say something without the token."""
    with ExitStack() as held:
        for _ in range(count):
            stranger = held.enter_context(socket.create_connection(address, timeout=20))
            with suppress(OSError):
                stranger.sendall(said)
        yield


def usual(server: Served) -> float:
    """What a call of the owner's takes: the lower quartile of many, which other work on this machine hardly changes."""
    return statistics.quantiles((server.search() for _ in range(60)), n=4)[0]


BEGUN = {
    "a header": b"GET / HTTP/1.1\r\nX: ",
    "nothing": b"",
    "a body": b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n",
    "TLS": bytes.fromhex("160301020001"),
    "a WebSocket": b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
}


@pytest.mark.usefixtures("many_files")
@pytest.mark.parametrize("said", BEGUN.values(), ids=BEGUN)
def test_a_thousand_connections_without_the_token_do_not_slow_its_owner(pantry_bundle: Path, said: bytes) -> None:
    with served(pantry_bundle) as server:
        for _ in range(20):
            server.search()
        alone = usual(server)
        with flood(server.address, 1_000, said):
            beset = usual(server)
        alone = max(alone, usual(server))  # a busy machine may have been busier meanwhile
        lines = server.logged()
    assert beset < 2 * alone + 0.005
    assert len([line for line in lines if b"tool_called" not in line]) < 200
    assert any(b"log_lines_limited" in line for line in lines)


def test_a_server_without_file_descriptors_waits_and_neither_spins_nor_fills_the_log(pantry_bundle: Path) -> None:
    with served(pantry_bundle, files=96) as server:
        before = server.cpu()
        with flood(server.address, 150, b""):
            time.sleep(3)
            assert server.cpu() - before < 1.5
        time.sleep(0.5)
        assert server.search() < 5
        assert len(server.logged()) < 100


def large(kind: str) -> bytes:
    return {
        "keys": b"{" + b",".join(b'"k%06d":1' % number for number in range(300_000)) + b"}",
        "depth": b'{"query":' + b"[" * 2_000_000 + b"]" * 2_000_000 + b"}",
        "digits": b'{"query":"x","limit":' + b"9" * 4_000_000 + b"}",
        "numbers": b'{"query":[' + b",".join([b"9" * 990] * 1_000) + b"]}",
        "escapes": b'{"query":"' + rb"\u0061" * 170_000 + b'"}',
        "quotes": b'{"query":"' + rb"\"" * 500_000 + b'"}',
        "a key": b'{"query":"x","' + b"k" * 1_000_000 + b'":1}',
        "objects": b'{"query":[' + b",".join([b"{}"] * 300_000) + b"]}",
        "texts": b'{"query":[' + b",".join([b'""'] * 4_900) + b"]}",
    }[kind]


@pytest.mark.parametrize("kind", ["keys", "depth", "digits", "numbers", "escapes", "quotes", "a key", "objects", "texts"])
@pytest.mark.parametrize("era", [{}, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"}], ids=["2025", "2026"])
def test_four_large_messages_do_not_hold_up_a_ping(pantry_bundle: Path, kind: str, era: dict[str, str]) -> None:
    begin = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_code","arguments":'

    def send(number: int) -> int:
        with httpx2.Client(timeout=30, headers={**dict(server.http.headers), **era}) as http:
            return int(http.post(server.url, content=begin % number + large(kind) + b"}}").status_code)

    with served(pantry_bundle) as server, ThreadPoolExecutor(4) as pool:
        longest = []
        for turn in range(1, 4):  # on a busy machine, the best of three
            sent = [pool.submit(send, 1_000 * turn + number) for number in range(4)]
            waits = [server.seconds("ping")]
            while not all(each.done() for each in sent):
                waits.append(server.seconds("ping"))
            longest.append(max(waits))
            assert {each.result() for each in sent} <= {200, 400, 413}
            if longest[-1] < 1:
                break
        assert min(longest) < 1


def test_a_batch_of_many_small_messages_is_refused_and_holds_nobody_up(pantry_bundle: Path) -> None:
    for count in (1_200, 20_000):
        batch = b"[" + b",".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number for number in range(count)) + b"]"
        with served(pantry_bundle) as server:
            start = time.perf_counter()
            answer = server.http.post(server.url, content=batch)
            assert answer.status_code in (400, 413)
            assert time.perf_counter() - start < 2
            assert server.seconds("ping") < 1


def test_a_line_says_how_many_refusals_were_not_written(pantry_bundle: Path) -> None:
    with served(pantry_bundle) as server:
        for _ in range(60):
            assert httpx2.get(server.url).status_code == 401
        events = [json.loads(line) for line in server.logged()]
    assert len([event for event in events if event["event"] == "request_refused"]) == 20
    (told,) = [event for event in events if event["event"] == "log_lines_limited"]
    assert (told["of"], told["count"]) == ("request_refused TOKEN_WRONG", 40)
