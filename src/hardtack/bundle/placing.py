"""A staged bundle in, the same bundle at its destination out, in one step.

An export and a page take the same way (:class:`Occupant`).

At any moment the destination is the old bundle or the new one. A staging directory lies beside its destination, on the same file
system, so that one rename moves it. It is locked while it is written; an unlocked one was left by a build that was killed, and the
next build removes it. An existing bundle is exchanged with the new one (``renameat2`` with ``RENAME_EXCHANGE``), since a rename
onto a directory that is not empty fails. Where the file system cannot exchange, the destination is a symbolic link to a directory
beside it, and the link is replaced. Windows has neither: a bundle that is there has to be removed first.

All of this happens in a directory that is held open (:mod:`hardtack.bundle.held`).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.held import held_directory, is_link
from hardtack.descriptors import (
    lock,
    lock_made,
    open_directory,
    open_file,
    read_file,
    remove_unlocked,
    replace_file,
    sync_directory,
)
from hardtack.errors import SourceError, UsageError
from hardtack.notations import MANIFEST_LIMIT, parse_json

Step = Callable[[str], None]
"""Called before each write, fsync and rename with a description of it; tests stop the process there."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = {errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP}


class Occupant(NamedTuple):
    """A kind of directory that is put in place, and the only kind that is replaced there."""

    noun: str
    """As in "a Hardtack bundle"."""
    verb: str
    """What makes it again."""
    flag: str
    """The flag that says where it goes."""
    is_one: Callable[[Path, set[str]], bool]
    """Whether the directory with these entries is one, and holds nothing else."""


def has_account(directory: Path, name: str, schema: str) -> bool:
    """Whether the JSON file ``name`` says that the directory is of that schema, in any version (``hardtack.export/``)."""
    try:
        account = parse_json(read_file(directory / name, MANIFEST_LIMIT).decode())
    except (OSError, ValueError):
        return False
    return isinstance(account, dict) and str(account.get("schema")).startswith(schema)


class Destination(NamedTuple):
    """Where a bundle goes; its directory is held open."""

    path: Path
    """As it is shown."""
    at: Path
    """The same place by way of the open directory, which no link or rename can turn elsewhere."""
    occupant: Occupant
    """What is put there."""

    @property
    def real(self) -> Path:
        """The absolute path without links, by which what was built there is remembered."""
        return Path(os.path.realpath(self.at.parent), self.at.name)


@contextlib.contextmanager
def held_destination(path: Path, *, below: Path | None = None, occupant: Occupant | None = None) -> Iterator[Destination]:
    """Hold the place where a new bundle will be put, or one that is there lies.

    A directory that is missing on the way is made, and removed at the end if it is still empty.

    Args:
        path: the bundle's place.
        below: the part of it that a person typed; all of it if None. Links are followed in that part only.
        occupant: what is put there; a bundle if None.

    Raises:
        PolicyError: there is a link in the part that nobody typed.
        UsageError: the place holds neither an empty directory nor an occupant without other files.
        SourceError: its directory cannot be made or opened.
    """
    if below is None:
        if path.name in ("", "..") or (_placed_name(path) is None and path.is_symlink()):
            path = path.resolve()
        below = path.parent
    with held_directory(below, *path.relative_to(below).parts[:-1]) as directory:
        destination = Destination(path, directory / path.name, occupant or _BUNDLE)
        _check(destination)
        yield destination


def _check(destination: Destination) -> None:
    path, at, occupant = destination
    elsewhere = f"Choose another place with {occupant.flag}"
    if at.is_symlink():
        name = _placed_name(at)
        if name is not None and not os.path.lexists(at.parent / name):
            return  # our own link, whose bundle was removed
        if name is None or not _is_plain_directory(at.parent / name):
            raise is_link(path)
    elif not at.exists():
        return
    if not at.is_dir():
        raise UsageError(f"{path} is not a directory.", hint=f"{elsewhere}.")
    try:
        entries = {entry.name for entry in at.iterdir()}
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", hint=f"{elsewhere}.") from error
    if entries and not occupant.is_one(at, entries):
        raise UsageError(
            f"{path} is neither empty nor a Hardtack {occupant.noun}; nothing there was touched.",
            hint=f"{elsewhere}, or remove it first.",
        )


def _is_plain_directory(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_bundle(path: Path, entries: set[str]) -> bool:
    """Whether the directory has a manifest, of any format version, and no entry that the manifest does not list."""
    try:
        descriptor = open_file(path / layout.MANIFEST)
        try:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode) or state.st_size > layout.MANIFEST_LIMIT:
                return False
            with open(descriptor, "rb", closefd=False) as file:
                document = json.load(file)
        finally:
            os.close(descriptor)
        if document["format"] != layout.FORMAT_NAME:
            return False
        listed = {str(member["name"]).partition("/")[0] for member in document["members"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
    return entries <= listed | {layout.MANIFEST}


_BUNDLE = Occupant(noun="bundle", verb="build", flag="-o", is_one=_is_bundle)


@contextlib.contextmanager
def staging_directory(destination: Destination) -> Iterator[tuple[Path, Path]]:
    """Two new, empty directories beside ``destination``, removed at the end: one becomes the bundle, one is for scratch files.

    Raises:
        SourceError: they cannot be made.
    """
    with contextlib.ExitStack() as undo:
        try:
            _remove_abandoned(destination)
            staging = _made_and_locked(destination, undo)
            bundle, scratch = staging / "bundle", staging / "scratch"
            for directory, mode in ((bundle, 0o755), (scratch, 0o700)):
                directory.mkdir()
                directory.chmod(mode)  # whatever the umask
        except OSError as error:
            parent = destination.path.parent
            hint = f"Choose another place with {destination.occupant.flag}."
            raise SourceError(f"{parent} cannot be written: {error.strerror}.", hint=hint) from error
        yield bundle, scratch


def _made_and_locked(destination: Destination, undo: contextlib.ExitStack) -> Path:
    """A new directory beside ``destination``, locked until ``undo`` removes it."""
    while True:
        staging = destination.at.parent / f"{_staging_prefix(destination.at)}{secrets.token_hex(6)}"
        # Registered before the directory is made: an interrupt may come between the two.
        undo.callback(shutil.rmtree, staging, ignore_errors=True)
        staging.mkdir()
        staging.chmod(0o700)
        held = open_directory(staging)
        if held < 0:  # Windows locks no directory: there, what a killed process left stays
            return staging
        undo.callback(os.close, held)
        if lock_made(held, staging):
            return staging


def _staging_prefix(at: Path) -> str:
    return f"{layout.OWN_PREFIX}staging-{at.name}-"


def _placed_prefix(at: Path) -> str:
    return f"{layout.OWN_PREFIX}placed-{at.name}-"


def _staged(destination: Destination) -> list[Path]:
    """What lies beside the destination under the name of a staging directory."""
    return [path for path in destination.at.parent.iterdir() if path.name.startswith(_staging_prefix(destination.at))]


def _remove_abandoned(destination: Destination) -> None:
    """Remove what builds left that ended without doing so: staging directories, links to be renamed, and bundles without a link."""
    directory, at = destination.at.parent, destination.at
    links = [path for path in _staged(destination) if path.is_symlink()]
    bundles = [path for path in directory.iterdir() if _is_placed(path.name, at) and path.name != _placed_name(at)]
    remove_unlocked(directory, _staging_prefix(at))
    # Nobody can lock a link. A build that is about to rename one has its staging directory still, and that is locked; a build that
    # begins now made none of those that were listed.
    if (links or bundles) and not is_being_built(destination):
        for link in links:
            link.unlink(missing_ok=True)
        for bundle in bundles:
            if bundle.name != _placed_name(at):  # another build may have renamed its link since, and ended
                shutil.rmtree(bundle, ignore_errors=True)


def checkpoint_of(destination: Destination) -> Path:
    """The file in which a build of ``destination`` keeps the files it has analysed, until it is done."""
    return checkpoint_at(destination.at)


def checkpoint_at(place: Path) -> Path:
    """The same of a build that puts its bundle at ``place``."""
    return place.parent / f"{layout.OWN_PREFIX}journal-{place.name}"


def remove_left(destination: Destination) -> None:
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


def is_being_built(destination: Destination) -> bool:
    """Whether this process or another one has a locked staging directory for ``destination``."""
    with contextlib.suppress(OSError):
        for staging in _staged(destination):
            with contextlib.suppress(OSError):
                descriptor = open_directory(staging)
                try:
                    lock(descriptor, shared=True)
                except BlockingIOError:
                    return True
                finally:
                    os.close(descriptor)
    return False


def remove_bundle(destination: Destination) -> None:
    """Remove the bundle there: rename it, so that it is gone in one step, and then delete it. Who has it open can read on.

    Raises:
        SourceError: the bundle cannot be removed.
    """
    at = destination.at
    aside = at.parent / f"{_staging_prefix(at)}{secrets.token_hex(6)}"  # if this process is killed, the next build removes it
    try:
        if placed := _placed_name(at):
            (at.parent / placed).rename(aside)
            at.unlink()
        else:
            at.rename(aside)
        sync_directory(at.parent)
        shutil.rmtree(aside)
    except OSError as error:
        raise SourceError(f"{destination.path} cannot be removed: {error.strerror}.") from error


def put_in_place(staging: Path, destination: Destination, step: Step) -> None:
    """Move the staged bundle to its destination.

    Raises:
        SourceError: the file system refuses.
    """
    at = destination.at
    try:
        if _placed_name(at) or not _can_exchange(staging.parent):
            _replace_link(staging, destination, step)
        elif at.exists() and any(at.iterdir()):
            step(f"exchange {at.name}")
            _exchange(staging, at)  # the old bundle is now where the new one was staged, and goes with that
        else:
            step(f"rename {at.name}")
            staging.rename(at)
        step(f"fsync {destination.path.parent.name}")
        sync_directory(at.parent)
    except OSError as error:
        noun = destination.occupant.noun
        raise SourceError(f"The {noun} could not be put at {destination.path}: {error.strerror}.") from error


def keep_out_of_git(directory: Path) -> None:
    """Write a ``.gitignore`` that makes git ignore all of ``directory``. What has that name is replaced, not written to.

    Raises:
        SourceError: it cannot be written.
    """
    try:
        replace_file(directory / ".gitignore", b"*\n")
    except OSError as error:
        place = Path(os.path.realpath(directory), ".gitignore")
        raise SourceError(f"{place} cannot be written: {error.strerror}.") from error


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


def _placed_name(at: Path) -> str | None:
    """The directory beside ``at`` that a link there leads to, if this module made the link; None for anything else.

    The link is read once: what is done to the directory is done to the one that was looked at.
    """
    try:
        target = os.readlink(at)  # noqa: PTH115  (a Path would drop "./")
    except OSError:  # no link
        return None
    return target if _is_placed(target, at) else None


def _is_placed(name: str, at: Path) -> bool:
    """Whether a name is one that this module gives a bundle to which it makes a link at ``at``."""
    return re.fullmatch(re.escape(_placed_prefix(at)) + "[0-9a-f]{12}", name) is not None


def _replace_link(staging: Path, destination: Destination, step: Step) -> None:
    path, at, occupant = destination
    old = _placed_name(at)
    if old is None and at.exists():
        if any(at.iterdir()):
            raise SourceError(
                f"{path} cannot be swapped for the new {occupant.noun} in one step on this file system.",
                hint=f"Remove {path} and {occupant.verb} again.",
            )
        at.rmdir()
    placed = at.parent / f"{_placed_prefix(at)}{secrets.token_hex(6)}"
    link = at.parent / f"{_staging_prefix(at)}{secrets.token_hex(6)}"
    if sys.platform == "win32":  # few users may make links there
        step(f"rename {at.name}")
        staging.rename(at)
    else:
        step(f"rename {placed.name}")
        staging.rename(placed)
        link.symlink_to(placed.name)
        step(f"rename {at.name}")
        link.replace(at)
    if old is not None:
        shutil.rmtree(at.parent / old, ignore_errors=True)
