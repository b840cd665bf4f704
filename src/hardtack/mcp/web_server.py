"""A web application and a listening socket in, HTTP connections out: uvicorn, with limits on who has not shown the token.

Anybody who reaches the port can open connections, so a connection costs little until the token was shown on it. It has
:data:`TOKEN_SECONDS` for that from the moment it is opened, whatever it sends; after an answer that refused it, it is closed. Only
:data:`MOST_WAITING` such connections are held: the oldest one of the peer with the most of them makes room for the next. Bytes do
not prolong a deadline, only a complete header or body does; so nothing is gained by sending one byte now and then.

uvicorn's own limits do not serve here: its ``limit_concurrency`` also refuses the token's owner, and it sets no deadline before a
header is complete. asyncio's accepting loop, out of file descriptors, logs a line for each connection that waits.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from hardtack.mcp.logs import log_event

if sys.platform != "win32":
    import resource

_log = logging.getLogger(__name__)

TOKEN_SECONDS: Final = 10.0
"""From the opening of a connection to the end of a header that holds the token."""
HEAD_SECONDS: Final = 15.0
"""From one answer to the end of the next request's header, on a connection that has shown the token."""
BODY_SECONDS: Final = 30.0
"""From the end of a header to the end of its body."""
MOST_WAITING: Final = 256
"""Connections that have not shown the token, at most; fewer if the process may open few files."""
_STAY: Final = (0.15, 1.0)
"""Seconds that a connection is left alone before it makes room for another: if none of the last ones has shown the token, if all
have. Many honest clients at once need the time, and the token's owner amid a flood needs the room."""
_LAST: Final = 0.25
"""About how many connections count as the last ones, as a share of those that may wait."""
_LINGER: Final = 1.0
"""Seconds that a refused client has to read the answer: closed at once, what it still sends would take the answer from it."""
_FULL_PAUSE: Final = 0.02
_RETRY_PAUSE: Final = 0.2
"""Seconds between two tries to accept when there is no room, or no file descriptor."""
_QUEUE: Final = 512
"""Connections that the system holds until they are accepted."""
_NO_ROOM: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Connection(H11Protocol):
    """uvicorn's connection, with deadlines for the token, headers and bodies."""

    def __init__(self, config: uvicorn.Config, state: ServerState, app_state: dict[str, Any], waiting: Waiting) -> None:
        """Set up; the application finds the connection as ``scope["state"]["connection"]``."""
        super().__init__(config, state, {**app_state, "connection": self})
        self._waiting = waiting
        self._is_trusted = False
        self._is_refused = False
        self._phase: object = None
        self._deadline: asyncio.TimerHandle | None = None

    def trust(self) -> None:
        """The token was shown: hold the connection from now on."""
        if not self._is_trusted:
            self._is_trusted = True
            self._waiting.remove(self, is_honest=True)
            self._follow()

    def end(self, code: str) -> None:
        """Close the connection at once, and log why."""
        log_event(_log, "connection_ended", level=logging.WARNING, code=code)
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the open connection; from here on it has its seconds to show the token."""
        super().connection_made(transport)
        self._waiting.add(self, self.client[0] if self.client else "")
        self._end_in(TOKEN_SECONDS, "TOKEN_LATE")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._waiting.remove(self)
        self._cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Go on with the request; what comes after a refusal is dropped."""
        if self._is_refused:
            return
        super().data_received(data)
        if self._is_trusted:
            self._follow()

    def on_response_complete(self) -> None:
        """Await the next request, or end the connection if this one was refused."""
        if self._is_trusted:
            super().on_response_complete()
            self._follow()
        elif not self.transport.is_closing():
            self._is_refused = True  # what follows on this connection is read and dropped
            self.transport.write_eof()
            self.flow.resume_reading()
            self._cancel()
            self._deadline = self.loop.call_later(_LINGER, self.transport.abort)

    def _follow(self) -> None:
        """Set the deadline of the part of a request that is awaited now, when another part was awaited before."""
        phase = self.conn.their_state
        if phase is self._phase:
            return
        self._phase = phase
        self._cancel()
        if phase is h11.IDLE:
            self._end_in(HEAD_SECONDS, "HEADER_LATE")
        elif phase is h11.SEND_BODY:
            self._end_in(BODY_SECONDS, "BODY_LATE")

    def _end_in(self, seconds: float, code: str) -> None:
        self._deadline = self.loop.call_later(seconds, self.end, code)

    def _cancel(self) -> None:
        if self._deadline:
            self._deadline.cancel()


class Waiting:
    """The connections that have not shown the token, oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._opened: dict[Connection, tuple[str, float]] = {}
        self._honest = 1.0
        """The share of the last connections that have shown the token, as a moving mean."""

    def add(self, connection: Connection, peer: str) -> None:
        """Remember a connection that was opened."""
        self._opened[connection] = peer, connection.loop.time()

    def remove(self, connection: Connection, *, is_honest: bool = False) -> None:
        """Forget a connection that has shown the token, or is closed without."""
        if self._opened.pop(connection, None):
            self._honest += (is_honest - self._honest) / max(_LAST * self._most, 1)

    async def room(self) -> None:
        """Wait until there is room for one more; a connection that has had its time is closed for it."""
        while len(self._opened) >= self._most and not self.make_room(_STAY[0] + self._honest * (_STAY[1] - _STAY[0])):
            await asyncio.sleep(_FULL_PAUSE)

    def make_room(self, least_stay: float = 0.0) -> bool:
        """Close the oldest connection of the peer that has most of them; False if none has stayed for so many seconds."""
        if not self._opened:
            return False
        ((crowded, _),) = Counter(peer for peer, _ in self._opened.values()).most_common(1)
        oldest, since = next((each, since) for each, (peer, since) in self._opened.items() if peer == crowded)
        if oldest.loop.time() - since < least_stay:
            return False
        self.remove(oldest)
        oldest.end("TOO_MANY_WITHOUT_TOKEN")
        return True


class WebServer(uvicorn.Server):
    """uvicorn's server, which accepts connections as :class:`Waiting` has room, and leaves signals to its caller."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._waiting = Waiting(most_waiting())
        self._accepting: list[asyncio.Task[None]] = []

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        await super().startup(sockets=[])
        for listening in sockets or []:
            listening.setblocking(False)
            listening.listen(_QUEUE)
            self._accepting.append(asyncio.create_task(self._accept(listening)))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and end those that are open."""
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        await super().shutdown(sockets)

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._waiting.room()
            try:
                opened, _ = await loop.sock_accept(listening)
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an answer in two pieces waits 40 ms for an ACK
                await loop.connect_accepted_socket(self._connection, opened)
            except OSError as error:
                if error.errno in _NO_ROOM:
                    log_event(_log, "connection_not_accepted", level=logging.WARNING, code=errno.errorcode[error.errno])
                    self._waiting.make_room()
                    await asyncio.sleep(_RETRY_PAUSE)
            await asyncio.sleep(0)  # an accept that need not wait gives no other task its turn

    def _connection(self) -> Connection:
        return Connection(self.config, self.server_state, self.lifespan.state, self._waiting)


def most_waiting() -> int:
    """:data:`MOST_WAITING`, or a quarter of the files that this process may open if that is less; Windows limits no process so."""
    if sys.platform == "win32":
        return MOST_WAITING
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_WAITING if files == resource.RLIM_INFINITY else max(min(MOST_WAITING, files // 4), 1)


def web_server(app: Any, *, grace: int) -> WebServer:
    """A server of ``app``, a web application; answers under way have ``grace`` seconds when it is told to end."""
    config = uvicorn.Config(
        app,
        http=Connection,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=grace,
    )
    return WebServer(config)
