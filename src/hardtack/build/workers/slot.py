"""Packed files in, a worker's replies out; a worker that dies, or has read much, is replaced.

A worker replies file by file. If it dies, the first file without a reply is the cause: a new worker tries that file once more
without its grammar, and then the rest of the batch as usual.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hardtack.build.workers.processes import Worker, Workers
from hardtack.build.workers.worker import pack_batch, read_message, write_message

_MOST_READ: Final = 64 << 20
"""Bytes of packed files before a worker is replaced: what grammars leave behind, and what is remembered of words, takes up to two
bytes of memory for each byte that was read."""


class Reply(NamedTuple):
    """What came of one file."""

    message: bytes | None
    """The packed analysis; None when two workers died on the file, the second one without a grammar."""
    crash: str
    """How the first worker died on it, for a person; empty when none did."""


class Slot:
    """The place of one worker, in which the next one is started each time one dies. Of one thread at a time."""

    def __init__(self, workers: Workers, start: Callable[[], Worker]) -> None:
        """Start nothing yet.

        Args:
            workers: which ends them.
            start: starts the next one, or raises.
        """
        self._workers = workers
        self._start = start
        self._worker: Worker | None = None
        self._read = 0
        """Bytes that it was sent."""

    def replies(self, files: Sequence[bytes]) -> list[Reply]:
        """The reply to each packed file.

        Raises:
            Whatever ``start`` raises.
        """
        done: list[Reply] = []
        while (first := len(done)) < len(files):
            answers, crash = self._request(files[first:], use_grammar=True)
            done += (Reply(answer, "") for answer in answers)
            if crash:
                answers, _ = self._request([files[len(done)]], use_grammar=False)
                done.append(Reply(answers[0] if answers else None, crash))
        return done

    def _request(self, files: Sequence[bytes], *, use_grammar: bool) -> tuple[list[bytes], str]:
        """The worker's answers, and how it ended; the latter is empty if it answered to all."""
        answers: list[bytes] = []
        worker = self._worker = self._worker or self._start()
        with contextlib.suppress(BrokenPipeError):
            write_message(worker.requests, pack_batch(files, use_grammar=use_grammar))
            while len(answers) < len(files) and (answer := read_message(worker.replies)) is not None:
                answers.append(answer)
        self._read += sum(map(len, files))
        is_alive = len(answers) == len(files)
        if is_alive and self._read < _MOST_READ:
            return answers, ""
        self._worker, self._read = None, 0
        with contextlib.suppress(BrokenPipeError):
            worker.requests.close()  # a worker that lives ends by that
        ending = self._workers.end(worker)
        return answers, "" if is_alive else ending
