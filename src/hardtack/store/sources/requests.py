"""A request in, the open response to it out, after redirects: who is told the token, where it may lead, and how long it may take.

Rules that hold for every request. A token belongs to one origin (scheme, host, port) and is sent to no other, wherever a redirect
leads. Redirects go to http and https alone, never from https to http, never to an address by which a machine reaches its own
neighbourhood. What is too slow is ended (:mod:`connections`).
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any, Final
from urllib.parse import SplitResult, urljoin, urlsplit

from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, ReadTimeoutError, SSLError
from urllib3.response import BaseHTTPResponse
from urllib3.util import Timeout

from hardtack.encoders.http import is_loopback
from hardtack.errors import PolicyError, SourceError, UsageError
from hardtack.store.sources.connections import Pools, Refused, Watch
from hardtack.store.sources.source import Progress

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS: Final = 5
_PORTS: Final = {"http": 80, "https": 443}
_PIECE: Final = 1 << 16

Origin = tuple[str, str, int]
"""Scheme, host and port: what a token belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferLimits:
    """How long to put up with a server; seconds."""

    connecting: float = 10.0
    window: float = 30.0
    """After each of these it is looked whether enough came."""
    least_speed: int = 1024
    """Bytes a second, over a window."""
    total: float = 3600.0
    """For one response, body and all."""
    tries: int = 4
    """In a row that brought nothing."""
    first_backoff: float = 0.5
    """Before the second try, doubled for each that follows, and spread by half either way."""
    longest_wait: float = 60.0
    """A server that asks to be left alone for longer is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A body that is read from an open file, from its start."""

    file: IO[bytes]
    size: int
    progress: Progress | None = None


class Interrupted(Exception):
    """Nothing, or not all, came, and another try may bring it. The text ends a sentence that begins with the host."""

    def __init__(self, what: str, *, status: int = 0, wait: float = 0.0) -> None:
        super().__init__(what)
        self.status = status
        """What the server answered; 0 when it did not."""
        self.wait = wait
        """Seconds that it asks for."""


class Response:
    """An answer whose body has not been read yet."""

    def __init__(self, response: BaseHTTPResponse, watch: Watch, url: str) -> None:
        self._response, self._watch = response, watch
        self.status = response.status
        self.url = url
        """Where it came from in the end; it may hold a signature."""
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        """Names in lower case."""

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes, undecoded.

        Raises:
            Interrupted: its connection was shut down on the way.
        """
        while piece := self._response.read1(_PIECE, decode_content=False):
            self._watch.count(len(piece))
            yield piece
        if self._watch.verdict:  # the end that was reached is that of the connection
            raise Interrupted(self._watch.verdict)


class Requests:
    """Sends requests. Threads may share it."""

    def __init__(self, *, tokens: Mapping[str, str], limits: TransferLimits, proxies: Mapping[str, str], is_confined: bool) -> None:
        """Nothing is sent yet; the arguments are those of :class:`Transfer`.

        Raises:
            UsageError: a token would travel unencrypted to another machine, or holds what no header can.
        """
        self._limits = limits
        self._tokens: dict[Origin, str] = {}
        for url, token in tokens.items():
            parts = parts_of(url)
            if token and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
                raise UsageError(
                    f"The token for {parts.hostname} would be sent unencrypted.", hint="Use https, or unset the token."
                )
            if not (token.isascii() and token.isprintable()):
                raise UsageError(f"The token for {parts.hostname} holds characters that no token has.")
            self._tokens[origin_of(parts)] = token
        is_free = not is_confined
        self._named = Pools(proxies=proxies, is_confined=is_confined, allows_loopback=is_free, allows_private=is_free)
        self._near = Pools(proxies=proxies, is_confined=True, allows_loopback=True)
        self._far = Pools(proxies=proxies, is_confined=True, allows_loopback=False, allows_private=is_free)

    @contextmanager
    def opened(self, method: str, url: str, headers: Mapping[str, str], body: bytes | Upload | None = None) -> Iterator[Response]:
        """The answer, to be read within the context.

        Raises:
            Interrupted: the connection failed, was too slow, or took too long, also while the caller reads.
            SourceError: a certificate is not trusted, or there are too many redirects.
            PolicyError: a redirect leads where nothing is fetched from.
        """
        limits = self._limits
        with Watch(window=limits.window, least=int(limits.least_speed * limits.window), total=limits.total) as watch:
            try:
                first = parts = parts_of(url)
                pools = self._named
                for _ in range(_MOST_REDIRECTS + 1):
                    response = self._send(pools, watch, method, parts, headers, body)
                    try:
                        if watch.verdict:  # a header that was cut short is read as one that ended
                            raise Interrupted(watch.verdict)
                        location = response.headers.get("Location", "")
                        if response.status not in _REDIRECTS or not location:
                            yield Response(response, watch, parts.geturl())
                            return
                    finally:
                        response.close()
                    parts = _redirected(parts, location)
                    pools = self._near if is_loopback(first.hostname or "") else self._far
                    if method not in ("GET", "HEAD"):
                        raise PolicyError(f"{place_of(first)} sends an upload elsewhere.", hint="Name the address it should be.")
                raise SourceError(f"{place_of(first)} redirects without end.")
            except Refused as error:
                raise PolicyError(f"{place_of(first)} leads to {error}, and nothing is fetched from there.") from error
            except (HTTPError, OSError) as error:
                if isinstance(error, SSLError | ssl.SSLError) and not watch.verdict:
                    raise SourceError(f"{place_of(parts)} has no certificate that is trusted here.", is_temporary=True) from error
                raise Interrupted(watch.verdict or _words_for(error)) from error

    def _send(
        self, pools: Pools, watch: Watch, method: str, parts: SplitResult, headers: Mapping[str, str], body: bytes | Upload | None
    ) -> BaseHTTPResponse:
        """One request to one host."""
        sent = {"User-Agent": "hardtack", "Accept-Encoding": "identity", **headers}
        if token := self._tokens.get(origin_of(parts)):
            sent["Authorization"] = f"Bearer {token}"
        content: Any = body
        if isinstance(body, Upload):
            content = _Counted(body, watch)
            sent["Content-Length"] = str(body.size)
        pools.watched_by(watch)
        try:
            return pools.for_host(parts).request(
                method,
                parts.geturl(),
                body=content,
                headers=sent,
                timeout=Timeout(connect=self._limits.connecting, read=self._limits.window),
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
        finally:
            pools.watched_by(None)


class _Counted:
    """An upload's file, which tells the watch and the user what was read of it."""

    def __init__(self, upload: Upload, watch: Watch) -> None:
        upload.file.seek(0)
        self._upload, self._watch, self._done = upload, watch, 0

    def read(self, size: int = _PIECE) -> bytes:
        piece = self._upload.file.read(min(size, _PIECE) if size > 0 else _PIECE)
        self._watch.count(len(piece))
        self._done += len(piece)
        if self._upload.progress:
            self._upload.progress(self._done, self._upload.size)
        return piece


def parts_of(url: str) -> SplitResult:
    """An address, taken apart.

    Raises:
        UsageError: it is no plain http or https one.
    """
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise UsageError(f"{url!r} is no http or https address.")
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"The address at {parts.hostname} must have no user or password.", hint="A token goes into HARDTACK_TOKEN."
        )
    return parts._replace(fragment="")


def origin_of(parts: SplitResult) -> Origin:
    """Whom a token for that address belongs to."""
    return parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme]


def place_of(parts: SplitResult) -> str:
    """The host and port, for messages: no path and no query, which may hold a signature."""
    return parts.netloc


def _redirected(at: SplitResult, location: str) -> SplitResult:
    """Where a redirect leads.

    Raises:
        PolicyError: where nothing is fetched from.
    """
    try:
        parts = parts_of(urljoin(at.geturl(), location))
    except (UsageError, ValueError):
        raise PolicyError(f"{place_of(at)} redirects to what is no plain http or https address.") from None
    if at.scheme == "https" and parts.scheme != "https":
        raise PolicyError(f"{place_of(at)} redirects from https to http.", hint="Nothing is fetched unencrypted on such a word.")
    return parts


def _words_for(error: Exception) -> str:
    """What became of a connection, as the end of a sentence; an exception's own text can be long, and names objects."""
    if isinstance(error, NewConnectionError):  # which urllib3 also counts among the time-outs
        return "cannot be reached"
    if isinstance(error, ConnectTimeoutError | ReadTimeoutError | TimeoutError):
        return "does not answer in time"
    return "broke the connection off"
