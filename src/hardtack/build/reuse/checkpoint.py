"""Analysed files in, a file beside the destination; after an interrupt that file in, what was analysed before it out.

Each record carries its digest. The next build reads records up to the first that is not whole, cuts what follows, and goes on from
there; a journal of another program, or of a build with other options, is begun anew, and so is one whose records are whole and hold
what no build writes. Only one build at a time has the journal: it is locked, and a second build of the same place does without. It
is gone when the build is done.
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
from typing import Final

import msgpack

from hardtack.build.options import BuildOptions, engines, recorded
from hardtack.build.reuse.tool_fingerprint import maker
from hardtack.build.workers.executors import Analysed
from hardtack.build.workers.worker import unpack_file, unpack_indexed
from hardtack.bundle.placing import checkpoint_of
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import HardtackError

_MAGIC: Final = b"HTKJRN\x00\x01"
_RECORD: Final = struct.Struct("<III32s")  # bytes of the head, of the file, of what was made of it; SHA-256 of all three


class Journal:
    """What an earlier build of the same place had analysed, and what this one has."""

    def __init__(self, descriptor: int, key: bytes) -> None:
        """Read what is there, cut what is torn.

        Args:
            descriptor: of the journal, open for reading and writing; -1 for none.
            key: 32 bytes that name what the files are made into.
        """
        self._descriptor = descriptor
        self._places: dict[str, tuple[int, int, int]] = {}
        self.known: dict[str, tuple[bytes, bytes]] = {}
        """Path -> git's id of the content and its SHA-256, of every file that is there."""
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
        """Whether anything in it is worth keeping."""
        return self._end > self._begin

    def _read_record(self) -> bool:
        """Take up the record at the end of what was read; False if there is no whole one."""
        start = os.pread(self._descriptor, _RECORD.size, self._end)
        if len(start) < _RECORD.size:
            return False
        *lengths, digest = _RECORD.unpack(start)
        at = self._end + _RECORD.size
        data = os.pread(self._descriptor, sum(lengths), at)
        if len(data) < sum(lengths) or hashlib.sha256(data).digest() != digest:
            return False
        try:
            path, blob_id, sha256 = msgpack.unpackb(data[: lengths[0]])
        except (ValueError, TypeError):
            return False
        if not (isinstance(path, str) and isinstance(blob_id, bytes) and isinstance(sha256, bytes)):
            return False
        self._places[path] = (at + lengths[0], lengths[1], lengths[2])
        self.known[path] = (blob_id, sha256)
        self._end = at + sum(lengths)
        return True

    def analysed(self, path: str) -> Analysed:
        """The file at that path, which is ``known``, and what was made of it."""
        at, *lengths = self._places[path]
        data = os.pread(self._descriptor, sum(lengths), at)
        return Analysed(file=unpack_file(data[: lengths[0]]), indexed=unpack_indexed(data[lengths[0] :]))

    def add(self, analysed: Analysed) -> None:
        """Keep what was made of one more file. A disk that is full costs no more than what would have been kept.

        A file with secrets is read again, so that what is in it is said again.
        """
        file = analysed.file
        if self._descriptor < 0 or analysed.messages is None or file.secrets:
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
                self._end += size  # else the next one is written over what the disk took of this


@contextmanager
def opened_journal(place: Path, options: BuildOptions, *, resumes: bool = True) -> Iterator[Journal]:
    """The journal of builds that go to ``place``; it stays when the build is interrupted, and goes when it ends by itself.

    Args:
        place: where the bundle goes.
        options: what is built.
        resumes: False forgets what is in it.
    """
    path = checkpoint_of(place)
    descriptor = _locked(path)
    if descriptor >= 0 and not resumes:
        os.ftruncate(descriptor, 0)
    journal, is_over = Journal(descriptor, _key_of(options)), False
    try:
        yield journal
        is_over = True
    except HardtackError:
        is_over = True
        raise
    finally:
        if descriptor >= 0:
            if is_over or not journal.holds_any:
                path.unlink(missing_ok=True)
            os.close(descriptor)


def _locked(path: Path) -> int:
    """The journal, open and locked; -1 where another build has it, or nothing can be written."""
    for _ in range(2):
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            return -1
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            state = os.fstat(descriptor)
            if state.st_uid == os.geteuid() and path.stat(follow_symlinks=False).st_ino == state.st_ino:
                return descriptor
        except OSError:
            pass  # another build has it, or has just ended and taken it away
        os.close(descriptor)
    return -1


def _key_of(options: BuildOptions) -> bytes:
    """What names all that decides what is made of a file."""
    decisive = {**recorded(options), **engines(), "maker": maker().hex(), "python": sys.version}
    decisive["static"] = options.encoder.name == DEFAULT_ENCODER
    decisive["roots"] = [name for name, _ in options.roots]  # what is a test is told by a path below its root
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).digest()
