"""Proves that a server answers for an hour while its bundle is replaced every minute: none fails, it does not grow, it stays fast.

    python benchmarks/proofs/soak.py REPO [--transport stdio|http] [--minutes 60] [--minute 60] [--clients 2] [--pause 0.05]

REPO is cloned and built. A server answers calls of many tools, drawn from the bundle with a fixed seed, while each minute a line is
committed to the clone and ``hardtack build`` replaces the bundle. A call that fails or gives an error counts as failed.

The first five minutes are the measure of the rest. Memory is the server's resident set: the median of the last five minutes
against that of the five after the first. Speed is the 99th percentile of each minute. ``--minute SECONDS`` makes minutes shorter;
memory and speed are then shown and not judged, as a server that has just started grows, and few calls have no percentiles.
Exits 1 if a call failed, the server grew by 5 %, or a minute's p99 was over three times that of the first five. Linux only.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from anyio import to_thread
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from proof import Proof, build, clone, git, scratch

from hardtack import open_bundle
from hardtack.bundle.reader import Bundle

_SEED = 5
_CALLS = 400
"""Calls that are drawn; they are made round and round."""
_FIRST = 5
"""Minutes that the others are measured against."""
_MINUTE = 60.0
_GROWTH, _SLOWER = 0.05, 3.0
"""What is promised: less growth than this share, and no minute's p99 of more than so many times that of the first."""
_TOKEN = "a token for this proof alone"

Call = tuple[str, Mapping[str, Any]]


def calls_of(bundle: Bundle) -> list[Call]:
    """Calls of all tools that read, in a mixed order."""
    drawn = random.Random(_SEED)
    counts = bundle.manifest.counts
    symbols = [bundle.symbol(ordinal) for ordinal in drawn.sample(range(counts.symbols), min(counts.symbols, 200))]
    named = [symbol for symbol in symbols if symbol.name.isidentifier()]
    files = [bundle.file(ordinal) for ordinal in drawn.sample(range(counts.files), min(counts.files, 50))]
    calls: list[Call] = [(name, {}) for name in ("list_indexes", "index_stats", "get_status")]
    for symbol in named:
        path = bundle.file(symbol.file).path
        calls += [("search_code", {"query": f"where is {symbol.name} used"}), ("smart_search", {"query": symbol.name})]
        calls += [("hybrid_search", {"query": symbol.name}), ("find_references", {"symbol_name": symbol.name})]
        calls += [("search", {"query": symbol.name}), ("find_similar", {"path": path, "line": symbol.start_line})]
    for file in files:
        calls += [("open_file", {"path": file.path}), ("list_dir", {"path": file.path.rpartition("/")[0] or "."})]
        if file.line_count:
            calls.append(("get_snippet", {"path": file.path, "start_line": 1, "end_line": min(20, file.line_count)}))
    drawn.shuffle(calls)
    return calls[:_CALLS]


class Soak:
    """What was measured, minute by minute."""

    def __init__(self, minute: float) -> None:
        self._minute, self._started = minute, time.monotonic()
        self.taken: dict[int, list[float]] = {}
        """Milliseconds of the calls of each minute."""
        self.resident: dict[int, list[int]] = {}
        """The server's resident set in kB, several times a minute."""
        self.failed: list[str] = []
        self.replaced = 0

    @property
    def now(self) -> int:
        """The minute that it is."""
        return int((time.monotonic() - self._started) / self._minute)

    async def call(self, client: Client, calls: Iterator[Call], minutes: int, pause: float) -> None:
        """Make one call after the other."""
        while (minute := self.now) < minutes:
            name, arguments = next(calls)
            started = time.perf_counter()
            try:
                answer = await client.call_tool(name, dict(arguments))
                if answer.is_error:
                    self.failed.append(f"{name} {dict(arguments)}: {answer.content}")
            except Exception as error:  # noqa: BLE001  (whatever a call dies of is what is counted)
                self.failed.append(f"{name} {dict(arguments)}: {error!r}")
            self.taken.setdefault(minute, []).append((time.perf_counter() - started) * 1000)
            await anyio.sleep(pause)

    async def watch(self, process: int, minutes: int) -> None:
        """Look at the server's memory."""
        while (minute := self.now) < minutes:
            self.resident.setdefault(minute, []).append(_resident(process))
            await anyio.sleep(self._minute / 12)

    async def replace(self, repository: Path, bundle: Path, minutes: int) -> None:
        """Commit a line and build again, once a minute."""
        while (minute := self.now) < minutes - 1:
            await anyio.sleep(max(self._started + (minute + 1) * self._minute - time.monotonic(), 0))
            await to_thread.run_sync(_move_on, repository, minute)
            await to_thread.run_sync(build, repository, bundle)
            self.replaced += 1


def _move_on(repository: Path, minute: int) -> None:
    with (repository / "SOAK.md").open("a") as file:
        file.write(f"Minute {minute} has passed.\n")
    git(repository, "add", "SOAK.md")
    git(repository, "-c", "user.name=soak", "-c", "user.email=soak@example.org", "commit", "--quiet", "-m", f"Minute {minute}")


def _resident(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


@asynccontextmanager
async def clients_of(transport: str, bundle: Path, count: int) -> AsyncIterator[tuple[list[Client], int]]:
    """Clients of one server, and the server's process. Over standard input and output it is one, with several calls at a time."""
    arguments = ["-P", "-m", "hardtack", "serve", "--toolsets", "all", "-b", str(bundle), "--log-level", "error"]
    async with AsyncExitStack() as stack:
        if transport == "stdio":
            parameters = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
            yield [await stack.enter_async_context(Client(parameters))] * count, _child_that_serves()
            return
        process, address = stack.enter_context(listening(arguments))
        headers = {"Authorization": f"Bearer {_TOKEN}"}
        clients = []
        for _ in range(count):
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            clients.append(await stack.enter_async_context(Client(streamable_http_client(address, http_client=http))))
        yield clients, process


@contextmanager
def listening(arguments: list[str]) -> Iterator[tuple[int, str]]:
    """A server that listens for HTTP: its process, and its address."""
    command = [sys.executable, *arguments, "--http", "--port", "0"]
    environment = {**os.environ, "HARDTACK_SERVE_TOKEN": _TOKEN}
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr
            yield process.pid, json.loads(process.stderr.readline())["url"]
        finally:
            process.terminate()


def _child_that_serves() -> int:
    """The process of the server that this one has started."""
    found = [int(each) for path in Path("/proc/self/task").glob("*/children") for each in path.read_text().split()]
    return next(each for each in found if b"serve" in Path(f"/proc/{each}/cmdline").read_bytes().split(b"\0"))


async def soak(repository: Path, bundle: Path, given: argparse.Namespace) -> Soak:
    """Call, watch and replace until the minutes are over."""
    with open_bundle(bundle) as searcher:
        calls = itertools.cycle(calls_of(searcher.bundle))
    async with clients_of(given.transport, bundle, given.clients) as (clients, process):
        found = Soak(given.minute)
        async with anyio.create_task_group() as group:
            for client in clients:
                group.start_soon(found.call, client, calls, given.minutes, given.pause)
            group.start_soon(found.watch, process, given.minutes)
            group.start_soon(found.replace, repository, bundle, given.minutes)
    return found


def judge(found: Soak, proof: Proof, minutes: int, *, is_short: bool) -> None:
    """Settle the claims; of a short soak only the first."""

    def claim(what: str, holds: bool, detail: str) -> None:
        if is_short:
            proof.skip(what, detail)
        else:
            proof.claim(what, holds, detail)

    calls = sum(map(len, found.taken.values()))
    for sentence in found.failed[:5]:
        print(f"        {sentence[:300]}")
    proof.claim("no call failed", not found.failed, f"{len(found.failed)} of {calls} calls, {found.replaced} bundles")
    first = statistics.median(itertools.chain(*(found.resident[each] for each in range(1, _FIRST + 1))))
    last = statistics.median(itertools.chain(*(found.resident[each] for each in range(minutes - _FIRST, minutes))))
    growth = last / first - 1
    claim("the server does not grow", growth < _GROWTH, f"{first / 1024:.1f} to {last / 1024:.1f} MB, {growth:+.1%}")
    base = p99([one for minute in range(_FIRST) for one in found.taken[minute]])
    slowest = max(p99(found.taken[minute]) for minute in range(_FIRST, minutes))
    every = ", ".join(f"{p99(found.taken[minute]):.0f}" for minute in range(minutes))
    claim("it stays fast", slowest <= _SLOWER * base, f"p99 {base:.1f} ms at first, {slowest / base:.2f} times that at worst")
    print(f"        p99 of each minute, ms: {every}")


def p99(taken: list[float]) -> float:
    """The 99th percentile."""
    return sorted(taken)[int(len(taken) * 0.99)]


def main() -> None:
    """Soak a server; exit with 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--transport", choices=("stdio", "http"), default="http")
    parser.add_argument("--minutes", type=int, default=60, help=f"more than {2 * _FIRST}")
    parser.add_argument("--minute", type=float, default=_MINUTE, help="seconds of a minute")
    parser.add_argument("--clients", type=int, default=2, help="calls at a time")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between a client's calls")
    given = parser.parse_args()
    if given.minutes <= 2 * _FIRST:
        parser.error(f"--minutes: {2 * _FIRST + 1} at least, for there is nothing to compare otherwise")
    proof = Proof(f"{given.transport}, {given.minutes} minutes of {given.minute:g} s, {given.clients} calls at a time")
    with scratch() as place:
        repository, bundle = clone(given.repository, place / "clone"), place / "bundle"
        build(repository, bundle)
        judge(anyio.run(soak, repository, bundle, given), proof, given.minutes, is_short=given.minute < _MINUTE)
    proof.leave()


if __name__ == "__main__":
    main()
