"""An address in, a response whose connection is watched out: urllib3's pools with what they have no notion of.

A socket's time-out bounds one wait, so that a peer that sends a byte now and then holds a reader for ever, within a header too.
A :class:`Watch` bounds the whole: it shuts the connection down when too little came in a while, or when it takes too long. And a
name that was not given by the user may be that of a machine near to him: pools of this module can be made to refuse such addresses,
after they were looked up and before a byte is sent.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self, TypeVar
from urllib.parse import SplitResult

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from hardtack.encoders.http import goes_direct, is_loopback

_Manager = TypeVar("_Manager", bound=urllib3.PoolManager)

_METADATA: Final = frozenset({ipaddress.ip_address(each) for each in ("100.100.100.200", "fd00:ec2::254", "192.0.0.192")})
"""Where clouds tell a machine its own secrets, beside the link-local addresses."""


class Refused(Exception):
    """The address is one that nothing is fetched from. Not an ``OSError``: urllib3 would try again."""


class Watch:
    """The clock of one request and its response; a context. Ends what is too slow, and says so in ``verdict``."""

    def __init__(self, *, window: float, least: int, total: float) -> None:
        """Nothing is watched yet.

        Args:
            window: seconds after which the bytes that came are counted.
            least: bytes that must have come in each window.
            total: seconds for everything.
        """
        self.verdict = ""
        """Why the connection was shut down, as the end of a sentence; empty when it was not."""
        self._window, self._least, self._deadline = window, least, time.monotonic() + total
        self._moved = 0
        self._held: list[socket.socket] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def count(self, size: int) -> None:
        """So many bytes came, or went."""
        self._moved += size

    def hold(self, descriptor: int) -> None:
        """Watch this connection, too. What is held is a copy: shutting it down ends the connection under TLS as well."""
        with suppress(OSError):
            self._held.append(socket.socket(fileno=os.dup(descriptor)))
        if self.verdict:
            self._shut()

    def _run(self) -> None:
        counted = 0
        while not self._done.wait(max(min(self._window, self._deadline - time.monotonic()), 0)):
            moved = self._moved
            if time.monotonic() >= self._deadline:
                self.verdict = "takes too long"
            elif moved - counted < self._least:
                self.verdict = "is too slow"
            else:
                counted = moved
                continue
            self._shut()
            return

    def _shut(self) -> None:
        for held in self._held:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._done.set()
        self._thread.join()
        for held in self._held:
            held.close()


class Pools:
    """Connections that are kept open for the next request, watched by whichever :class:`Watch` their thread has now."""

    def __init__(
        self, *, proxies: Mapping[str, str], is_confined: bool, allows_loopback: bool = True, allows_private: bool = True
    ) -> None:
        """Nothing is connected yet.

        Args:
            proxies: ``http``, ``https`` -> proxy, and ``no`` -> the hosts that go without.
            is_confined: refuse addresses by which a machine reaches only its own neighbourhood.
            allows_loopback: this machine is fine all the same.
            allows_private: so are networks that are not of the public internet.
        """
        self._current = threading.local()
        self._proxies = proxies
        self._is_confined = is_confined
        self._allows_loopback, self._allows_private = allows_loopback, allows_private
        self._direct = _watched(urllib3.PoolManager(maxsize=8), self._current, self._check_peer)
        self._through: dict[str, urllib3.ProxyManager] = {}
        self._lock = threading.Lock()

    def for_host(self, parts: SplitResult) -> urllib3.PoolManager:
        """The connections to use for an address.

        Raises:
            Refused: it names, by its number, a place that nothing is fetched from.
        """
        host = parts.hostname or ""
        with suppress(ValueError):
            self._check(ipaddress.ip_address(host))
        is_direct = is_loopback(host) or goes_direct(host, self._proxies.get("no", ""))
        proxy = "" if is_direct else self._proxies.get(parts.scheme, "")
        if not proxy:
            return self._direct
        with self._lock:
            if proxy not in self._through:
                manager = urllib3.ProxyManager(proxy, maxsize=8)
                self._through[proxy] = _watched(manager, self._current, lambda connected: None)
            return self._through[proxy]

    def watched_by(self, watch: Watch | None) -> None:
        """From now on, ``watch`` has the connections that this thread uses."""
        self._current.watch = watch

    def close(self) -> None:
        """Close what is open."""
        for manager in (self._direct, *self._through.values()):
            manager.clear()

    def _check_peer(self, connected: socket.socket) -> None:
        with suppress(ValueError, OSError):
            self._check(ipaddress.ip_address(str(connected.getpeername()[0]).partition("%")[0]))

    def _check(self, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
        if not self._is_confined:
            return
        address = getattr(address, "ipv4_mapped", None) or address
        is_near = address.is_link_local or address.is_unspecified or address.is_multicast or address in _METADATA
        is_private = not (address.is_global or address.is_loopback)
        if is_near or (address.is_loopback and not self._allows_loopback) or (is_private and not self._allows_private):
            raise Refused(f"{address}")


def _watched(manager: _Manager, current: threading.local, check: Callable[[socket.socket], None]) -> _Manager:
    """The manager, with connections that are checked when they are made, and watched whenever they are used."""

    def connected(connection: socket.socket) -> socket.socket:
        try:
            check(connection)
        except Refused:
            connection.close()
            raise
        hold(connection)
        return connection

    def hold(connection: socket.socket | None) -> None:
        watch: Watch | None = getattr(current, "watch", None)
        if connection is not None and watch is not None:
            watch.hold(connection.fileno())

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return connected(super()._new_conn())

        def putrequest(self, *arguments: Any, **named: Any) -> None:
            hold(self.sock)
            super().putrequest(*arguments, **named)

    class Encrypted(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return connected(super()._new_conn())

        def putrequest(self, *arguments: Any, **named: Any) -> None:
            hold(self.sock)
            super().putrequest(*arguments, **named)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class EncryptedPool(HTTPSConnectionPool):
        ConnectionCls = Encrypted

    manager.pool_classes_by_scheme = {"http": PlainPool, "https": EncryptedPool}
    return manager
