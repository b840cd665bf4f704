"""The user's cache of installed bundles, read: a bundle's name or digest in, where the bundle lies out.

    v1/bundles/sha256-HEX/   installed bundles, named by their digests; their files are hard links to members
    v1/members/sha256-HEX    each member once, whichever bundles have it
    v1/refs/NAME.json        the record of a name: which bundle it names, and where that came from
    v1/pins/HEX.json         the lock files of projects, whose bundles are kept
    v1/floors/HEX.json       the newest commit that a branch has led to
    v1/overlays/HEX/         bundles of working trees, over installed ones and others (:mod:`hardtack.store.overlays`)
    v1/counts/YYYY-MM        what answers cost, for who asked for it (:mod:`hardtack.store.counts`)
    v1/catalogued/HEX.json   what tells a bundle from others, by its digest (:mod:`hardtack.store.entries`)
    v1/built/HEX.json        notes of what this user's builder made, and where (:mod:`hardtack.store.built`)
    v1/tmp/                  unfinished installs, each locked by the process that makes it
    v1/locks/                locks that save two processes the same work; nothing depends on them

Reading takes no lock and writes nothing, so the cache may lie on a read-only disk. Bundles in it were verified when they were
installed, and that only counts while nobody else can write there: a cache of another user, or one that others may write to, is
refused, and so is one whose directory others may replace, since they may write to a directory above it. What writes to the cache is
in :mod:`hardtack.store.cache_writing`, so that a search does not load it.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import is_digest
from hardtack.bundle.naming import fitting_index_name
from hardtack.errors import FormatError, PolicyError, SourceError
from hardtack.store.records import Origin, file_of, is_bundle_name, read_record

VERSION: Final = "v1"
FOLDERS: Final = ("bundles", "members", "refs", "pins", "floors", "built", "overlays", "counts", "catalogued", "tmp", "locks")
_ALL_USERS: Final = 0xFFFFFFFF
"""User ids that the outermost user namespace knows."""
_ELSEWHERE: Final = "Set HARDTACK_CACHE to a directory of your own, or make this one yours alone."


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """An installed bundle, under one of its names."""

    path: Path
    """The bundle's directory."""
    digest: str
    """Of the bundle."""
    name: str
    """``host/owner/name``, or the name it was installed as."""
    origin: Origin
    ref: Path
    """The record of the name."""

    @property
    def index_name(self) -> str:
        """The name that tools use: ``owner-name``."""
        host, _, rest = self.name.partition("/")
        return fitting_index_name(rest if rest and "." in host else self.name)

    @property
    def cache(self) -> BundleCache:
        """The cache that holds it."""
        return BundleCache(self.ref.parents[2])


def cache_root(chosen: str) -> Path:
    """The directory of the user's cache: ``chosen``, else the system's place for caches.

    Raises:
        SourceError: the user has no home directory.
    """
    if chosen:
        return Path(chosen).absolute()
    import platformdirs  # only where HARDTACK_CACHE is not set

    try:
        return Path(platformdirs.user_cache_dir("hardtack", appauthor=False))
    except RuntimeError as error:
        message = "There is no home directory to keep installed bundles in."
        raise SourceError(message, hint="Set HARDTACK_CACHE to a directory of your own.") from error


class BundleCache:
    """One user's installed bundles. It holds nothing open; every method looks at the disk again."""

    def __init__(self, root: Path) -> None:
        """Set the paths; the disk is not touched.

        Args:
            root: the cache's directory, which need not exist.
        """
        self.root = root
        version = root / VERSION
        self.bundles, self.members, self.refs, self.pins, self.floors, *others = (version / folder for folder in FOLDERS)
        self.built, self.overlays, self.counts, self.catalogued, self.tmp, self.locks = others

    @property
    def directories(self) -> tuple[Path, ...]:
        """The cache's own directories below its root, each after its parent."""
        version = self.root / VERSION
        return (version, *(version / folder for folder in FOLDERS))

    def entries(self) -> list[Installed]:
        """The installed bundles, by name; invalid records are left out.

        Raises:
            PolicyError: others may write to the cache.
        """
        return self.survey()[0]

    def survey(self) -> tuple[list[Installed], list[str]]:
        """The installed bundles, by name, and a sentence for each record that is invalid or names a missing bundle.

        Raises:
            PolicyError: others may write to the cache.
        """
        self.check()
        installed, faults = [], []
        for file in _listed(self.refs):
            if not file.startswith(layout.OWN_PREFIX):  # a temporary file of a process that writes a record
                try:
                    installed.append(self._installed(self.refs / file))
                except FormatError as error:
                    faults.append(str(error))
        return sorted(installed, key=lambda each: each.name), faults

    def named(self, name: str) -> Installed | None:
        """The bundle installed under exactly that name; None when there is none, or its record is invalid.

        Raises:
            PolicyError: others may write to the cache.
        """
        self.check()
        if is_bundle_name(name):
            with suppress(FormatError):
                return self._installed(self.refs / file_of(name))
        return None

    def find(self, digest: str) -> Installed | None:
        """The installed bundle of that digest, under the first of its names; None when there is none.

        Raises:
            PolicyError: others may write to the cache.
        """
        return next((each for each in self.entries() if each.digest == digest), None)

    def bundle_path(self, digest: str) -> Path:
        """The directory of the bundle with that digest, whether it exists or not."""
        assert is_digest(digest)
        return self.bundles / digest.replace(":", "-")

    def member_path(self, digest: str) -> Path:
        """The stored file of the member with that digest, whether it exists or not."""
        assert is_digest(digest)
        return self.members / digest.replace(":", "-")

    def check(self) -> None:
        """Check that only the user and root can write here; a cache that does not exist yet passes.

        Raises:
            PolicyError: somebody else can, or a directory of the cache is a link.
        """
        _check_parents(self.root)
        _check_directory(self.root, may_be_link=True)
        for directory in self.directories:
            _check_directory(directory)

    def _installed(self, ref: Path) -> Installed:
        record = read_record(ref)
        path = self.bundle_path(record.digest)
        if not is_plain_directory(path) or not (path / layout.MANIFEST).is_file():
            raise FormatError(f"{ref} names a bundle that is not there.", hint="Install the bundle again, or remove the file.")
        return Installed(path=path, digest=record.digest, name=record.name, origin=record.origin, ref=ref)


def is_plain_directory(path: Path) -> bool:
    """Whether ``path`` is a directory and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _check_parents(root: Path) -> None:
    """Refuse a cache that somebody else could replace: one below a directory of theirs, or one that they may write to.

    In a directory with the sticky bit, as ``/tmp``, each user can only replace what is theirs.
    """
    if sys.platform != "win32":
        for path in dict.fromkeys((*root.parents, *Path(os.path.realpath(root)).parents)):
            with suppress(OSError):  # it does not exist yet, or may not be looked at: the cache will say so
                state = path.stat()
                others = "" if state.st_mode & stat.S_ISVTX else _others_who_write(state)
                is_strange = not _is_trusted(state) and not _is_unmapped(state.st_uid)
                if wrong := others or ("belongs to another user" if is_strange else ""):
                    raise PolicyError(f"{path} {wrong}, so the cache {root} below it could be replaced.", hint=_ELSEWHERE)


def _check_directory(path: Path, *, may_be_link: bool = False) -> None:
    """Refuse a directory that is a link, belongs to another user than the caller or root, or that others may write to."""
    try:
        state = path.lstat()
        if may_be_link and stat.S_ISLNK(state.st_mode) and _is_trusted(state):
            state = path.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise SourceError(f"The cache of installed bundles at {path} cannot be read: {error.strerror}.", hint=_ELSEWHERE) from error
    if stat.S_ISLNK(state.st_mode):
        wrong = "is a link"
    elif not stat.S_ISDIR(state.st_mode):
        wrong = "is no directory"
    elif not _is_trusted(state):
        wrong = "belongs to another user"
    elif not (wrong := _others_who_write(state)):
        return
    raise PolicyError(f"{path} {wrong}, so what is in it cannot be trusted to have been verified.", hint=_ELSEWHERE)


def _is_trusted(state: os.stat_result) -> bool:
    """Whether the owner is the user or root. Windows reports no owner."""
    return sys.platform == "win32" or state.st_uid in {0, os.geteuid()}


def _is_unmapped(user: int) -> bool:
    """Whether that stands for a user whom this user namespace does not know, as root often is in a container or a sandbox.

    Who that is cannot be told, and every directory above the cache may be such a one's there.
    """
    try:
        _, _, known = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()[0].split()
        return int(known) < _ALL_USERS and user == int(Path("/proc/sys/kernel/overflowuid").read_text(encoding="ascii"))
    except (OSError, ValueError, IndexError):
        return False


def _others_who_write(state: os.stat_result) -> str:
    """Who but the owner may write to a directory, as the end of a sentence; empty when nobody may.

    The group that many systems give each user, of the same name and without other members, is the user alone.
    """
    if sys.platform == "win32":  # its modes are made up; a user's own folders are private
        return ""
    if state.st_mode & stat.S_IWOTH:
        return "can be written by everybody"
    if not state.st_mode & stat.S_IWGRP:
        return ""
    import grp  # only where a group may write
    import pwd

    try:
        group, users = grp.getgrgid(state.st_gid), {pwd.getpwuid(user).pw_name for user in {0, os.geteuid()}}
    except KeyError:  # a group or a user without a name
        return f"can be written by the group {state.st_gid}"
    is_private = group.gr_name in users and users.issuperset(group.gr_mem)
    return "" if is_private else f"can be written by the group {group.gr_name}"


def _listed(directory: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(directory))
    except OSError:
        return []
