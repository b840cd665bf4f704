"""A service on this machine that speaks the ``/embeddings`` form and misbehaves as it is told, counting what it was asked.

Its vectors are hashed words, so that texts that share words are near, and equal texts equal. A fault takes the request's texts and
its good answer, and does something else; it is chosen by the number of the request, the first being 0.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from hardtack.encoders.foreign import PROBE_TEXT
from hardtack.encoders.hashing import HashingEncoder

Fault = Callable[["Exchange"], None]


class Exchange(BaseHTTPRequestHandler):
    """One request and its answer."""

    protocol_version = "HTTP/1.1"
    server: EmbeddingServer

    def do_POST(self) -> None:
        """Answer well, or as the fault of this request's number says."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.texts: list[str] = asked["input"]
        number = self.server.take(self.path, dict(self.headers), asked)
        fault = self.server.faults.get(number, self.server.every)
        if fault is None:
            self.answer_well()
        else:
            fault(self)

    def answer_well(self, dimension: int | None = None) -> None:
        """The vectors, in order, and the texts counted as answered."""
        document = self.good(dimension)
        self.server.count(self.texts)
        self.send(200, document)

    def good(self, dimension: int | None = None) -> dict[str, Any]:
        vectors = self.server.vectors(self.texts, dimension)
        return {"data": [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]}

    def send(self, status: int, document: object, headers: Sequence[tuple[str, str]] = ()) -> None:
        """Any answer, as JSON unless it is bytes already."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in (("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is printed."""


class EmbeddingServer(ThreadingHTTPServer):
    """Runs in a thread for as long as it is entered."""

    daemon_threads = True

    def __init__(self, *, dimension: int = 64, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Exchange)
        self.encoder = HashingEncoder(dimension)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.faults: dict[int, Fault] = {}
        self.every: Fault | None = None
        """What happens to requests that have no fault of their own; None answers them well."""
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        """(path, headers, document), in the order they came."""
        self.answered: Counter[str] = Counter()
        """Text to how many times it was answered, the probe left out."""
        self.most_at_once = 0
        self.lengthen = 1.0
        """What numbers are multiplied by: the client brings vectors to length 1 itself."""
        self._lock = threading.Lock()

    def take(self, path: str, headers: dict[str, str], document: dict[str, Any]) -> int:
        """Note a request; its number."""
        with self._lock:
            self.requests.append((path, headers, document))
            return len(self.requests) - 1

    def count(self, texts: Sequence[str]) -> None:
        with self._lock:
            self.answered.update(text for text in texts if text != PROBE_TEXT)

    def vectors(self, texts: Sequence[str], dimension: int | None = None) -> list[list[float]]:
        """The vectors of ``texts``, of another dimension where one is given."""
        encoder = HashingEncoder(dimension) if dimension else self.encoder
        return [[self.lengthen * float(number) for number in row] for row in encoder.encode([f"text {text}" for text in texts])]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is what some tests are about."""

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.shutdown()
        self.server_close()


def status(code: int, *headers: tuple[str, str], says: str = "") -> Fault:
    """An answer of that status and nothing useful."""
    return lambda exchange: exchange.send(code, {"error": {"message": says}}, headers)


def retry_after_date(seconds: float) -> Fault:
    """Busy, and to be asked again at a point in time."""
    return lambda exchange: status(429, ("Retry-After", formatdate(time.time() + seconds, usegmt=True)))(exchange)


def reset(exchange: Exchange) -> None:
    """The connection is torn down without a word."""
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.connection.close()
    exchange.close_connection = True


def half(exchange: Exchange) -> None:
    """Half of what was announced, then the end of the connection."""
    body = json.dumps(exchange.good()).encode()
    exchange.send_response(200)
    exchange.send_header("Content-Length", str(len(body)))
    exchange.end_headers()
    exchange.wfile.write(body[: len(body) // 2])
    exchange.close_connection = True


def cut_json(exchange: Exchange) -> None:
    """A whole answer that holds half a document."""
    body = json.dumps(exchange.good()).encode()
    exchange.send(200, body[: len(body) // 2])


def silence(seconds: float) -> Fault:
    """No answer for a while, then none at all."""

    def stay_silent(exchange: Exchange) -> None:
        time.sleep(seconds)
        exchange.close_connection = True

    return stay_silent


def drip(pause: float) -> Fault:
    """A byte at a time, each soon enough to keep a reader waiting."""

    def drop(exchange: Exchange) -> None:
        body = json.dumps(exchange.good()).encode()
        exchange.send_response(200)
        exchange.send_header("Content-Length", str(len(body)))
        exchange.end_headers()
        for byte in body:
            exchange.wfile.write(bytes([byte]))
            exchange.wfile.flush()
            time.sleep(pause)

    return drop


def other(change: Callable[[list[dict[str, Any]]], object]) -> Fault:
    """A good answer whose list of vectors was changed, or replaced by what the change returns."""

    def answer(exchange: Exchange) -> None:
        document = exchange.good()
        changed = change(document["data"])
        if changed is not None:
            document["data"] = changed
        exchange.send(200, document)

    return answer


def shuffled(exchange: Exchange) -> None:
    """A good answer in another order: the index says which is whose."""
    document = exchange.good()
    document["data"].reverse()
    exchange.server.count(exchange.texts)
    exchange.send(200, document)
