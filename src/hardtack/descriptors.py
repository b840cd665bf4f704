"""Opening, reading, locking and keeping files that another process may have put there: what each system can do of it.

Windows lacks most flags of ``os.open``, reads at no offset, opens no directory, and has neither flock(2) nor modes: a flag that is
missing is 0, and what cannot be done is left out, as each function says. Python closes each descriptor on exec by itself (PEP 446),
so O_CLOEXEC and O_NOINHERIT are not named.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, BytesIO, FileIO
from pathlib import Path
from threading import Lock
from typing import IO, Final

if sys.platform != "win32":
    import fcntl

NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
"""Opening a FIFO that nobody writes to would wait for ever."""
BINARY: Final = getattr(os, "O_BINARY", 0)
"""Without it, Windows turns CR LF into LF."""

CREATE: Final = os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY
"""To make a file that must not exist yet; with O_WRONLY or O_RDWR."""

_PIECE: Final = 1 << 20
_WORK: Final = "hardtack-work-"

_POSITION: Final = Lock()


def open_file(path: Path, *, follow: bool = False) -> int:
    """A descriptor of a file that may be anything, to be read: a FIFO is not waited for, and a link is refused.

    Args:
        path: what ``os.fstat`` says of it is up to the caller.
        follow: open what a link leads to.

    Raises:
        OSError: it may not be opened, or is a link.
    """
    # Windows' open follows links. One that is there is refused; one that takes the file's place after this look is followed.
    if sys.platform == "win32" and not follow and path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return os.open(path, os.O_RDONLY | NO_WAIT | BINARY | (0 if follow else NO_FOLLOW))


def read_file(path: Path, most: int, *, follow: bool = False) -> bytes:
    """All bytes of a regular file that may be anything: nothing is waited for, and what was opened is what is checked.

    Args:
        path: a link is refused, unless ``follow`` is set.
        most: bytes that are read.
        follow: open what a link leads to.

    Raises:
        OSError: there is no file, it may not be opened, it is a link or no regular file, or it has more bytes;
            ``strerror`` says which.
    """
    descriptor = open_file(path, follow=follow)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise OSError(errno.EFBIG, f"it is larger than {most} bytes", str(path))
        return data
    finally:
        os.close(descriptor)


def read_at(descriptor: int, size: int, start: int) -> bytes:
    """At most ``size`` bytes of an open file from its byte ``start`` on; empty at its end. Safe to call in many threads.

    Windows moves the file's position for it, so nothing else may read there by position.
    """
    if sys.platform == "win32":
        with _POSITION:  # of one open file, which its duplicated descriptors share
            os.lseek(descriptor, start, os.SEEK_SET)
            return os.read(descriptor, size)
    else:
        return os.pread(descriptor, size, start)


def open_directory(path: Path, *, follow: bool = False) -> int:
    """A descriptor of a directory, to be locked or synced; a link is refused. -1 on Windows, which opens no directory.

    Args:
        path: of the directory.
        follow: open what a link leads to.

    Raises:
        OSError: there is no directory, or it may not be opened.
    """
    if sys.platform == "win32":
        return -1
    else:
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | (0 if follow else NO_FOLLOW))


def lock(descriptor: int, *, wait: bool = False, shared: bool = False) -> None:
    """Lock an open file or directory until it is closed or this process ends.

    Args:
        descriptor: of the file or directory.
        wait: for as long as another process holds the lock.
        shared: others may hold the lock in this way too.

    Raises:
        BlockingIOError: another process holds the lock.
        OSError: the file system has no locks, or the system has none.
    """
    if sys.platform != "win32":
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    else:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def set_mode(descriptor: int, mode: int) -> None:
    """Set the mode of an open file. Windows has read-only at most, which would keep the file from being deleted."""
    if sys.platform != "win32":
        os.fchmod(descriptor, mode)


def sync_directory(path: Path) -> None:
    """Make the entries of a directory durable, as far as the system can."""
    descriptor = open_directory(path, follow=True)
    if descriptor >= 0:
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


STAGED: Final = ".hardtack-new-"
"""How the name of every file begins that is written to replace another one."""


@contextmanager
def staged_file(path: Path, mode: int | None) -> Iterator[tuple[FileIO, Path]]:
    """A new file beside ``path``, to be renamed to it; removed at the end unless it was.

    It is locked while it is written. One of the same purpose that is not was left by a killed process, and is removed first.

    Args:
        path: what it is to replace.
        mode: its mode, whatever the umask; None takes the default, but its owner may write to it and not everybody.

    Raises:
        OSError: it cannot be made.
    """
    prefix = f"{STAGED}{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
    remove_unlocked(path.parent, prefix)
    file = staged = None
    try:
        while file is None:
            staged = path.parent / f"{prefix}{secrets.token_hex(6)}"
            file = FileIO(os.open(staged, os.O_RDWR | CREATE, 0o664 if mode is None else 0o600), "w+b")
            if not lock_made(file.fileno(), staged):
                file.close()
                file = None
        with file:
            set_mode(file.fileno(), os.fstat(file.fileno()).st_mode & 0o777 | 0o600 if mode is None else mode)
            assert staged is not None
            yield file, staged
    finally:
        if staged is not None:
            with suppress(OSError):  # gone already, if it was renamed
                staged.unlink()


def lock_made(descriptor: int, path: Path) -> bool:
    """Lock a file or directory that was just made; False if another process has removed it before as one that nobody has locked.

    Without locks on the file system nothing is removed, so it is there.
    """
    if sys.platform == "win32":  # nothing is locked there, and so nothing removed
        return True
    with suppress(OSError):
        lock(descriptor, wait=True)
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def replace_file(path: Path, content: bytes | IO[bytes], mode: int = 0o644) -> None:
    """Replace the file at ``path`` in one step and durably, with exactly that mode. A link there is replaced, not followed.

    Args:
        path: the file.
        content: its bytes, or an open file to copy them from.
        mode: of the new file, whatever the umask.

    Raises:
        OSError: the disk refuses.
    """
    with staged_file(path, mode) as (file, staged):
        with BufferedWriter(file) as out:  # Windows renames no open file
            shutil.copyfileobj(BytesIO(content) if isinstance(content, bytes) else content, out, _PIECE)
            out.flush()
            os.fsync(out.fileno())
        staged.replace(path)
    sync_directory(path.parent)


@contextmanager
def work_directory() -> Iterator[Path]:
    """A new directory for temporary files that nobody else can enter, locked, and removed at the end.

    Those that killed processes of this user left are removed first: they may hold whole packs.

    Raises:
        OSError: it cannot be made.
    """
    import tempfile  # a search does without

    remove_unlocked(Path(tempfile.gettempdir()), _WORK, of_user=True)
    held = -1
    path = None
    try:
        while path is None:
            made = Path(tempfile.mkdtemp(prefix=_WORK))
            with suppress(FileNotFoundError):  # another process has removed it before it was locked
                made.chmod(0o700)  # whatever the umask
                held = open_directory(made)
                if lock_made(held, made):
                    path = made
                elif held >= 0:
                    os.close(held)
                    held = -1
        yield path
    finally:
        if path is not None:
            shutil.rmtree(path, ignore_errors=True)
        if held >= 0:
            os.close(held)


def remove_unlocked(directory: Path, prefix: str, *, of_user: bool = False) -> None:
    """Remove the files and directories whose names begin so and that no process has locked: the lock ends with its process.

    Who makes one locks it by :func:`lock_made`, and makes another if it was removed between the two.

    Args:
        directory: that they lie in.
        prefix: of their names.
        of_user: leave those of other users.
    """
    with suppress(OSError):
        for entry in [each for each in os.scandir(directory) if each.name.startswith(prefix)]:
            with suppress(OSError):  # locked, or gone
                state = entry.stat(follow_symlinks=False)
                if not of_user or sys.platform == "win32" or state.st_uid == os.geteuid():
                    _remove_unlocked(Path(entry.path), is_directory=stat.S_ISDIR(state.st_mode))


def _remove_unlocked(path: Path, *, is_directory: bool) -> None:
    descriptor = open_directory(path) if is_directory else open_file(path)
    try:
        lock(descriptor)
        if os.path.samestat(os.fstat(descriptor), path.lstat()):
            shutil.rmtree(path) if is_directory else path.unlink()
    finally:
        os.close(descriptor)


def make_directory(name: str, mode: int, parent: int) -> bool:
    """Make the directory ``name`` in the open directory ``parent``, of exactly that mode; False when something is there already.

    Raises:
        OSError: it cannot be made.
    """
    try:
        os.mkdir(name, 0o700, dir_fd=parent)
    except FileExistsError:
        return False
    # Under a umask such as 0777 the new directory cannot be opened, and chmod(2) by name would follow a link that took its place.
    descriptor = os.open(name, os.O_DIRECTORY | NO_FOLLOW | getattr(os, "O_PATH", os.O_RDONLY), dir_fd=parent)
    try:
        if (place := path_through(descriptor)) is not None:
            place.chmod(mode)
        else:
            os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)
    return True


def open_below(name: str, parent: int) -> int:
    """A descriptor of the directory ``name`` in the open directory ``parent``; a link is not followed.

    Raises:
        OSError: there is no such directory, or it may not be opened; ELOOP says that it is a link.
    """
    try:
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | NO_FOLLOW, dir_fd=parent)
    except OSError:
        if stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):  # systems disagree about the number
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name) from None
        raise


def path_through(descriptor: int) -> Path | None:
    """A path that leads into an open directory whatever is renamed meanwhile; None where the system has none."""
    place = Path(f"/proc/self/fd/{descriptor}")
    try:
        return place if os.path.samestat(place.stat(), os.fstat(descriptor)) else None
    except OSError:
        return None
