"""A bundle, the time and a checkout in; the bundle's age, and its distance from the checkout in commits and in files, out.

A bundle does not say when it was built, so that equal sources give equal bytes: its age is that of its commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hardtack import __version__
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import Provenance
from hardtack.nouns.statistics import Contents, Staleness
from hardtack.query.checkout.freshness import freshness_of
from hardtack.query.checkout.head import Checkout

_DAY_SECONDS: Final = 86_400


def staleness_of(provenance: Provenance, now: float, checkout: Checkout | None = None) -> Staleness:
    """The age of a bundle in days, and how far a checkout's HEAD has moved on from it, in commits and in files.

    Args:
        provenance: what the bundle was built from.
        now: seconds since 1970.
        checkout: a checkout of the same repository. Pass the same object each time: it caches what git counted.
    """
    days = -1 if provenance.commit_time is None else max(0, int(now - provenance.commit_time) // _DAY_SECONDS)
    return Staleness(
        days=days,
        commit=provenance.commit,
        head=checkout.head() if checkout else None,
        distance=checkout.distance(provenance.commit) if checkout and provenance.commit else None,
        files_changed=checkout.files_changed(provenance.commit) if checkout and provenance.commit else None,
    )


def is_up_to_date(manifest: Manifest, checkout: Checkout, *, tests: bool, vendor: bool) -> bool:
    """Whether a hybrid build of the checkout's commit would give this bundle again: same commit, same Hardtack, same files.

    Args:
        manifest: of the bundle.
        checkout: what would be built.
        tests: it would index tests.
        vendor: it would index vendored trees.
    """
    provenance, options, head = manifest.provenance, manifest.options, checkout.head()
    return (
        head is not None
        and (provenance.source, provenance.commit) == ("commit", head.commit)
        and manifest.tool == f"hardtack {__version__}"
        and manifest.encoder is not None
        and (options.get("tests"), options.get("vendor")) == (tests, vendor)
    )


def contents_of(bundle: Bundle) -> Contents:
    """Path -> git blob id of every file of a bundle."""
    return {file.path: file.blob_id for file in bundle.files}


def freshness_counts(bundle: Bundle, checkout: Path) -> Mapping[str, int]:
    """Freshness -> number of a bundle's files that have it in a checkout. Reads every one of them."""
    stored = bundle.text_of if bundle.has_text else None
    return Counter(freshness_of(file, checkout, stored) for file in bundle.files)
