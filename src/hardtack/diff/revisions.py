"""A checkout and a revision of git in, the bundle of that commit out: one that is at hand, one that was built before, or built now.

    commit_of    revision         -> the commit that git says it is
    at_hand      commit           -> an installed bundle of it, or that of the checkout
    Revisions    commit           -> the same, else one built by a process and kept in the user's cache, as overlays are

A bundle that is built here has the options of the one that it is compared with. It takes over what has not changed from a bundle of
the user's own builder, or one that was pulled for the repository; never from one that was only named, as it is kept for later.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.reader import Bundle
from hardtack.diff.commit_process import build_commit
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import BundleNotFound, HardtackError, SourceError
from hardtack.git import git_output, is_same_repository, repository_of, top_of
from hardtack.store.in_checkouts import CacheOf
from hardtack.store.locate import Located, locate_all

if TYPE_CHECKING:
    from hardtack.store.overlays import KeptOverlays

_GIT_SECONDS: Final = 10
_LONGEST: Final = 250
"""Characters of a revision that git is asked about."""
_ID: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SHOWN: Final = 12


class Found(NamedTuple):
    """The bundle of a commit."""

    path: Path
    digest: str | None
    """That it must have; None for one that is hashed when it is opened or was just made."""
    said: str
    """Which bundle it is, one sentence, for people."""


class Commit(NamedTuple):
    """A commit of the repository of a checkout."""

    id: str
    root: Path
    """The directory whose bundle is wanted: the top of the checkout, or a part of it."""


def commit_of(revision: str, start: Path, subdirectory: str = "") -> Commit | None:
    """The commit that a revision names, as git resolves it in the checkout around ``start``; None if it names none.

    Args:
        revision: a commit's id, a tag, a branch, ``HEAD~3``, ...
        start: a directory.
        subdirectory: the part of the checkout whose bundle is wanted.
    """
    top = top_of(start)
    if top is None or not revision or len(revision) > _LONGEST or "\0" in revision:
        return None
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    answer = (git_output(top, *asked, seconds=_GIT_SECONDS) or b"").decode("ascii", "replace").strip()
    return Commit(answer, top / subdirectory if subdirectory else top) if _ID.fullmatch(answer) else None


def at_hand(commit: Commit, places: Iterable[Located], subdirectory: str) -> Found | None:
    """A bundle of just that commit among those that are installed or lie in the checkout; None if there is none."""
    repository = repository_of(commit.root)
    for located in places:
        try:
            manifest, digest = read_manifest(located.path)
        except HardtackError:
            continue
        provenance = manifest.provenance
        if provenance.commit != commit.id or provenance.source != "commit" or provenance.roots:
            continue
        is_same = not repository or not provenance.repository or is_same_repository(repository, provenance.repository)
        if is_same and provenance.subdirectory == subdirectory:
            return Found(located.path, located.digest or digest, f"Commit {commit.id[:_SHOWN]} is the bundle {located.name}")
    return None


class Revisions:
    """Finds and builds bundles of commits: kept in the user's cache, or without one in a directory that goes with :meth:`close`."""

    def __init__(
        self,
        cache: CacheOf,
        roots: Sequence[Path],
        starts: Sequence[Path],
        *,
        notice: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        """Nothing is read yet.

        Args:
            cache: returns the user's cache.
            roots: read-only directories of installed bundles.
            starts: directories; the first that is in a checkout counts.
            notice: gets a sentence before a bundle is built, and one that says which was taken.
        """
        self._cache, self._roots, self._starts, self._notice = cache, roots, starts, notice
        self._undo = ExitStack()

    def close(self) -> None:
        """Remove what was made outside of the cache."""
        self._undo.close()

    def find(self, revision: str, like: Bundle | None, *, seconds: float | None = None) -> Found:
        """The bundle of a revision.

        Args:
            revision: as git takes it.
            like: the bundle that it is compared with: of the same directory, with the same options.
            seconds: the longest that building one may take.

        Raises:
            BundleNotFound: it names no commit of the checkout.
            BuildError: it could not be built.
            PolicyError: others may write to the user's cache.
        """
        manifest = like.manifest if like else None
        subdirectory = manifest.provenance.subdirectory if manifest else ""
        commit = next(filter(None, (commit_of(revision, each, subdirectory) for each in self._starts)), None)
        if commit is None:
            raise BundleNotFound(
                f"{revision!r} names neither a bundle nor a commit of this checkout.",
                hint="Name a directory, a pack, an installed bundle (hardtack list) or a revision that is fetched; or get one: "
                "hardtack pull --commit COMMIT",
            )
        places = locate_all([], self._roots, self._starts, self._cache)
        found = at_hand(commit, places, subdirectory) or self._made(commit, revision, like, _base_among(places, commit), seconds)
        self._notice(found.said)
        return found

    def _made(self, commit: Commit, revision: str, like: Bundle | None, base: Path | None, seconds: float | None) -> Found:
        kept = self._kept()
        key = _key(commit, like.manifest if like else None)
        if kept and (path := kept.find(key)):
            return Found(path, None, f"Commit {commit.id[:_SHOWN]} was built before")
        self._notice(f"No bundle of {revision} is installed: commit {commit.id[:_SHOWN]} is built now")
        if kept:
            with kept.new() as place:
                self._build(commit, place, like, base, seconds)
                return Found(kept.keep(key, place), None, f"Commit {commit.id[:_SHOWN]} was built and is kept in the cache")
        from hardtack.descriptors import work_directory

        place = self._undo.enter_context(work_directory()) / "bundle"
        self._build(commit, place, like, base, seconds)
        return Found(place, None, f"Commit {commit.id[:_SHOWN]} was built")

    def _build(self, commit: Commit, place: Path, like: Bundle | None, base: Path | None, seconds: float | None) -> None:
        options = dict(like.manifest.options) if like else None
        if like and options and not _is_usual(like.manifest):
            options["profile"] = "keyword"  # a foreign encoder is not asked for a comparison
        repository = like.manifest.provenance.repository if like else None
        build_commit(commit.root, commit.id, place, options=options, repository=repository, base=base, seconds=seconds)

    def _kept(self) -> KeptOverlays | None:
        """Where bundles are kept; None without a cache that can be written."""
        from hardtack.store.overlays import KeptOverlays

        cache = self._cache()
        if cache is None:
            return None
        kept = KeptOverlays(cache)
        try:
            kept.prepare()
        except SourceError:
            return None
        return kept


def _is_usual(manifest: Manifest) -> bool:
    """Whether a bundle has no encoder but the default one."""
    return manifest.encoder is None or manifest.encoder.name == DEFAULT_ENCODER


def _base_among(places: Iterable[Located], commit: Commit) -> Path | None:
    """The first bundle that a build may take over from: whoever made it can decide what the new one says."""
    repository = repository_of(commit.root)
    for located in places:
        origin = located.installed.origin if located.installed else None
        is_pulled = origin is not None and origin.source != "file" and is_same_repository(repository, origin.repository)
        if located.is_own or is_pulled:
            try:
                if _is_usual(read_manifest(located.path)[0]):
                    return located.path
            except HardtackError:
                continue
    return None


def _key(commit: Commit, like: Manifest | None) -> str:
    """Names the bundle of a commit that this program builds: 64 hexadecimal digits."""
    from hardtack.build.reuse.tool_fingerprint import tool_fingerprint

    provenance = like.provenance if like else None
    options = dict(like.options) if like else None
    place = [provenance.repository, provenance.subdirectory] if provenance else []
    told = ["commit", commit.id, str(commit.root), place, options, tool_fingerprint().hex()]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("ascii")).hexdigest()
