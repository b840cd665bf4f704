"""A bundle in, what its files hold out; with a checkout, how many of them that has, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from hardtack.bundle.reader import Bundle
from hardtack.nouns.statistics import Contents
from hardtack.query.checkout.freshness import freshness_of


def contents_of(bundle: Bundle) -> Contents:
    """What a bundle's files hold."""
    return {file.path: file.blob_id for file in bundle.files}


def freshness_counts(bundle: Bundle, checkout: Path) -> Mapping[str, int]:
    """How many of a bundle's files a checkout has as they were indexed, otherwise, not at all, or not to be told; reads each."""
    return Counter(freshness_of(file, checkout) for file in bundle.files)
