"""A worker process of a build: source files arrive on standard input, what :func:`analyse` made of them leaves on standard output.

Grammars are foreign machine code that reads hostile text, so they run here and never in the building process. Each file has a
bound on memory and on processor time; going over it ends this process, and the parent counts that file as not parsed and starts
another worker. Messages are msgpack, each after its length, so a worker that was taken over can send wrong rows but not code.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import struct
import sys
from dataclasses import astuple, fields, replace
from typing import IO, Any, Final

import msgpack

from hardtack.bundle.writer import IndexedFile
from hardtack.encoders import DEFAULT_ENCODER, Encoder, load_encoder
from hardtack.model import Content, SourceFile

_LENGTH = struct.Struct("<I")
READY: Final = "ready"
"""A worker's first message: everything it needs is loaded."""

_MEMORY: Final = 3 << 30  # address space; a nested 1 MiB file has been seen to take 0.7 GB
_CPU_SECONDS: Final = 30.0
"""Of a file, after which the process ends: parsing a megabyte of real code takes 0.2, of brackets that are never closed hours."""
_FEW_COLLECTIONS: Final = 100_000
"""New objects before Python looks for cycles among them; a file's analysis leaves none."""


def write_message(stream: IO[bytes], message: object) -> None:
    """Send one message."""
    data = msgpack.packb(message)
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_message(stream: IO[bytes]) -> Any:
    """Receive one message; None when the other side is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return msgpack.unpackb(data, use_list=False) if len(data) == length else None


def pack_file(file: SourceFile) -> tuple[object, ...]:
    """A source file as a message."""
    return astuple(file)


def unpack_file(message: tuple[Any, ...]) -> SourceFile:
    """The source file of a message."""
    values = dict(zip((field.name for field in fields(SourceFile)), message, strict=True))
    return SourceFile(**{**values, "content": Content(values["content"])})


def pack_indexed(indexed: IndexedFile) -> tuple[object, ...]:
    """An indexed file as a message. Shallow: ``astuple`` would copy every row, which took a tenth of a build."""
    return tuple(getattr(indexed, field.name) for field in fields(IndexedFile))


def unpack_indexed(message: tuple[Any, ...]) -> IndexedFile:
    """The indexed file of a message."""
    return IndexedFile(**dict(zip((field.name for field in fields(IndexedFile)), message, strict=True)))


def main() -> None:
    """Answer batches until standard input ends: a batch is a list of (file, use_grammar), and each file is answered by itself."""
    from hardtack.build.analyse import analyse  # grammars and all that reads them: never loaded by the building process

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted parent closes our input; that is how we end
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # the default ends the process, even inside a grammar
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not end up between messages
    with_vectors, with_synopses, with_readings = read_message(requests)
    encoder: Encoder | None = load_encoder(DEFAULT_ENCODER) if with_vectors else None
    gc.freeze()
    gc.set_threshold(_FEW_COLLECTIONS)
    write_message(replies, READY)
    while batch := read_message(requests):
        for message, use_grammar in batch:
            signal.setitimer(signal.ITIMER_PROF, _CPU_SECONDS)
            indexed = analyse(unpack_file(message), encoder, use_grammar=use_grammar, keep_synopses=with_synopses)
            if with_readings:
                indexed = replace(indexed, reading=indexed.packed_reading())
            write_message(replies, pack_indexed(indexed))


if __name__ == "__main__":
    main()
