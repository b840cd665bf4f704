"""A commit in, its files as ``SourceFile | Skip`` in path order out; no file of the working tree is read.

Only git objects are read, so untracked, modified and ignored files cannot change a bundle, and a shallow clone gives the same
bundle as a full one. At most ``BlobReader.MAX_AHEAD`` files are in memory at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.build.source.git import BlobReader, Commit, Repository, TreeEntry, entries_named, list_tree
from hardtack.build.source.ignore import (
    HARDTACKIGNORE,
    Chain,
    IgnoreFile,
    directories_above,
    line_that_ignores,
    parse_ignore_file,
    require_reasonable,
)
from hardtack.build.source.known import NOTHING_KNOWN, Known, KnownFiles
from hardtack.build.source.paths import is_housekeeping, label_of, printable
from hardtack.errors import SourceUnreadable
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

_SYMLINK = b"120000"
_SUBMODULE = b"160000"
_REGULAR = b"100"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A file whose content was requested."""

    path: str
    entry: TreeEntry


def files_of_commit(
    repository: Repository, commit: Commit, tree: str, options: SourceOptions, known: KnownFiles = NOTHING_KNOWN
) -> Iterator[SourceFile | Known | Skip]:
    """Every path below ``tree``, the part of ``commit`` at the repository's root; ``known`` files are not read.

    Raises:
        SourceUnreadable: git lacks an object, or its content does not have its id.
    """
    with BlobReader(repository) as blobs:
        ignores = _IgnoreRules(_ignore_files(repository, commit, tree, blobs))
        waiting: deque[_Wanted | Known | Skip] = deque()
        for entry in list_tree(repository, tree):
            if is_housekeeping(entry.path):
                continue
            item: _Wanted | Known | Skip = _judge(entry, repository.prefix + entry.path, ignores, options)
            if isinstance(item, _Wanted):
                if at_hand := known.of_blob(item.path, entry.object_id):
                    item = at_hand
                else:
                    blobs.request(entry.object_id)
            waiting.append(item)
            if len(waiting) == BlobReader.MAX_AHEAD:
                yield _finish(waiting.popleft(), blobs, options)
        while waiting:
            yield _finish(waiting.popleft(), blobs, options)


def _judge(entry: TreeEntry, path_from_top: bytes, ignores: _IgnoreRules, options: SourceOptions) -> _Wanted | Skip:
    path = label_of(entry.path)
    if path is None:
        return Skip(path=printable(entry.path), reason=SkipReason.UNSAFE_PATH)
    if entry.mode == _SYMLINK:
        return Skip(path=path, reason=SkipReason.SYMLINK)
    if entry.mode == _SUBMODULE:
        return Skip(path=path, reason=SkipReason.SUBMODULE)
    if detail := ignores.what_ignores(path_from_top):
        return Skip(path=path, reason=SkipReason.IGNORED, detail=detail)
    if skip := skip_before_reading(path, entry.size, options):
        return skip
    if entry.is_missing:
        return Skip(path=path, reason=SkipReason.UNREADABLE, detail=f"git cannot read its object {entry.object_id}")
    return _Wanted(path, entry)


def _finish(item: _Wanted | Known | Skip, blobs: BlobReader, options: SourceOptions) -> SourceFile | Known | Skip:
    if not isinstance(item, _Wanted):
        return item
    file = decode(item.path, blobs.read(item.entry), options)
    # Git does not verify a blob when it writes it out. In a SHA-1 repository blob_id is the same digest, which is computed anyway.
    if isinstance(file, SourceFile) and len(item.entry.object_id) == 40 and file.blob_id != item.entry.object_id:
        raise SourceUnreadable(
            f"Git's object {item.entry.object_id} ({item.path}) does not hold what its id says.", hint="Run 'git fsck'."
        )
    return file


def _ignore_files(repository: Repository, commit: Commit, tree: str, blobs: BlobReader) -> Iterator[IgnoreFile]:
    """Each ``.hardtackignore`` of the commit that applies below the root; bases are relative to the top of the repository."""
    above = entries_named(
        repository, commit.tree, [directory + HARDTACKIGNORE for directory in directories_above(repository.prefix)]
    )
    below = (entry for entry in list_tree(repository, tree) if entry.path.rsplit(b"/", 1)[-1] == HARDTACKIGNORE)
    for entry in (*above, *(replace(entry, path=repository.prefix + entry.path) for entry in below)):
        if entry.mode.startswith(_REGULAR):
            require_reasonable(entry.path, entry.size)
            blobs.request(entry.object_id)
            yield parse_ignore_file(blobs.read(entry), entry.path[: -len(HARDTACKIGNORE)])


class _IgnoreRules:
    """The ``.hardtackignore`` files of one commit; the result for each directory is stored."""

    def __init__(self, files: Iterator[IgnoreFile]) -> None:
        self._files = {file.base: file for file in files}
        top = self._files.get(b"")
        self._directories: dict[bytes, tuple[Chain, str]] = {b"": ((top,) if top else (), "")}

    def what_ignores(self, path: bytes) -> str:
        """The line that ignores ``path`` (relative to the top of the repository) or a directory above it; empty if none does."""
        if not self._files:
            return ""
        chain, ignored_by = self._rules_in(path[: path.rfind(b"/") + 1])
        return ignored_by or line_that_ignores(chain, path, is_directory=False, file_name=HARDTACKIGNORE)

    def _rules_in(self, directory: bytes) -> tuple[Chain, str]:
        """(ignore files that apply in ``directory``, which ends in a slash; line that ignores all of it, or empty)."""
        if (known := self._directories.get(directory)) is not None:
            return known
        chain, ignored_by = self._directories[b""]
        for current in (*directories_above(directory)[1:], directory):
            if (known := self._directories.get(current)) is None:
                ignored_by = ignored_by or line_that_ignores(chain, current[:-1], is_directory=True, file_name=HARDTACKIGNORE)
                own = self._files.get(current)
                known = self._directories[current] = (chain if own is None else (*chain, own), ignored_by)
            chain, ignored_by = known
        return chain, ignored_by
