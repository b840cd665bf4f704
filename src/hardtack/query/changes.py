"""What two bundles hold, or a bundle and a checkout, in; how many files one has and the other has not, or has otherwise, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardtack.bundle.reader import Bundle
from hardtack.query.freshness import freshness_of

Contents = Mapping[str, bytes]
"""Path of a file to git's id of what is in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How many files came, went, or are not what they were."""

    added: int
    removed: int
    updated: int


def contents_of(bundle: Bundle) -> Contents:
    """What a bundle's files hold."""
    return {file.path: file.blob_id for file in bundle.files}


def changes_between(before: Contents, after: Contents) -> Changes:
    """What became of the files."""
    return Changes(
        added=len(after.keys() - before.keys()),
        removed=len(before.keys() - after.keys()),
        updated=sum(before[path] != after[path] for path in before.keys() & after.keys()),
    )


def freshness_counts(bundle: Bundle, checkout: Path) -> Mapping[str, int]:
    """How many of a bundle's files a checkout has as they were indexed, otherwise, not at all, or not to be told; reads each."""
    return Counter(freshness_of(file, checkout) for file in bundle.files)
