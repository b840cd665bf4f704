"""Source files in, indexed files out, in the same order: the map stage of a build.

A fixed number of worker processes, each with a thread that sends it batches of files. Only a few batches are in progress at a time,
so memory does not grow with the tree.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol, Self

from hardtack.build.workers.processes import Worker, Workers
from hardtack.build.workers.slot import Reply, Slot
from hardtack.build.workers.worker import pack_file, unpack_indexed
from hardtack.bundle.writer import IndexedFile
from hardtack.errors import BuildError
from hardtack.nouns.outline import SourceFile

_BATCH_BYTES: Final = 64 << 10
_BATCH_FILES: Final = 16
_BATCHES_BEFORE: Final = 8
"""Batches that are read before the first worker starts: few, so that reading goes on while workers parse, however many there are.
Languages that come later are known to the workers that start later."""
_BATCHES_AHEAD: Final = 8  # for each worker: enough that one slow file delays no other worker, few enough to bound memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysed:
    """A file and its analysis."""

    file: SourceFile
    indexed: IndexedFile | None
    """None when two workers died on it, the second one without a grammar."""
    crash: str = ""
    """How the first worker died on it, for a person; empty when none did."""
    messages: tuple[bytes, bytes] | None = None
    """The packed request and reply of the worker; None if no worker was asked, or it died."""


def analysed_of(file: SourceFile, sent: bytes, reply: Reply) -> Analysed:
    """A file with what a worker replied to the packed one."""
    indexed = None if reply.message is None else unpack_indexed(reply.message)
    messages = None if reply.message is None or reply.crash else (sent, reply.message)
    return Analysed(file=file, indexed=indexed, crash=reply.crash, messages=messages)


class Pool(Protocol):
    """Analyses files, whoever does it."""

    def map(self, files: Iterable[SourceFile], meanwhile: Callable[[], bool] = lambda: False) -> Iterator[Analysed | None]:
        """Analyse ``files`` and yield each with its result, in their order.

        After each batch that is sent to a worker it yields None, so that the caller can go on with files that need no worker.

        Args:
            files: to be analysed; taken from the iterator as workers have room.
            meanwhile: called repeatedly until the next result is there: does a small piece of work, False if there is none left.

        Raises:
            BuildError: the files cannot be analysed.
        """
        ...


class WorkerPool:
    """Worker processes for one build; a context manager, at whose end no process is left."""

    def __init__(self, jobs: int, workers: Workers) -> None:
        """Start nothing yet."""
        self._jobs = jobs
        self._workers = workers
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="hardtack-worker")
        self._local = threading.local()
        self._languages: set[str] = set()
        self._may_start = threading.Event()
        """Set when the first batches are read: the first workers are forked with the queries of all their languages."""
        self._is_closed = False

    def map(self, files: Iterable[SourceFile], meanwhile: Callable[[], bool] = lambda: False) -> Iterator[Analysed | None]:
        """As :meth:`Pool.map`.

        Raises:
            BuildError: worker processes cannot be started.
        """
        in_progress: deque[Future[list[Analysed]]] = deque()
        for number, batch in enumerate(batches(files, _BATCH_BYTES, _BATCH_FILES), 1):
            self._languages.update(file.language for file in batch)
            in_progress.append(self._threads.submit(self._run, batch))
            if number == _BATCHES_BEFORE:
                self._may_start.set()
            yield None
            if len(in_progress) > self._jobs * _BATCHES_AHEAD:
                yield from _wait_for(in_progress.popleft(), meanwhile)
        self._may_start.set()
        while in_progress:
            yield from _wait_for(in_progress.popleft(), meanwhile)

    def _run(self, batch: list[SourceFile]) -> list[Analysed]:
        """Analyse one batch with the worker of this thread."""
        slot: Slot | None = getattr(self._local, "slot", None)
        if slot is None:
            slot = self._local.slot = Slot(self._workers, self._start)
        messages = [pack_file(file) for file in batch]
        return list(map(analysed_of, batch, messages, slot.replies(messages)))

    def _start(self) -> Worker:
        self._may_start.wait()
        if self._is_closed:
            raise BuildError("The build was stopped.")
        return self._workers.start(self._languages)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_closed = True
        self._may_start.set()
        self._workers.kill()  # first: a thread that waits for a reply goes on only when its worker is gone
        self._threads.shutdown(cancel_futures=True)
        self._workers.end_all()


def _wait_for(batch: Future[list[Analysed]], meanwhile: Callable[[], bool]) -> list[Analysed]:
    while not batch.done() and meanwhile():
        pass
    return batch.result()


def batches(files: Iterable[SourceFile], most_bytes: int, most_files: int) -> Iterator[list[SourceFile]]:
    """The files in batches, each of which has more bytes of text only for its last file."""
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += len(file.text)
        if size >= most_bytes or len(batch) >= most_files:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
