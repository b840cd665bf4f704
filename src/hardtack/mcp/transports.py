"""A server in, connections to its clients out: standard input and output, or HTTP for those that know a token.

HTTP is guarded three times: it listens on this machine alone unless told otherwise, every request must have the token, and its
``Host`` and ``Origin`` must be names that the server is meant to be called by, so that no page in a browser can reach it.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, Self, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings

from hardtack.errors import SourceError, UsageError
from hardtack.mcp.logs import tell

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

_log = logging.getLogger(__name__)

Kind = Literal["http", "sse"]

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_LEAST_TOKEN: Final = 16
"""Characters of a token: what is shorter can be guessed."""
_GRACE: Final = 1
"""Seconds that answers under way get when the server is told to end."""
_ENDED, _INTERRUPTED = 0, 130


def serve_stdio(server: Server[Any], leave: Callable[[int], NoReturn]) -> None:
    """Answer the process that started this one until it closes its end.

    Args:
        server: what answers.
        leave: ends the process with an exit code; called when a signal asks for that, as no read of standard input can be stopped.
    """
    anyio.run(_stdio, server, leave)


async def _stdio(server: Server[Any], leave: Callable[[int], NoReturn]) -> None:
    loop = asyncio.get_running_loop()
    with _when_told_to_end(leave):
        try:
            async with stdio_server() as (read, write):
                # Its client may have stopped reading, too: then answers under way would never be written.
                told = _Told(read, lambda: loop.call_later(_GRACE, leave, _ENDED))
                await server.run(cast("Any", told), write, server.create_initialization_options())
        except* OSError:
            tell(_log, "client_gone")


class _Told:
    """A stream of messages that tells when it ends."""

    def __init__(self, stream: AsyncIterator[Any], end: Callable[[], object]) -> None:
        self._stream, self._end = stream, end

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await anext(self._stream)
        except StopAsyncIteration:
            self._end()
            raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """Where to listen for HTTP, and to whom."""

    kind: Kind
    host: str
    port: int
    """0 takes any that is free."""
    allowed_hosts: Sequence[str] = ()
    """Names besides the loopback's by which clients call the server, with or without a port."""
    token: str = ""
    """What requests must bear; made when empty."""


def serve_http(server: Server[Any], listening: Listening, say: Callable[..., None]) -> int:
    """Answer HTTP until a signal ends it; the exit code that this means.

    Args:
        server: what answers.
        listening: where and to whom.
        say: tells the operator the address, and the token when it was made here.

    Raises:
        UsageError: the token can be guessed, or the server would answer to any name.
        SourceError: there is no listening there.
    """
    if listening.token and len(listening.token) < _LEAST_TOKEN:
        raise UsageError(f"A token has {_LEAST_TOKEN} characters or more.", hint="Leave HARDTACK_SERVE_TOKEN out to have one made.")
    if listening.host not in _LOOPBACK and not listening.allowed_hosts:
        raise UsageError(
            f"A server on {listening.host} can be reached by any name.",
            hint="Say by which clients call it: --allowed-host NAME. Put it behind something that speaks TLS.",
        )
    opened = _listen(listening.host, listening.port)
    port = opened.getsockname()[1]
    token = listening.token or secrets.token_urlsafe(32)
    app = application(server, listening.kind, token, security_of(listening, port))
    path = "/mcp" if listening.kind == "http" else "/sse"
    name = f"[{listening.host}]" if ":" in listening.host else listening.host
    say("listening", url=f"http://{name}:{port}{path}", token=None if listening.token else token)
    return anyio.run(_http, app, opened)


def security_of(listening: Listening, port: int) -> TransportSecuritySettings:
    """Which ``Host`` and ``Origin`` a request may have."""
    own = ["127.0.0.1", "localhost", "[::1]"] if listening.host in _LOOPBACK else []
    hosts = [f"{name}:{port}" for name in own]
    for name in listening.allowed_hosts:
        hosts += [name] if ":" in name.rpartition("]")[2] else [name, f"{name}:{port}"]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")],
    )


def application(server: Server[Any], kind: Kind, token: str, security: TransportSecuritySettings) -> ASGIApp:
    """The server as a web application that wants its token."""
    web = server.streamable_http_app(transport_security=security) if kind == "http" else _sse_application(server, security)
    return _TokenWanted(web, token)


def _sse_application(server: Server[Any], security: TransportSecuritySettings) -> Starlette:
    """The transport of before 2025: one stream of events, and an address to send messages to."""
    from mcp.server.sse import SseServerTransport
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Mount, Route

    transport = SseServerTransport("/messages/", security_settings=security)
    guard = TransportSecurityMiddleware(security)

    async def stream(request: Request) -> Response:
        if refusal := await guard.validate_request(request):
            return refusal
        async with transport.connect_sse(request.scope, request.receive, request._send) as (read, write):
            await server.run(read, write, server.create_initialization_options())
        return Response()

    return Starlette(
        routes=[Route("/sse", endpoint=stream, methods=["GET"]), Mount("/messages/", app=transport.handle_post_message)]
    )


class _TokenWanted:
    """Lets requests through that bear the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or (scope["type"] == "http" and self._bears_token(scope["headers"])):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            tell(_log, "request_refused", level=logging.WARNING, code="TOKEN_WRONG")
            headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"This server wants its token: Authorization: Bearer TOKEN.\n"})

    def _bears_token(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        given = [value for name, value in headers if name == b"authorization"]
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise SourceError(f"Nothing can listen on {host}:{port}.", hint=f"{error}.") from error


async def _http(app: ASGIApp, opened: socket.socket) -> int:
    import uvicorn

    class Web(uvicorn.Server):
        """One whose signals are handled here."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=_GRACE,
    )
    web = Web(config)

    codes = [_ENDED]

    def end(code: int) -> None:
        codes[0] = code
        web.force_exit = web.should_exit  # told twice: at once
        web.should_exit = True

    with _when_told_to_end(end):
        await web.serve(sockets=[opened])
    return codes[0]


@contextmanager
def _when_told_to_end(end: Callable[[int], None]) -> Iterator[None]:
    """Call ``end`` with an exit code when a signal says so."""
    loop = asyncio.get_running_loop()
    for number, code in ((signal.SIGTERM, _ENDED), (signal.SIGINT, _INTERRUPTED)):
        loop.add_signal_handler(number, end, code)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
