"""Addresses as users write them in, sources out: a folder, ``file://``, ``http(s)://``, ``s3://``, other stores, ``github:``.

An address from a checkout's configuration was not chosen by its user: only a public https server is accepted, and it gets no token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from hardtack.bundle.naming import CATALOGUE_PLACE as CATALOGUE
from hardtack.errors import BundleNotFound, UsageError
from hardtack.store.sources.catalogue import MOST_BYTES, parse_catalogue
from hardtack.store.sources.folder import Folder
from hardtack.store.sources.github import GitHubSource
from hardtack.store.sources.github_api import PUBLIC_API, GitHubApi, host_of, repository_name
from hardtack.store.sources.github_login import token_of_login
from hardtack.store.sources.objects import SCHEMES, Objects
from hardtack.store.sources.requests import TransferLimits
from hardtack.store.sources.source import Progress, Source
from hardtack.store.sources.static import FileStore, StaticSource
from hardtack.store.sources.transfer import Transfer
from hardtack.store.sources.web import WebFolder

if TYPE_CHECKING:
    from hardtack.nouns.catalogue import CatalogueEntry

_WEB: Final = ("http", "https")
_LIKE_A_FILE: Final = "Write it like file:///srv/bundles"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """Tokens, addresses and limits for sources. Only this value carries tokens; they appear in no ``repr``, message or record."""

    token: str = field(default="", repr=False)
    """For the host of the first address, and no other."""
    github_token: str = field(default="", repr=False)
    """For GitHub's API, and no other host; ``token`` takes precedence if GitHub is the first address."""
    github_api: str = ""
    """Base address of GitHub's API; empty for github.com's."""
    github_server: str = ""
    """Address of GitHub's website, whose host begins repositories' names; empty derives it from the API's."""
    asks_login: bool = False
    """Whether the token of the user's ``gh`` login is used for GitHub's API if there is no other."""
    proxies: Mapping[str, str] = field(default_factory=dict, repr=False)
    """``http``, ``https`` -> proxy, and ``no`` -> hosts without a proxy."""
    limits: TransferLimits = field(default_factory=TransferLimits)


def sources_of(addresses: Sequence[str], settings: SourceSettings, *, is_users: bool = True) -> list[Source]:
    """A source for each address, in order.

    Args:
        addresses: from the user or from the checkout's configuration.
        settings: tokens and limits.
        is_users: whether they come from the user.

    Raises:
        UsageError: an address is invalid, or a configuration may not name it.
        MissingExtra: a driver is not installed.
    """
    without = replace(settings, token="")
    return [
        source_of(address, settings if is_users and not position else without, is_users=is_users)
        for position, address in enumerate(addresses)
    ]


def sources_for(
    addresses: Sequence[str],
    configured: Sequence[str],
    repository: str,
    settings: SourceSettings,
    notice: Callable[[str], None],
) -> list[Source]:
    """The sources that the user named, else those of the checkout's configuration, else the repository itself on GitHub.

    Args:
        addresses: the user's addresses.
        configured: the addresses in the checkout's configuration.
        repository: ``host/owner/name``; empty when it is not known.
        settings: tokens and limits; a configuration's sources get no token.
        notice: called with one sentence when the configuration's sources are used.

    Raises:
        UsageError: no source is known, or an address is invalid.
        MissingExtra: a driver is not installed.
    """
    if addresses:
        return sources_of(addresses, settings)
    host, _, project = repository.partition("/")
    if not configured and host == host_of(api=settings.github_api, server=settings.github_server) and project.count("/") == 1:
        return sources_of([f"github:{project}"], settings)
    if not configured:
        raise UsageError("It is not known where to pull from.", hint="Name a source with --from or HARDTACK_SOURCE.")
    notice(f"The checkout's configuration names its source: {', '.join(configured)}.")
    return sources_of(configured, settings, is_users=False)


def source_of(address: str, settings: SourceSettings, *, is_users: bool = True) -> Source:
    """The source at an address; arguments and errors as in :func:`sources_of`."""
    if not is_users and _scheme_of(address) != "https":
        raise UsageError(
            f"The checkout's configuration names {address!r} as its source.",
            hint="Only an https:// address is followed from there; name any other with --from or HARDTACK_SOURCE.",
        )
    if _scheme_of(address) == "github":
        return _github(address, settings)
    return StaticSource(_place(address, settings, is_users=is_users))


def catalogue_at(address: str, settings: SourceSettings) -> list[CatalogueEntry]:
    """The entries of the catalogue at a folder, a bucket or a web server that the user named; arguments as in :func:`sources_of`.

    Raises:
        UsageError: the address is invalid, or a place without a catalogue.
        BundleNotFound: there is no catalogue.
        FormatError, PolicyError: what lies there is none.
        SourceError: it cannot be read.
        MissingExtra: a driver is not installed.
    """
    if _scheme_of(address) == "github":
        raise UsageError("A repository on GitHub has no catalogue.", hint="Name the folder, bucket or server of many repositories.")
    place = _place(address, settings, is_users=True)
    if (document := place.read_json(CATALOGUE, MOST_BYTES)) is None:
        raise BundleNotFound(f"There is no catalogue at {place.name}.", hint="The next 'hardtack publish' there writes one.")
    return parse_catalogue(document, f"{place.name}/{CATALOGUE}")


def target_of(
    address: str,
    settings: SourceSettings,
    *,
    public: str = "",
    replaces: bool = False,
    is_private: bool = False,
    expires_after: int = 0,
    progress: Progress | None = None,
) -> Source:
    """The source to publish to.

    Args:
        address: a folder, a bucket, or a repository on GitHub.
        settings: as for :func:`sources_of`.
        public: the address that readers pull from, if it is another; it is read without any token.
        replaces: as for :class:`StaticSource`.
        is_private: as for :class:`StaticSource`.
        expires_after: as for :class:`StaticSource`.
        progress: called during uploads.

    Raises:
        UsageError: the address is invalid, or cannot be published to.
        MissingExtra: a driver is not installed.
    """
    if _scheme_of(address) == "github":
        return _github(address, settings)
    place = _place(address, settings, is_users=True)
    if isinstance(place, WebFolder):
        raise UsageError(f"{place.name} cannot be published to.", hint="Publish to the folder or the bucket that it serves.")
    without = SourceSettings(proxies=settings.proxies, limits=settings.limits)
    readers = [_place(public, without, is_users=True)] if public else []
    if isinstance(place, Objects) and place.can_be_anonymous:
        readers.append(Objects(address, is_anonymous=True))
    return StaticSource(
        place, readers=readers, replaces=replaces, is_private=is_private, expires_after=expires_after, progress=progress
    )


def github_api_of(repository: str, settings: SourceSettings) -> GitHubApi:
    """GitHub's API for a repository ``owner/name`` that the user named.

    Raises:
        UsageError: that is no repository's name, or a token would travel unencrypted.
    """
    return GitHubApi(
        repository_name(repository),
        api=settings.github_api or PUBLIC_API,
        server=settings.github_server,
        token=_github_token(settings),
        limits=settings.limits,
        proxies=settings.proxies,
    )


def _github(address: str, settings: SourceSettings) -> GitHubSource:
    return GitHubSource(
        address,
        api=settings.github_api,
        server=settings.github_server,
        token=_github_token(settings),
        limits=settings.limits,
        proxies=settings.proxies,
    )


def _github_token(settings: SourceSettings) -> str:
    token = settings.token or settings.github_token
    if not token and settings.asks_login:
        token = token_of_login(host_of(api=settings.github_api, server=settings.github_server))
    return token


def _place(address: str, settings: SourceSettings, *, is_users: bool) -> FileStore:
    scheme = _scheme_of(address)
    if scheme in _WEB:
        tokens = {address: settings.token} if settings.token else {}
        transfer = Transfer(tokens=tokens, limits=settings.limits, proxies=settings.proxies, is_confined=not is_users)
        return WebFolder(address, transfer)
    if scheme in SCHEMES:
        return Objects(address)
    if scheme == "file":
        try:
            parts = urlsplit(address)
        except ValueError as error:
            raise UsageError(f"{address!r} is no place on this machine.", hint=_LIKE_A_FILE) from error
        if parts.netloc not in ("", "localhost") or not parts.path.startswith("/") or parts.query or parts.fragment:
            raise UsageError(f"{address!r} is no place on this machine.", hint=_LIKE_A_FILE)
        address = unquote(parts.path)
    elif scheme:
        raise UsageError(f"{address!r} is no source that is known.", hint=f"Known are folders, {', '.join((*_WEB, *SCHEMES))}.")
    if not address or "\0" in address:
        raise UsageError(f"{address!r} is no place on this machine.")
    try:
        return Folder(Path(address).expanduser())
    except RuntimeError:
        raise UsageError(f"{address} begins with a home directory, and there is none.", hint="Write the whole path.") from None


def _scheme_of(address: str) -> str:
    """The scheme before ``://``, in lower case; empty for a path, with a drive letter or not. ``github:owner/name`` has one too."""
    scheme, separator, rest = address.partition(":")
    is_scheme = separator and len(scheme) > 1 and scheme.replace("+", "").isalnum() and scheme.isascii()
    return scheme.lower() if is_scheme and (rest.startswith("//") or scheme == "github") else ""
