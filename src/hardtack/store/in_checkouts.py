"""A directory in, the bundles of its checkout out, and whether the user built them: what may be read without being named.

A checkout inside another one (a linked worktree, a submodule, a repository of its own) has other files than the outer one, so the
outer one's bundle never answers for it. And whoever can commit to a repository can put a bundle into it, so one that the user did
not build there (:mod:`hardtack.store.built`) is a stranger's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.integrity import read_manifest, read_manifest_bytes
from hardtack.bundle.naming import CATALOGUE_PLACE, OWN_PLACE, PACK_SUFFIX
from hardtack.errors import BundleError, PolicyError, SourceError
from hardtack.git import is_repository

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

_MOST_LOOKED_AT: Final = 50_000
"""Entries of a directory in which bundles are looked for."""

CacheOf = Callable[[], "BundleCache | None"]
"""Returns the user's cache; None when the user has no directory for one."""


def own_places(start: Path) -> Iterator[Path]:
    """Where the bundle of a directory's own checkout may lie, the nearest first; links in ``start`` are resolved."""
    for directory in _upwards(start):
        yield directory / OWN_PLACE
        if is_repository(directory):
            return


def none_at(start: Path) -> str:
    """Says that there is no bundle for ``start``, and which one above it is of another working tree; without a full stop."""
    own = [*own_places(start)]
    outer = next((place for directory in _upwards(start) if (place := directory / OWN_PLACE) not in own and is_bundle(place)), None)
    if outer is None:
        return f"There is no bundle in or above {start}"
    return f"There is no bundle of {own[-1].parents[1]}; the one in {outer.parents[1]} is of another working tree"


def digest_at(place: Path) -> str:
    """The digest of the bundle at ``place``; empty if it cannot be read."""
    with suppress(BundleError):
        return digest_of(read_manifest_bytes(place))
    return ""


def stranger(place: Path, digest: str, cache: CacheOf) -> PolicyError | None:
    """The refusal of a bundle that lies at ``place`` and that the user did not build there; None if the user did."""
    from hardtack.store.built import BuiltHere  # a bundle that is named does without

    try:
        if BuiltHere(cache).has(place, digest):
            return None
        why = "it is not one that you built there"
    except (PolicyError, SourceError) as error:
        why = f"nothing shows that you built it there ({str(error).rstrip('.')})"
    of = ""
    with suppress(BundleError):
        of = read_manifest(place)[0].provenance.repository
    claim = f", and it says that it is of {of}" if of else ""
    tree = place.parents[1]
    hint = f"Build your own with: hardtack build {tree}; or, if you trust who built this one, name it: -b {tree}"
    return PolicyError(f"The bundle {place} is not taken, since {why}{claim}.", hint=hint)


def sentence_of(error: PolicyError) -> str:
    """A refusal with its remedy."""
    return f"{error} {error.hint}"


def is_bundle(path: Path) -> bool:
    """Whether ``path`` has a manifest; False if it may not be read, or is no valid path."""
    return is_file(path / layout.MANIFEST)


def is_shelf(directory: Path) -> bool:
    """Whether a directory holds bundles or packs and is no bundle: also a place that was published to."""
    if is_bundle(directory) or is_bundle(directory / OWN_PLACE):
        return False
    if is_file(directory / CATALOGUE_PLACE):
        return True
    try:
        return any(is_bundle(each) or each.suffix == PACK_SUFFIX for each in islice(directory.iterdir(), _MOST_LOOKED_AT))
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether ``path`` is a file; False if it may not be looked at, or is no valid path."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _upwards(start: Path) -> tuple[Path, ...]:
    place = Path(os.path.realpath(start))
    return (place, *place.parents)
