"""Requests to GitHub's REST API in, answers with checked fields out; GitHub's errors become Hardtack's.

The token is sent to the API's own host, and for an upload to GitHub's upload host; the storage host that a download redirects to
does not get it. A field that is missing or has another type is a :class:`FormatError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from hardtack.encoders.http import is_loopback
from hardtack.errors import FormatError, PolicyError, SourceError, UsageError
from hardtack.store.sources.requests import NOTHING, TransferLimits, Upload, parts_of
from hardtack.store.sources.source import DENIED, Progress
from hardtack.store.sources.transfer import HttpReply, Transfer
from hardtack.store.strict_json import parse_object

PUBLIC_API: Final = "https://api.github.com"
PAGE: Final = 100
"""Items of one page, the most that GitHub allows."""

_T = TypeVar("_T")
_ANSWER_LIMIT: Final = 16 << 20  # a page of 100 releases with 1,000 assets each is cut by GitHub long before
_HEADERS: Final = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_FILE: Final = {"Accept": "application/octet-stream", "X-GitHub-Api-Version": "2022-11-28"}
_GIVES_MORE: Final = re.compile(r'<[^<>]*>; rel="next"')
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryFacts:
    """GitHub's description of a repository."""

    id: int
    is_private: bool
    default_branch: str


class GitHubApi:
    """The API of one repository. Threads may share it."""

    def __init__(
        self,
        repository: str,
        *,
        api: str = PUBLIC_API,
        server: str = "",
        token: str = "",
        limits: TransferLimits | None = None,
        proxies: Mapping[str, str] = NOTHING,
    ) -> None:
        """Set up; nothing is sent yet.

        Args:
            repository: ``owner/name``.
            api: base address; that of a GitHub Enterprise server ends in ``/api/v3``.
            server: address of its website, whose host is part of repositories' names; empty derives it from the API's.
            token: empty for none.
            limits: time limits and tries.
            proxies: as in :class:`Transfer`.

        Raises:
            UsageError: an address is invalid, or a token would travel unencrypted.
        """
        self.repository = repository
        self.has_token = bool(token)
        self._api, self._server = api.rstrip("/"), server
        self._host = host_of(api=api, server=server)
        self._token, self._limits, self._proxies = token, limits, proxies
        self._root = f"{self._api}/repos/{'/'.join(quote(part, safe='') for part in repository.split('/'))}"
        self._transfer = self._speaking_to(self._api)

    @property
    def name(self) -> str:
        """``host/owner/name``, as in a bundle's provenance."""
        return f"{self._host}/{self.repository}"

    @cached_property
    def facts(self) -> RepositoryFacts:
        """GitHub's description of the repository, requested once.

        Raises:
            SourceError: GitHub cannot be asked, or the token may not see the repository.
        """
        document = self.get("")
        if document is None:
            raise SourceError(
                f"GitHub shows no repository {self.repository}{' to this token' if self.has_token else ''}.",
                hint="For a private repository a token is needed: HARDTACK_TOKEN, GH_TOKEN or 'gh auth login'.",
                code=DENIED,
            )
        return RepositoryFacts(
            id=field(document, "id", int),
            is_private=field(document, "private", bool),
            default_branch=field(document, "default_branch", str),
        )

    def get(self, path: str, **query: object) -> dict[str, Any] | None:
        """The JSON object at ``path`` below the repository; None when GitHub has none.

        Raises:
            SourceError: GitHub cannot be asked.
            FormatError: its answer cannot be understood.
        """
        reply = self._ask(path, query)
        return None if reply is None else _parsed(reply.body)

    def pages(self, path: str, *, within: str = "", most: int, **query: object) -> Iterator[tuple[list[dict[str, Any]], bool]]:
        """The pages of the list at ``path``: (items, whether there are more pages) for each; none when there is no such list.

        Args:
            path: below the repository.
            within: the field of the answer that holds the list; empty when the answer is the list.
            most: the most pages that are requested.
            query: GitHub's query parameters.

        Raises:
            SourceError: GitHub cannot be asked.
            FormatError: its answer cannot be understood.
        """
        for number in range(1, most + 1):
            reply = self._ask(path, {**query, "per_page": PAGE, "page": number})
            if reply is None:
                return
            document = _parsed(reply.body if within else b'{"items":' + reply.body + b"}")
            items = field(document, within or "items", list)
            if not all(isinstance(item, dict) for item in items):
                raise _not_understood(within or "items")
            has_more = _GIVES_MORE.search(reply.headers.get("link", "")) is not None
            yield items, has_more
            if not has_more:
                return

    def download(
        self, path: str, destination: Path, *, limit: int, size: int | None, digest: str, progress: Progress | None
    ) -> str:
        """Download the file at ``path`` and return its digest; see :meth:`Transfer.download`."""
        return self._transfer.download(
            self._root + path, destination, limit=limit, size=size, digest=digest, headers=_FILE, progress=progress
        )

    def upload(self, url: str, name: str, upload: Upload) -> HttpReply:
        """Send a file to the upload address of a release.

        Raises:
            SourceError: the network fails.
            PolicyError: the address belongs to a host that must not get the token.
        """
        address = url.partition("{")[0]
        if not self._takes_uploads(address):
            raise PolicyError(f"GitHub wants the file sent to {urlsplit(address).netloc!r}, which is no host of its own.")
        headers = {**_HEADERS, "Content-Type": "application/octet-stream"}
        return self._speaking_to(address).ask("POST", f"{address}?{urlencode({'name': name})}", headers=headers, body=upload)

    def send(self, method: Literal["POST", "PATCH"], path: str, document: Mapping[str, object]) -> dict[str, Any]:
        """Make or change what is at ``path`` below the repository; gives GitHub's account of it.

        Raises:
            SourceError: GitHub cannot be asked, or refuses.
            FormatError: its answer cannot be understood.
        """
        body = json.dumps(document).encode("ascii")
        headers = {**_HEADERS, "Content-Type": "application/json"}
        reply = self._transfer.ask(method, self._root + path, headers=headers, body=body, limit=_ANSWER_LIMIT)
        if reply.status not in (200, 201):
            raise self.refusal(reply)
        return _parsed(reply.body)

    def delete(self, path: str) -> None:
        """Delete the object at ``path``; one that is gone already is no error.

        Raises:
            SourceError: GitHub cannot be asked, or refuses.
        """
        reply = self._transfer.ask("DELETE", self._root + path, headers=_HEADERS)
        if reply.status not in (204, 404):
            raise self.refusal(reply)

    def without_token(self) -> GitHubApi:
        """The same repository, without a token."""
        return self._like(self.repository, "")

    def of(self, repository: str) -> GitHubApi:
        """Another repository of the same host, with the same token."""
        return self._like(repository, self._token)

    def _like(self, repository: str, token: str) -> GitHubApi:
        return GitHubApi(repository, api=self._api, server=self._server, token=token, limits=self._limits, proxies=self._proxies)

    def refusal(self, reply: HttpReply) -> SourceError | PolicyError:
        """The error for an answer with an unexpected status."""
        message = _message(reply.body)
        if reply.status == 401:
            return SourceError(
                f"GitHub refuses the token, or wants one (401): {message}.",
                hint="It is taken from HARDTACK_TOKEN, GH_TOKEN, GITHUB_TOKEN or 'gh auth token'.",
                code=DENIED,
            )
        if reply.status == 403:
            return SourceError(f"GitHub denies it (403): {message}.", hint="Give the token the rights that it lacks.", code=DENIED)
        return SourceError(f"GitHub gives an answer that was not expected ({reply.status}): {message}.", is_temporary=True)

    def _ask(self, path: str, query: Mapping[str, object]) -> HttpReply | None:
        asked = f"?{urlencode(query)}" if query else ""
        reply = self._transfer.ask("GET", f"{self._root}{path}{asked}", headers=_HEADERS, limit=_ANSWER_LIMIT)
        if reply.status in (404, 410, 422):
            return None
        if reply.status != 200:
            raise self.refusal(reply)
        return reply

    def _speaking_to(self, url: str) -> Transfer:
        return Transfer(tokens={url: self._token} if self._token else NOTHING, limits=self._limits, proxies=self._proxies)

    def _takes_uploads(self, url: str) -> bool:
        """Whether an address belongs to this API: same scheme and port, and the same host or ``uploads.X`` for ``api.X``."""
        api, target = urlsplit(self._api), urlsplit(url)
        host = api.hostname or ""
        if is_loopback(host) and target.hostname == host:
            return target.scheme == api.scheme
        hosts = {host, re.sub(r"^api\.", "uploads.", host)}
        return target.scheme == api.scheme and target.hostname in hosts and target.port == api.port


def host_of(*, api: str, server: str) -> str:
    """The host in repositories' names: the website's, else the API's without ``api.``.

    Raises:
        UsageError: the address is no http or https address.
    """
    if server:
        return parts_of(server).hostname or ""
    return (parts_of(api or PUBLIC_API).hostname or "").removeprefix("api.")


def field(document: Mapping[str, Any], name: str, kind: type[_T]) -> _T:
    """A field of an answer, which must have the type ``kind``.

    Raises:
        FormatError: it is missing or has another type.
    """
    value = document.get(name)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _not_understood(name)
    return value


def repository_name(text: str) -> str:
    """``text``, checked to be a valid ``owner/name``.

    Raises:
        UsageError: it is not.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}", text) or text.endswith(("/.", "/..")):
        raise UsageError(f"{text!r} is no repository of GitHub's.", hint="Write github:OWNER/NAME.")
    return text


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        return parse_object(body)
    except ValueError as error:
        raise FormatError(f"GitHub's answer cannot be read: {error}.", hint="Is GITHUB_API_URL the address of its API?") from error


def _not_understood(name: str) -> FormatError:
    return FormatError(
        f"GitHub's answer lacks {name!r}, or has something else there.", field=name, hint="Is the API's address right?"
    )


def _message(body: bytes) -> str:
    """GitHub's error message, printable and shortened."""
    try:
        message = parse_object(body).get("message", "")
    except ValueError:
        message = ""
    words = " ".join(str(message).split())
    return "".join(each if each.isprintable() else " " for each in words)[:_SHOWN].rstrip(".") or "no reason given"
