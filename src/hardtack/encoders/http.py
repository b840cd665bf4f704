"""A JSON request in, the answer's bytes out, from a service that may be slow, busy or broken; the request is retried.

Connections, TLS and the two forms of ``Retry-After`` come from urllib3. This module adds what urllib3 lacks: a pause that holds for
every thread, one deadline for a whole answer, a bound on its size, and a retry of an answer that turns out to be bad when it is
parsed. Redirects are refused, since they would carry the key and the texts to an address nobody chose. The key is in one header
and nowhere else; it is also removed from a service's error message before that is shown.
"""

from __future__ import annotations

import ipaddress
import json
import random
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, InvalidHeader, NewConnectionError, ReadTimeoutError, SSLError
from urllib3.response import BaseHTTPResponse
from urllib3.util import Retry, Timeout

from hardtack.encoders.pace import Pace
from hardtack.errors import EncoderUnavailable, UsageError

_T = TypeVar("_T")

_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_REFUSED_KEY: Final = frozenset({401, 403})
_CONNECT_SECONDS: Final = 10.0
_LONGEST_BACKOFF: Final = 30.0
_MAX_ANSWER: Final = 64 << 20  # 20 vectors of 4,096 numbers, written out in full, are 2 MB
_PIECE: Final = 1 << 16
_SHOWN: Final = 200
"""Characters of a service's own error message that are shown."""


class BadAnswer(Exception):
    """An answer arrived and is not valid; another try may bring a better one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often a request is sent, and how long each step may take."""

    tries: int
    timeout: float
    """Seconds for one whole answer."""
    longest_wait: float
    """The longest ``Retry-After`` in seconds that is waited for; a longer one is an error."""
    first_backoff: float = 0.5
    """Seconds before the second try, doubled for each further one, and multiplied by a random factor from 0.5 to 1.5."""


class Endpoint:
    """One address that takes JSON by POST. Threads may share it."""

    def __init__(
        self, url: str, *, key: str, key_variable: str, pace: Pace, policy: RetryPolicy, proxies: Mapping[str, str]
    ) -> None:
        """Prepare connections; nothing is sent yet.

        Args:
            url: where requests go.
            key: sent as a bearer token; empty for none.
            key_variable: the variable that the key comes from, for the hint when it is refused.
            pace: the rate limit.
            policy: tries and time limits.
            proxies: as in :class:`EncoderSettings`.

        Raises:
            UsageError: the key would travel unencrypted to another machine, or no header can hold it.
        """
        parts = urlsplit(url)
        host = parts.hostname or ""
        if key and parts.scheme == "http" and not is_loopback(host):
            raise UsageError(f"The key for {host} would be sent unencrypted.", hint="Use https, or unset the key.")
        if not (key.isascii() and key.isprintable()):
            raise UsageError(f"{key_variable} holds characters that no key has.")
        self._url = url
        self.place = parts.netloc
        """The address without its path, for messages."""
        self.policy = policy
        self._pace = pace
        self._key_variable = key_variable
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "hardtack"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        proxy = "" if is_loopback(host) or goes_direct(host, proxies.get("no", "")) else proxies.get(parts.scheme, "")
        self._pool = urllib3.ProxyManager(proxy, maxsize=8) if proxy else urllib3.PoolManager(maxsize=8)

    def ask(self, document: object, parse: Callable[[bytes], _T], stop: threading.Event) -> _T:
        """Send ``document`` and return the parsed answer, after as many tries as the policy allows.

        Args:
            document: the request, JSON values.
            parse: reads the answer; it raises :class:`BadAnswer` if another try may help.
            stop: set when the answer is no longer wanted.

        Raises:
            EncoderUnavailable: there is no valid answer; the message says why.
        """
        body = json.dumps(document).encode()
        problem = ""
        for attempt in range(self.policy.tries):
            if attempt:
                backoff = min(self.policy.first_backoff * 2 ** (attempt - 1), _LONGEST_BACKOFF)
                stop.wait(backoff * random.uniform(0.5, 1.5))  # noqa: S311  (spreads tries; nothing to guess)
            if not self._pace.wait(stop):
                raise EncoderUnavailable(f"The encoder's service at {self.place} was no longer asked.")
            try:
                status, answer, retry_after = self._send(body)
                if status == 200:
                    return parse(answer)
                problem = self._verdict(status, answer, retry_after)
            except (HTTPError, OSError) as error:
                problem = connection_failure(error)
            except BadAnswer as error:
                problem = str(error)
        tries = f", at the last of {self.policy.tries} tries" if self.policy.tries > 1 else ""
        raise EncoderUnavailable(f"The encoder's service at {self.place} {problem}{tries}.", hint="Try again later.")

    def _send(self, body: bytes) -> tuple[int, bytes, float]:
        """Send the request once; the status, the content, and the seconds that the service asks to wait, or 0."""
        deadline = time.monotonic() + self.policy.timeout
        response = self._pool.request(
            "POST",
            self._url,
            body=body,
            headers=self._headers,
            timeout=Timeout(connect=min(_CONNECT_SECONDS, self.policy.timeout), read=self.policy.timeout),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        try:
            pieces, size = [], 0
            while piece := response.read1(_PIECE):
                pieces.append(piece)
                size += len(piece)
                if size > _MAX_ANSWER:
                    raise BadAnswer("sent more than any answer needs")
                if time.monotonic() > deadline:
                    raise BadAnswer(f"took longer than {self.policy.timeout:g} seconds")
            response.release_conn()
            return response.status, b"".join(pieces), _retry_after(response)
        finally:
            response.close()

    def _verdict(self, status: int, answer: bytes, retry_after: float) -> str:
        """What is wrong with an answer, as the end of a sentence, if another try may help."""
        where = f"The encoder's service at {self.place}"
        if status in _REFUSED_KEY:
            raise EncoderUnavailable(
                f"{where} refuses the key, or wants one ({status}).", hint=f"It is taken from {self._key_variable}."
            )
        if 300 <= status < 400:
            raise EncoderUnavailable(f"{where} sends its callers elsewhere ({status}).", hint="Name the address it should be.")
        if status not in _TRANSIENT or b"insufficient_quota" in answer:
            message = self._quoted(answer)
            raise EncoderUnavailable(f"{where} refuses the request ({status}){f': {message}' if message else ''}.")
        if retry_after > self.policy.longest_wait:
            raise EncoderUnavailable(f"{where} asks to wait {retry_after:.0f} seconds ({status}).", hint="Try again then.")
        if retry_after:
            self._pace.hold(retry_after)
        return f"is busy ({status})" if status == 429 else f"has failed ({status})"

    def _quoted(self, answer: bytes) -> str:
        """The start of a service's own error message, with the key masked."""
        try:
            document = json.loads(answer)
            error = document["error"] if isinstance(document, dict) and "error" in document else document
            found = error.get("message") or error.get("detail") or "" if isinstance(error, dict) else error
        except ValueError:
            found = answer.decode("utf-8", "replace")
        words = " ".join("".join(character if character.isprintable() else " " for character in str(found)).split())
        for secret in self._headers.get("Authorization", "").split()[1:]:
            words = words.replace(secret, "***")
        return words[:_SHOWN].rstrip(".")


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, by name or IP address; no name is resolved."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def goes_direct(host: str, names: str) -> bool:
    """Whether ``NO_PROXY`` names the host or a domain it belongs to."""
    without = [name.strip().lstrip(".").lower() for name in names.split(",")]
    return "*" in without or any(name and f".{host}".endswith(f".{name}") for name in without)


def _retry_after(response: BaseHTTPResponse) -> float:
    try:
        return Retry().get_retry_after(response) or 0.0
    except (InvalidHeader, ValueError, OverflowError):
        return 0.0


def connection_failure(error: Exception) -> str:
    """What happened to a connection, as the end of a sentence. An exception's own text can be long and name Python objects."""
    if isinstance(error, NewConnectionError):  # first: urllib3 derives it from the time-outs
        return "cannot be reached"
    if isinstance(error, ConnectTimeoutError | ReadTimeoutError | TimeoutError):
        return "does not answer in time"
    if isinstance(error, SSLError | ssl.SSLError):
        return "has no certificate that is trusted here"
    return "broke the connection off"
