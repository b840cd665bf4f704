"""Temporary directories in a shared one, and the removal of those that killed processes left behind.

Each is locked by the process that made it, and the lock ends with the process: an unlocked directory is abandoned. Where there are
no locks, and for plain files, the age decides.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hardtack import descriptors
from hardtack.errors import SourceError


@contextmanager
def scratch_directory(parent: Path) -> Iterator[Path]:
    """A new, empty, locked directory below ``parent``, removed with its content when the context is left.

    Raises:
        SourceError: the disk refuses.
    """
    path = parent / f"{os.getpid()}-{secrets.token_hex(8)}"
    lock = -1
    try:
        try:
            path.mkdir(mode=0o700)
            path.chmod(0o700)  # whatever the umask
            lock = descriptors.open_directory(path)
            with suppress(OSError):
                descriptors.lock(lock, wait=True)
        except OSError as error:
            raise SourceError(f"{parent} cannot be written: {error.strerror}.") from error
        yield path
    finally:
        with suppress(OSError):
            remove_tree(path)
        if lock >= 0:
            os.close(lock)


def clear_abandoned(parent: Path, *, before: float, dry_run: bool = False) -> list[int]:
    """Remove abandoned directories in ``parent``, and files that were last changed ``before`` a time; gives the bytes of each.

    An empty directory may belong to a process that has not locked it yet, so it also stays until it is that old.
    """
    freed = []
    with suppress(OSError):
        for entry in [*os.scandir(parent)]:
            with suppress(OSError):
                state = entry.stat(follow_symlinks=False)
                is_old = last_change(state) < before
                if not entry.is_dir(follow_symlinks=False):
                    if is_old:
                        freed.append(state.st_size if state.st_nlink == 1 else 0)
                        if not dry_run:
                            Path(entry.path).unlink()
                elif (size := _abandoned(Path(entry.path), is_old=is_old, dry_run=dry_run)) is not None:
                    freed.append(size)
    return freed


def last_change(state: os.stat_result) -> float:
    """When a file or directory was last written or linked, seconds since 1970."""
    return max(state.st_mtime, state.st_ctime)


def size_of(tree: Path) -> int:
    """The bytes that removing ``tree`` frees: those of files without another hard link."""
    total = 0
    for directory, _, files in os.walk(tree):
        for name in files:
            with suppress(OSError):
                state = Path(directory, name).lstat()
                total += state.st_size if state.st_nlink == 1 else 0
    return total


def move_aside(path: Path, aside: Path) -> None:
    """Rename ``path``. A directory is made writable first: some systems move no other.

    Raises:
        OSError: ``path`` does not exist, or the disk refuses.
    """
    if stat.S_ISDIR(_mode(path)):
        path.chmod(0o755)
    path.rename(aside)


def remove_tree(path: Path) -> None:
    """Remove a directory and its content, read-only or not; links are removed, never followed. A missing one is no error.

    Raises:
        OSError: the disk refuses.
    """
    if not stat.S_ISDIR(_mode(path)):
        with suppress(FileNotFoundError):
            path.unlink()
        return
    for directory, folders, _ in os.walk(path):
        with suppress(OSError):
            Path(directory).chmod(0o700)
        for name in folders:  # before os.walk lists them: a directory without permissions cannot be listed
            folder = Path(directory, name)
            with suppress(OSError):
                if not folder.is_symlink():
                    folder.chmod(0o700)
    with suppress(FileNotFoundError):
        shutil.rmtree(path)


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _abandoned(path: Path, *, is_old: bool, dry_run: bool) -> int | None:
    """Remove a directory that is not locked; gives its bytes, or None when it stays."""
    lock = descriptors.open_directory(path)
    try:
        try:
            descriptors.lock(lock)
        except BlockingIOError:
            return None
        except OSError:
            if not is_old:
                return None
        if not is_old and next(path.iterdir(), None) is None:
            return None
        size = size_of(path)
        if not dry_run:
            remove_tree(path)
        return size
    finally:
        if lock >= 0:
            os.close(lock)
