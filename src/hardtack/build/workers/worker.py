"""Processes that read a build's source files, forked from one: files arrive in a pipe, what :func:`analyse` made of them leaves.

Grammars are foreign machine code that reads hostile text, so they run here and never in the building process. Each file has a
bound on memory and on processor time; going over it ends this process, and the parent counts that file as not parsed and starts
another worker. Messages are msgpack, each after its length, so a worker that was taken over can send wrong rows but not code.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import partial
from typing import IO, Final, NoReturn

import msgpack

from hardtack.build.workers.processes import END, MESSAGE_BYTES, READY
from hardtack.bundle.writer import IndexedFile
from hardtack.encoders import DEFAULT_ENCODER, load_encoder
from hardtack.nouns.model import Content
from hardtack.nouns.outline import SourceFile

_LENGTH = struct.Struct("<I")
_FILE_FIELDS: Final = tuple(field.name for field in fields(SourceFile))
_INDEXED_FIELDS: Final = tuple(field.name for field in fields(IndexedFile))
_LOOKS: Final = 200
_PAUSE: Final = 0.005

_MEMORY: Final = 3 << 30  # address space; a nested 1 MiB file has been seen to take 0.7 GB
_CPU_SECONDS: Final = 30.0
"""Of a file, after which the process ends: parsing a megabyte of real code takes 0.2, of brackets that are never closed hours."""
_FEW_COLLECTIONS: Final = 100_000
"""New objects before Python looks for cycles among them; a file's analysis leaves none."""


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Send one message."""
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def read_message(stream: IO[bytes]) -> bytes | None:
    """Receive one message; None when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    return message if len(message) == length else None


def pack_file(file: SourceFile) -> bytes:
    """A source file as a message. Shallow, like the other: ``astuple`` would copy every row, which took a tenth of a build."""
    message: bytes = msgpack.packb([getattr(file, name) for name in _FILE_FIELDS])
    return message


def unpack_file(message: bytes) -> SourceFile:
    """The source file of a message."""
    values = dict(zip(_FILE_FIELDS, msgpack.unpackb(message, use_list=False), strict=True))
    return SourceFile(**{**values, "content": Content(values["content"])})


def pack_indexed(indexed: IndexedFile) -> bytes:
    """An indexed file as a message."""
    message: bytes = msgpack.packb([getattr(indexed, name) for name in _INDEXED_FIELDS])
    return message


def unpack_indexed(message: bytes) -> IndexedFile:
    """The indexed file of a message."""
    return IndexedFile(**dict(zip(_INDEXED_FIELDS, msgpack.unpackb(message, use_list=False), strict=True)))


def pack_batch(files: Iterable[bytes], *, use_grammar: bool) -> bytes:
    """Several files, each a message by itself, as one to a worker."""
    message: bytes = msgpack.packb([use_grammar, *files])
    return message


def main() -> None:
    """Load what workers need, then fork one whenever the socket on standard input says so, until it closes.

    Arguments are three of 0 and 1: whether workers make vectors, hand on synopses, pack what the next build reads.
    """
    from hardtack.build.workers.analyse import analyse  # grammars and all that reads them: never loaded by the building process

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted parent closes our input; that is how we end
    with_vectors, with_synopses, with_readings = (argument == "1" for argument in sys.argv[1:])
    encoder = load_encoder(DEFAULT_ENCODER) if with_vectors else None
    read = partial(analyse, encoder=encoder, keep_synopses=with_synopses)
    gc.freeze()
    gc.set_threshold(_FEW_COLLECTIONS)
    control = socket.socket(fileno=sys.stdin.fileno())
    control.send(READY)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 2)
        if not message:
            os._exit(0)
        if message.startswith(END):
            control.send(b"%d" % _ended(int(message[len(END) :])))
            continue
        if (pid := os.fork()) == 0:
            control.detach()
            requests, replies = descriptors
            _become_worker(read, requests, replies, with_readings=with_readings)
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(b"%d" % pid)


def _ended(pid: int) -> int:
    """See a worker gone, which is ending by itself unless it hangs: its exit status, or minus the signal that ended it."""
    for _ in range(_LOOKS):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_PAUSE)
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _become_worker(read: Callable[..., IndexedFile], requests: int, replies: int, *, with_readings: bool) -> NoReturn:
    """Answer what comes, and end this process."""
    status = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # the default ends the process, even inside a grammar
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(2, 0)  # not the socket of the process that this one was forked from
        with os.fdopen(requests, "rb") as incoming, os.fdopen(replies, "wb") as outgoing:
            _serve(read, incoming, outgoing, with_readings=with_readings)
        status = 0
    finally:
        os._exit(status)


def _serve(read: Callable[..., IndexedFile], requests: IO[bytes], replies: IO[bytes], *, with_readings: bool) -> None:
    """Answer batches until input ends; each file is answered by itself."""
    while batch := read_message(requests):
        use_grammar, *messages = msgpack.unpackb(batch)
        for message in messages:
            signal.setitimer(signal.ITIMER_PROF, _CPU_SECONDS)
            indexed = read(unpack_file(message), use_grammar=use_grammar)
            if with_readings:
                indexed = replace(indexed, reading=indexed.packed_parse())
            write_message(replies, pack_indexed(indexed))


if __name__ == "__main__":
    main()
