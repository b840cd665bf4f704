"""The fork server and its workers: source files come in through a pipe, what :func:`analyse` returns goes out through another.

Grammars are machine code of other projects that reads hostile text, so they run here and never in the building process. Each file
has a limit of memory and of processor time. Exceeding it ends the worker; the building process then starts another one and counts
the file as not parsed. Messages are msgpack, each after its length, so a worker that hostile text has taken over can send wrong
rows but not code.
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

from hardtack.build.workers.processes import END, MESSAGE_BYTES, READY, START
from hardtack.bundle.writer import IndexedFile
from hardtack.encoders import DEFAULT_ENCODER, load_encoder
from hardtack.nouns.model import Content, EncodingBasis
from hardtack.nouns.outline import SourceFile

_LENGTH = struct.Struct("<I")
_FILE_FIELDS: Final = tuple(field.name for field in fields(SourceFile))
_INDEXED_FIELDS: Final = tuple(field.name for field in fields(IndexedFile))
_POLLS: Final = 200
_POLL_SECONDS: Final = 0.005

_MEMORY: Final = 3 << 30
"""Bytes of address space; a nested file of 1 MiB took 0.7 GB."""
_LEAST_SECONDS: Final = 3.0
_SECONDS_FOR_A_MEGABYTE: Final = 27.0
"""Maximum of processor time for one file, of a megabyte and more the same. Parsing a megabyte of real code takes 0.2; some grammars
take hours for text that is none of their language, and cannot be stopped otherwise."""
_COLLECTION_THRESHOLD: Final = 100_000
"""New objects before Python's cycle collector runs; the analysis of a file leaves no cycles."""


def seconds_for(size: int) -> float:
    """The processor time that a worker may take for a file of ``size`` bytes."""
    return _LEAST_SECONDS + _SECONDS_FOR_A_MEGABYTE * min(size / 1e6, 1.0)


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Send one message."""
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def read_message(stream: IO[bytes]) -> bytes | None:
    """Receive one message; None if the other side is gone, also in the middle of a message."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    message = stream.read(length)
    return message if len(message) == length else None


def pack_file(file: SourceFile) -> bytes:
    """A source file as a message."""
    # Not dataclasses.astuple: it copies every row, which took a tenth of a build.
    message: bytes = msgpack.packb([getattr(file, name) for name in _FILE_FIELDS])
    return message


def unpack_file(message: bytes) -> SourceFile:
    """The source file of a message."""
    values = dict(zip(_FILE_FIELDS, msgpack.unpackb(message, use_list=False), strict=True))
    values |= {"content": Content(values["content"]), "encoding_basis": EncodingBasis(values["encoding_basis"])}
    return SourceFile(**values)


def pack_indexed(indexed: IndexedFile) -> bytes:
    """An indexed file as a message."""
    message: bytes = msgpack.packb([getattr(indexed, name) for name in _INDEXED_FIELDS])
    return message


def unpack_indexed(message: bytes) -> IndexedFile:
    """The indexed file of a message."""
    return IndexedFile(**dict(zip(_INDEXED_FIELDS, msgpack.unpackb(message, use_list=False), strict=True)))


def pack_batch(files: Iterable[bytes], *, use_grammar: bool) -> bytes:
    """Several packed files as one message."""
    message: bytes = msgpack.packb([use_grammar, *files])
    return message


def main() -> None:
    """Load what workers need, then fork a worker for each request on the socket at standard input, until it closes.

    Workers that have not been waited for are killed then: who wanted them is gone.

    The three arguments are 0 or 1: whether workers make vectors, send synopses, pack cached parses.
    """
    # Imported here: the building process imports this module too, for its messages, and must not load grammars.
    from hardtack.build.outline.syntax import compile_queries
    from hardtack.build.workers.analyse import analyse

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on an interrupt the building process closes the socket, which ends this one
    with_vectors, with_synopses, with_readings = (argument == "1" for argument in sys.argv[1:])
    encoder = load_encoder(DEFAULT_ENCODER) if with_vectors else None
    read = partial(analyse, encoder=encoder, keep_synopses=with_synopses)
    gc.freeze()  # before any fork: a collection in a worker must not touch, and so copy, the shared pages
    gc.set_threshold(_COLLECTION_THRESHOLD)
    control = socket.socket(fileno=sys.stdin.fileno())
    control.send(READY)
    running: set[int] = set()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 2)
        if not message:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            os._exit(0)
        if message.startswith(END):
            pid = int(message[len(END) :])
            status = _wait_for(pid)
            running.discard(pid)
            control.send(b"%d" % status)
            continue
        compile_queries(message.removeprefix(START).decode().split())
        gc.freeze()
        if (pid := os.fork()) == 0:
            control.detach()  # not closed by Python: its descriptor is standard input, which the worker replaces
            requests, replies = descriptors
            _become_worker(read, requests, replies, with_readings=with_readings)
        for descriptor in descriptors:
            os.close(descriptor)
        running.add(pid)
        control.send(b"%d" % pid)


def _wait_for(pid: int) -> int:
    """Wait for a worker, and kill it if it does not end by itself; its exit status, or minus the number of the signal."""
    for _ in range(_POLLS):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_POLL_SECONDS)
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _become_worker(read: Callable[..., IndexedFile], requests: int, replies: int, *, with_readings: bool) -> NoReturn:
    """Serve requests until there are no more, then end this process."""
    status = 1
    try:
        # SIGPROF's default action ends the process even inside a grammar; a Python handler would wait for the grammar to return.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(2, 0)  # replaces the fork server's socket, so that hostile text cannot make a worker speak to it
        with os.fdopen(requests, "rb") as incoming, os.fdopen(replies, "wb") as outgoing:
            _serve(read, incoming, outgoing, with_readings=with_readings)
        status = 0
    finally:
        os._exit(status)


def _serve(read: Callable[..., IndexedFile], requests: IO[bytes], replies: IO[bytes], *, with_readings: bool) -> None:
    """Reply to batches until the input ends, with one reply for each file."""
    while batch := read_message(requests):
        use_grammar, *messages = msgpack.unpackb(batch)
        for message in messages:
            signal.setitimer(signal.ITIMER_PROF, seconds_for(len(message)))
            indexed = read(unpack_file(message), use_grammar=use_grammar)
            if with_readings:
                indexed = replace(indexed, reading=indexed.packed_parse())
            write_message(replies, pack_indexed(indexed))


if __name__ == "__main__":
    main()
