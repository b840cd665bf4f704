"""Addresses in, bytes out, over HTTP: with retries, resumed downloads and size limits.

No content coding is requested and none is accepted, so no body can inflate. The size is known or limited before the first byte, and
counted as bytes arrive. A temporary failure is retried: after the time that the server asks for, up to a limit, else after a wait
that doubles each time. A download is resumed if the server shows that it still has the same bytes; the digest of the complete file
is checked in any case. Whatever a server does, each download and all questions together end in a bounded time (:mod:`.patience`).
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

from hardtack.errors import FormatError, IntegrityError, PolicyError, SourceError
from hardtack.store.sources.partial import Partial, check_size
from hardtack.store.sources.patience import Patience, Stopwatch
from hardtack.store.sources.requests import NOTHING, Interrupted, Requests, Response, TransferLimits, Upload, parts_of, place_of
from hardtack.store.sources.source import DENIED, UNAUTHORIZED, Progress
from hardtack.store.strict_json import parse_object

_TEMPORARY: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_NOT_TAKEN: Final = frozenset({429, 503})
"""Statuses that say that the request was not processed, so that even a POST may be sent again."""
_GONE: Final = frozenset({404, 410})
_DOCUMENT_LIMIT: Final = 1 << 20
_LONGEST_BACKOFF: Final = 30.0
_CONTENT_RANGE: Final = re.compile(r"bytes (\d{1,19})-(\d{1,19})/(\d{1,19})")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpReply:
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes = field(repr=False)
    url: str = field(repr=False)
    """The address after redirects; it may hold a signature."""


class Transfer:
    """HTTP for sources. Threads may share it."""

    def __init__(
        self,
        *,
        tokens: Mapping[str, str] = NOTHING,
        limits: TransferLimits | None = None,
        proxies: Mapping[str, str] = NOTHING,
        is_confined: bool = False,
    ) -> None:
        """Set up; nothing is sent yet.

        Args:
            tokens: URL of any path on a host -> the token sent to that scheme, host and port, as ``Authorization: Bearer``.
            limits: time limits and tries.
            proxies: ``http``, ``https`` -> proxy, and ``no`` -> hosts without a proxy.
            is_confined: the addresses do not come from the user: not even the first may be in the user's own network.

        Raises:
            UsageError: a token would travel unencrypted to another machine, or no header can hold it.
        """
        self._limits = limits or TransferLimits()
        self._asking = Stopwatch()
        self._requests = Requests(tokens=tokens, limits=self._limits, proxies=proxies, is_confined=is_confined)

    def get_json(self, url: str, *, limit: int = _DOCUMENT_LIMIT, headers: Mapping[str, str] = NOTHING) -> dict[str, Any] | None:
        """The JSON object at ``url``; None when the server says that there is none (404, 410).

        Raises:
            SourceError: it cannot be fetched; the code is that of :func:`refusal`.
            FormatError: it is no JSON object.
            PolicyError: it is larger than ``limit`` bytes, or a redirect leads to a forbidden address.
        """
        reply = self.ask("GET", url, limit=limit, headers=headers)
        if reply.status in _GONE:
            return None
        if reply.status != 200:
            raise refusal(url, reply.status)
        try:
            return parse_object(reply.body)
        except ValueError as error:
            raise FormatError(f"{shown(url)} is not what was expected: {error}.", hint="Tell whoever publishes there.") from error

    def ask(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] = NOTHING,
        body: bytes | Upload | None = None,
        limit: int = _DOCUMENT_LIMIT,
    ) -> HttpReply:
        """Send a request, with retries, and return the complete response, whatever its status.

        A POST, which must not be processed twice, is sent again only if the server says that it was not processed.

        Raises:
            SourceError: there is no response, or only temporary failures, or all questions so far have taken too long.
            PolicyError: the response is larger than ``limit`` bytes, or a redirect leads to a forbidden address.
        """
        if isinstance(body, Upload):
            return self._answer(method, url, headers, body, limit)
        with self._asking.running():
            return self._answer(method, url, headers, body, limit)

    def _answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes | Upload | None, limit: int) -> HttpReply:
        failed = 0
        while True:
            left = None if isinstance(body, Upload) else self._limits.asking - self._asking.seconds
            if left is not None and left <= 0:
                raise unreachable(url, f"has taken more than {self._limits.asking:.0f} seconds to answer")
            try:
                with self._requests.opened(method, url, headers, body, seconds=left) as response:
                    self._check(response, url)
                    pieces, size = [], 0
                    for piece in response.pieces():
                        pieces.append(piece)
                        size += len(piece)
                        if size > limit:
                            raise PolicyError(f"{shown(url)} is larger than the {limit} bytes that are taken of it.")
                    return HttpReply(status=response.status, headers=response.headers, body=b"".join(pieces), url=response.url)
            except Interrupted as problem:
                failed += 1
                is_repeatable = method != "POST" or problem.status in _NOT_TAKEN
                self._wait(url, failed if is_repeatable else self._limits.tries, problem)

    def download(
        self,
        url: str,
        destination: Path,
        *,
        limit: int,
        size: int | None = None,
        digest: str = "",
        headers: Mapping[str, str] = NOTHING,
        progress: Progress | None = None,
    ) -> str:
        """Download ``url`` to a file and return the file's digest.

        Args:
            url: requested again with each try, because a redirect to a signed address may have expired.
            destination: the file. If a digest is given, existing bytes are resumed, and an interrupted download is kept.
            limit: the most bytes that are accepted.
            size: the promised size in bytes; None when it is not known.
            digest: the promised digest; empty when it is not known.
            headers: additional request headers.
            progress: called after each piece.

        Raises:
            SourceError: network or disk, or there is no such file.
            IntegrityError: size or digest differ from the promise; the bytes are deleted.
            PolicyError: the file is larger than accepted, or a redirect leads to a forbidden address.
        """
        check_size(size, limit, shown(url))
        with Partial(destination, resumes=bool(digest)) as part:
            had = part.size > 0
            if size is not None and part.size > size:
                part.restart()
            patience = self._patience(part, size)
            while size is None or part.size < size or not part.size:
                before, restarts = patience.highest, part.restarts
                try:
                    self._go_on(url, part, size, limit, headers, progress, patience, is_named_by_digest=bool(digest))
                    break
                except Interrupted as problem:
                    failed = patience.failed(before, restarted=part.restarts > restarts)
                    had = had or part.size > 0
                    if patience.verdict:
                        raise unreachable(url, patience.verdict) from problem
                    self._wait(url, failed, problem)
            if had and digest and part.digest != digest:  # the resumed parts do not fit together: download it all once more
                part.restart()
                self._whole(url, part, size, limit, headers, progress)
            part.finish(size=size, digest=digest, address=shown(url))
            return part.digest

    def _patience(self, part: Partial, size: int | None) -> Patience:
        limits = self._limits
        return Patience(
            had=part.size, size=size, grace=limits.grace, least_mean=limits.least_mean, most_requests=limits.most_requests
        )

    def _whole(
        self, url: str, part: Partial, size: int | None, limit: int, headers: Mapping[str, str], progress: Progress | None
    ) -> None:
        try:
            self._go_on(url, part, size, limit, headers, progress, self._patience(part, size), is_named_by_digest=False)
        except Interrupted as problem:
            part.remove()
            raise unreachable(url, str(problem)) from problem

    def _go_on(
        self,
        url: str,
        part: Partial,
        size: int | None,
        limit: int,
        headers: Mapping[str, str],
        progress: Progress | None,
        patience: Patience,
        *,
        is_named_by_digest: bool,
    ) -> None:
        """Try once to download the rest of a file, or all of it."""
        if part.size and not (part.etag or is_named_by_digest):
            part.restart()
        request_headers = dict(headers)
        if part.size:
            request_headers["Range"] = f"bytes={part.size}-"
            if part.etag:
                request_headers["If-Range"] = part.etag
        with self._requests.opened("GET", url, request_headers) as response:
            if response.status == 416:
                part.restart()
                raise Interrupted("has no more of it", status=416)
            self._check(response, url)
            if response.status not in (200, 206):
                raise absence(url, response.status)
            total = _total_of(response, part)
            check_size(total, limit, shown(url))
            if total is not None and size is not None and total != size:
                part.remove()
                problem = f"{shown(url)} has {total} bytes where {size} were promised."
                raise IntegrityError(problem, faults=[problem], hint="Another source may have it right.")
            part.check_room(total or size or 0)
            cap = total if total is not None else size if size is not None else limit
            for piece in response.pieces():
                if part.size + len(piece) > cap:
                    part.remove()
                    raise PolicyError(f"{shown(url)} gives more than the {cap} bytes that it should.")
                part.write(piece)
                if given_up := patience.reached(part.size):
                    raise unreachable(url, given_up)
                if progress:
                    progress(part.size, total)
            if total is not None and part.size < total:
                raise Interrupted("broke the connection off")

    def _check(self, response: Response, url: str) -> None:
        """Refuse a content coding.

        Raises:
            Interrupted: the status says that a later try may succeed.
            SourceError: the body has a content coding.
        """
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise SourceError(
                f"{shown(url)} comes in a coding that was not asked for.",
                hint="Have the server send the file as it is.",
                is_temporary=True,
            )
        wait = _asked_wait(response)
        if response.status in _TEMPORARY or (response.status == 403 and wait):
            what = "asks for fewer requests" if response.status in (403, 429) else "has failed"
            raise Interrupted(f"{what} ({response.status})", status=response.status, wait=wait)

    def _wait(self, url: str, failed: int, problem: Interrupted) -> None:
        """Wait before the next try."""
        if problem.wait > self._limits.longest_wait:
            raise unreachable(url, f"{problem}, and wants to be left alone for {problem.wait:.0f} seconds") from problem
        if failed >= self._limits.tries:
            raise unreachable(url, f"{problem}{f', at the last of {failed} tries' if failed > 1 else ''}") from problem
        backoff = min(self._limits.first_backoff * 2 ** (failed - 1), _LONGEST_BACKOFF)
        time.sleep(max(problem.wait, backoff * random.uniform(0.5, 1.5)))  # noqa: S311  (spreads tries; nothing to guess)


def shown(url: str) -> str:
    """An address for messages, without its query, which may hold a signature."""
    return urlsplit(url)._replace(query="", fragment="").geturl()


def unreachable(url: str, what: str) -> SourceError:
    """The error for a server that could not be asked."""
    return SourceError(f"{place_of(parts_of(url))} {what}.", hint="Try again later, or name another source.", is_temporary=True)


def absence(url: str, status: int) -> SourceError:
    """The error for a file that a source claims to have and its server does not deliver."""
    if status in _GONE:
        return SourceError(f"{shown(url)} is not there ({status}).", hint="Tell whoever publishes there.", is_temporary=True)
    return refusal(url, status)


def refusal(url: str, status: int) -> SourceError:
    """The error for a response that another try will not change; the code is ``UNAUTHORIZED`` for 401, ``DENIED`` for 403."""
    if status == 401:
        return SourceError(
            f"{shown(url)} refuses the token, or wants one (401).", hint="It is taken from HARDTACK_TOKEN.", code=UNAUTHORIZED
        )
    if status == 403:
        return SourceError(
            f"{shown(url)} may not be read, or is not there (403).", hint="A token may help (HARDTACK_TOKEN).", code=DENIED
        )
    return SourceError(f"{shown(url)} gives an answer that is not understood ({status}).", is_temporary=True)


def _total_of(response: Response, part: Partial) -> int | None:
    """The complete file's size; None when the response does not tell. ``part`` is emptied if the response does not continue it.

    Raises:
        Interrupted: the response has another part than requested.
    """
    etag = response.headers.get("etag", "")
    if response.status == 206 and part.size:
        match = _CONTENT_RANGE.fullmatch(response.headers.get("content-range", ""))
        first, last, total = map(int, match.groups()) if match else (-1, -1, -1)
        if (first, last + 1) != (part.size, total) or (part.etag and etag and etag != part.etag):
            part.restart()
            raise Interrupted("gives another part than was asked for")
        return total
    if response.status == 206:
        raise Interrupted("gives a part where the whole was asked for")
    part.restart()
    part.etag = etag if etag.startswith('"') else ""
    length = response.headers.get("content-length", "")
    return int(length) if re.fullmatch(r"\d{1,19}", length) else None


def _asked_wait(response: Response) -> float:
    """The seconds that a server asks to wait; 0 when it does not ask, or what it sends is invalid."""
    try:
        value = response.headers.get("retry-after", "")
        if value:
            return max(float(Retry().parse_retry_after(value)), 0.0)
        if response.headers.get("x-ratelimit-remaining") == "0":  # GitHub's form: no requests left until the reset time
            reset = response.headers.get("x-ratelimit-reset", "")
            return max(int(reset) - time.time(), 0.0) if re.fullmatch(r"[0-9]{1,19}", reset) else 0.0
    except (InvalidHeader, ValueError, OverflowError):
        pass
    return 0.0
