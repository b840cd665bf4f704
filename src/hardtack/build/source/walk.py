"""A directory in, its files and skipped paths out, in the order of path bytes; regular files are opened one at a time.

Links are never followed, special files never opened, directories of version control systems never entered. ``.gitignore`` files and
a repository's ``info/exclude`` apply as in git: to files that git does not track. A directory that is a repository of its own is
not entered, unless git tracks files in it.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.build.source.encodings.tree import MAX_DECLARING_BYTES, TreeEncodings
from hardtack.build.source.git import Repository, exclude_file, list_tracked
from hardtack.build.source.ignore import (
    GITIGNORE,
    HARDTACKIGNORE,
    HARDTACKKEEP,
    Chain,
    IgnoreFile,
    decide,
    directories_above,
    line_that_ignores,
    parse_ignore_file,
    require_reasonable,
)
from hardtack.build.source.known import NOTHING_KNOWN, Known, KnownFiles
from hardtack.build.source.limits import USUAL_LIMITS, TreeLimits
from hardtack.build.source.paths import is_housekeeping, label_of, printable
from hardtack.build.source.unwanted import vendor_directories
from hardtack.errors import SourceUnreadable
from hardtack.git import is_repository
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

_SUBMODULE = b"160000"


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkScope:
    """A directory to walk, with the facts about it that git and outer directories give."""

    root: bytes
    """Absolute path on disk."""
    prefix: bytes = b""
    """``root`` relative to the top of the repository, with a trailing slash; ignore rules are relative to that top."""
    tracked: frozenset[bytes] = frozenset()
    """Files that git tracks, relative to ``root``: no ``.gitignore`` applies to them."""
    tracked_directories: frozenset[bytes] = frozenset()
    """Every directory that holds a tracked file at any depth."""
    submodules: frozenset[bytes] = frozenset()
    gitignores: Chain = ()
    """Rules from above ``root``: the repository's ``info/exclude`` and the ``.gitignore`` files of outer directories."""
    hardtackignores: Chain = ()
    hardtackkeeps: Chain = ()
    keep: IgnoreFile | None = None
    """The lines that the build's options add to the ``.hardtackkeep`` at ``root``."""
    attributes: bytes = b""
    """Path on disk of the repository's ``info/attributes``; empty for none."""
    limits: TreeLimits = USUAL_LIMITS
    excluded: bytes = b""
    """The bundle's directory below ``root``, relative to it, which is not entered; empty for none."""


@dataclass(frozen=True, slots=True)
class FoundPath:
    """One path of a walk."""

    path: bytes
    """Relative to the root."""
    reason: SkipReason | None = None
    """Why it cannot be a source file; None for a regular file."""
    detail: str = ""
    is_kept: bool = False
    """A ``.hardtackkeep`` names it."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """How one file is read."""

    options: SourceOptions
    vendored: frozenset[str]
    is_kept: bool

    def skip(self, path: str, size: int | None) -> Skip | None:
        return skip_before_reading(path, size, self.options, vendored=self.vendored, is_kept=self.is_kept)


def scope_of_directory(root: Path, excluded: Path | None, limits: TreeLimits = USUAL_LIMITS) -> WalkScope:
    """A directory on its own, whether or not it is in a checkout."""
    return WalkScope(root=os.fsencode(root), excluded=_below(root, excluded), limits=limits)


def scope_of_checkout(repository: Repository, excluded: Path | None, limits: TreeLimits = USUAL_LIMITS) -> WalkScope:
    """The part of a checkout at ``repository.root``, with git's index and the ignore rules from outside it.

    Raises:
        BuildError: git's index has more paths than ``limits`` allow.
        SourceUnreadable: git cannot read its index.
    """
    root = os.fsencode(repository.root)
    entries = list(list_tracked(repository, limits))
    tracked = frozenset(path for mode, path in entries if mode != _SUBMODULE)
    top = root + b"/.." * repository.prefix.count(b"/")
    exclude_path = exclude_file(repository)
    exclude = _read_ignore_file(os.fsencode(exclude_path), b"")
    above = directories_above(repository.prefix)
    gitignores = [exclude, *(_read_ignore_file(b"/".join((top, base + GITIGNORE)), base) for base in above)]
    hardtackignores = [_read_ignore_file(b"/".join((top, base + HARDTACKIGNORE)), base) for base in above]
    hardtackkeeps = [_read_ignore_file(b"/".join((top, base + HARDTACKKEEP)), base) for base in above]
    return WalkScope(
        root=root,
        prefix=repository.prefix,
        tracked=tracked,
        tracked_directories=frozenset(
            outer[:-1]
            for parent in {path[: path.rfind(b"/") + 1] + b"." for path in tracked}
            for outer in directories_above(parent)[1:]
        ),
        submodules=frozenset(path for mode, path in entries if mode == _SUBMODULE),
        gitignores=tuple(file for file in gitignores if file is not None),
        hardtackignores=tuple(file for file in hardtackignores if file is not None),
        hardtackkeeps=tuple(file for file in hardtackkeeps if file is not None),
        attributes=os.fsencode(exclude_path.with_name("attributes")),
        limits=limits,
        excluded=_below(repository.root, excluded),
    )


def files_on_disk(
    scope: WalkScope, options: SourceOptions, known: KnownFiles = NOTHING_KNOWN
) -> Iterator[SourceFile | Known | Skip]:
    """Every path of the scope that git would consider, read and, unless it is ``known``, decoded."""
    vendored = vendor_directories(label for found in walk(scope) if (label := label_of(found.path)) is not None)
    scope = replace(scope, keep=parse_ignore_file("\n".join(options.keep).encode(), scope.prefix))
    encodings = _encodings_of(scope)
    size = 0
    for found, ignored_by in _walk(scope):
        path = label_of(found.path)
        if path is None:
            yield Skip(path=printable(found.path), reason=SkipReason.UNSAFE_PATH)
        elif found.reason is not None:
            yield Skip(path=path, reason=found.reason, detail=found.detail)
        elif ignored_by:
            yield Skip(path=path, reason=SkipReason.IGNORED, detail=ignored_by)
        else:
            reading = _Reading(options, vendored, found.is_kept)
            item = reading.skip(path, None) or _read(scope, found.path, path, reading, known, encodings)
            size += item.size if isinstance(item, SourceFile) else 0
            scope.limits.check_source(Path(os.fsdecode(scope.root)), size)
            yield item


def walk(scope: WalkScope) -> Iterator[FoundPath]:
    """Every path of the scope that no ``.gitignore`` ignores, in the order of path bytes; no file is opened."""
    return (found for found, _ in _walk(scope))


@dataclass(slots=True)
class _Frame:
    """A directory that is being walked."""

    path: bytes
    """Relative to the root, with a trailing slash; empty for the root."""
    pending: list[os.DirEntry[bytes]]
    """Entries still to visit, last first."""
    gitignores: Chain
    hardtackignores: Chain
    hardtackkeeps: Chain
    ignored_by: str
    """The ``.hardtackignore`` line that ignores all of it; empty if none does."""
    is_kept: bool
    """A ``.hardtackkeep`` names all of it."""
    is_ignored: bool
    """A ``.gitignore`` ignores it: only tracked files count."""


class _Counted:
    """Counts the entries of all directories of one walk."""

    def __init__(self, scope: WalkScope) -> None:
        self._scope = scope
        self._count = self._size = 0

    def one(self, entry: os.DirEntry[bytes]) -> os.DirEntry[bytes]:
        """The entry, unless it is one too many."""
        self._count += 1
        self._size += len(entry.path)
        if self._count > self._scope.limits.paths or not self._count % 1024:
            self._scope.limits.check_listing(Path(os.fsdecode(self._scope.root)), self._count, self._size)
        return entry


def _walk(scope: WalkScope) -> Iterator[tuple[FoundPath, str]]:
    """(path, ``.hardtackignore`` line that ignores it). A stack, since trees may be deeper than Python's recursion limit."""
    top = _Frame(b"", [], scope.gitignores, scope.hardtackignores, scope.hardtackkeeps, "", is_kept=False, is_ignored=False)
    counted = _Counted(scope)
    try:
        stack = [_entered(scope, top, counted)]
    except OSError as error:
        raise SourceUnreadable(
            f"The directory {printable(scope.root)} cannot be listed: {error.strerror}.", hint="Make it readable."
        ) from error
    if scope.keep is not None:
        top.hardtackkeeps = (*top.hardtackkeeps, scope.keep)
    while stack:
        frame = stack[-1]
        if not frame.pending:
            stack.pop()
            continue
        entry = frame.pending.pop()
        path = frame.path + entry.name
        if is_housekeeping(entry.name) or path == scope.excluded:
            continue
        if not entry.is_dir(follow_symlinks=False):
            if path in scope.tracked or not _is_git_ignored(scope, frame, path, is_directory=False):
                found = replace(_found(entry, path), is_kept=_is_kept(scope, frame, path, is_directory=False))
                yield found, _hardtack_ignored(scope, frame, path, is_directory=False)
        elif path in scope.submodules:
            yield FoundPath(path, SkipReason.SUBMODULE), ""
        else:
            is_ignored = _is_git_ignored(scope, frame, path, is_directory=True)
            if path not in scope.tracked_directories:
                if is_ignored:
                    continue
                if is_repository(Path(os.fsdecode(entry.path))):
                    yield FoundPath(path, SkipReason.SUBMODULE, "a repository of its own"), ""
                    continue
            ignored_by = _hardtack_ignored(scope, frame, path, is_directory=True)
            is_kept = _is_kept(scope, frame, path, is_directory=True)
            inner = _Frame(
                path + b"/", [], frame.gitignores, frame.hardtackignores, frame.hardtackkeeps, ignored_by, is_kept, is_ignored
            )
            try:
                stack.append(_entered(scope, inner, counted))
            except OSError as error:
                yield FoundPath(path, SkipReason.UNREADABLE, error.strerror or ""), ""


def _is_git_ignored(scope: WalkScope, frame: _Frame, path: bytes, *, is_directory: bool) -> bool:
    return frame.is_ignored or decide(frame.gitignores, scope.prefix + path, is_directory=is_directory) is not None


def _hardtack_ignored(scope: WalkScope, frame: _Frame, path: bytes, *, is_directory: bool) -> str:
    return frame.ignored_by or line_that_ignores(
        frame.hardtackignores, scope.prefix + path, is_directory=is_directory, file_name=HARDTACKIGNORE
    )


def _is_kept(scope: WalkScope, frame: _Frame, path: bytes, *, is_directory: bool) -> bool:
    return frame.is_kept or decide(frame.hardtackkeeps, scope.prefix + path, is_directory=is_directory) is not None


def _entered(scope: WalkScope, frame: _Frame, counted: _Counted) -> _Frame:
    """``frame`` with its entries listed and its own ignore files in force.

    Raises:
        OSError: the directory cannot be listed.
        BuildError: there are more entries than the limits allow.
    """
    directory = b"/".join((scope.root, frame.path))
    with os.scandir(directory) as entries:
        # Directories are sorted with a trailing slash, so that a depth-first walk gives whole paths in order.
        frame.pending = sorted(map(counted.one, entries), key=_order, reverse=True)
    names = {entry.name for entry in frame.pending}
    base = scope.prefix + frame.path
    if GITIGNORE in names and (file := _read_ignore_file(directory + GITIGNORE, base)) is not None:
        frame.gitignores = (*frame.gitignores, file)
    if HARDTACKIGNORE in names and (file := _read_ignore_file(directory + HARDTACKIGNORE, base)) is not None:
        frame.hardtackignores = (*frame.hardtackignores, file)
    if HARDTACKKEEP in names and (file := _read_ignore_file(directory + HARDTACKKEEP, base)) is not None:
        frame.hardtackkeeps = (*frame.hardtackkeeps, file)
    return frame


def _order(entry: os.DirEntry[bytes]) -> bytes:
    return entry.name + b"/" if entry.is_dir(follow_symlinks=False) else entry.name


def _found(entry: os.DirEntry[bytes], path: bytes) -> FoundPath:
    if entry.is_symlink():
        return FoundPath(path, SkipReason.SYMLINK)
    return FoundPath(path) if entry.is_file(follow_symlinks=False) else FoundPath(path, SkipReason.SPECIAL)


def _encodings_of(scope: WalkScope) -> TreeEncodings:
    """What the tree declares about encodings, also in directories above the root."""
    top = scope.root + b"/.." * scope.prefix.count(b"/")
    return TreeEncodings(
        lambda path: _content_of(b"/".join((top, path))), lambda: _content_of(scope.attributes) if scope.attributes else None
    )


def _content_of(path: bytes) -> bytes | None:
    """The content of a regular file; None if there is none that can be read, or it is huge. No link is followed."""
    try:
        with _open_regular(path) as file:
            data = file.read(MAX_DECLARING_BYTES + 1)
            return data if len(data) <= MAX_DECLARING_BYTES else None
    except (OSError, _NotRegular):
        return None


def _read(
    scope: WalkScope, raw: bytes, path: str, reading: _Reading, known: KnownFiles, encodings: TreeEncodings
) -> SourceFile | Known | Skip:
    """Open a file, check the opened descriptor and the size, decode."""
    try:
        with _open_regular(b"/".join((scope.root, raw))) as file:
            size = os.fstat(file.fileno()).st_size
            if (skip := reading.skip(path, size)) is not None:
                return skip
            data = file.read(size)  # it may grow meanwhile
            tree_encodings = encodings.of(scope.prefix + raw)
            return known.of_bytes(path, data) or decode(path, data, reading.options, tree_encodings, is_kept=reading.is_kept)
    except _NotRegular:
        return Skip(path=path, reason=SkipReason.SPECIAL)
    except OSError as error:
        reason = SkipReason.SYMLINK if error.errno == errno.ELOOP else SkipReason.UNREADABLE
        return Skip(path=path, reason=reason, detail=error.strerror or "")


class _NotRegular(Exception):
    """The opened path is not a regular file, or no longer one."""


def _open_regular(path: bytes) -> io.FileIO:
    """Open ``path`` for reading. No link is followed, and a FIFO that has replaced the file neither blocks nor is read.

    Raises:
        _NotRegular: it is not a regular file.
        OSError: it cannot be opened.
    """
    # The type is checked on the descriptor, not on the path, which may be replaced between check and use.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _NotRegular
    return io.FileIO(descriptor, "rb")


def _read_ignore_file(path: bytes, base: bytes) -> IgnoreFile | None:
    """The rules in ``path``, or None if there is no such regular file (git follows no links to ignore files either).

    Raises:
        SourceUnreadable: it cannot be read, or is huge; without it, ignored files would be indexed.
    """
    try:
        with _open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            require_reasonable(path, size)
            return parse_ignore_file(file.read(size), base)  # it may grow meanwhile
    except (FileNotFoundError, NotADirectoryError, _NotRegular):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise SourceUnreadable(
            f"The ignore file {printable(path)} cannot be read: {error.strerror}.", hint="Make it readable, or remove it."
        ) from error


def _below(root: Path, excluded: Path | None) -> bytes:
    """``excluded`` relative to ``root``, both with links resolved; empty if it is not below."""
    if excluded is None:
        return b""
    place, top = excluded.resolve(), root.resolve()
    return os.fsencode(place.relative_to(top)) if place != top and place.is_relative_to(top) else b""
