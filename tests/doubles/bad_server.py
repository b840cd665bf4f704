"""A web server on this machine that keeps files and misbehaves as it is told, remembering what it was asked.

A fault takes the exchange and answers in its own way; it is chosen by path. Where there is none the server is a good one: ETag,
Range, If-Range.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import unquote

Fault = Callable[["Exchange"], None]


class Exchange(BaseHTTPRequestHandler):
    """One request and its answer."""

    protocol_version = "HTTP/1.1"
    server: BadServer

    def do_GET(self) -> None:
        """Answer well, or as the path's fault says."""
        path = unquote(self.path.partition("?")[0])
        with self.server.lock:
            self.server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        fault = self.server.faults.get(path, self.server.every)
        if fault:
            fault(self)
        else:
            self.answer_well(path)

    def answer_well(self, path: str | None = None) -> None:
        """The file, or the part of it that was asked for."""
        data = self.server.files.get(path or unquote(self.path.partition("?")[0]))
        if data is None:
            self.send(404, b"nothing here")
            return
        etag = etag_of(data)
        start, status = 0, 200
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked and self.headers.get("If-Range", etag) == etag:
            start, status = int(asked[1]), 206
            if start >= len(data):
                self.send(416, b"", {"Content-Range": f"bytes */{len(data)}"})
                return
        part = {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if status == 206 else {}
        self.send(status, data[start:], {"ETag": etag, **part})

    def send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Any answer; a header that is given replaces one that is right."""
        sent = {"Content-Length": str(len(body)), **(headers or {})}
        self.send_response(status)
        for name, value in sent.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def cut(self) -> None:
        """Break the connection off, so that the other side cannot miss it."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class BadServer(ThreadingHTTPServer):
    """Serves for as long as the context lasts."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, files: Mapping[str, bytes] | None = None, *, faults: Mapping[str, Fault] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Exchange)
        self.files = dict(files or {})
        self.faults = dict(faults or {})
        self.every: Fault | None = None
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Callers that hang up are what this is for."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stopped.set()
        self.shutdown()
        self._thread.join()
        self.server_close()


def etag_of(data: bytes) -> str:
    """What names these very bytes."""
    return f'"{hashlib.sha256(data).hexdigest()[:16]}"'


# -- faults -----------------------------------------------------------------------------------------------------------------------


def leads_to(location: str, status: int = 302) -> Fault:
    return lambda exchange: exchange.send(status, b"", {"Location": location})


def answers(status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Fault:
    return lambda exchange: exchange.send(status, body, headers)


def first(count: int, fault: Fault) -> Fault:
    """The fault the first times, then well."""
    left = [count]

    def answer(exchange: Exchange) -> None:
        left[0] -= 1
        if left[0] >= 0:
            fault(exchange)
        else:
            exchange.answer_well()

    return answer


def cut_after(size: int) -> Fault:
    """Good answers, of each of which so many bytes arrive."""

    def answer(exchange: Exchange) -> None:
        whole, exchange.wfile = exchange.wfile, _Cutting(exchange, size)  # type: ignore[assignment]
        exchange.answer_well()
        exchange.wfile = whole
        exchange.cut()

    return answer


class _Cutting:
    """Passes on a header and so many bytes of a body."""

    def __init__(self, exchange: Exchange, size: int) -> None:
        self._out, self._left, self._is_body = exchange.wfile, size, False

    def write(self, data: bytes) -> int:
        kept = data[: self._left] if self._is_body else data
        self._is_body = True
        self._out.write(kept)
        return len(data)

    def flush(self) -> None:
        self._out.flush()


def endless(exchange: Exchange) -> None:
    exchange.send_response(200)
    exchange.send_header("Connection", "close")
    exchange.end_headers()
    exchange.close_connection = True
    with contextlib.suppress(OSError):
        while not exchange.server.stopped.is_set():
            exchange.wfile.write(bytes(1 << 16))


def trickling(where: str) -> Fault:
    """A byte now and then: of the ``header``, of the ``body``, or of a chunk's ``size``."""

    def answer(exchange: Exchange) -> None:
        exchange.close_connection = True
        head = b"HTTP/1.1 200 OK\r\n"
        whole = head + (b"Content-Length: 1000000\r\n\r\n" if where == "body" else b"Transfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(OSError):
            exchange.wfile.write(head if where == "header" else whole)
            for _ in range(3000):
                if exchange.server.stopped.wait(0.02):
                    return
                exchange.wfile.write(b"0" if where == "size" else b"x")
                exchange.wfile.flush()

    return answer


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether it comes to hold in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
