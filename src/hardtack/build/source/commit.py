"""A commit in, its files as ``SourceFile | Skip`` in path order out; no file of the working tree is read.

Only git objects are read, so untracked, modified and ignored files cannot change a bundle, and a shallow clone gives the same
bundle as a full one. At most ``BlobReader.MAX_AHEAD`` files are in memory at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hardtack.build.source.decode import SourceOptions, decode, skip_before_reading
from hardtack.build.source.encodings.tree import MAX_DECLARING_BYTES, TreeEncodings, declares_encodings, declaring_files
from hardtack.build.source.git import BlobReader, Commit, Repository, TreeEntry, entries_named, list_tree, read_blob
from hardtack.build.source.ignore import (
    HARDTACKIGNORE,
    HARDTACKKEEP,
    IgnoreFile,
    PathRules,
    directories_above,
    parse_ignore_file,
    require_reasonable,
    with_lines,
)
from hardtack.build.source.known import ELSEWHERE, NOTHING_KNOWN, Known, KnownFiles
from hardtack.build.source.paths import is_housekeeping, label_of, printable
from hardtack.build.source.unwanted import vendor_directories
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
    is_kept: bool


def files_of_commit(
    repository: Repository, commit: Commit, tree: str, options: SourceOptions, known: KnownFiles = NOTHING_KNOWN
) -> Iterator[SourceFile | Known | Skip]:
    """Every path below ``tree``, the part of ``commit`` at the repository's root; ``known`` files are not read.

    Raises:
        SourceUnreadable: git lacks an object, or its content does not have its id.
        BuildError: the tree is larger than its limits.
    """
    with BlobReader(repository) as blobs:
        rules = _rules_of(repository, commit, tree, options, blobs)
        encodings = TreeEncodings(lambda path: _content_of(repository, rules.declaring.get(path)))
        waiting: deque[_Wanted | Known | Skip] = deque()
        size = 0
        for entry in list_tree(repository, tree, options.limits):
            if is_housekeeping(entry.path):
                continue
            item: _Wanted | Known | Skip = _judge(entry, repository.prefix + entry.path, rules, options)
            if isinstance(item, _Wanted):
                at_hand = known.of_blob(item.path, entry.object_id)
                if at_hand is None or at_hand.owner == ELSEWHERE:  # the limit is that of the whole tree
                    size += entry.size
                    options.limits.check_source(repository.root, size)
                if at_hand:
                    item = at_hand
                else:
                    blobs.request(entry.object_id)
            waiting.append(item)
            if len(waiting) == BlobReader.MAX_AHEAD:
                yield _finish(waiting.popleft(), blobs, options, encodings, repository.prefix)
        while waiting:
            yield _finish(waiting.popleft(), blobs, options, encodings, repository.prefix)


def _judge(entry: TreeEntry, path_from_top: bytes, rules: _TreeRules, options: SourceOptions) -> _Wanted | Skip:
    path = label_of(entry.path)
    if path is None:
        return Skip(path=printable(entry.path), reason=SkipReason.UNSAFE_PATH)
    if entry.mode == _SYMLINK:
        return Skip(path=path, reason=SkipReason.SYMLINK)
    if entry.mode == _SUBMODULE:
        return Skip(path=path, reason=SkipReason.SUBMODULE)
    if detail := rules.ignores.line_for(path_from_top):
        return Skip(path=path, reason=SkipReason.IGNORED, detail=detail)
    is_kept = bool(rules.keeps.line_for(path_from_top))
    if skip := skip_before_reading(path, entry.size, options, vendored=rules.vendored, is_kept=is_kept):
        return skip
    if entry.is_missing:
        return Skip(path=path, reason=SkipReason.UNREADABLE, detail=f"git cannot read its object {entry.object_id}")
    return _Wanted(path, entry, is_kept)


def _finish(
    item: _Wanted | Known | Skip, blobs: BlobReader, options: SourceOptions, encodings: TreeEncodings, prefix: bytes
) -> SourceFile | Known | Skip:
    if not isinstance(item, _Wanted):
        return item
    tree_encodings = encodings.of(prefix + item.entry.path)
    file = decode(item.path, blobs.read(item.entry), options, tree_encodings, is_kept=item.is_kept)
    # Git does not verify a blob when it writes it out. In a SHA-1 repository blob_id is the same digest, which is computed anyway.
    if isinstance(file, SourceFile) and len(item.entry.object_id) == 40 and file.blob_id != item.entry.object_id:
        raise SourceUnreadable(
            f"Git's object {item.entry.object_id} ({item.path}) does not hold what its id says.", hint="Run 'git fsck'."
        )
    return file


@dataclass(frozen=True, slots=True)
class _TreeRules:
    """What a commit says of its own paths, before any of them is judged."""

    ignores: PathRules
    keeps: PathRules
    vendored: frozenset[str]
    declaring: dict[bytes, TreeEntry]
    """The files that declare encodings, by path from the top of the repository."""


def _rules_of(repository: Repository, commit: Commit, tree: str, options: SourceOptions, blobs: BlobReader) -> _TreeRules:
    """The rules of the commit that apply below the root; bases of rule files are relative to the top of the repository."""
    names = (HARDTACKIGNORE, HARDTACKKEEP)
    directories = directories_above(repository.prefix)
    above = [path for each in directories for path in (*(each + name for name in names), *declaring_files(each))]
    entries = entries_named(repository, commit.tree, above)

    def labels() -> Iterator[str]:
        for entry in list_tree(repository, tree, options.limits):
            if (label := label_of(entry.path)) is None:
                continue
            yield label
            if entry.path.rsplit(b"/", 1)[-1] in names or declares_encodings(entry.path):
                entries.append(replace(entry, path=repository.prefix + entry.path))

    vendored = vendor_directories(labels())
    ignores, keeps = (list(_rule_files(entries, name, blobs)) for name in names)
    root = repository.prefix
    top = next((file for file in keeps if file.base == root), None)
    if (kept := with_lines(top, options.keep, root)) is not None:
        keeps = [file for file in keeps if file is not top] + [kept]
    declaring = {entry.path: entry for entry in entries if declares_encodings(entry.path) and entry.mode.startswith(_REGULAR)}
    return _TreeRules(PathRules(ignores, HARDTACKIGNORE), PathRules(keeps, HARDTACKKEEP), vendored, declaring)


def _rule_files(entries: list[TreeEntry], name: bytes, blobs: BlobReader) -> Iterator[IgnoreFile]:
    """The parsed rule files of one name."""
    size = 0
    for entry in entries:
        if entry.path.rsplit(b"/", 1)[-1] == name and entry.mode.startswith(_REGULAR):
            size += entry.size
            require_reasonable(entry.path, entry.size, size)
            blobs.request(entry.object_id)
            yield parse_ignore_file(blobs.read(entry), entry.path[: -len(name)])


def _content_of(repository: Repository, entry: TreeEntry | None) -> bytes | None:
    """The content of a file that declares encodings, in a git process of its own: few files make anybody ask."""
    if entry is None or entry.is_missing or entry.size > MAX_DECLARING_BYTES:
        return None
    return read_blob(repository, entry)
