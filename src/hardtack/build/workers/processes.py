"""Worker processes, forked from one that has loaded everything they need: started, fed through pipes, ended.

Starting Python and loading grammars, tables and the encoder takes as long as some builds have work for; a fork takes milliseconds,
and what was loaded before it is in memory once. The process that forks (:mod:`hardtack.build.workers.worker`) reads nothing of any
source file: it is told over a socket which pipes the next worker gets, and which worker is to end. It is started first of all, so
that it loads while the building process does.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Final, Self

from hardtack.errors import BuildError

READY: Final = b"ready"
"""Sent when everything that workers need is loaded."""
START: Final = b"start"
"""With two descriptors, where requests come from and replies go to: fork a worker; the answer is its process's number."""
END: Final = b"end "
"""And a process's number: see it gone; the answer is its exit status, or minus the number of a signal."""
MESSAGE_BYTES: Final = 64
"""Of those messages at most."""
_PATIENCE: Final = 5
"""Seconds for the forking process to end by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    """One worker process."""

    pid: int
    requests: IO[bytes]
    replies: IO[bytes]


class Workers:
    """Starts worker processes and sees each of them gone."""

    def __init__(self, *, with_vectors: bool, with_synopses: bool = False, with_readings: bool = False) -> None:
        """Nothing is started yet.

        Args:
            with_vectors: workers make the vectors, with the default encoder.
            with_synopses: workers hand on the texts that the caller makes vectors of.
            with_readings: workers pack what the bundle keeps of each file for the next build.
        """
        self._products = (with_vectors, with_synopses, with_readings)
        self._lock = threading.Lock()
        self._forker: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._is_loaded = False
        self._workers: set[Worker] = set()

    def start(self) -> Worker:
        """Start one worker.

        Raises:
            BuildError: it cannot be started.
        """
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as undo:
            for descriptor in (request_end, reply_end):
                theirs.callback(os.close, descriptor)
            ours = undo.enter_context(os.fdopen(requests, "wb")), undo.enter_context(os.fdopen(replies, "rb"))
            with self._lock:
                worker = Worker(int(self._asked(START, (request_end, reply_end))), *ours)
                self._workers.add(worker)
            undo.pop_all()
        return worker

    def end(self, worker: Worker) -> str:
        """See a worker gone, which is killed unless it ends by itself within a second, and say how it went."""
        with self._lock:
            status = int(self._asked(END + b"%d" % worker.pid))
            self._workers.discard(worker)
        for stream in (worker.requests, worker.replies):
            with contextlib.suppress(OSError):
                stream.close()
        return _how(status)

    def kill(self) -> None:
        """Kill all of them: whoever waits for an answer sees its end."""
        with self._lock:
            for worker in self._workers:
                os.kill(worker.pid, signal.SIGKILL)  # nothing else has its number: it was not waited for yet

    def end_all(self) -> None:
        """See all of them gone; more can be started."""
        for worker in list(self._workers):
            self.end(worker)

    def __enter__(self) -> Self:
        """Start the process that workers are forked from, which goes on loading what they need.

        Raises:
            BuildError: it cannot be started.
        """
        self._begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """See all of them gone, and what they were forked from."""
        self.kill()
        self.end_all()
        if self._control is not None:
            self._control.close()  # which is how the process that forks is told to end
        if self._forker is not None:
            if not self._is_loaded:
                self._forker.kill()
            _wait(self._forker)

    def _asked(self, message: bytes, descriptors: tuple[int, ...] = ()) -> bytes:
        """What the forking process answers, when it has loaded everything."""
        if not self._is_loaded:
            if self._answer() != READY:
                raise BuildError("A worker process could not begin.")
            self._is_loaded = True
        assert self._control is not None
        with contextlib.suppress(OSError):
            socket.send_fds(self._control, [message], list(descriptors))
        return self._answer()

    def _begin(self) -> None:
        # -P: the directory the user stands in must not be able to replace a module
        command = [sys.executable, "-P", "-m", "hardtack.build.workers.worker", *(str(int(product)) for product in self._products)]
        # a parser that was taken over finds no key in what it was started with
        inherited = {name: value for name, value in os.environ.items() if not name.endswith("_KEY")}
        environment = {**inherited, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._forker = subprocess.Popen(
                    command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
                )
            except OSError as error:
                self._control.close()
                raise BuildError(f"A worker process could not be started: {error.strerror}.") from error

    def _answer(self) -> bytes:
        assert self._control is not None
        answer = b""
        with contextlib.suppress(OSError):
            answer = self._control.recv(MESSAGE_BYTES)
        if not answer:
            assert self._forker is not None
            raise BuildError(f"A worker process could not begin: {_how(_wait(self._forker))}.")
        return answer


def _wait(process: subprocess.Popen[bytes]) -> int:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(timeout=_PATIENCE)
    process.kill()
    return process.wait()


def _how(status: int) -> str:
    """An exit status, or a signal's number below zero, for a person."""
    return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"
