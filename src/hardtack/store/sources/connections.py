"""An address in, a watched connection out: urllib3's pools with a speed limit from below, a total time, and forbidden addresses.

A socket's time-out bounds a single wait, so a peer that sends one byte now and then holds a reader for ever, even in a header. A
:class:`Watch` bounds the whole exchange: it shuts the connection down when it is too slow or takes too long. A host name from a
redirect or a configuration may resolve to a machine in the user's own network (SSRF): these pools can refuse such addresses, after
the name was resolved and before a byte is sent.
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
"""Addresses of cloud metadata services, which give a machine its secrets, beside the link-local ones."""


class Refused(Exception):
    """The address is forbidden. Not an ``OSError``, because urllib3 would retry that."""


class Watch:
    """A context manager that bounds one request and its response: it shuts down a connection that is too slow or takes too long."""

    def __init__(self, *, window: float, least: int, total: float) -> None:
        """Set the limits; the clock starts with the context.

        Args:
            window: seconds between two checks of the bytes that were transferred.
            least: the fewest bytes in each window.
            total: the most seconds in all.
        """
        self.verdict = ""
        """Why the connection was shut down, as the end of a sentence; empty when it was not."""
        self._window, self._least, self._deadline = window, least, time.monotonic() + total
        self._moved = 0
        self._held: list[socket.socket] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def count(self, size: int) -> None:
        """Count bytes that were received or sent."""
        self._moved += size

    def hold(self, descriptor: int) -> None:
        """Watch this connection, too.

        The descriptor is duplicated: shutting down the copy ends the connection below TLS, and the copy stays valid if urllib3
        closes its own.
        """
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
    """urllib3's pools, whose connections the current :class:`Watch` of their thread watches."""

    def __init__(
        self, *, proxies: Mapping[str, str], is_confined: bool, allows_loopback: bool = True, allows_private: bool = True
    ) -> None:
        """Make the pools; nothing is connected yet.

        Args:
            proxies: ``http``, ``https`` -> proxy, and ``no`` -> hosts without a proxy.
            is_confined: refuse link-local, multicast, unspecified and metadata addresses, and those that the next two forbid.
            allows_loopback: allow addresses of this machine.
            allows_private: allow networks that are not part of the public internet.
        """
        self._current = threading.local()
        self._proxies = proxies
        self._is_confined = is_confined
        self._allows_loopback, self._allows_private = allows_loopback, allows_private
        self._direct = _watched(urllib3.PoolManager(maxsize=8), self._current, self._check_peer)
        self._through: dict[str, urllib3.ProxyManager] = {}
        self._lock = threading.Lock()

    def for_host(self, parts: SplitResult) -> urllib3.PoolManager:
        """The pools for an address.

        Raises:
            Refused: its host is a forbidden IP address.
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
        """From now on, ``watch`` watches the connections that this thread uses."""
        self._current.watch = watch

    def close(self) -> None:
        """Close all connections."""
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
    """The manager, changed so that each connection is checked when it is made, and watched whenever it is used."""

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
