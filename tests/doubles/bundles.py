"""Bundles of a few files that a test writes down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from checkouts import commit, init, write

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


def built_commits(root: Path, **trees: Mapping[str, str | bytes]) -> Path:
    """A checkout ``shop`` with a commit for each of ``trees``, each over the one before, and its bundle beside it, by name."""
    tree = init(root / "shop")
    options = BuildOptions(profile="keyword", jobs=1, repository="example.org/acme/shop")
    for name, files in trees.items():
        commit(write(tree, files))
        build_bundle(tree, root / name, options)
    return root
