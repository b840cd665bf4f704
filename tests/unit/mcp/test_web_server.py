"""Who reaches the port and has no token can hold neither the server nor its owner up."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any

import pytest

from hardtack.mcp import web_server
from hardtack.mcp.web_guards import MessageGuard, TokenGuard, is_too_much

TOKEN = "a token that nobody guesses"
OWN = f"Authorization: Bearer {TOKEN}\r\n".encode()
SECONDS = 1.2
"""That a connection of these tests has for the token, a header and a body."""

BUSY = 3.0
"""Seconds that a busy machine may add."""

Talk = Callable[[socket.socket], None]


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers with the size of what it was sent."""
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    body = str(size).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """That of a server in a thread, whose deadlines are short."""
    for name in ("TOKEN_SECONDS", "HEAD_SECONDS", "BODY_SECONDS"):
        monkeypatch.setattr(web_server, name, SECONDS)
    monkeypatch.setattr(web_server, "MOST_WAITING", 8)
    with socket.create_server(("127.0.0.1", 0)) as opened:
        web = web_server.web_server(TokenGuard(MessageGuard(echo), TOKEN), grace=1)
        serving = threading.Thread(target=lambda: asyncio.run(web.serve(sockets=[opened])))
        serving.start()
        yield opened.getsockname()[1]
        web.should_exit = True
        serving.join(10)


def opened(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def owned(port: int) -> bytes:
    """What the token's owner is answered, on a connection of his own."""
    with opened(port) as own:
        own.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + OWN + b"\r\n")
        return b"".join(iter(lambda: own.recv(4096), b""))


# -- what holds a connection open -------------------------------------------------------------------------------------------------


def sends(data: bytes) -> Talk:
    return lambda peer: peer.sendall(data)


def drips(start: bytes, drop: bytes, pause: float = 0.05) -> Talk:
    def talk(peer: socket.socket) -> None:
        peer.sendall(start)
        for _ in range(200):
            peer.sendall(drop)
            time.sleep(pause)

    return talk


def half_closed(peer: socket.socket) -> None:
    peer.sendall(b"GET / HTTP/1.1\r\nX: ")
    peer.shutdown(socket.SHUT_WR)


def tries_again(peer: socket.socket) -> None:
    """One request with a wrong token after the other."""
    for _ in range(200):
        peer.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n")
        time.sleep(0.05)


GET, POST = b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nHost: x\r\n"
STRANGERS = {
    "says nothing": sends(b""),
    "begins a header": sends(b"GET / HTTP/1.1\r\nX: "),
    "sends a header byte by byte": drips(b"GET / HTTP/1.1\r\nX: ", b"x"),
    "sends header after header": drips(GET, b"X-Y: z\r\n"),
    "announces a body": sends(POST + b"Content-Length: 1000000\r\n\r\n"),
    "sends a body byte by byte": drips(POST + b"Content-Length: 1000000\r\n\r\n", b"x"),
    "sends chunks": drips(POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    "waits to be told to go on": sends(POST + b"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"),
    "speaks TLS": sends(bytes.fromhex("160301020001") + bytes(512)),
    "speaks HTTP/2": sends(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    "wants a WebSocket": sends(GET + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
    "has closed one half": half_closed,
    "stays after a wrong token": sends(GET + b"Authorization: Bearer wrong\r\n\r\n"),
    "tries one wrong token after the other": tries_again,
    "sends many requests at once": sends((GET + b"Authorization: Bearer wrong\r\n\r\n") * 500),
    "sends a header without end": drips(GET, b"X: " + b"y" * 30_000 + b"\r\n"),
    "sends blank lines": drips(b"", b"\r\n"),
    "mixes a wrong token and no HTTP": sends(POST + b"Transfer-Encoding: chunked\r\n\r\nno size of a chunk\r\n"),
}


def seconds_held(port: int, talk: Talk) -> float:
    """How long a connection stays open while somebody talks on it."""
    started = time.monotonic()
    with opened(port) as peer:
        talking = threading.Thread(target=lambda: _until_broken(talk, peer))
        talking.start()
        with suppress(OSError):
            while peer.recv(4096):
                pass
        with suppress(OSError):  # the server may have closed its half: it is gone when nothing can be sent any more
            while time.monotonic() - started < 8 * SECONDS:
                peer.sendall(b"x")
                time.sleep(0.02)
        held = time.monotonic() - started
    talking.join()
    return held


def _until_broken(talk: Talk, peer: socket.socket) -> None:
    with suppress(OSError):
        talk(peer)


@pytest.mark.parametrize("talk", STRANGERS.values(), ids=STRANGERS)
def test_whoever_does_not_show_the_token_is_cut_off_in_time(port: int, talk: Talk) -> None:
    assert seconds_held(port, talk) < SECONDS + web_server._LINGER + BUSY
    assert owned(port).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "talk",
    [
        sends(POST + OWN + b"Content-Length: 10\r\n\r\nhalf"),
        drips(POST + OWN + b"Content-Length: 1000000\r\n\r\n", b"x"),
        drips(POST + OWN + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        drips(GET + OWN + b"\r\n" + b"GET / HTTP/1.1\r\nX: ", b"x"),
        drips(GET + OWN + b"\r\n", b"\r\n"),
    ],
    ids=["half a body", "a body byte by byte", "chunks", "a second header byte by byte", "blank lines"],
)
def test_the_token_does_not_buy_a_request_that_never_ends(port: int, talk: Talk) -> None:
    assert seconds_held(port, talk) < 3 * SECONDS + BUSY


def test_who_has_shown_the_token_keeps_his_connection(port: int) -> None:
    with opened(port) as own:
        for _ in range(6):
            own.sendall(POST + OWN + b"Content-Length: 4\r\n\r\nfour")
            answer = b""
            while not answer.endswith(b"\r\n\r\n4"):
                piece = own.recv(4096)
                assert piece
                answer += piece
            assert answer.startswith(b"HTTP/1.1 200")
            time.sleep(SECONDS / 3)


def test_a_refused_client_reads_why_though_it_was_still_sending(port: int) -> None:
    with opened(port) as peer:
        peer.sendall(POST + b"Content-Length: 300000\r\n\r\n")
        for _ in range(3):
            peer.sendall(b"x" * 100_000)
            time.sleep(0.05)
        assert peer.recv(4096).startswith(b"HTTP/1.1 401")


def test_the_owner_is_answered_at_once_while_others_hold_all_the_room(port: int) -> None:
    waiting = [opened(port) for _ in range(100)]
    for each in waiting:
        each.sendall(b"GET / HTTP/1.1\r\nX: ")
    time.sleep(5)  # the first eight have had their time, and those behind them are let in
    started = time.monotonic()
    assert owned(port).startswith(b"HTTP/1.1 200")
    assert time.monotonic() - started < SECONDS  # it need not wait until those before it have had their time
    for each in waiting:
        each.close()


def test_many_clients_at_once_are_all_answered_though_there_is_room_for_few(port: int) -> None:
    with ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(owned, itertools.repeat(port, 300)))
    assert {answer[:12] for answer in answers} == {b"HTTP/1.1 200"}


def test_of_many_peers_the_one_with_most_connections_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    class Held:
        loop = type("Clock", (), {"time": staticmethod(lambda: 0.0)})

        def __init__(self, name: str) -> None:
            self.end = lambda code: ended.append((name, code))

    waiting = web_server.Waiting(4)
    for name, peer in (("first", "10.0.0.1"), ("crowd 1", "10.0.0.2"), ("crowd 2", "10.0.0.2")):
        waiting.add(Held(name), peer)  # type: ignore[arg-type]
    assert waiting.make_room()
    assert ended == [("crowd 1", "TOO_MANY_WITHOUT_TOKEN")]


# -- messages ---------------------------------------------------------------------------------------------------------------------

VALUES = 10_000
TOO_MUCH = {
    "many keys": b"{" + b",".join(b'"k%06d":1' % number for number in range(VALUES)) + b"}",
    "many texts": b"[" + b'"",' * VALUES + b'""]',
    "many lists": b"[" + b"[]," * VALUES + b"[]]",
    "many messages": b"[" + b'{"jsonrpc":"2.0","id":1,"method":"ping"},' * 3_000 + b"1]",
    "a deep list": b"[" * 65 + b"]" * 65,
    "a deep object": b'{"a":' * 65 + b"1" + b"}" * 65,
    "a list deep behind a shallow one": b"[[],[],[" + b"[" * 63 + b"]" * 63 + b"]]",
    "a long number": b'{"limit":' + b"9" * 1000 + b"}",
    "a long fraction": b'{"limit":0.' + b"3" * 1000 + b"}",
    "many numbers": b"[" + b"9" * 900 + (b"," + b"9" * 900) * 400 + b"]",
    "blanks": b'{"a":1' + b" " * 300_000 + b"}",
    "no JSON": b"\xff" * 300_000,
    "quotes": b'"' * 300_000,
}
NOT_TOO_MUCH = {
    "an issue with code": b'{"query":"' + rb"{[(a, b), (c: d)]}\n\"quoted, twice\" \\ \\\" " * 10_000 + b'"}',
    "digits in a text": b'{"query":"' + b"0123456789" * 1000 + b'"}',
    "brackets in a text": b'{"query":"' + b"[" * 100_000 + b'"}',
    "a text that ends in a backslash": rb'{"a":"\\","b":["' + b"[,:" * 5_000 + rb'\\\\"]}',
    "a thousand roots": b'{"roots":[' + b'{"uri":"file:///a","name":"b"},' * 1_000 + b"1]}",
    "nested as deep as it may be": b"[" * 64 + b"]" * 64,
    "nothing": b"",
}


@pytest.mark.parametrize("message", TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_message_of_more_values_than_a_call_has_is_too_much(message: bytes) -> None:
    assert is_too_much(message)


@pytest.mark.parametrize("message", NOT_TOO_MUCH.values(), ids=NOT_TOO_MUCH)
def test_what_stands_in_a_text_is_not_counted(message: bytes) -> None:
    assert not is_too_much(message)


@pytest.mark.parametrize("message", [TOO_MUCH["many keys"], TOO_MUCH["a deep list"], b'"' + b"x" * (1 << 20) + b'"'])
def test_too_much_is_refused_before_it_is_parsed(port: int, message: bytes) -> None:
    with closing(opened(port)) as own:
        own.sendall(POST + OWN + b"Content-Length: %d\r\n\r\n" % len(message) + message)
        assert own.recv(4096).startswith(b"HTTP/1.1 413")
