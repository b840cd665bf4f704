"""A checkout and where its packs are in, the pack of the nearest ancestor out: what a build takes over from.

Anything may be wrong with it and none of it ends the job: a sentence says what, and the build makes everything anew. What comes is
held against its digests when it is opened, and against samples while the build takes rows over from it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardtack.bundle.format.pack import open_pack
from hardtack.ci.inputs import Inputs
from hardtack.errors import HardtackError
from hardtack.store.history import History
from hardtack.store.resolve import Aim, Found, find
from hardtack.store.sources.source import DENIED, Source

_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What there is to take over from."""

    pack: Path | None = None
    """None when there is nothing."""
    commit: str = ""
    note: str = ""
    """Why there is nothing, as the end of a sentence; empty when there is something."""
    is_trouble: bool = False
    """Something is wrong with what there was. That the job has no right to look is how a project set it up, and no trouble."""


def earlier_of(inputs: Inputs, repository: str, history: History, source: Source | None, destination: Path) -> Earlier:
    """The base of this build.

    Args:
        inputs: whether one is wanted, and which.
        repository: ``host/owner/name`` that is built.
        history: of the checkout.
        source: where packs of earlier commits are; None when that is not known.
        destination: the file to bring it to.
    """
    if inputs.base == "none":
        return Earlier(note="none was wanted")
    if source is None:
        return Earlier(note="this job knows of no place that earlier packs are in")
    said: list[str] = []
    try:
        aim = Aim(repository=repository, profile=inputs.profile)
        found = find(source, aim, history, said.append)
        if found is None:
            return Earlier(note="no ancestor has a pack yet")
        return _fetched(inputs, source, found, destination)
    except HardtackError as error:
        destination.unlink(missing_ok=True)
        return Earlier(note=str(error).rstrip("."), is_trouble=error.code != DENIED)


def _fetched(inputs: Inputs, source: Source, found: Found, destination: Path) -> Earlier:
    source.fetch(found.offer, destination)
    with open_pack(destination) as pack:
        provenance, digests = pack.manifest.provenance, (pack.bundle_digest, _digest_of(destination))
    if inputs.base != "auto" and inputs.base not in digests:
        destination.unlink()
        return Earlier(note=f"the nearest pack is {digests[0]}, not the one that was asked for", is_trouble=True)
    if found.offer.commit and provenance.commit != found.offer.commit:
        destination.unlink()
        return Earlier(note=f"the pack that was offered for {found.offer.commit[:12]} is of another commit", is_trouble=True)
    return Earlier(pack=destination, commit=provenance.commit)


def _digest_of(path: Path) -> str:
    state = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            state.update(piece)
    return f"sha256:{state.hexdigest()}"
