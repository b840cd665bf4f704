"""A cache in; what nothing names any more removed from it, and how much that was out.

A bundle stays as long as a record or a remembered lock file names it, and a day longer, for those who have just looked where it
lies. Whatever is removed is first moved aside, and put back if somebody has come to name it meanwhile. Who has a bundle open goes
on reading it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import is_digest
from hardtack.bundle.placing import fsync_directory
from hardtack.errors import FormatError, SourceError
from hardtack.store.cache import BundleCache, Installed, is_plain_directory
from hardtack.store.cache_writing import unwritable
from hardtack.store.locking import alone
from hardtack.store.pins import pinned_digests
from hardtack.store.records import RECORD_HINT, RECORD_LIMIT, read_object
from hardtack.store.scratch import clear_abandoned, last_change, move_aside, scratch_directory

GRACE: Final = 24 * 60 * 60
"""Seconds that what nothing names stays."""


@dataclass(slots=True, kw_only=True)
class Collected:
    """What was removed, or would be."""

    bundles: int = 0
    members: int = 0
    """Stored members that no bundle has any more."""
    abandoned: int = 0
    """Installs and downloads that were never finished."""
    bytes: int = 0
    """What is free now that was not before."""
    kept: int = 0
    """Bundles that are still there."""


def collect(cache: BundleCache, *, dry_run: bool = False, grace: float = GRACE, now: float | None = None) -> Collected:
    """Remove what no record and no remembered lock file names, once it was left alone for ``grace`` seconds.

    Args:
        cache: one that is not there has nothing to remove.
        dry_run: count, and leave all as it is.
        grace: seconds.
        now: seconds since 1970; else what the clock says.

    Raises:
        PolicyError: others may write to the cache.
        FormatError: a remembered lock file or a record cannot be read; nothing is removed, since it may name anything.
        SourceError: the disk refuses.
    """
    cache.check()
    before = (time.time() if now is None else now) - grace
    pinned, forgotten = pinned_digests(cache)
    wanted = pinned | _recorded(cache)
    abandoned = clear_abandoned(cache.tmp, before=before, dry_run=dry_run)  # before members are counted: it may have names for some
    bundles = _bundles(cache)
    doomed = [(path, digest) for path, digest in bundles if digest not in wanted and _is_older(path, before)]
    done = Collected(kept=len(bundles) - len(doomed), abandoned=len(abandoned))
    done.members, done.bytes = _freed(cache, [path for path, _ in doomed])
    done.bytes += sum(abandoned)
    if dry_run:
        done.bundles = len(doomed)
    else:
        try:
            done.bundles = sum(_remove(cache, path, digest, before) for path, digest in doomed)
            _remove_unused(cache)
            for path in (*forgotten, *_litter(cache, before)):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(cache.root, error) from error
        done.kept += len(doomed) - done.bundles
    return done


def uninstall(installed: Installed) -> None:
    """Have a name stand for nothing any more, and remove its bundle unless another name stands for it.

    Raises:
        PolicyError: others may write to the cache.
        SourceError: the disk refuses.
    """
    cache = installed.cache
    cache.check()
    try:
        installed.ref.unlink(missing_ok=True)
        fsync_directory(cache.refs)
        with suppress(FormatError):  # a damaged record may name this bundle, which stays then
            if installed.digest not in _recorded(cache) and is_plain_directory(installed.path):
                with scratch_directory(cache.tmp) as scratch:
                    move_aside(installed.path, scratch / "bundle")
        _remove_unused(cache)
    except OSError as error:
        raise unwritable(cache.root, error) from error


def _recorded(cache: BundleCache) -> set[str]:
    """The digests that records name, whether their bundles are there or not; those of another Hardtack's records, too.

    Raises:
        FormatError: a record is damaged: it may name anything.
        SourceError: the records cannot be listed.
    """
    digests = set()
    for path in _entries(cache.refs):
        if path.name.startswith(layout.OWN_PREFIX):  # which is being written, or never was
            continue
        try:
            digest = read_object(path, RECORD_LIMIT).get("digest")
        except FormatError:
            if os.path.lexists(path):
                raise
            continue  # it went in between
        if not isinstance(digest, str) or not is_digest(digest):
            raise FormatError(f"{path} names no bundle by its digest.", field="digest", hint=RECORD_HINT)
        digests.add(digest)
    return digests


def _bundles(cache: BundleCache) -> list[tuple[Path, str]]:
    """Every bundle that is there, with its digest. What else lies beside them is not ours to remove."""
    named = [(path, path.name.replace("-", ":", 1)) for path in _entries(cache.bundles)]
    return [(path, digest) for path, digest in named if is_digest(digest) and is_plain_directory(path)]


def _remove(cache: BundleCache, path: Path, digest: str, before: float) -> bool:
    """Remove a bundle that nothing names; False when somebody has come to want it. OSError is the caller's."""
    with alone(cache.locks, f"install {digest}", wait=0) as is_alone, scratch_directory(cache.tmp) as scratch:
        if not is_alone or not _is_older(path, before) or digest in _recorded(cache):
            return False
        aside = scratch / "bundle"
        try:
            move_aside(path, aside)
        except FileNotFoundError:
            return False
        with suppress(FormatError, SourceError):  # what cannot be known counts as wanted
            if digest not in _recorded(cache):
                return True
        with suppress(OSError):  # somebody who did without the lock has just recorded it, or put it there again already
            aside.rename(path)
            path.chmod(0o555)
        return False


def _freed(cache: BundleCache, bundles: Iterable[Path]) -> tuple[int, int]:
    """How many stored members, and how many bytes, go when these bundles go: all whose names lie in them or in the store."""
    links: Counter[tuple[int, int]] = Counter()
    states: dict[tuple[int, int], os.stat_result] = {}
    for directory in bundles:
        for place, _, files in os.walk(directory):
            for file in files:
                with suppress(OSError):
                    state = Path(place, file).lstat()
                    states[state.st_dev, state.st_ino] = state
                    links[state.st_dev, state.st_ino] += 1
    members = 0
    for path in _entries(cache.members):
        with suppress(OSError):
            state = path.lstat()
            inode = (state.st_dev, state.st_ino)
            states[inode] = state
            links[inode] += 1
            members += links[inode] == state.st_nlink
    return members, sum(state.st_size for inode, state in states.items() if links[inode] >= state.st_nlink)


def _remove_unused(cache: BundleCache) -> None:
    """Remove stored members that no bundle has; a bundle that takes one up at this very moment keeps its own name for it."""
    for path in _entries(cache.members):
        with suppress(FileNotFoundError):
            if path.lstat().st_nlink == 1:
                path.unlink()


def _litter(cache: BundleCache, before: float) -> list[Path]:
    """Files of records and the like that were being written when their writers were killed."""
    found = [path for folder in (cache.refs, cache.pins) for path in _entries(folder) if path.name.startswith(layout.OWN_PREFIX)]
    return [path for path in found if _is_older(path, before)]


def _is_older(path: Path, before: float) -> bool:
    try:
        return last_change(path.lstat()) < before
    except OSError:
        return False


def _entries(directory: Path) -> list[Path]:
    """What lies in a folder of the cache, in order; nothing where there is none.

    Raises:
        SourceError: it cannot be listed, so it is not known what it has.
    """
    try:
        return sorted(directory.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SourceError(
            f"{directory} cannot be listed: {error.strerror}.", hint="Nothing was removed; mend that first."
        ) from error
