"""Measures servers from the client's side: the start, calls of every tool, and the memory of each of many.

    python benchmarks/serve.py BUNDLE [--runs 9] [--calls 200] [--servers 20] [--only cold|warm|memory ...]

**Cold.** From the start of the process to the answer to ``initialize``, and to that of the first ``search_code``, which is sent
when the first has arrived. Beside it, in turns, ``python -c "import mcp"``: the whole process, as ``time`` shows it, and until the
import is done. Ratios are to both.

**Warm.** Each tool is called with arguments drawn from the bundle with a fixed seed, each time with others, by the SDK's own
client, which holds every answer against its schema, and by one that reads and writes lines of JSON and nothing more. The protocol's
own share is what ``ping`` takes.

**Memory.** Servers on one bundle at the same time, each of which has answered every tool: pages that are one server's alone
(``smaps_rollup``), beyond those of a process that has imported the same libraries and does nothing. Linux only.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Any

import anyio
from mcp import Client, StdioServerParameters

from hardtack import open_bundle
from hardtack.bundle.reader import Bundle
from hardtack.tools import TOOLS
from measure import ONE_THREAD, Command, in_turns, ratios, spread, table

_SEED = 5
_LIMITS = {"cold": 1.3, "warm_ms": 5.0, "memory_mb": 60.0}
"""What is promised."""
_WORD = re.compile(r"[A-Za-z]{4,}")
_IMPORTS = "import mcp.server.lowlevel, mcp.server.stdio, numpy, faiss, tantivy, msgpack, msgspec, click"


def pipes_of(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    """Its standard input and output, which were asked to be pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


class Server:
    """A server as a process, and a client that knows nothing but lines of JSON."""

    def __init__(self, bundle: Path) -> None:
        self.started = time.perf_counter()
        command = Command(
            arguments=[sys.executable, "-m", "hardtack", "serve", "--toolsets", "contract", "-b", str(bundle)], environment={}
        )
        pipe = subprocess.PIPE
        self.process = command.start(stdin=pipe, stdout=pipe)
        self._input, self._output = pipes_of(self.process)
        self._last = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request."""
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        answer: dict[str, Any] = json.loads(self._output.readline())
        if "error" in answer:
            raise SystemExit(f"{method} {params} failed: {answer}")
        result: dict[str, Any] = answer["result"]
        return result

    def open(self) -> None:
        """Shake hands."""
        who = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "0"}}
        self.ask("initialize", **who)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a tool."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._input.close()
        self.process.wait(20)
        self._output.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        self._input.write(json.dumps(message).encode() + b"\n")
        self._input.flush()


# -- cold -----------------------------------------------------------------------------------------------------------------------


def cold(bundle: Path, runs: int) -> bool:
    """Print the cold start; whether it is what is promised."""
    calls: dict[str, Callable[[], tuple[float, float]]] = {"imports": _import_sdk, "server": lambda: _first_answers(bundle)}
    taken = in_turns(calls, runs)
    whole, imported, initialized, searched = (list(column) for pairs in taken.values() for column in zip(*pairs, strict=True))
    print(
        table(
            ("from the start of the process", "ms", 'of `python -c "import mcp"`', "of the import in it"),
            [
                ('`python -c "import mcp"`, whole', spread(whole, 1000), "", ""),
                ("until it is imported", spread(imported, 1000), "", ""),
                *(
                    (name, spread(times, 1000), spread(ratios(times, whole), 1, 2), spread(ratios(times, imported), 1, 2))
                    for name, times in (
                        ("`initialize` is answered", initialized),
                        ("the first `search_code` is answered", searched),
                    )
                ),
            ],
        )
    )
    return statistics.median(ratios(searched, whole)) <= _LIMITS["cold"]


def _import_sdk() -> tuple[float, float]:
    """Seconds that a process takes that imports the SDK, and until that is done."""
    start = time.perf_counter()
    code = "import mcp, os; os.write(1, b'.')"
    pipe = subprocess.PIPE
    process = Command(arguments=[sys.executable, "-c", code], environment={}).start(stdin=pipe, stdout=pipe)
    with ExitStack() as stack:
        _, output = map(stack.enter_context, pipes_of(process))
        output.read(1)
        imported = time.perf_counter() - start
        process.wait()
    return time.perf_counter() - start, imported


def _first_answers(bundle: Path) -> tuple[float, float]:
    """Seconds from the start of a server to the answer to ``initialize``, and to a search."""
    with Server(bundle) as server:
        server.open()
        initialized = time.perf_counter() - server.started
        server.call("search_code", {"query": "where is the checksum of a file verified"})
        return initialized, time.perf_counter() - server.started


# -- warm -----------------------------------------------------------------------------------------------------------------------


def calls_of(bundle: Bundle) -> dict[str, Iterator[dict[str, Any]]]:
    """Each tool that only reads -> arguments for it, each others than the one before."""
    drawn = random.Random(_SEED)
    counts = bundle.manifest.counts

    def symbols() -> Iterator[Any]:
        while True:
            symbol = bundle.symbol(drawn.randrange(counts.symbols))
            if symbol.name.isidentifier():
                yield symbol

    def words() -> Iterator[str]:
        while True:
            chunk = bundle.chunk(drawn.randrange(counts.chunks))
            found = _WORD.findall(bundle.text_of(bundle.file(chunk.file), chunk.start, chunk.end).decode("utf-8", "replace"))
            if len(found) > 4:
                yield " ".join(drawn.sample(found, 4))

    def files() -> Iterator[Any]:
        while True:
            yield bundle.file(drawn.randrange(counts.files))

    names = ({"symbol_name": symbol.name} for symbol in symbols())
    return {
        "search_code": ({"query": text} for text in words()),
        "hybrid_search": ({"query": text} for text in words()),
        "analyze_query": ({"query": text} for text in words()),
        "find_similar": ({"path": bundle.file(s.file).path, "line": s.start_line} for s in symbols()),
        "find_type_definition": ({"type_name": s.name} for s in _known(symbols(), ("class", "struct", "interface", "enum"))),
        "get_function_details": ({"function_name": s.name} for s in _known(symbols(), ("function", "method"))),
        "list_package_exports": ({"package": s.package or bundle.file(s.file).path.rpartition(".")[0]} for s in symbols()),
        "find_implementations": names,
        "find_references": names,
        "search": ({"query": text.split()[0]} for text in words()),
        "smart_search": ({"query": text.split()[0]} for text in words()),
        "open_file": ({"path": file.path} for file in files()),
        "get_snippet": ({"path": f.path, "start_line": 1, "end_line": min(20, f.line_count)} for f in files() if f.line_count),
        "list_dir": ({"path": file.path.rpartition("/")[0] or "."} for file in files()),
        **{name: iter(dict, None) for name in ("list_indexes", "index_stats", "get_status")},
    }


def _known(symbols: Iterator[Any], kinds: tuple[str, ...]) -> Iterator[Any]:
    return (symbol for symbol in symbols if symbol.kind in kinds)


def warm(place: Path, bundle: Bundle, count: int) -> bool:
    """Print what calls take; whether it is what is promised."""
    by_lines = _by_lines(place, calls_of(bundle), count)
    by_client = anyio.run(_by_client, place, calls_of(bundle), count)
    rows = [
        (
            f"`{name}`",
            *(f"{_at(times[name], share):.2f}" for times in (by_client, by_lines) if name in times for share in (0.5, 0.95)),
        )
        for name in by_lines
    ]
    every = [[one for name, taken in times.items() if name != "ping" for one in taken] for times in (by_client, by_lines)]
    rows.append(("all tools", *(f"{_at(taken, share):.2f}" for taken in every for share in (0.5, 0.95))))
    print(table(("ms", "SDK's client, p50", "p95", "lines alone, p50", "p95"), rows))
    return _at(every[1], 0.5) < _LIMITS["warm_ms"]


def _by_lines(place: Path, calls: Mapping[str, Iterator[dict[str, Any]]], count: int) -> dict[str, list[float]]:
    """Milliseconds of each call, by name of the tool; of ``ping`` besides."""
    with Server(place) as server:
        server.open()

        def timed(ask: Callable[[], object]) -> float:
            start = time.perf_counter()
            ask()
            return (time.perf_counter() - start) * 1000

        def times(name: str) -> list[float]:
            server.call(name, next(calls[name]))
            return [timed(partial(server.call, name, given)) for given in _first(calls[name], count)]

        return {"ping": [timed(lambda: server.ask("ping")) for _ in range(count)], **{name: times(name) for name in calls}}


async def _by_client(place: Path, calls: Mapping[str, Iterator[dict[str, Any]]], count: int) -> dict[str, list[float]]:
    """The same, by the SDK's client."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "hardtack", "serve", "--toolsets", "contract", "-b", str(place), "--log-level", "error"],
        env=ONE_THREAD,
    )
    found: dict[str, list[float]] = {}
    async with Client(parameters, mode="legacy") as client:
        start = time.perf_counter()
        found["ping"] = []
        for _ in range(count):
            start = time.perf_counter()
            await client.session.send_ping()
            found["ping"].append((time.perf_counter() - start) * 1000)
        for name, each in calls.items():
            await client.call_tool(name, next(each))
            found[name] = []
            for given in _first(each, count):
                start = time.perf_counter()
                await client.call_tool(name, given)
                found[name].append((time.perf_counter() - start) * 1000)
    return found


def _first(calls: Iterator[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    return [next(calls) for _ in range(count)]


def _at(values: list[float], share: float) -> float:
    """The value below which that share of all lies."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


# -- memory ---------------------------------------------------------------------------------------------------------------------


def memory(place: Path, bundle: Bundle, servers: int) -> bool:
    """Print what each of many servers has for itself; whether it is what is promised."""
    idle = Command(arguments=[sys.executable, "-c", f"{_IMPORTS}; print(flush=True); input()"], environment=ONE_THREAD)
    calls = calls_of(bundle)
    with ExitStack() as stack:
        others = [
            idle.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)
        ]  # two, so that they share their libraries
        for other in others:
            its_input, its_output = pipes_of(other)
            stack.callback(its_output.close)
            stack.callback(other.wait)
            stack.callback(its_input.close)
            its_output.readline()
        started = [stack.enter_context(Server(place)) for _ in range(servers)]
        for server in started:
            server.open()
            for name, each in calls.items():
                for given in _first(each, 3):
                    server.call(name, given)
        imports = _private(others[0].pid)
        private = [_private(server.process.pid) for server in started]
        beyond = [each - imports for each in private]
    print(
        table(
            (f"{servers} servers, each after {3 * len(calls)} calls of {len(calls)} tools", "MB of its own"),
            [
                ("interpreter and imports, doing nothing", f"{imports:.1f}"),
                ("a server", spread(private, 1, 1)),
                ("beyond interpreter and imports", spread(beyond, 1, 1)),
                ("of the largest", f"{max(beyond):.1f}"),
            ],
        )
    )
    return max(beyond) < _LIMITS["memory_mb"]


def _private(pid: int) -> float:
    """Megabytes of pages that are this process's alone."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def main() -> None:
    """Measure what was asked for; exit with 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--runs", type=int, default=9, help="cold starts")
    parser.add_argument("--calls", type=int, default=200, help="warm calls of each tool")
    parser.add_argument("--servers", type=int, default=20)
    parser.add_argument("--only", nargs="+", choices=("cold", "warm", "memory"), default=("cold", "warm", "memory"))
    given = parser.parse_args()
    kept = True
    with open_bundle(given.bundle) as searcher:
        bundle = searcher.bundle
        missing = {name for toolset, names in TOOLS.items() if toolset != "build" for name in names} ^ calls_of(bundle).keys()
        if missing:
            raise SystemExit(f"no arguments are drawn for {', '.join(sorted(missing))}")
        print(f"{bundle.manifest.counts.chunks} chunks, {bundle.manifest.counts.files} files\n")
        measurements: dict[str, Callable[[], bool]] = {
            "cold": lambda: cold(given.bundle, given.runs),
            "warm": lambda: warm(given.bundle, bundle, given.calls),
            "memory": lambda: memory(given.bundle, bundle, given.servers),
        }
        for name in given.only:
            kept = measurements[name]() and kept
            print()
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
