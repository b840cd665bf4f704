"""A checkout and the source of its packs in, the pack of the nearest ancestor commit out: the base of an incremental build.

No fault of the base ends the job: a note says what is wrong, and the build makes everything anew. A pack is checked against its
digests when it is opened, and against samples while the build takes rows over from it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from hardtack.bundle.format.pack import open_pack
from hardtack.ci.inputs import Inputs
from hardtack.errors import HardtackError
from hardtack.store.history import History
from hardtack.store.resolve import Aim, FoundPack, find
from hardtack.store.sources.source import DENIED, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierPack:
    """The base of a build, or the reason why there is none."""

    pack: Path | None = None
    """None when there is no base."""
    commit: str = ""
    note: str = ""
    """Why there is no base, as the end of a sentence; empty when there is one."""
    is_trouble: bool = False
    """Whether the reason deserves a warning. A job without the right to read packs is set up so by its project: no trouble."""


def earlier_of(inputs: Inputs, repository: str, history: History, source: Source | None, destination: Path) -> EarlierPack:
    """Find and fetch the base of this build.

    Args:
        inputs: whether a base is wanted, and which.
        repository: the repository that is built, ``host/owner/name``.
        history: the checkout's history.
        source: the source of packs of earlier commits; None when it is not known.
        destination: the file to write the pack to.
    """
    if inputs.base == "none":
        return EarlierPack(note="none was wanted")
    if source is None:
        return EarlierPack(note="this job knows of no place that earlier packs are in")
    try:
        aim = Aim(repository=repository, profile=inputs.profile)
        found = find(source, aim, history, lambda sentence: None)
        if found is None:
            return EarlierPack(note="no ancestor has a pack yet")
        return _fetched(inputs, source, found, destination)
    except HardtackError as error:
        destination.unlink(missing_ok=True)
        return EarlierPack(note=str(error).rstrip("."), is_trouble=error.code != DENIED)


def _fetched(inputs: Inputs, source: Source, found: FoundPack, destination: Path) -> EarlierPack:
    source.fetch(found.offer, destination)
    with open_pack(destination) as pack:
        provenance, digests = pack.manifest.provenance, (pack.bundle_digest, _digest_of(destination))
    if inputs.base != "auto" and inputs.base not in digests:
        destination.unlink()
        return EarlierPack(note=f"the nearest pack is {digests[0]}, not the one that was asked for", is_trouble=True)
    if found.offer.commit and provenance.commit != found.offer.commit:
        destination.unlink()
        return EarlierPack(note=f"the pack that was offered for {found.offer.commit[:12]} is of another commit", is_trouble=True)
    return EarlierPack(pack=destination, commit=provenance.commit)


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
