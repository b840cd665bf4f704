"""Proves that connections without the token neither slow a server for the token's owner nor fill its log.

    python benchmarks/proofs/flood.py REPO [--connections 1000] [--calls 200] [--again]

REPO is built and served over HTTP, with at most 1,024 open files. The owner searches on one connection, first alone, then while so
many others are open that have sent half a header, then alone again. ``--again`` opens each connection anew that the server closes.

Exits 1 if a call failed, their median was over twice that of the slower time alone, or the log had 1,000 lines. Linux only.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
from proof import HARDTACK, Proof, build, scratch

from hardtack import open_bundle

_FILES = 1024
_SLOWER, _LINES = 2.0, 1000
"""What is promised: at most so many times as slow, and fewer lines."""
_TOKEN = "a token for this proof alone"
_HEADERS = {"Authorization": f"Bearer {_TOKEN}", "Accept": "application/json, text/event-stream"}
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "flood", "version": "0"}}


class Owner:
    """A client that has the token."""

    def __init__(self, url: str, names: list[str]) -> None:
        self._url, self._http = url, httpx2.Client(headers=_HEADERS, timeout=60)
        self._names, self._numbers = itertools.cycle(names), itertools.count(1)
        self._http.headers["mcp-session-id"] = self._post("initialize", _HELLO).headers["mcp-session-id"]

    def medians(self, calls: int) -> float:
        """Milliseconds of a search, the median of so many."""
        taken = []
        for _ in range(calls):
            started = time.perf_counter()
            answer = self._post("tools/call", {"name": "search_code", "arguments": {"query": next(self._names)}})
            taken.append((time.perf_counter() - started) * 1000)
            if answer.status_code != 200 or '"isError":true' in answer.text:
                sys.exit(f"a call failed: {answer.text[:300]}")
        return statistics.median(taken)

    def _post(self, method: str, params: object) -> httpx2.Response:
        return self._http.post(self._url, json={"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params})


@contextmanager
def served(bundle: Path) -> Iterator[tuple[str, list[bytes]]]:
    """A server's address, and the lines that it logs."""
    command = [*HARDTACK, "serve", "--toolsets", "all", "-b", str(bundle), "--http", "--port", "0", "--log-level", "warning"]
    environment = {**os.environ, "HARDTACK_SERVE_TOKEN": _TOKEN}
    few = (_FILES, _FILES)
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, few),
    ) as process:
        assert process.stderr
        lines: list[bytes] = []
        try:
            yield json.loads(process.stderr.readline())["url"], lines
        finally:
            process.terminate()
            lines += process.stderr  # the log of a flood fits the pipe, or the proof fails


class Flood(threading.Thread):
    """Holds connections open that have sent half a header."""

    def __init__(self, address: tuple[str, int], count: int, *, again: bool) -> None:
        super().__init__(daemon=True)
        self._address, self._count, self._again = address, count, again
        self._held: list[socket.socket] = []
        self.full, self.over = threading.Event(), threading.Event()

    def run(self) -> None:
        """Open what is missing, until it is over."""
        while not self.over.is_set():
            while len(self._held) < self._count and not self.over.is_set():
                self._open()
            self.full.set()
            if self._again:
                self._held = [held for held in self._held if _is_open(held)]
            time.sleep(0.02)
        for held in self._held:
            held.close()

    def _open(self) -> None:
        with suppress(OSError):
            stranger = socket.create_connection(self._address, timeout=10)
            self._held.append(stranger)
            stranger.sendall(b"GET / HTTP/1.1\r\nX: ")
            stranger.setblocking(False)


def _is_open(held: socket.socket) -> bool:
    try:
        if held.recv(1):
            return True
    except BlockingIOError:
        return True
    except OSError:
        pass
    held.close()
    return False


def main() -> None:
    """Flood a server; exit with 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--again", action="store_true", help="open again what the server closes")
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    proof = Proof(f"{given.connections} connections without the token{', opened again and again' if given.again else ''}")
    with scratch() as place:
        build(given.repository, place / "bundle")
        with open_bundle(place / "bundle") as searcher:
            bundle = searcher.bundle
            ordinals = random.Random(5).sample(range(bundle.manifest.counts.symbols), min(bundle.manifest.counts.symbols, 100))
            names = [bundle.symbol(ordinal).name or "main" for ordinal in ordinals]
        with served(place / "bundle") as (url, lines):
            owner = Owner(url, names)
            owner.medians(30)
            before = owner.medians(given.calls)
            flood = Flood((urlsplit(url).hostname or "", urlsplit(url).port or 0), given.connections, again=given.again)
            flood.start()
            flood.full.wait(60)
            beset = owner.medians(given.calls)
            flood.over.set()
            flood.join()
            after = owner.medians(given.calls)
    alone = max(before, after)
    detail = f"median {before:.1f} ms before, {beset:.1f} ms amid them, {after:.1f} ms after"
    proof.claim("the owner is served as before", beset <= _SLOWER * alone, detail)
    proof.claim("the log stays short", len(lines) < _LINES, f"{len(lines)} lines")
    proof.leave()


if __name__ == "__main__":
    main()
