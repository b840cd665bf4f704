"""``github:owner/name`` in, a source out: the artifacts of the repository's workflow, then the files of its releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from hardtack.errors import HardtackError, PolicyError, SourceError, UsageError
from hardtack.git import is_same_repository
from hardtack.store.sources.github_api import PUBLIC_API, GitHubApi, repository_name
from hardtack.store.sources.github_artifacts import Artifact, Artifacts
from hardtack.store.sources.github_releases import Asset, Releases
from hardtack.store.sources.requests import NOTHING, TransferLimits
from hardtack.store.sources.source import DENIED, Offer, Packed, Progress, Published, Wanted

SCHEME: Final = "github:"
WORKFLOW: Final = ".github/workflows/bundle.yml"
"""The workflow whose artifacts count, unless the address has ``?workflow=.github/workflows/other.yml``."""


class GitHubSource:
    """A repository on GitHub as a source. Packs can be published to releases only."""

    def __init__(
        self,
        address: str,
        *,
        api: str = "",
        server: str = "",
        token: str = "",
        limits: TransferLimits | None = None,
        proxies: Mapping[str, str] = NOTHING,
    ) -> None:
        """Parse ``github:owner/name``, maybe with ``?workflow=PATH``; nothing is sent yet. The others are as of :class:`GitHubApi`.

        Raises:
            UsageError: the address is invalid, or a token would travel unencrypted.
        """
        repository, workflow = parse_address(address)
        self._api = GitHubApi(repository, api=api or PUBLIC_API, server=server, token=token, limits=limits, proxies=proxies)
        self._artifacts, self._releases = Artifacts(self._api, workflow), Releases(self._api)
        self._lock = Lock()
        self._needs_login = False

    @property
    def name(self) -> str:
        """``github:owner/name``."""
        return SCHEME + self._api.repository

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The pack of ``wanted``: an artifact, else a file of a release.

        Artifacts come first because the releases may be old. Without a token, artifacts cannot be downloaded; they are looked up
        only to tell the user that a login is needed, and only until that is known, because requests without a token are few.

        Raises:
            SourceError: GitHub cannot be asked.
            PolicyError: there are only packs that are refused.
            FormatError: GitHub's answer cannot be understood.
        """
        if wanted.repository and not is_same_repository(wanted.repository, self._api.name):
            return None
        refused: HardtackError | None = None
        ways = (self._artifacts.resolve, self._releases.resolve) if self._api.has_token else (self._releases.resolve,)
        for resolve in ways:
            try:
                if offer := resolve(wanted):
                    return offer
            except PolicyError as error:
                refused = error
        if refused:
            raise refused
        if not self._api.has_token:
            with self._lock:  # one thread asks; its answer that a login is needed counts for the others
                self._needs_login = self._needs_login or self._artifacts.resolve(wanted) is not None
            if self._needs_login:
                raise SourceError(
                    f"{self._api.repository} has packs as artifacts, and GitHub gives artifacts only to who is logged in.",
                    hint="Set HARDTACK_TOKEN, or run 'gh auth login'; any account will do for a public repository.",
                    code=DENIED,
                )
        return None

    def fetch(self, offer: Offer, destination: Path, progress: Progress | None = None) -> None:
        """Download the pack; see :meth:`Source.fetch`."""
        if isinstance(offer.locator, Artifact):
            self._artifacts.fetch(offer.locator, destination, progress)
        else:
            assert isinstance(offer.locator, Asset)
            self._releases.fetch(offer.locator, destination, progress)

    def publish(self, pack: Packed, refs: Sequence[str]) -> Published:
        """Upload the pack to the release of the one tag in ``refs`` and read it back.

        Raises:
            UsageError: ``refs`` is not exactly one tag, or the tag has no release.
            SourceError: network, or GitHub refuses the upload.
            IntegrityError: other bytes were read back than were sent.
            PolicyError: see :meth:`Releases.publish`.
        """
        if len(refs) != 1:
            raise UsageError(
                "A pack is published to the release of one tag.",
                hint="Name it with --ref TAG. Artifacts are written by a workflow's upload step and cannot be published otherwise.",
            )
        return self._releases.publish(pack, refs[0])


def parse_address(address: str) -> tuple[str, str]:
    """The repository ``owner/name`` and the workflow's path in an address.

    Raises:
        UsageError: the address is invalid.
    """
    hint = "Write github:OWNER/NAME."
    try:
        parts = urlsplit(address.removeprefix(SCHEME))
        query = dict(parse_qsl(parts.query))
    except ValueError as error:
        raise UsageError(f"{address!r} is no address of a repository on GitHub.", hint=hint) from error
    workflow = query.pop("workflow", WORKFLOW)
    if not address.startswith(SCHEME) or query or parts.fragment or parts.scheme or parts.netloc:
        raise UsageError(f"{address!r} is no address of a repository on GitHub.", hint=hint)
    return repository_name(parts.path.strip("/")), workflow
