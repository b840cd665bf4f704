"""The directory where a user's bundles are installed in; what is installed there, by name, out.

    v1/bundles/sha256-HEX/   installed bundles, named by their digests; their files are hard links to members
    v1/members/sha256-HEX    every member once, whichever bundles have it
    v1/refs/NAME.json        which bundle a name stands for, and where it came from
    v1/pins/HEX.json         lock files of projects, whose bundles are kept
    v1/tmp/                  what is being installed; locked by who does it
    v1/locks/                so that one waits for another instead of doing the same; nothing is wrong without

Reading takes no lock and writes nothing, so the cache may lie on a read-only disk. What is in it was verified by its owner, which
is worth something only as long as nobody else can write there: a cache of another user, or that everybody may write, is refused.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import is_digest
from hardtack.bundle.naming import fitting_index_name
from hardtack.bundle.placing import fsync_directory
from hardtack.errors import FormatError, PolicyError, SourceError
from hardtack.store.records import SUFFIX, Origin, Record, file_of, is_bundle_name, is_same_repository, read_record, render_record
from hardtack.store.scratch import scratch_directory

VERSION: Final = "v1"
FOLDERS: Final = ("bundles", "members", "refs", "pins", "tmp", "locks")
_TAG: Final = "CACHEDIR.TAG"
_TAG_TEXT: Final = (
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This file says that the directory is a cache, to be left out of backups: https://bford.info/cachedir/\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A bundle that was verified and put into the cache, under one of its names."""

    path: Path
    """The bundle's directory."""
    digest: str
    """Of the bundle."""
    name: str
    """``host/owner/name``, or what it was called when it was installed."""
    origin: Origin
    ref: Path
    """The record of the name."""

    @property
    def index_name(self) -> str:
        """What tools call it: ``owner-name``."""
        host, _, rest = self.name.partition("/")
        return fitting_index_name(rest if rest and "." in host else self.name)

    @property
    def cache(self) -> Cache:
        """The cache that it is in."""
        return Cache(self.ref.parents[2])


def cache_root(chosen: str) -> Path:
    """Where the user's cache lies: where it was chosen, else where caches belong on this system.

    Raises:
        SourceError: the user has no home.
    """
    if chosen:
        return Path(chosen).absolute()
    import platformdirs  # whose import most searches do without

    try:
        return Path(platformdirs.user_cache_dir("hardtack", appauthor=False))
    except RuntimeError as error:
        said = "There is no home directory to keep installed bundles in."
        raise SourceError(said, hint="Set HARDTACK_CACHE to a directory of your own.") from error


class Cache:
    """One user's installed bundles. Holds nothing open; every question looks at the disk again."""

    def __init__(self, root: Path) -> None:
        """Look at nothing yet.

        Args:
            root: the cache's directory, which need not be there.
        """
        self.root = root
        version = root / VERSION
        self.bundles, self.members, self.refs, self.pins, self.tmp, self.locks = (version / folder for folder in FOLDERS)

    # -- reading ------------------------------------------------------------------------------------------------------------

    def entries(self) -> list[Installed]:
        """What is installed, by name; records that are not sound are left out.

        Raises:
            PolicyError: others may write to the cache.
        """
        return self.survey()[0]

    def survey(self) -> tuple[list[Installed], list[str]]:
        """What is installed, by name, and a sentence for each record that is not sound or names a bundle that is not there.

        Raises:
            PolicyError: others may write to the cache.
        """
        self.check()
        installed, faults = [], []
        for file in _listed(self.refs):
            if not file.startswith(layout.OWN_PREFIX):  # which another process is writing
                try:
                    installed.append(self._installed(self.refs / file))
                except FormatError as error:
                    faults.append(str(error))
        return sorted(installed, key=lambda each: each.name), faults

    def named(self, name: str) -> Installed | None:
        """What is installed under that very name; None when nothing is, or its record is not sound.

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
        """Where the bundle of that digest lies, or would lie."""
        assert is_digest(digest)
        return self.bundles / digest.replace(":", "-")

    def member_path(self, digest: str) -> Path:
        """Where the member of that digest lies, or would lie."""
        assert is_digest(digest)
        return self.members / digest.replace(":", "-")

    def _installed(self, ref: Path) -> Installed:
        record = read_record(ref)
        path = self.bundle_path(record.digest)
        if not is_plain_directory(path) or not (path / layout.MANIFEST).is_file():
            raise FormatError(f"{ref} names a bundle that is not there.", hint="Install the bundle again, or remove the file.")
        return Installed(path=path, digest=record.digest, name=record.name, origin=record.origin, ref=ref)

    def check(self) -> None:
        """See that nobody but the user and root can write here; a cache that is not there yet is sound.

        Raises:
            PolicyError: somebody can, or a directory of the cache is a link.
        """
        _check_directory(self.root, may_be_link=True)
        for directory in (self.root / VERSION, *(self.root / VERSION / folder for folder in FOLDERS)):
            _check_directory(directory)

    # -- writing ------------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the cache's directories where they are missing, whatever the umask.

        Raises:
            PolicyError: others may write to the cache.
            SourceError: the disk refuses.
        """
        try:
            for parent in reversed([path for path in self.root.parents if not path.exists()]):
                _make_directory(parent, 0o700)
            made = _make_directory(self.root, 0o700)
            self.check()
            if made:
                self.write(self.root / _TAG, _TAG_TEXT.encode("ascii"))
            for directory in (self.root / VERSION, *(self.root / VERSION / folder for folder in FOLDERS)):
                _make_directory(directory, 0o755)
            self.check()
        except OSError as error:
            raise unwritable(self.root, error) from error

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A new directory below ``tmp/``, locked as long as it is used, and gone at the end; :meth:`prepare` comes first.

        Raises:
            SourceError: the disk refuses.
        """
        with scratch_directory(self.tmp) as directory:
            yield directory

    def record(self, record: Record) -> Installed:
        """Have a name stand for a bundle from now on, in one step, and for good.

        What it stood for is kept a while longer, for those who are just opening it. Where a branch led before is remembered.

        Raises:
            UsageError: no bundle may be called that.
            SourceError: the disk refuses.
        """
        ref = self.refs / file_of(record.name)
        before = self.named(record.name)
        if before and before.digest != record.digest:
            with suppress(OSError):
                os.utime(before.path)
        is_same = before and is_same_repository(before.origin.repository, record.origin.repository)
        if before and is_same and not record.origin.branch:
            branch, commit, when = before.origin.led
            record = record._replace(origin=record.origin._replace(last_branch=branch, last_commit=commit, last_time=when))
        self.write(ref, render_record(record))
        path = self.bundle_path(record.digest)
        return Installed(path=path, digest=record.digest, name=record.name, origin=record.origin, ref=ref)

    def write(self, path: Path, data: bytes) -> None:
        """Replace a small file of the cache in one step, and for good.

        Raises:
            SourceError: the disk refuses.
        """
        try:
            replace_file(path, data)
        except OSError as error:
            raise unwritable(path, error) from error


def replace_file(path: Path, data: bytes) -> None:
    """Write a file beside ``path``, make it durable, and put it in place in one step. OSError is the caller's."""
    descriptor, new = tempfile.mkstemp(prefix=layout.OWN_PREFIX, suffix=SUFFIX, dir=path.parent)
    try:
        try:
            with open(descriptor, "wb", closefd=False) as file:
                file.write(data)
            os.fchmod(descriptor, 0o644)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        Path(new).replace(path)
    finally:
        with suppress(OSError):  # unless it is in place
            Path(new).unlink()
    fsync_directory(path.parent)


def unwritable(path: Path, error: OSError) -> SourceError:
    """The error for a disk that refuses."""
    return SourceError(
        f"{path} cannot be written: {error.strerror or error}.",
        hint="Set HARDTACK_CACHE to a directory that can be written and has room.",
    )


def is_plain_directory(path: Path) -> bool:
    """Whether a directory lies there, and not a link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _make_directory(path: Path, mode: int) -> bool:
    """Make a directory of just that mode; False where something lies already."""
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        return False
    path.chmod(mode)
    return True


def _check_directory(path: Path, *, may_be_link: bool = False) -> None:
    trusted = {0, os.geteuid()}
    try:
        state = path.lstat()
        if may_be_link and stat.S_ISLNK(state.st_mode) and state.st_uid in trusted:
            state = path.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise SourceError(f"The cache of installed bundles at {path} cannot be read: {error.strerror}.", hint=_ELSEWHERE) from error
    if stat.S_ISLNK(state.st_mode):
        wrong = "is a link"
    elif not stat.S_ISDIR(state.st_mode):
        wrong = "is no directory"
    elif state.st_uid not in trusted:
        wrong = "belongs to another user"
    elif state.st_mode & stat.S_IWOTH:
        wrong = "can be written by everybody"
    else:
        return
    raise PolicyError(f"{path} {wrong}, so what is in it cannot be trusted to have been verified.", hint=_ELSEWHERE)


_ELSEWHERE: Final = "Set HARDTACK_CACHE to a directory of your own, or make this one yours alone."


def _listed(directory: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(directory))
    except OSError:
        return []
