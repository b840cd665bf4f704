"""An open bundle and a checkout in, the bundle's state out: which searches work, its age, and what changed in the checkout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.reader import Check
from hardtack.git import is_same_repository, repository_of
from hardtack.nouns.model import MovedOn
from hardtack.nouns.statistics import Readiness, Staleness
from hardtack.query.checkout.head import Checkout
from hardtack.query.checkout.worktree import count_untracked
from hardtack.query.searcher import Searcher
from hardtack.query.state.readiness import readiness_of
from hardtack.query.state.staleness import freshness_counts, staleness_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleStatus:
    """A bundle, which searches work in it, and how it differs from a checkout."""

    name: str
    place: str
    digest: str
    check: Check
    """How it was verified: ``hashes`` or ``sizes``."""
    origin: str
    """Who answers for it: ``you``, ``installed``, ``bundle path`` or ``unknown``."""
    manifest: Manifest
    has_text: bool
    readiness: Readiness
    staleness: Staleness
    checkout: str
    """The directory that it was compared with; empty without one."""
    freshness: Mapping[str, int]
    """Freshness -> number of its files in the checkout; empty when they were not compared."""
    untracked: int | None
    """Further files in the checkout, neither tracked nor ignored by git; None if unknown."""
    over: MovedOn | None = None
    """The working tree that answers instead of it, or why none does; None where none differs."""
    warnings: tuple[str, ...] = ()
    """What is odd about it, one sentence each."""


def status_of(
    searcher: Searcher, name: str, place: Path, *, check: Check, origin: str, now: float, checkout: Path | None = None
) -> BundleStatus:
    """The state of an open bundle.

    Args:
        searcher: has the bundle open.
        name: of the bundle.
        place: its directory or file.
        check: how it was verified when it was opened.
        origin: who answers for it.
        now: seconds since 1970.
        checkout: compare the bundle with this directory. The files of a bundle of several roots are not compared.
    """
    bundle = searcher.bundle
    compared = None if bundle.manifest.provenance.roots else checkout
    of, around = bundle.manifest.provenance.repository, repository_of(checkout) if checkout else ""
    is_of_another = of and around and not is_same_repository(of, around)
    return BundleStatus(
        name=name,
        place=str(place),
        digest=bundle.digest,
        check=check,
        origin=origin,
        manifest=bundle.manifest,
        has_text=bundle.has_text,
        readiness=readiness_of(searcher),
        staleness=staleness_of(bundle.manifest.provenance, now, Checkout(checkout) if checkout else None),
        checkout=str(checkout) if checkout else "",
        freshness=freshness_counts(bundle, compared) if compared else {},
        untracked=count_untracked(bundle, compared) if compared else None,
        warnings=(f"The bundle says that it is of {of}, and the checkout is of {around}.",) if is_of_another else (),
    )
