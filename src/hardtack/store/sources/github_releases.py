"""A tag or a commit in, the pack among the files of its release out; and a pack in, uploaded to a release.

A release belongs to a tag, and a pack must be built from the tag's commit: after a tag was moved, its old pack is refused. A pack
is found by its name, so there is no pointer to move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import quote

from hardtack.bundle.format.digest import is_digest
from hardtack.descriptors import work_directory
from hardtack.errors import IntegrityError, PolicyError, SourceError, UsageError
from hardtack.git import is_same_repository
from hardtack.store.sources.github_api import GitHubApi, field
from hardtack.store.sources.github_names import PACK_LIMIT, pack_name, parse_pack_name
from hardtack.store.sources.partial import check_size
from hardtack.store.sources.requests import Upload
from hardtack.store.sources.source import Offer, Packed, Progress, Published, Wanted

_PAGES: Final = 5
_FINISHED: Final = "uploaded"
_CREATED: Final = 201


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of a release."""

    id: int
    name: str
    size: int
    digest: str
    """Empty when GitHub gives none."""
    is_finished: bool
    """Whether its upload was completed."""


class Releases:
    """The releases of one repository."""

    def __init__(self, api: GitHubApi) -> None:
        self._api = api
        self._lock = Lock()

    def resolve(self, wanted: Wanted) -> Offer | None:
        """The pack in the release of a tag, or in any release for a commit."""
        if wanted.ref:
            release = self._api.get(f"/releases/tags/{quote(wanted.ref, safe='')}")
            return self._offer_of(release, wanted.profile) if release else None
        if wanted.commit:
            with self._lock:  # several threads call this at once: one request serves all
                release = self._by_name.get(pack_name(wanted.commit, wanted.profile))
            return self._offer_of(release, wanted.profile) if release else None
        return None

    def fetch(self, asset: Asset, destination: Path, progress: Progress | None) -> None:
        """Download the pack."""
        check_size(asset.size, PACK_LIMIT, f"The file {asset.name} of {self._api.repository}")
        path = f"/releases/assets/{asset.id}"
        self._api.download(path, destination, limit=PACK_LIMIT, size=asset.size, digest=asset.digest, progress=progress)

    def publish(self, pack: Packed, tag: str) -> Published:
        """Upload the pack to the tag's release and read it back as a reader would.

        Raises:
            UsageError: there is no such release.
            SourceError: network, or GitHub refuses the upload.
            IntegrityError: other bytes were read back than were sent.
            PolicyError: the pack is of a private repository and the release is public, the tag names another commit, the release
                accepts no more files, or it has another pack of that name.
        """
        provenance = pack.manifest.provenance
        self._require_token()
        self._refuse_other_repository(provenance.repository)
        release = self._release_to_fill(tag)
        is_draft = field(release, "draft", bool)
        commit = self._commit_of(tag)
        if commit != provenance.commit and not (is_draft and commit is None):
            raise PolicyError(
                f"The tag {tag} is not of the commit {provenance.commit[:12]} that the pack holds.", hint="Build the tag's commit."
            )
        name = pack_name(provenance.commit, str(pack.manifest.options.get("profile", "hybrid")))
        check_size(pack.size, PACK_LIMIT, str(pack.path))
        asset, was_there = self._filled(release, name, pack, is_draft=is_draft)
        self._read_back(asset, pack, is_draft=is_draft)
        notes = ("The release is a draft: nobody else can pull from it until it is published.",) if is_draft else ()
        return Published(
            address=f"{self._api.name} release {tag}: {name}", pack_digest=pack.digest, already_there=was_there, notes=notes
        )

    @cached_property
    def _by_name(self) -> Mapping[str, dict[str, Any]]:
        """The name of each pack -> the newest release that has it; requested once."""
        found: dict[str, dict[str, Any]] = {}
        for releases, _ in self._api.pages("/releases", most=_PAGES):
            for release in releases:
                for asset in () if field(release, "draft", bool) else _assets_of(release):
                    found.setdefault(asset.name, release)
        return found

    def _offer_of(self, release: Mapping[str, Any], profile: str) -> Offer | None:
        """The pack of that profile in a release, which must be of its tag's commit; None when the release has no such pack."""
        tag = field(release, "tag_name", str)
        packs = {
            asset.name: asset
            for asset in _assets_of(release)
            if asset.is_finished and (name := parse_pack_name(asset.name)) and name.profile == profile
        }
        if not packs:
            return None
        commit = self._commit_of(tag) or ""
        asset = packs.get(pack_name(commit, profile))
        if asset is None:
            raise PolicyError(
                f"The release {tag} of {self._api.repository} has no pack of the commit {commit[:12]} that its tag names.",
                hint="The tag may have been moved.",
            )
        return Offer(
            address=f"{self._api.name} release {tag}: {asset.name}",
            commit=commit,
            repository=self._api.name,
            pack_digest=asset.digest,
            size=asset.size,
            locator=asset,
        )

    def _commit_of(self, tag: str) -> str | None:
        document = self._api.get(f"/commits/{quote(f'tags/{tag}', safe='')}")
        return field(document, "sha", str) if document else None

    def _require_token(self) -> None:
        if not self._api.has_token:
            raise UsageError("Publishing to a release needs a token.", hint="Set HARDTACK_TOKEN to one that may write contents.")

    def _refuse_other_repository(self, repository: str) -> None:
        """Refuse a pack of another repository; a private one's source must not become public."""
        target = self._api.facts
        if is_same_repository(repository, self._api.name):
            return
        host, _, name = repository.partition("/")
        if target.is_private or host != self._api.name.partition("/")[0] or name.count("/") != 1:
            raise PolicyError(
                f"The pack is of {repository or 'no repository that it names'}, and {self._api.name} is another.",
                hint="Publish it where its own project publishes.",
            )
        if self._api.of(name).facts.is_private:
            raise PolicyError(f"The pack is of the private repository {repository}, and {self._api.name} is public.")
        raise PolicyError(f"The pack is of {repository}, and {self._api.name} is another.", hint="Publish it to its own project.")

    def _release_to_fill(self, tag: str) -> dict[str, Any]:
        """The release of a tag, which may be a draft."""
        release = self._api.get(f"/releases/tags/{quote(tag, safe='')}")
        if release is None:
            listed = (each for page, _ in self._api.pages("/releases", most=_PAGES) for each in page)
            release = next((each for each in listed if each.get("tag_name") == tag), None)
        if release is None:
            raise UsageError(f"{self._api.repository} has no release {tag!r}.", hint="Make it first; a draft will do.")
        return release

    def _filled(self, release: Mapping[str, Any], name: str, pack: Packed, *, is_draft: bool) -> tuple[Asset, bool]:
        """The release's file of that name, uploaded if it is missing; and whether it was there already."""
        for asset in self._all_assets(release):
            if asset.name == name and asset.is_finished:
                if asset.digest and asset.digest != pack.digest:
                    raise PolicyError(
                        f"The release has another {name}, {asset.digest}, and a published pack is not replaced.",
                        hint="Remove it there by hand if it is not wanted.",
                    )
                return asset, True
            if asset.name == name:  # an interrupted upload, which keeps its name occupied
                self._api.delete(f"/releases/assets/{asset.id}")
        if release.get("immutable") is True and not is_draft:
            raise PolicyError("The release is immutable and takes no more files.", hint="Publish while the release is a draft.")
        try:
            with pack.path.open("rb") as file:
                reply = self._api.upload(field(release, "upload_url", str), name, Upload(file=file, size=pack.size))
        except OSError as error:
            raise SourceError(f"{pack.path} cannot be read: {error.strerror}.") from error
        if reply.status != _CREATED:
            raise self._api.refusal(reply)
        sent = next((asset for asset in self._all_assets(release) if asset.name == name and asset.is_finished), None)
        if sent is None:
            raise SourceError(f"GitHub took {name} and does not list it.", hint="Publish again.", is_temporary=True)
        return sent, False

    def _all_assets(self, release: Mapping[str, Any]) -> Iterator[Asset]:
        for page, _ in self._api.pages(f"/releases/{field(release, 'id', int)}/assets", most=11):  # GitHub takes 1,000
            yield from map(_asset_of, page)

    def _read_back(self, asset: Asset, pack: Packed, *, is_draft: bool) -> None:
        """Download the file and compare it with what was sent; without a token if the repository is public."""
        is_open = not (is_draft or self._api.facts.is_private)
        reader = Releases(self._api.without_token()) if is_open else self
        with work_directory() as scratch:
            try:
                reader.fetch(Asset(asset.id, asset.name, pack.size, pack.digest, is_finished=True), Path(scratch, "pack"), None)
            except IntegrityError as error:
                problem = f"GitHub gives other bytes for {asset.name} than were sent."
                raise IntegrityError(
                    problem, faults=[problem], hint="Remove the file from the release and publish again."
                ) from error


def _assets_of(release: Mapping[str, Any]) -> Iterator[Asset]:
    for asset in field(release, "assets", list):
        if isinstance(asset, dict):
            yield _asset_of(asset)


def _asset_of(document: Mapping[str, Any]) -> Asset:
    digest = document.get("digest")
    return Asset(
        id=field(document, "id", int),
        name=field(document, "name", str),
        size=field(document, "size", int),
        digest=digest if isinstance(digest, str) and is_digest(digest) else "",
        is_finished=document.get("state") == _FINISHED,
    )
