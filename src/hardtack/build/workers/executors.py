"""Source files in, indexed files out, in the same order: where the map stage of a build runs.

A fixed number of worker processes, each fed by a thread of its own with batches of files. A worker answers file by file; one that
dies took the first file it had not answered with it: that file is tried once more without its grammar, everything after it
as usual, by a fresh worker. Only a few batches are under way at a time, so memory does not grow with the tree.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from hardtack.build.workers.processes import Worker, Workers
from hardtack.build.workers.worker import pack_batch, pack_file, read_message, unpack_indexed, write_message
from hardtack.bundle.writer import IndexedFile
from hardtack.errors import BuildError
from hardtack.nouns.outline import SourceFile

_BATCH_BYTES: Final = 64 << 10
_BATCH_FILES: Final = 16
_BATCHES_AHEAD: Final = 8  # for each worker: enough that none waits for one slow file, few enough that memory stays flat


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysed:
    """A file and what became of it."""

    file: SourceFile
    indexed: IndexedFile | None
    """None when it brought down two workers, the second one without a grammar."""
    crash: str = ""
    """How the first worker ended on it, for a person; empty when none did."""
    messages: tuple[bytes, bytes] | None = None
    """What was sent to a worker and what came back, as it was sent."""


class WorkerPool:
    """Worker processes for one build; a context manager, at whose end no process is left."""

    def __init__(self, jobs: int, workers: Workers) -> None:
        """Nothing is started yet; ``jobs`` are worker processes at most, which ``workers`` starts."""
        self._jobs = jobs
        self._workers = workers
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="hardtack-worker")
        self._local = threading.local()
        self._is_closed = False

    def map(self, files: Iterable[SourceFile], meanwhile: Callable[[], bool] = lambda: False) -> Iterator[Analysed | None]:
        """Analyse ``files``, giving each with its result in the order they came.

        Each time some were sent to a worker None comes, so that whoever waits can take what needs none of them.

        Args:
            files: to be analysed; asked for as workers have room.
            meanwhile: does something small while the next result is not there, and says whether there is more to do.

        Raises:
            BuildError: worker processes cannot be started.
        """
        under_way: deque[Future[list[Analysed]]] = deque()
        for batch in _batches(files):
            under_way.append(self._threads.submit(self._run, batch))
            yield None
            if len(under_way) > self._jobs * _BATCHES_AHEAD:
                yield from _awaited(under_way.popleft(), meanwhile)
        while under_way:
            yield from _awaited(under_way.popleft(), meanwhile)

    def _run(self, batch: list[SourceFile]) -> list[Analysed]:
        """One batch through this thread's worker, and through as many more as it takes."""
        done: list[Analysed] = []
        messages = [pack_file(file) for file in batch]
        while (first := len(done)) < len(batch):
            answered, crash = self._ask(messages[first:], use_grammar=True)
            for file, sent, answer in zip(batch[first:], messages[first:], answered, strict=False):
                done.append(Analysed(file=file, indexed=unpack_indexed(answer), messages=(sent, answer)))
            if crash:
                at = len(done)
                again, _ = self._ask([messages[at]], use_grammar=False)
                done.append(Analysed(file=batch[at], indexed=unpack_indexed(again[0]) if again else None, crash=crash))
        return done

    def _ask(self, files: list[bytes], *, use_grammar: bool) -> tuple[list[bytes], str]:
        """What the worker answers, and how it ended if it did; all of it messages."""
        answered: list[bytes] = []
        worker = self._worker()
        with contextlib.suppress(BrokenPipeError):
            write_message(worker.requests, pack_batch(files, use_grammar=use_grammar))
            while len(answered) < len(files) and (answer := read_message(worker.replies)) is not None:
                answered.append(answer)
        if len(answered) == len(files):
            return answered, ""
        self._local.worker = None
        return answered, self._workers.end(worker)

    def _worker(self) -> Worker:
        """This thread's worker, started when there is none."""
        worker: Worker | None = getattr(self._local, "worker", None)
        if worker is None:
            if self._is_closed:
                raise BuildError("The build was stopped.")
            worker = self._local.worker = self._workers.start()
        return worker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._is_closed = True
        self._workers.kill()  # threads that wait for one see the end of its output
        self._threads.shutdown(cancel_futures=True)
        self._workers.end_all()


def _awaited(batch: Future[list[Analysed]], meanwhile: Callable[[], bool]) -> list[Analysed]:
    while not batch.done() and meanwhile():
        pass
    return batch.result()


def _batches(files: Iterable[SourceFile]) -> Iterator[list[SourceFile]]:
    batch: list[SourceFile] = []
    size = 0
    for file in files:
        batch.append(file)
        size += len(file.text)
        if size >= _BATCH_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
