"""Worker processes: started by a fork server, fed through pipes, ended.

Starting Python and loading grammars, tables and the encoder can take longer than a small build; a fork takes milliseconds and
shares the loaded memory. The fork server (:mod:`hardtack.build.workers.worker`) reads no source file: over a socket it gets the
pipes of the next worker, and the number of the worker to wait for. It is started first of all, so that it loads while the building
process does. Before a fork it compiles the queries of the languages that are known to come, so that no worker does so again.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, Self

from hardtack.encoders import DEFAULT_ENCODER
from hardtack.errors import BuildError

if TYPE_CHECKING:
    from hardtack.build.options import BuildOptions

READY: Final = b"ready"
"""The fork server's first message: everything that workers need is loaded."""
START: Final = b"start "
"""Fork a worker; the ids of languages follow, separated by spaces, whose queries are compiled before the fork. Comes with two
descriptors: to read requests from, and to write replies to. The answer is the process id."""
END: Final = b"end "
"""Wait for a worker to end; a process id follows. The answer is its exit status, or minus the number of the signal."""
MESSAGE_BYTES: Final = 4096
"""Maximum bytes of each of those messages."""
_EXIT_SECONDS: Final = 5
"""Time for the fork server to end by itself."""


def require_parsers() -> None:
    """Check that the parsers are installed, before any worker is started.

    Raises:
        ModuleNotFoundError: they are not.
    """
    for name in ("tree_sitter", "tree_sitter_language_pack"):
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def products_of(options: BuildOptions) -> dict[str, bool]:
    """What workers make in a build, as :class:`Workers` takes it."""
    has_vectors, is_default = options.profile == "hybrid", options.encoder.name == DEFAULT_ENCODER
    return {
        "with_vectors": has_vectors and is_default,
        "with_synopses": has_vectors and not is_default,
        "with_readings": options.text == "full",
    }


@dataclass(frozen=True, slots=True, eq=False)
class Worker:
    """One worker process."""

    pid: int
    requests: IO[bytes]
    replies: IO[bytes]


class Workers:
    """Starts worker processes and waits for each of them. A context manager, at whose end no process is left."""

    def __init__(self, *, with_vectors: bool, with_synopses: bool = False, with_readings: bool = False) -> None:
        """Start nothing yet.

        Args:
            with_vectors: workers make the vectors, with the default encoder.
            with_synopses: workers send the texts that the caller encodes.
            with_readings: workers pack each file's cached parse.
        """
        self._products = (with_vectors, with_synopses, with_readings)
        self._lock = threading.Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._is_loaded = False
        self._workers: set[Worker] = set()

    def start(self, languages: Iterable[str] = ()) -> Worker:
        """Start one worker.

        Args:
            languages: ids of those whose files it will read, as far as they are known. Compiling the queries of one can take as
                long as reading a hundred of its files; the workers that are forked afterwards share them.

        Raises:
            BuildError: it cannot be started.
        """
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as undo:
            for descriptor in (request_end, reply_end):
                theirs.callback(os.close, descriptor)
            ours = undo.enter_context(os.fdopen(requests, "wb")), undo.enter_context(os.fdopen(replies, "rb"))
            with self._lock:  # from the fork until it is listed: kill() must see every worker there is
                message = START + " ".join(sorted(languages)).encode()
                worker = Worker(int(self._request(message, (request_end, reply_end))), *ours)
                self._workers.add(worker)
            undo.pop_all()
        return worker

    def end(self, worker: Worker) -> str:
        """Wait for a worker, which is killed unless it ends by itself within a second; how it ended, for a person."""
        with self._lock:
            status = int(self._request(END + b"%d" % worker.pid))
            self._workers.discard(worker)
        for stream in (worker.requests, worker.replies):
            with contextlib.suppress(OSError):
                stream.close()
        return how_it_ended(status)

    def kill(self) -> None:
        """Kill all of them; a thread that waits for a reply reads the end of the stream."""
        with self._lock:
            for worker in self._workers:
                os.kill(worker.pid, signal.SIGKILL)  # its number cannot have been reused: nobody has waited for it yet

    def end_all(self) -> None:
        """Wait for all of them; more can be started."""
        for worker in list(self._workers):
            self.end(worker)

    def __enter__(self) -> Self:
        """Start the fork server, which then loads what workers need.

        Raises:
            BuildError: it cannot be started.
        """
        self._start_server()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End all workers and the fork server."""
        self.kill()
        self.end_all()
        if self._control is not None:
            self._control.close()  # the fork server ends when its socket does
        if self._server is not None:
            if not self._is_loaded:
                self._server.kill()
            _wait(self._server)

    def _request(self, message: bytes, descriptors: tuple[int, ...] = ()) -> bytes:
        """Send the fork server a message and return its answer; the first time, wait until it is ready."""
        if not self._is_loaded:
            if self._receive() != READY:
                raise BuildError("A worker process could not begin.")
            self._is_loaded = True
        assert self._control is not None
        with contextlib.suppress(OSError):
            socket.send_fds(self._control, [message], list(descriptors))
        return self._receive()

    def _start_server(self) -> None:
        # -P: a file in the current directory must not replace a module.
        command = [sys.executable, "-P", "-m", "hardtack.build.workers.worker", *(str(int(product)) for product in self._products)]
        # A parser that hostile text has taken over must not find an API key in its environment.
        inherited = {name: value for name, value in os.environ.items() if not name.endswith("_KEY")}
        environment = {**inherited, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._server = subprocess.Popen(
                    command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
                )
            except OSError as error:
                self._control.close()
                raise BuildError(f"A worker process could not be started: {error.strerror}.") from error

    def _receive(self) -> bytes:
        assert self._control is not None
        answer = b""
        with contextlib.suppress(OSError):
            answer = self._control.recv(MESSAGE_BYTES)
        if not answer:
            assert self._server is not None
            raise BuildError(f"A worker process could not begin: {how_it_ended(_wait(self._server))}.")
        return answer


def _wait(process: subprocess.Popen[bytes]) -> int:
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(timeout=_EXIT_SECONDS)
    process.kill()
    return process.wait()


def how_it_ended(status: int) -> str:
    """An exit status, or minus the number of a signal, in words."""
    return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"
