"""Analysed files in, a checkpoint file beside the destination out; after an interrupt, that file in, the analysed files out.

Each record carries its digest. The next build reads records up to the first incomplete one, truncates the file there, and
continues. A checkpoint of another program, or of a build with other options, is started anew, and so is one whose records are
complete and hold rows that no build writes. The file is locked: a second build of the same destination at the same time has no
checkpoint. It is removed when the build ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgpack

from hardtack.build.options import BuildOptions, engines, recorded
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.build.source.known import Digests
from hardtack.build.workers.executors import Analysed
from hardtack.build.workers.worker import unpack_file, unpack_indexed
from hardtack.bundle.placing import checkpoint_of
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import HardtackError
from hardtack.nouns.model import EncodingBasis

_MAGIC: Final = b"HTKJRN\x00\x01"
_RECORD: Final = struct.Struct("<III32s")  # bytes of the head, the source file and the indexed file; SHA-256 of all three


class _Record(NamedTuple):
    """Where the messages of one file are in the checkpoint."""

    start: int
    file_bytes: int
    indexed_bytes: int


class Checkpoint:
    """The files that an interrupted build of the same destination had analysed, and those of this build."""

    def __init__(self, descriptor: int, key: bytes) -> None:
        """Read the complete records and truncate the file after them.

        Args:
            descriptor: of the checkpoint, open for reading and writing; -1 for none.
            key: 32 bytes that identify the program and the options.
        """
        self._descriptor = descriptor
        self._records: dict[str, _Record] = {}
        self.known: dict[str, Digests] = {}
        """Path -> digests, for every file that the interrupted build has analysed."""
        self._begin = self._end = len(_MAGIC) + len(key)
        if descriptor < 0:
            return
        if os.pread(descriptor, self._end, 0) == _MAGIC + key:
            while self._read_record():
                pass
            os.ftruncate(descriptor, self._end)
        else:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, _MAGIC + key, 0)

    @property
    def holds_any(self) -> bool:
        """Whether it has a record."""
        return self._end > self._begin

    def _read_record(self) -> bool:
        """Read the record at ``self._end`` and move on; False if there is no complete one."""
        start = os.pread(self._descriptor, _RECORD.size, self._end)
        if len(start) < _RECORD.size:
            return False
        head_bytes, file_bytes, indexed_bytes, digest = _RECORD.unpack(start)
        size, at = head_bytes + file_bytes + indexed_bytes, self._end + _RECORD.size
        data = os.pread(self._descriptor, size, at)
        if len(data) < size or hashlib.sha256(data).digest() != digest:
            return False
        try:
            path, blob_id, sha256 = msgpack.unpackb(data[:head_bytes])
        except (ValueError, TypeError):
            return False
        if not (isinstance(path, str) and isinstance(blob_id, bytes) and isinstance(sha256, bytes)):
            return False
        self._records[path] = _Record(at + head_bytes, file_bytes, indexed_bytes)
        self.known[path] = Digests(blob_id, sha256)
        self._end = at + size
        return True

    def analysed(self, path: str) -> Analysed:
        """The analysed file at ``path``, which must be in ``known``."""
        record = self._records[path]
        data = os.pread(self._descriptor, record.file_bytes + record.indexed_bytes, record.start)
        return Analysed(file=unpack_file(data[: record.file_bytes]), indexed=unpack_indexed(data[record.file_bytes :]))

    def add(self, analysed: Analysed) -> None:
        """Append one more file, unless the disk is full.

        A file with secrets is left out: the next build must read it again to report them; so is one that was kept against a rule,
        since the next build may not keep it, and one whose encoding other files may have declared, since those may have changed.
        """
        file = analysed.file
        is_final = file.encoding_basis is EncodingBasis.CONTENT and not file.secrets and not file.is_kept
        if self._descriptor < 0 or analysed.messages is None or not is_final:
            return
        head = msgpack.packb((file.path, bytes.fromhex(file.blob_id), bytes.fromhex(file.sha256)))
        parts = (head, *analysed.messages)
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part)
        record = (_RECORD.pack(*map(len, parts), digest.digest()), *parts)
        size = sum(map(len, record))
        with suppress(OSError):
            if os.pwritev(self._descriptor, record, self._end) == size:
                self._end += size  # else the next record overwrites the part that was written


@contextmanager
def opened_checkpoint(destination: Path, options: BuildOptions, *, resumes: bool) -> Iterator[Checkpoint]:
    """The checkpoint of builds of ``destination``.

    It is removed when the build ends, also with a :class:`HardtackError`, and kept when the build is interrupted.

    Args:
        destination: where the bundle goes.
        options: what is built.
        resumes: False discards its records.
    """
    path = checkpoint_of(destination)
    descriptor = _locked(path)
    if descriptor >= 0 and not resumes:
        os.ftruncate(descriptor, 0)
    checkpoint, has_ended = Checkpoint(descriptor, _key_of(options)), False
    try:
        yield checkpoint
        has_ended = True
    except HardtackError:
        has_ended = True
        raise
    finally:
        if descriptor >= 0:
            if has_ended or not checkpoint.holds_any:
                path.unlink(missing_ok=True)
            os.close(descriptor)


def _locked(path: Path) -> int:
    """The descriptor of the checkpoint, open and locked; -1 if another build has it, or nothing can be written."""
    for _ in range(2):  # a build that has just ended may remove the file between our open and our lock
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            return -1
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            state = os.fstat(descriptor)
            # Only a file of our own that is still at this path: its rows are trusted.
            if state.st_uid == os.geteuid() and path.stat(follow_symlinks=False).st_ino == state.st_ino:
                return descriptor
        except OSError:
            pass  # another build has locked it, or has just ended and removed it
        os.close(descriptor)
    return -1


def _key_of(options: BuildOptions) -> bytes:
    """SHA-256 of everything that decides how a file is indexed."""
    decisive = {**recorded(options), **engines(), "maker": tool_fingerprint().hex(), "python": sys.version}
    decisive["static"] = options.encoder.name == DEFAULT_ENCODER
    decisive["roots"] = [name for name, _ in options.roots]  # whether a file is a test depends on its path below its root
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).digest()
