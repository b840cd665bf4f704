"""Analysed files in, a checkpoint file beside the destination out; after an interrupt, that file in, the analysed files out.

Each record carries its digest. The next build reads records up to the first incomplete one, truncates the file there, and
continues. A checkpoint of another program, or of a build with other options, is started anew, and so is one whose records are
complete and hold rows that no build writes. The file is locked: a second build of the same destination at the same time has no
checkpoint. It is removed when the build ends.

The file lies where whoever writes the source tree can put one too. So it begins with a random number that :class:`OwnWork`
remembers; a file without one is not read. Where nothing can be remembered, a build has no checkpoint.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import secrets
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgpack

from hardtack.build.options import BuildOptions, OwnWork, recorded
from hardtack.build.reuse.maker import maker
from hardtack.build.source.known import Digests
from hardtack.build.workers.executors import Analysed
from hardtack.build.workers.worker import unpack_file, unpack_indexed
from hardtack.bundle.placing import Destination, checkpoint_of
from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import ClusterFailed, HardtackError
from hardtack.nouns.model import EncodingBasis

_MAGIC: Final = b"HTKJRN\x00\x02"
_NUMBER: Final = 32
_NUMBERED: Final = len(_MAGIC) + _NUMBER
"""Bytes before those that identify the program and the options."""
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
            descriptor: of the checkpoint, which begins with its number, open for reading and writing; -1 for none.
            key: 32 bytes that identify the program and the options.
        """
        self._descriptor = descriptor
        self._records: dict[str, _Record] = {}
        self.known: dict[str, Digests] = {}
        """Path -> digests, for every file that the interrupted build has analysed."""
        self._begin = self._end = _NUMBERED + len(key)
        if descriptor < 0:
            return
        if os.pread(descriptor, len(key), _NUMBERED) == key:
            while self._read_record():
                pass
            os.ftruncate(descriptor, self._end)
        else:
            os.ftruncate(descriptor, _NUMBERED)
            os.pwrite(descriptor, key, _NUMBERED)

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
def opened_checkpoint(
    destination: Destination, options: BuildOptions, *, resumes: bool, own: OwnWork | None
) -> Iterator[Checkpoint]:
    """The checkpoint of builds of ``destination``.

    It is removed when the build ends, also with a :class:`HardtackError`. It is kept when the build is interrupted, and when a
    cluster fails, as the next build of the same tree may succeed.

    Args:
        destination: where the bundle goes.
        options: what is built.
        resumes: False discards its records.
        own: remembers the checkpoints that this user's builds made.
    """
    path, place = checkpoint_of(destination), destination.real
    descriptor = _locked(path, place, own, resumes=resumes) if own else -1
    checkpoint, has_ended = Checkpoint(descriptor, _key_of(options)), False
    try:
        yield checkpoint
        has_ended = True
    except ClusterFailed:
        raise
    except HardtackError:
        has_ended = True
        raise
    finally:
        if descriptor >= 0 and own:
            if has_ended or not checkpoint.holds_any:
                path.unlink(missing_ok=True)
                with suppress(HardtackError):
                    own.drop(place, _mark_of(descriptor))
            os.close(descriptor)


def _locked(path: Path, place: Path, own: OwnWork, *, resumes: bool) -> int:
    """The descriptor of the checkpoint, open and locked; -1 if another build has it, or nothing can be written or remembered."""
    make = os.O_CREAT | os.O_EXCL
    for flags in (os.O_RDWR, os.O_RDWR | make, os.O_RDWR):  # another build may make or remove it between two opens
        try:
            descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        except OSError as error:
            if error.errno == errno.ELOOP:
                with suppress(OSError):
                    path.unlink()
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), path.lstat()):
                if flags & os.O_CREAT:
                    _begin(descriptor, place, own)
                    return descriptor
                if resumes and _is_own(descriptor, place, own):
                    return descriptor
                path.unlink()  # not written to: the file may have another name as well
        except BlockingIOError:  # another build has it
            os.close(descriptor)
            return -1
        except (OSError, HardtackError):
            if flags & os.O_CREAT:  # it was made, and cannot be remembered: nobody would ever read it
                with suppress(OSError):
                    path.unlink()
        os.close(descriptor)
    return -1


def _begin(descriptor: int, place: Path, own: OwnWork) -> None:
    """Number a new checkpoint, and remember the number."""
    os.fchmod(descriptor, 0o600)
    os.pwrite(descriptor, _MAGIC + secrets.token_bytes(_NUMBER), 0)
    own.add(place, _mark_of(descriptor))


def _is_own(descriptor: int, place: Path, own: OwnWork) -> bool:
    """Whether a checkpoint is a file that this user's builder made at this place."""
    state = os.fstat(descriptor)
    is_plain = stat.S_ISREG(state.st_mode) and state.st_nlink == 1 and state.st_uid == os.geteuid()
    return is_plain and os.pread(descriptor, len(_MAGIC), 0) == _MAGIC and own.has(place, _mark_of(descriptor))


def _mark_of(descriptor: int) -> str:
    return f"checkpoint {os.pread(descriptor, _NUMBER, len(_MAGIC)).hex()}"


def _key_of(options: BuildOptions) -> bytes:
    """SHA-256 of everything that decides how a file is indexed."""
    decisive: dict[str, Any] = {**recorded(options), **maker()}
    decisive["static"] = options.encoder.name == DEFAULT_ENCODER
    decisive["roots"] = [name for name, _ in options.roots]  # whether a file is a test depends on its path below its root
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).digest()
