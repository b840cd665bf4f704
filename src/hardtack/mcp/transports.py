"""A server in, connections to its clients out: over standard input and output, or over HTTP with a bearer token.

HTTP has three guards. It listens on the loopback address by default; every request must have the token; and ``Host`` and
``Origin`` must be allowed names, so that no page in a browser can reach the server (DNS rebinding). :mod:`.web_server` bounds what
connections without the token cost, :mod:`.web_guards` what a message costs.
"""

from __future__ import annotations

import asyncio
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
from hardtack.mcp.logs import log_event

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from hardtack.mcp.live_page import LivePage

_log = logging.getLogger(__name__)

Kind = Literal["http", "sse"]

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_LEAST_TOKEN: Final = 16
"""Characters of a token at least; a shorter one could be guessed."""
_GRACE: Final = 1
"""Seconds that answers under way have when the server is told to end."""
_ENDED, _INTERRUPTED = 0, 130


def serve_stdio(server: Server[Any], leave: Callable[[int], NoReturn]) -> None:
    """Answer the process that started this one until it closes its end.

    Args:
        server: answers the messages.
        leave: ends the process with an exit code. Called on a signal, since a blocking read of standard input cannot be stopped.
    """
    anyio.run(_stdio, server, leave)


async def _stdio(server: Server[Any], leave: Callable[[int], NoReturn]) -> None:
    loop = asyncio.get_running_loop()
    with _when_told_to_end(leave):
        try:
            async with stdio_server() as (read, write):
                # A client that has closed its end may not read either, and then answers under way would block for ever.
                messages = _WatchedStream(read, lambda: loop.call_later(_GRACE, leave, _ENDED))
                await server.run(cast("Any", messages), write, server.create_initialization_options())
        except* OSError:
            log_event(_log, "client_gone")


class _WatchedStream:
    """A stream of messages that calls ``end`` when it ends."""

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
    """The address to listen on for HTTP, and which requests to accept."""

    kind: Kind
    host: str
    port: int
    """0 takes any free port."""
    allowed_hosts: Sequence[str] = ()
    """Names besides the loopback's by which clients call the server, with or without a port."""
    token: str = ""
    """The bearer token of every request; a random one is made if it is empty."""


def serve_http(server: Server[Any], listening: Listening, announce: Callable[..., None], page: LivePage | None = None) -> int:
    """Answer HTTP until a signal ends the server; the exit code for that signal.

    Args:
        server: answers the requests.
        listening: where to listen, and which requests to accept.
        announce: writes the addresses to the operator's log, and the token if it was made here.
        page: shows the first bundle to a browser, over streamable HTTP; None shows nothing.

    Raises:
        UsageError: the token is too short, or the server would answer to any host name.
        SourceError: nothing can listen on that address.
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
    app = application(server, listening.kind, token, security_of(listening, port), page)
    path = "/mcp" if listening.kind == "http" else "/sse"
    name = f"[{listening.host}]" if ":" in listening.host else listening.host
    shown = f"http://{name}:{port}/{'' if listening.token else f'#{token}'}" if page and listening.kind == "http" else None
    announce("listening", url=f"http://{name}:{port}{path}", token=None if listening.token else token, page=shown)
    return anyio.run(_http, app, opened)


def security_of(listening: Listening, port: int) -> TransportSecuritySettings:
    """The values of ``Host`` and ``Origin`` that a request may have."""
    own = ["127.0.0.1", "localhost", "[::1]"] if listening.host in _LOOPBACK else []
    hosts = [f"{name}:{port}" for name in own]
    for name in listening.allowed_hosts:
        hosts += [name] if ":" in name.rpartition("]")[2] else [name, f"{name}:{port}"]  # colons in [...] are of an IPv6 address
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")],
    )


def application(
    server: Server[Any], kind: Kind, token: str, security: TransportSecuritySettings, page: LivePage | None = None
) -> ASGIApp:
    """The server as a web application that requires the token, but for the shell of its page, which says nothing of a bundle."""
    from hardtack.mcp.live_page import Shell
    from hardtack.mcp.web_guards import MessageGuard, TokenGuard

    if kind == "sse":
        return TokenGuard(MessageGuard(_sse_application(server, security)), token)
    routes = page.routes(security) if page else []
    web = server.streamable_http_app(transport_security=security, custom_starlette_routes=routes)
    guarded = TokenGuard(MessageGuard(web), token)
    return Shell(guarded, security) if page else guarded


def _sse_application(server: Server[Any], security: TransportSecuritySettings) -> Starlette:
    """The HTTP transport from before 2025: one stream of events, and an address to send messages to."""
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


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except (OSError, OverflowError) as error:
        raise SourceError(f"Nothing can listen on {host}:{port}.", hint=f"{error}.") from error


async def _http(app: ASGIApp, opened: socket.socket) -> int:
    from hardtack.mcp.web_server import web_server

    web = web_server(app, grace=_GRACE)
    exit_code = _ENDED

    def end(code: int) -> None:
        nonlocal exit_code
        exit_code = code
        web.force_exit = web.should_exit  # a second signal ends it at once
        web.should_exit = True

    with _when_told_to_end(end):
        await web.serve(sockets=[opened])
    return exit_code


@contextmanager
def _when_told_to_end(end: Callable[[int], None]) -> Iterator[None]:
    """Call ``end`` with an exit code on SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    for number, code in ((signal.SIGTERM, _ENDED), (signal.SIGINT, _INTERRUPTED)):
        loop.add_signal_handler(number, end, code)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
