"""A part of a tree, analysed, in, one file out, its shard; the file in, verified, what it holds out.

    magic                 8 bytes, the last one the version
    a record a file       in path order: the messages of the source file and of its analysis, and how its parser crashed
    a record a commit     newest first, in the shard of part 1 if a history is asked for (``commits.py``)
    a record a skip       in path order: a path of this part that was seen and not indexed, the reason, its detail
    head                  what the shard is of (``head.py``)
    end                   where the commits, the skips and the head begin, and the SHA-256 of all bytes before that digest

Records and head are msgpack; each record comes after its length, 4 bytes, little-endian. All of the file is hashed before anything
of it is used. That shows that it is what was written, not who wrote it: a shard is believed as a bundle is, by who names it.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgpack

from hardtack.build.history.commits import ReadCommit
from hardtack.build.options import options_of
from hardtack.build.shards.commits import commit_of, row_of_commit
from hardtack.build.shards.head import ShardHead, head_of, row_of_head
from hardtack.build.source.paths import label_of
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.workers.executors import Analysed
from hardtack.build.workers.worker import pack_file, pack_indexed, unpack_file, unpack_indexed
from hardtack.bundle.format.cached_parses import CachedParse, unpack_parse
from hardtack.bundle.format.layout import TEXT_LIMIT
from hardtack.bundle.format.members import MemberFile
from hardtack.bundle.writer import IndexedFile
from hardtack.errors import BuildError, BundleNotFound, FormatError, IntegrityError, SourceError, UnsupportedFormat
from hardtack.nouns.outline import Skip, SkipReason, SourceFile

# 1: first version.
VERSION: Final = 1
_NAME: Final = b"HTKSHD\0"
_MAGIC: Final = _NAME + bytes([VERSION])
_LENGTH: Final = struct.Struct("<I")
_END: Final = struct.Struct("<QQQ32s")
_RECORD_LIMIT: Final = 1 << 26
"""Bytes of the longest record: a file of 16 MiB, the longest there is, gives 51 MB. A hostile one, of nothing but nested lists,
takes some sixty times its bytes when it is read."""
_HEAD_LIMIT: Final = 1 << 20
"""Bytes of the longest head."""
_AGAIN: Final = "Build that shard again, or fetch it again."
_NO_PARSE: Final = CachedParse(documents=(), imported=(), uses=b"", facts=(), tags=(), project=None, pairs=b"")


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Around a write, fsync or rename of the shard that goes to ``place``.

    Raises:
        SourceError: the disk is full or refuses.
    """
    try:
        yield
    except OSError as error:
        raise SourceError(f"{place} cannot be written: {error.strerror}.", hint="Choose another place with -o.") from error


class ShardWriter:
    """Writes a shard; the file must be new and empty."""

    def __init__(self, file: BinaryIO, place: Path) -> None:
        """Begin it; ``file`` is buffered, and ``place`` is how messages name the shard."""
        self._file = file
        self._place = place
        self._state = hashlib.sha256()
        self._at = 0
        self._files_end = 0
        self.files = 0
        """Files that were added."""
        self._write(_MAGIC)

    def add(self, analysed: Analysed) -> None:
        """Add the next file; before the first commit.

        Raises:
            BuildError: what is known of it is more than a shard has room for.
        """
        indexed = analysed.indexed
        if indexed is not None and indexed.reading:
            indexed = _with_parse(indexed, _NO_PARSE)  # which the packed parse repeats
        file = analysed.messages[0] if analysed.messages else pack_file(analysed.file)
        self._record((file, None if indexed is None else pack_indexed(indexed), analysed.crash), analysed.file.path)
        self.files += 1

    def add_commit(self, commit: ReadCommit) -> None:
        """Add the next commit, its paths as they may be stored; after the last file."""
        self._files_end = self._files_end or self._at
        self._record(row_of_commit(commit), f"The commit {commit.id}")

    def finish(self, skips: Iterable[Skip], head: ShardHead) -> str:
        """Write the skips, the head and the end; gives the digest of all before it, hex, by which a person can tell two shards."""
        self._files_end = self._files_end or self._at
        commits_end = self._at
        for skip in sorted(skips, key=lambda skip: place_of(skip.path)):
            self._record((skip.path, skip.reason.value, skip.detail), skip.path)
        head_at = self._at
        data = msgpack.packb(row_of_head(head))
        if len(data) > _HEAD_LIMIT:
            raise BuildError(
                "The options and remarks are more than a shard has room for.", hint="Build with fewer or shorter options."
            )
        self._write(data)
        self._write(struct.pack("<QQQ", self._files_end, commits_end, head_at))
        digest = self._state.digest()
        self._write(digest)
        return digest.hex()

    def _record(self, row: tuple[Any, ...], noun: str) -> None:
        data = msgpack.packb(row)
        if len(data) > _RECORD_LIMIT:
            raise BuildError(
                f"{noun} takes {len(data):,} bytes, more than the {_RECORD_LIMIT:,} that a shard has room for.",
                hint="Name it in .hardtackignore, or build without --shard.",
            )
        self._write(_LENGTH.pack(len(data)))
        self._write(data)

    def _write(self, data: bytes) -> None:
        with writing(self._place):
            self._file.write(data)
        self._state.update(data)
        self._at += len(data)


class ShardFile:
    """A shard that was verified; it is open until it is closed."""

    def __init__(self, path: Path) -> None:
        """Open and verify it.

        Raises:
            BundleNotFound: there is no file, or it is no shard.
            UnsupportedFormat: it is of a version that this program does not read.
            IntegrityError: it was cut short or changed.
            FormatError: it is no plain file, or its head is malformed.
        """
        self.path = path
        with ExitStack() as undo:
            self._file = undo.enter_context(_opened(path))
            self._files_end, self._commits_end, self._head_at = self._verified()
            self.head = self._read_head()
            undo.pop_all()

    def _verified(self) -> tuple[int, int, int]:
        """Where the records of files and of commits end, and where the head begins."""
        size, start = self._file.size, self._file.read_at(0, min(len(_MAGIC), self._file.size))
        if not start.startswith(_NAME) or len(start) < len(_MAGIC):
            raise BundleNotFound(
                f"{self.path} is no Hardtack shard.", hint="A shard is made with: hardtack build SRC --shard 1/4 -o FILE"
            )
        if start != _MAGIC:
            raise UnsupportedFormat(
                f"{self.path} has version {start[-1]} of the shard format; this Hardtack reads version {VERSION}.",
                found=start[-1],
                readable=(VERSION, VERSION),
                hint="Merge with the version that built the shard, or build it with this one.",
            )
        if size < len(_MAGIC) + _END.size:
            raise self._damaged("it ends too early")
        files_end, commits_end, head_at, digest = _END.unpack(self._file.read_at(size - _END.size, _END.size))
        with MemberFile.inside(self._file, self.path.name, 0, size - len(digest)) as hashed:
            if hashed.digest() != f"sha256:{digest.hex()}":
                raise self._damaged("it is not what was written")
        if not len(_MAGIC) <= files_end <= commits_end <= head_at <= size - _END.size <= head_at + _HEAD_LIMIT:
            raise self._malformed("its parts are not one after the other")
        return files_end, commits_end, head_at

    def _read_head(self) -> ShardHead:
        data = self._file.read_at(self._head_at, self._file.size - _END.size - self._head_at)
        try:
            head = head_of(msgpack.unpackb(data, use_list=False))
            options_of(head.options)
            return head
        except (ValueError, TypeError, msgpack.UnpackException, FormatError) as error:
            raise self._malformed(f"its head is none ({error})") from error

    def files(self) -> Iterator[Analysed]:
        """Its files, in path order, with vectors or their codes.

        Raises:
            FormatError: a record is malformed, or of a file that the shard cannot have.
        """
        before, dimension = b"", self.head.encoder.dimension if self.head.encoder else 0
        for row in self._rows(len(_MAGIC), self._files_end):
            try:
                analysed = _analysed(*row)
                _check(analysed, dimension)
            except (ValueError, TypeError, KeyError, msgpack.UnpackException) as error:
                raise self._malformed(f"a record is none of a file ({error})") from error
            path = analysed.file.path.encode()
            if path <= before or not self.head.part.has(path_without_secret(analysed.file.path)):
                raise self._malformed("a file is not where its path belongs")
            before = path
            yield analysed

    def commits(self) -> Iterator[ReadCommit]:
        """The commits of the history, newest first.

        Raises:
            FormatError: a record is malformed.
        """
        for row in self._rows(self._files_end, self._commits_end):
            try:
                yield commit_of(row)
            except (ValueError, TypeError) as error:
                raise self._malformed(f"a record is none of a commit ({error})") from error

    def skips(self) -> Iterator[Skip]:
        """The paths that were seen and not indexed, in path order.

        Raises:
            FormatError: a record is malformed.
        """
        for row in self._rows(self._commits_end, self._head_at):
            try:
                yield _skip_of(*row)
            except (ValueError, TypeError) as error:
                raise self._malformed(f"a record is none of a path that was left out ({error})") from error

    def _rows(self, start: int, end: int) -> Iterator[tuple[Any, ...]]:
        while start < end:
            (length,) = _LENGTH.unpack(self._file.read_at(start, _LENGTH.size))
            start += _LENGTH.size
            if length > min(_RECORD_LIMIT, end - start):
                raise self._malformed("a record is longer than any")
            try:
                yield msgpack.unpackb(self._file.read_at(start, length), use_list=False)
            except (ValueError, msgpack.UnpackException) as error:
                raise self._malformed("a record cannot be read") from error
            start += length
        if not self._file.is_unchanged:
            raise self._damaged("it was written to while it was read")

    def _damaged(self, what: str) -> IntegrityError:
        return IntegrityError(f"The shard {self.path} is damaged: {what}.", faults=[what], hint=_AGAIN)

    def _malformed(self, what: str) -> FormatError:
        return FormatError(f"The shard {self.path} is malformed: {what}.", field="shard", hint=_AGAIN)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _opened(path: Path) -> MemberFile:
    try:
        return MemberFile(path.parent, path.name)
    except BundleNotFound as error:
        raise BundleNotFound(str(error), hint="Name the file that hardtack build --shard wrote, or build it again.") from error


def is_shard(path: Path) -> bool:
    """Whether a file at ``path`` begins as a shard of any version does."""
    try:
        with MemberFile(path.parent, path.name) as file:
            return file.size >= len(_MAGIC) and file.read_at(0, len(_NAME)) == _NAME
    except (BundleNotFound, FormatError):
        return False


def _analysed(file: bytes, indexed: bytes | None, crash: str) -> Analysed:
    """The file of a record."""
    return Analysed(file=unpack_file(file), indexed=None if indexed is None else _whole(unpack_indexed(indexed)), crash=crash)


def _whole(indexed: IndexedFile) -> IndexedFile:
    """An indexed file with what its packed parse holds."""
    return _with_parse(indexed, unpack_parse(indexed.reading)) if indexed.reading else indexed


def _with_parse(indexed: IndexedFile, parse: CachedParse) -> IndexedFile:
    return replace(indexed, **parse._asdict())


def _check(analysed: Analysed, dimension: int) -> None:
    """Compare a record with what every build keeps to; the rest shows when the rows are used.

    Raises:
        ValueError, TypeError: it is none that a build writes.
    """
    file, indexed = analysed.file, analysed.indexed
    if not isinstance(analysed.crash, str) or not (indexed or analysed.crash):
        raise ValueError("no analysis")
    _check_source(file)
    if indexed:
        sizes = len(indexed.vectors), len(indexed.codes)
        expected = len(indexed.chunks) * dimension
        if sizes not in ((4 * expected, 0), (0, expected)):
            raise ValueError("another number of vectors than of chunks")


def place_of(path: str) -> bytes:
    """What paths are in the order of; a path that is skipped may hold lone surrogates."""
    return path.encode("utf-8", "surrogatepass")


def _skip_of(path: str, reason: str, detail: str) -> Skip:
    if not isinstance(path, str) or not isinstance(detail, str):
        raise TypeError("a row of other types")
    return Skip(path=path, reason=SkipReason(reason), detail=detail)


def _check_source(file: SourceFile) -> None:
    if label_of(file.path.encode()) != file.path:
        raise ValueError("a path that no file has")
    if type(file.size) is not int or file.size < 0:
        raise ValueError("a size that no file has")
    if len(file.text) > TEXT_LIMIT:
        raise ValueError("a text that is too long")
    file.text.decode("utf-8")
