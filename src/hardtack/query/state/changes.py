"""A bundle in, what its files hold out; with a checkout, how many of them that has, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hardtack import __version__
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.reader import Bundle
from hardtack.nouns.statistics import Contents
from hardtack.query.checkout.freshness import freshness_of
from hardtack.query.checkout.head import Checkout


def contents_of(bundle: Bundle) -> Contents:
    """What a bundle's files hold."""
    return {file.path: file.blob_id for file in bundle.files}


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


def freshness_counts(bundle: Bundle, checkout: Path) -> Mapping[str, int]:
    """How many of a bundle's files a checkout has as they were indexed, otherwise, not at all, or not to be told; reads each."""
    return Counter(freshness_of(file, checkout) for file in bundle.files)
