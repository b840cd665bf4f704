"""Writing to the cache of installed bundles: a record or a small file in, the same durable in the cache out.

Each file is replaced in one step (write beside it, fsync, rename, fsync the directory), so readers need no lock.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from hardtack.descriptors import replace_file
from hardtack.errors import SourceError
from hardtack.git import is_same_repository
from hardtack.store.cache import BundleCache, Installed
from hardtack.store.records import Record, file_of, render_record

_TAG: Final = "CACHEDIR.TAG"
_TAG_TEXT: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This file says that the directory is a cache, to be left out of backups: https://bford.info/cachedir/\n"
)


def prepare_cache(cache: BundleCache) -> None:
    """Make the cache's directories where they are missing, whatever the umask.

    Raises:
        PolicyError: others may write to the cache.
        SourceError: the disk refuses.
    """
    try:
        for parent in reversed([path for path in cache.root.parents if not path.exists()]):
            _make_directory(parent, 0o700)
        made = _make_directory(cache.root, 0o700)
        cache.check()
        if made:
            write_file(cache.root / _TAG, _TAG_TEXT.encode("ascii"))
        for directory in cache.directories:
            _make_directory(directory, 0o755)
        cache.check()
    except OSError as error:
        raise unwritable(cache.root, error) from error


def write_record(cache: BundleCache, record: Record) -> Installed:
    """Point a name at a bundle, in one step and durably.

    The bundle that the name pointed at before is kept a while longer, for processes that are just opening it. An origin without a
    branch takes over the branch and commit that the name had before (see :attr:`Origin.led`).

    Raises:
        UsageError: no bundle may have that name.
        SourceError: the disk refuses.
    """
    ref = cache.refs / file_of(record.name)
    before = cache.named(record.name)
    if before and before.digest != record.digest:
        with suppress(OSError):
            os.utime(before.path)  # the grace period of `hardtack gc` counts from here
    is_same = before and is_same_repository(before.origin.repository, record.origin.repository)
    if before and is_same and not record.origin.branch:
        branch, commit, when = before.origin.led
        record = record._replace(origin=record.origin._replace(last_branch=branch, last_commit=commit, last_time=when))
    write_file(ref, render_record(record))
    path = cache.bundle_path(record.digest)
    return Installed(path=path, digest=record.digest, name=record.name, origin=record.origin, ref=ref)


def write_file(path: Path, data: bytes) -> None:
    """Replace a small file of the cache in one step and durably.

    Raises:
        SourceError: the disk refuses.
    """
    try:
        replace_file(path, data)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> SourceError:
    """The error for a disk that refuses to be written."""
    return SourceError(
        f"{path} cannot be written: {error.strerror or error}.",
        hint="Set HARDTACK_CACHE to a directory that can be written and has room.",
    )


def _make_directory(path: Path, mode: int) -> bool:
    """Make a directory of exactly that mode; False when something is there already."""
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        return False
    path.chmod(mode)
    return True
