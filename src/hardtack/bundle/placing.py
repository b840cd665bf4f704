"""A staged bundle in, the same bundle at its destination out, in one step.

At any moment the destination is the old bundle or the new one. A staging directory lies beside its destination, on the same file
system, so that one rename moves it. It is locked while it is written; an unlocked one was left by a build that was killed, and the
next build removes it. An existing bundle is exchanged with the new one (``renameat2`` with ``RENAME_EXCHANGE``), since a rename
onto a directory that is not empty fails. Where the file system cannot exchange, the destination is a symbolic link to a directory
beside it, and the link is replaced. Windows has neither: a bundle that is there has to be removed first.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from hardtack.bundle.format import layout
from hardtack.descriptors import lock, open_directory, open_file, sync_directory
from hardtack.errors import SourceError, UsageError

Step = Callable[[str], None]
"""Called before each write, fsync and rename with a description of it; tests stop the process there."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP}


def check_destination(path: Path) -> Path:
    """Where the new bundle will be put: ``path``, or the target of the user's own link there.

    Raises:
        UsageError: ``path`` is neither an empty directory nor a bundle without other files.
    """
    if path.is_symlink() and not _is_our_link(path):
        path = path.resolve()
    if not path.exists():
        return path
    if not path.is_dir():
        raise UsageError(f"{path} is not a directory.", hint="Choose another place with -o.")
    try:
        entries = {entry.name for entry in path.iterdir()}
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", hint="Choose another place with -o.") from error
    if entries and not _is_bundle(path, entries):
        raise UsageError(
            f"{path} is neither empty nor a Hardtack bundle; nothing there was touched.",
            hint="Choose another place with -o, or remove it first.",
        )
    return path


def _is_bundle(path: Path, entries: set[str]) -> bool:
    """Whether the directory has a manifest, of any format version, and no entry that the manifest does not list."""
    manifest = path / layout.MANIFEST
    try:
        if manifest.is_symlink() or manifest.stat().st_size > layout.MANIFEST_LIMIT:
            return False
        document = json.loads(manifest.read_bytes())
        if document["format"] != layout.FORMAT_NAME:
            return False
        listed = {str(member["name"]).partition("/")[0] for member in document["members"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
    return entries <= listed | {layout.MANIFEST}


@contextlib.contextmanager
def staging_directory(destination: Path) -> Iterator[tuple[Path, Path]]:
    """Two new, empty directories beside ``destination``, removed at the end: one becomes the bundle, one is for scratch files.

    Raises:
        SourceError: they cannot be made.
    """
    parent = destination.parent
    made = [path for path in (parent, *parent.parents) if not path.exists()]
    staging = parent / f"{_staging_prefix(destination)}{secrets.token_hex(6)}"
    bundle, scratch = staging / "bundle", staging / "scratch"
    with contextlib.ExitStack() as undo:
        undo.callback(_remove_made, made)
        # Registered before the directory is made: an interrupt may come between the two.
        undo.callback(shutil.rmtree, staging, ignore_errors=True)
        try:
            parent.mkdir(parents=True, exist_ok=True)
            _remove_abandoned(destination)
            staging.mkdir()
            if (held := open_directory(staging)) >= 0:  # Windows locks nothing: there, what a killed process left stays
                undo.callback(os.close, held)
                lock(held, wait=True)
            for directory in (bundle, scratch):
                directory.mkdir()
            bundle.chmod(0o755)
        except OSError as error:
            raise SourceError(f"{parent} cannot be written: {error.strerror}.", hint="Choose another place with -o.") from error
        yield bundle, scratch


def _remove_made(directories: list[Path]) -> None:
    """Remove parent directories that a build made, as far as they are empty: a failed build leaves nothing."""
    with contextlib.suppress(OSError):
        for path in directories:
            path.rmdir()


def _staging_prefix(destination: Path) -> str:
    return f"{layout.OWN_PREFIX}staging-{destination.name}-"


def _placed_prefix(destination: Path) -> str:
    return f"{layout.OWN_PREFIX}placed-{destination.name}-"


def _remove_abandoned(destination: Path) -> None:
    """Remove staging directories of builds that ended without doing so: the system releases a process's locks when it ends.

    An empty directory is left: a running build may have made it and not locked it yet.
    """
    for abandoned in [path for path in destination.parent.iterdir() if path.name.startswith(_staging_prefix(destination))]:
        with contextlib.suppress(OSError):
            descriptor = open_directory(abandoned)
            try:
                lock(descriptor)
                if any(abandoned.iterdir()):
                    shutil.rmtree(abandoned)
            finally:
                os.close(descriptor)


def checkpoint_of(destination: Path) -> Path:
    """The file in which a build of ``destination`` keeps the files it has analysed, until it is done."""
    return destination.parent / f"{layout.OWN_PREFIX}journal-{destination.name}"


def remove_left(destination: Path) -> None:
    """Remove staging directories and the checkpoint that builds of ``destination`` left behind when they were killed."""
    with contextlib.suppress(OSError):
        _remove_abandoned(destination)
        journal = open_file(checkpoint_of(destination))
        try:
            lock(journal)
            # Another build may have replaced the file between the open and the lock.
            if os.path.samestat(os.fstat(journal), checkpoint_of(destination).lstat()):
                checkpoint_of(destination).unlink()
        finally:
            os.close(journal)


def is_being_built(destination: Path) -> bool:
    """Whether this process or another one has a locked staging directory for ``destination``."""
    with contextlib.suppress(OSError):
        for staging in [path for path in destination.parent.iterdir() if path.name.startswith(_staging_prefix(destination))]:
            with contextlib.suppress(OSError):
                descriptor = open_directory(staging)
                try:
                    lock(descriptor, shared=True)
                except BlockingIOError:
                    return True
                finally:
                    os.close(descriptor)
    return False


def remove_bundle(path: Path) -> None:
    """Remove the bundle at ``path``: rename it, so that it is gone in one step, and then delete it. Who has it open can read on.

    Raises:
        UsageError: ``path`` is not a bundle without other files, or is a user's link to another place.
        SourceError: the bundle cannot be removed.
    """
    if path.is_symlink() and not _is_our_link(path):
        raise UsageError(f"{path} is a link to a bundle elsewhere.", hint="Remove the link, or the bundle where it lies.")
    check_destination(path)
    aside = path.parent / f"{_staging_prefix(path)}{secrets.token_hex(6)}"  # if this process is killed, the next build removes it
    try:
        if path.is_symlink():
            (path.parent / path.readlink()).rename(aside)
            path.unlink()
        else:
            path.rename(aside)
        sync_directory(path.parent)
        shutil.rmtree(aside)
    except OSError as error:
        raise SourceError(f"{path} cannot be removed: {error.strerror}.") from error


def put_in_place(staging: Path, destination: Path, step: Step) -> None:
    """Move the staged bundle to ``destination``, which :func:`check_destination` has allowed.

    Raises:
        SourceError: the file system refuses.
    """
    try:
        if destination.is_symlink() or not _can_exchange(staging.parent):
            _replace_link(staging, destination, step)
        elif destination.exists() and any(destination.iterdir()):
            step(f"exchange {destination.name}")
            _exchange(staging, destination)  # the old bundle is now where the new one was staged, and goes with that
        else:
            step(f"rename {destination.name}")
            staging.rename(destination)
        step(f"fsync {destination.parent.name}")
        sync_directory(destination.parent)
    except OSError as error:
        raise SourceError(f"The bundle could not be put at {destination}: {error.strerror}.") from error


def keep_out_of_git(directory: Path) -> None:
    """Write a ``.gitignore`` that makes git ignore all of ``directory``.

    Raises:
        SourceError: it cannot be written.
    """
    try:
        (directory / ".gitignore").write_text("*\n", encoding="ascii")
    except OSError as error:
        raise SourceError(f"{directory / '.gitignore'} cannot be written: {error.strerror}.") from error


def _exchange(one: Path, other: Path) -> None:
    """Exchange two paths in one step. Raises OSError with the errno of ``renameat2``."""
    number = errno.ENOSYS
    if sys.platform == "linux":
        library = ctypes.CDLL(None, use_errno=True)
        if hasattr(library, "renameat2"):
            done = library.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
            number = ctypes.get_errno() if done != 0 else 0
    if number:
        raise OSError(number, os.strerror(number))


def _can_exchange(parent: Path) -> bool:
    """Whether the file system can exchange two directories, tried in the staging directory."""
    probes = [parent / f".hardtack-probe-{secrets.token_hex(6)}" for _ in range(2)]
    try:
        for probe in probes:
            probe.mkdir()
        _exchange(probes[0], probes[1])
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return False
        raise
    finally:
        for probe in probes:
            with contextlib.suppress(OSError):
                probe.rmdir()
    return True


def _is_our_link(path: Path) -> bool:
    return path.is_symlink() and path.readlink().name.startswith(_placed_prefix(path)) and len(path.readlink().parts) == 1


def _replace_link(staging: Path, destination: Path, step: Step) -> None:
    old = destination.parent / destination.readlink() if destination.is_symlink() else None
    if old is None and destination.exists():
        if any(destination.iterdir()):
            raise SourceError(
                f"{destination} cannot be swapped for the new bundle in one step on this file system.",
                hint=f"Remove {destination} and build again.",
            )
        destination.rmdir()
    placed = destination.parent / f"{_placed_prefix(destination)}{secrets.token_hex(6)}"
    link = destination.parent / f"{_staging_prefix(destination)}{secrets.token_hex(6)}"
    if sys.platform == "win32":  # few users may make links there
        step(f"rename {destination.name}")
        staging.rename(destination)
    else:
        step(f"rename {placed.name}")
        staging.rename(placed)
        link.symlink_to(placed.name)
        step(f"rename {destination.name}")
        link.replace(destination)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)
