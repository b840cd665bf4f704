"""A request in, the open response to it out, after redirects.

Rules for every request: a token belongs to one origin (scheme, host, port) and is sent to no other, wherever a redirect leads.
Redirects are followed to http and https only, never from https to http, and never into the user's own network. A response that is
too slow is ended (:mod:`.connections`).
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import IO, Any, Final
from urllib.parse import SplitResult, urljoin, urlsplit

from urllib3.exceptions import HTTPError, SSLError
from urllib3.response import BaseHTTPResponse
from urllib3.util import Timeout

from hardtack.encoders.http import connection_failure, is_loopback
from hardtack.errors import PolicyError, SourceError, UsageError
from hardtack.store.sources.connections import Pools, Refused, Watch
from hardtack.store.sources.source import Progress

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS: Final = 5
_PORTS: Final = {"http": 80, "https": 443}
_PIECE: Final = 1 << 16

Origin = tuple[str, str, int]
"""(scheme, host, port): a token belongs to one origin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferLimits:
    """Time limits in seconds, and tries, for requests to a server."""

    connecting: float = 10.0
    window: float = 30.0
    """The time between two checks of the speed."""
    least_speed: int = 1024
    """The lowest speed in bytes a second, as the mean of a window."""
    total: float = 3600.0
    """For one response with its body."""
    tries: int = 4
    """Tries in a row that may fail without progress."""
    first_backoff: float = 0.5
    """The wait before the second try, doubled for each further one, and multiplied by a random factor from 0.5 to 1.5."""
    longest_wait: float = 60.0
    """The longest ``Retry-After`` that is waited for; a longer one is an error."""
    asking: float = 600.0
    """For all answers of one source that are no downloads, waits included."""
    grace: float = 300.0
    """That a download may take, whatever it brings."""
    least_mean: int = 32 << 10
    """Bytes a second that a download must bring after that, as the mean over all of its tries."""
    most_requests: int = 250
    """Requests of one download."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A request's body: an open file, sent from its start."""

    file: IO[bytes]
    size: int
    progress: Progress | None = None


class Interrupted(Exception):
    """The response failed or is incomplete, and another try may help. The text ends a sentence that begins with the host."""

    def __init__(self, what: str, *, status: int = 0, wait: float = 0.0) -> None:
        super().__init__(what)
        self.status = status
        """The response's status; 0 when there was no response."""
        self.wait = wait
        """Seconds that the server asks to wait."""


class Response:
    """A response whose body has not been read yet."""

    def __init__(self, response: BaseHTTPResponse, watch: Watch, url: str) -> None:
        self._response, self._watch = response, watch
        self.status = response.status
        self.url = url
        """The address after redirects; it may hold a signature."""
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        """Names in lower case."""

    def pieces(self) -> Iterator[bytes]:
        """The body in pieces as they arrive, undecoded.

        Raises:
            Interrupted: the watch shut the connection down.
        """
        while piece := self._response.read1(_PIECE, decode_content=False):
            self._watch.count(len(piece))
            yield piece
        if self._watch.verdict:  # the body did not end: the watch ended the connection
            raise Interrupted(self._watch.verdict)


class Requests:
    """Sends requests. Threads may share it."""

    def __init__(self, *, tokens: Mapping[str, str], limits: TransferLimits, proxies: Mapping[str, str], is_confined: bool) -> None:
        """Make the pools; nothing is sent yet. The arguments are those of :class:`Transfer`.

        Raises:
            UsageError: a token would travel unencrypted to another machine, or no header can hold it.
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
        # Pools for the first address, for redirects from this machine, and for all other redirects.
        self._named = Pools(proxies=proxies, is_confined=is_confined, allows_loopback=is_free, allows_private=is_free)
        self._near = Pools(proxies=proxies, is_confined=True, allows_loopback=True)
        self._far = Pools(proxies=proxies, is_confined=True, allows_loopback=False, allows_private=is_free)

    @contextmanager
    def opened(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | Upload | None = None, *, seconds: float | None = None
    ) -> Iterator[Response]:
        """The response, to be read within the context, in so many ``seconds`` if that is less than the limit for any response.

        Raises:
            Interrupted: the connection failed, was too slow, or took too long, also while the caller reads the body.
            SourceError: a certificate is not trusted, or there are too many redirects.
            PolicyError: a redirect leads to a forbidden address.
        """
        limits = self._limits
        total = limits.total if seconds is None else min(seconds, limits.total)
        with Watch(window=limits.window, least=int(limits.least_speed * limits.window), total=total) as watch:
            try:
                first = parts = parts_of(url)
                pools = self._named
                for _ in range(_MOST_REDIRECTS + 1):
                    response = self._send(pools, watch, method, parts, headers, body)
                    try:
                        if watch.verdict:  # http.client takes headers that were cut off for complete ones
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
                raise SourceError(f"{place_of(first)} redirects without end.", is_temporary=True)
            except Refused as error:
                raise PolicyError(f"{place_of(first)} leads to {error}, and nothing is fetched from there.") from error
            except (HTTPError, OSError) as error:
                if isinstance(error, SSLError | ssl.SSLError) and not watch.verdict:
                    raise SourceError(f"{place_of(parts)} has no certificate that is trusted here.", is_temporary=True) from error
                raise Interrupted(watch.verdict or connection_failure(error)) from error

    def _send(
        self, pools: Pools, watch: Watch, method: str, parts: SplitResult, headers: Mapping[str, str], body: bytes | Upload | None
    ) -> BaseHTTPResponse:
        """Send one request to one host."""
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
    """An upload's file that reports the bytes read from it to the watch and to the user's progress."""

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
    """The parts of an address, without its fragment.

    Raises:
        UsageError: it is no http or https address, or has a user or password.
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
    """The origin of an address, with its scheme's default port if it names none."""
    return parts.scheme, parts.hostname or "", parts.port or _PORTS[parts.scheme]


def place_of(parts: SplitResult) -> str:
    """Host and port for messages, without path and query, which may hold a signature."""
    return parts.netloc


def _redirected(at: SplitResult, location: str) -> SplitResult:
    """The target of a redirect."""
    try:
        parts = parts_of(urljoin(at.geturl(), location))
    except (UsageError, ValueError):
        raise PolicyError(f"{place_of(at)} redirects to what is no plain http or https address.") from None
    if at.scheme == "https" and parts.scheme != "https":
        raise PolicyError(f"{place_of(at)} redirects from https to http.", hint="Nothing is fetched unencrypted on such a word.")
    return parts
