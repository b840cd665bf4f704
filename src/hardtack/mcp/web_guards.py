"""A request over HTTP in, the same out if it has the token and its message is of a size that this server can need; else a refusal.

Both guards stand before the SDK. It parses a message on the event loop, in several passes over Python objects, so one message of
many small values would hold up every other client.
"""

from __future__ import annotations

import hmac
import logging
import re
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from mcp.server.transport_security import RequestBodyLimitMiddleware

from hardtack.mcp.logs import log_event

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger(__name__)

LONGEST_MESSAGE: Final = 1 << 20
"""Bytes of a request's body at most."""
MOST_VALUES: Final = 10_000
"""Keys, values and brackets of a message at most; a call of any tool has a few dozen."""
MOST_NESTED: Final = 64
"""Brackets within brackets at most; a call of any tool has three or four."""
_OUTSIDE: Final = 1 << 18
"""Bytes outside of texts at most: numbers, brackets and blanks."""
_TOO_MUCH: Final = f"A message has {MOST_VALUES} values and keys at most, nested {MOST_NESTED} deep, and no endless number.\n"
_LONG_NUMBER: Final = re.compile(rb"(?<![0-9])[0-9]{1000}")
_BRACKET: Final = re.compile(rb"[][{}]")


class TokenGuard:
    """Lets only requests with the bearer token through, and tells their connection that it may stay."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and self._bears_token(scope["headers"]):
            if connection := scope.get("state", {}).pop("connection", None):
                connection.trust()
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            log_event(_log, "request_refused", level=logging.WARNING, code="TOKEN_WRONG")
            why = b"This server wants its token: Authorization: Bearer TOKEN.\n"
            await _refuse(send, 401, why, (b"www-authenticate", b"Bearer"))

    def _bears_token(self, headers: Sequence[tuple[bytes, bytes]]) -> bool:
        given = [value for name, value in headers if name == b"authorization"]
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


class MessageGuard:
    """Lets only messages through that have no more values than a call can need."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._whole = RequestBodyLimitMiddleware(self._check, LONGEST_MESSAGE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        app = self._whole if scope["type"] == "http" and scope["method"] == "POST" else self._app
        await app(scope, receive, send)

    async def _check(self, scope: Scope, receive: Receive, send: Send) -> None:
        first = await receive()  # the whole body: the middleware has gathered it
        if is_too_much(first.get("body", b"")):
            log_event(_log, "request_refused", level=logging.WARNING, code="MESSAGE_TOO_LARGE")
            await _refuse(send, 413, _TOO_MUCH.encode())
            return
        given = [first]

        async def again() -> Message:
            return given.pop() if given else await receive()

        await self._app(scope, again, send)


def is_too_much(message: bytes) -> bool:
    """Whether a message in JSON has too many keys, values and brackets, is nested too deep, or has endless numbers or blanks.

    It is counted, not parsed: what stands between quotes is left out, and each comma, colon and opening bracket outside of them has
    one value behind it. Of what is no JSON some number is counted, and the SDK refuses it.
    """
    unescaped = message.replace(rb"\\", b"").replace(rb"\"", b"")
    if unescaped.count(b'"') > 2 * MOST_VALUES:
        return True
    outside = b"".join(unescaped.split(b'"')[::2])
    marks = sum(map(outside.count, (b",", b":", b"[", b"{")))
    if len(outside) > _OUTSIDE or marks > MOST_VALUES or _LONG_NUMBER.search(outside):
        return True
    depths = accumulate(1 if bracket in b"[{" else -1 for bracket in _BRACKET.findall(outside))
    return max(depths, default=0) > MOST_NESTED


async def _refuse(send: Send, status: int, why: bytes, *headers: tuple[bytes, bytes]) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [*headers, plain]})
    await send({"type": "http.response.body", "body": why})
