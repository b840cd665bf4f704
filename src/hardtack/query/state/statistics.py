"""A bundle in, what it holds in numbers out: what tools and verbs tell of it, each in its own shape."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from hardtack.bundle.format.manifest import LanguageCount, Manifest, NamedProject
from hardtack.bundle.format.records import KINDS
from hardtack.bundle.reader import Bundle
from hardtack.nouns.statistics import Statistics
from hardtack.query.state.health import parse_health

_LOW_BYTE: Final = 0 if sys.byteorder == "little" else 3


def statistics_of(bundle: Bundle) -> Statistics:
    """What a bundle holds, in numbers."""
    return Statistics(
        symbols=_symbols_by_kind(bundle),
        health=parse_health(bundle),
    )


def languages_of(manifest: Manifest) -> tuple[LanguageCount, ...]:
    """The languages of a bundle, those with most chunks first."""
    return tuple(sorted(manifest.languages, key=lambda language: (-language.chunks, language.id)))


def size_of(manifest: Manifest) -> int:
    """Bytes of all members together that a manifest lists; the manifest itself, a few thousand, is none."""
    return sum(member.size for member in manifest.members)


def main_project(manifest: Manifest) -> NamedProject | None:
    """The project that a source tree declares nearest to its root, a Go module before others; None of a tree without."""
    return min(manifest.projects, key=lambda each: (each.path.count("/"), each.ecosystem != "go", each.path), default=None)


def _symbols_by_kind(bundle: Bundle) -> Mapping[str, int]:
    """Counted over the low byte of each number, as bytes are counted at the speed of memory and there are less than 256 kinds."""
    numbers = bytes(bundle.kinds_of_symbols.cast("B"))[_LOW_BYTE::4]
    counts = {kind.value: numbers.count(number) for number, kind in enumerate(KINDS)}
    return {kind: count for kind, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])) if count}
