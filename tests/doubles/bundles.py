"""Bundles of a few files that a test writes down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from checkouts import write

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle
from hardtack.query.opening import open_bundle

KEYWORD = BuildOptions(profile="keyword", jobs=1)


def built(place: Path, files: Mapping[str, str | bytes], options: BuildOptions = KEYWORD) -> Path:
    """Write ``files`` into ``place`` and build their bundle; where it is."""
    build_bundle(write(place, files), place / "bundle", options)
    return place / "bundle"


@contextmanager
def opened(place: Path, files: Mapping[str, str | bytes], options: BuildOptions = KEYWORD) -> Iterator[Bundle]:
    """The same, open."""
    with open_bundle(built(place, files, options)) as searcher:
        yield searcher.bundle
