"""Garbage collection of the cache: unreferenced bundles and members removed, and their number and size out.

A bundle stays while a record or a remembered lock file names it, and for :data:`GRACE` seconds after, because a process may just
have looked up its path. A bundle is first moved aside, and moved back if it was named again in the meantime. A process that has a
bundle open goes on reading it. A bundle of a working tree stays as long as it was used within that time.
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
from hardtack.descriptors import sync_directory
from hardtack.errors import FormatError, SourceError
from hardtack.store.built import spent_notes
from hardtack.store.cache import BundleCache, Installed, is_plain_directory
from hardtack.store.cache_writing import unwritable
from hardtack.store.entries import unused_entries
from hardtack.store.locking import alone
from hardtack.store.overlays import remove_overlays, unused_overlays
from hardtack.store.pins import pinned_digests
from hardtack.store.records import RECORD_HINT, RECORD_LIMIT, read_object
from hardtack.store.scratch import clear_abandoned, last_change, move_aside, scratch_directory, size_of

GRACE: Final = 24 * 60 * 60
"""Seconds that an unreferenced bundle stays."""


@dataclass(slots=True, kw_only=True)
class Collected:
    """Numbers of what was removed, or would be in a dry run."""

    bundles: int = 0
    members: int = 0
    """Stored members that no bundle uses any more."""
    abandoned: int = 0
    """Unfinished installs and downloads."""
    bytes: int = 0
    """Disk space that was freed."""
    kept: int = 0
    """Bundles that remain."""


def collect(cache: BundleCache, *, dry_run: bool = False, grace: float = GRACE, now: float | None = None) -> Collected:
    """Remove bundles that no record and no remembered lock file names, if they did not change for ``grace`` seconds.

    Args:
        cache: the cache, which need not exist.
        dry_run: count only.
        grace: seconds.
        now: seconds since 1970; the clock's if None.

    Raises:
        PolicyError: others may write to the cache.
        FormatError: a remembered lock file or a record cannot be read; nothing is removed, since it may name any bundle.
        SourceError: the disk refuses.
    """
    cache.check()
    before = (time.time() if now is None else now) - grace
    pinned, forgotten = pinned_digests(cache)
    wanted = pinned | _recorded(cache)
    abandoned = clear_abandoned(cache.tmp, before=before, dry_run=dry_run)  # first: unfinished installs may hold links to members
    bundles = _bundles(cache)
    doomed = [(path, digest) for path, digest in bundles if digest not in wanted and _is_older(path, before)]
    done = Collected(kept=len(bundles) - len(doomed), abandoned=len(abandoned))
    done.members, done.bytes = _freed(cache, [path for path, _ in doomed])
    unused = unused_overlays(cache, before)
    done.bytes += sum(abandoned) + sum(size_of(overlay) for overlay in unused)
    if dry_run:
        done.bundles = len(doomed)
    else:
        try:
            done.bundles = sum(_remove(cache, path, digest, before) for path, digest in doomed)
            _remove_unused(cache)
            remove_overlays(cache, unused)
            spent = (note for note in spent_notes(cache) if _is_older(note, before))
            for path in (*forgotten, *_litter(cache, before), *spent, *unused_entries(cache, before)):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(cache.root, error) from error
        done.kept += len(doomed) - done.bundles
    return done


def uninstall(installed: Installed) -> None:
    """Remove a name, and its bundle unless another record names that.

    Raises:
        PolicyError: others may write to the cache.
        SourceError: the disk refuses.
    """
    cache = installed.cache
    cache.check()
    try:
        installed.ref.unlink(missing_ok=True)
        sync_directory(cache.refs)
        with suppress(FormatError):  # a damaged record may name this bundle: then the bundle stays
            if installed.digest not in _recorded(cache) and is_plain_directory(installed.path):
                with scratch_directory(cache.tmp) as scratch:
                    move_aside(installed.path, scratch / "bundle")
        _remove_unused(cache)
    except OSError as error:
        raise unwritable(cache.root, error) from error


def _recorded(cache: BundleCache) -> set[str]:
    """The digests in all records, whether their bundles exist or not, and of whatever version the records are.

    Raises:
        FormatError: a record is damaged: it may name any bundle.
        SourceError: the records cannot be listed.
    """
    digests = set()
    for path in _entries(cache.refs):
        if path.name.startswith(layout.OWN_PREFIX):  # a temporary file
            continue
        try:
            digest = read_object(path, RECORD_LIMIT).get("digest")
        except FormatError:
            if os.path.lexists(path):
                raise
            continue  # it was removed in the meantime
        if not isinstance(digest, str) or not is_digest(digest):
            raise FormatError(f"{path} names no bundle by its digest.", field="digest", hint=RECORD_HINT)
        digests.add(digest)
    return digests


def _bundles(cache: BundleCache) -> list[tuple[Path, str]]:
    """Every installed bundle with its digest. Other entries are not Hardtack's and stay."""
    named = [(path, path.name.replace("-", ":", 1)) for path in _entries(cache.bundles)]
    return [(path, digest) for path, digest in named if is_digest(digest) and is_plain_directory(path)]


def _remove(cache: BundleCache, path: Path, digest: str, before: float) -> bool:
    """Remove an unreferenced bundle; False when it was named or used in the meantime.

    The check and the rename are not one step, so records are read again after the rename (time of check to time of use).
    """
    with alone(cache.locks, f"install {digest}", wait=0) as is_alone, scratch_directory(cache.tmp) as scratch:
        if not is_alone or not _is_older(path, before) or digest in _recorded(cache):
            return False
        aside = scratch / "bundle"
        try:
            move_aside(path, aside)
        except FileNotFoundError:
            return False
        with suppress(FormatError, SourceError):  # if records cannot be read, the bundle may be named: it goes back
            if digest not in _recorded(cache):
                return True
        with suppress(OSError):  # a process without the lock has just recorded it, or has installed it again already
            aside.rename(path)
            path.chmod(0o555)
        return False


def _freed(cache: BundleCache, bundles: Iterable[Path]) -> tuple[int, int]:
    """How many stored members and how many bytes go with these bundles: files all of whose hard links are in them or the store."""
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
    """Remove stored members with a single link, which no bundle uses. A bundle that links one right now keeps its own link."""
    for path in _entries(cache.members):
        with suppress(FileNotFoundError):
            if path.lstat().st_nlink == 1:
                path.unlink()


def _litter(cache: BundleCache, before: float) -> list[Path]:
    """Temporary files of records and lock files whose writers were killed."""
    found = [
        path
        for folder in (cache.refs, cache.pins, cache.floors, cache.built, cache.overlays, cache.catalogued)
        for path in _entries(folder)
        if path.name.startswith(layout.OWN_PREFIX)
    ]
    return [path for path in found if _is_older(path, before)]


def _is_older(path: Path, before: float) -> bool:
    try:
        return last_change(path.lstat()) < before
    except OSError:
        return False


def _entries(directory: Path) -> list[Path]:
    """The entries of a folder of the cache, sorted; none if it does not exist."""
    try:
        return sorted(directory.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SourceError(
            f"{directory} cannot be listed: {error.strerror}.", hint="Nothing was removed; mend that first."
        ) from error
