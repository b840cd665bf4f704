"""A git subcommand in, its output out while it runs, piece by piece: no more is held in memory than the reader asks for.

Git is killed when it leaves the reader waiting for too long. Time that the reader takes itself does not count, so a long history or
a large tree may take as long as it needs, and a FIFO that git waits for cannot hold a build.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from hardtack.git import MEMORY_LIMIT, git_command, git_environment, limit_memory

IDLE_SECONDS: Final = 60.0
"""The longest time that git may be silent while its output is waited for."""
_PIECE: Final = 1 << 18
_SAID: Final = 4096
"""Last bytes of git's complaints that are kept."""


class GitSilent(Exception):
    """Git gave no output for too long and was killed. It never leaves ``build``: callers say it in their own words."""


class GitStream:
    """One git process, to be read from its beginning to its end; a context manager, at whose end it does not run any more."""

    def __init__(
        self,
        directory: Path,
        *arguments: str | bytes,
        has_input: bool = False,
        environment: Mapping[str, str] | None = None,
        idle_seconds: float = IDLE_SECONDS,
        memory: int = MEMORY_LIMIT,
    ) -> None:
        """Start git.

        Args:
            directory: where it runs.
            arguments: after ``git``.
            has_input: :meth:`write` will be called.
            environment: of git; :func:`git_environment` if None.
            idle_seconds: how long it may leave the reader waiting.
            memory: bytes that it may take, where the system can limit them.

        Raises:
            OSError: git cannot be started.
        """
        self._idle = idle_seconds
        self._buffer = bytearray()
        self._is_heard = True
        self.said = b""
        """The end of what git wrote to its standard error."""
        self._git = subprocess.Popen(
            git_command(*arguments),
            cwd=directory,
            env=environment or git_environment(),
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        limit_memory(self._git.pid, memory)
        assert self._git.stdout
        assert self._git.stderr
        self._output, self._errors = self._git.stdout.fileno(), self._git.stderr.fileno()
        self._poll = select.poll()
        for descriptor in (self._output, self._errors):
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)

    def write(self, data: bytes) -> None:
        """Send git a few bytes, which must fit into the pipe. A git that has died is noticed by the next read."""
        assert self._git.stdin
        with suppress(BrokenPipeError):
            self._git.stdin.write(data)

    def piece(self) -> bytes:
        """What git says next; empty at its end.

        Raises:
            GitSilent: it says nothing for too long.
        """
        if self._buffer:
            piece = bytes(self._buffer)
            self._buffer.clear()
            return piece
        return self._read()

    def line(self, most: int) -> bytes:
        """The next line without its end; what there is of it if it is longer than ``most`` bytes, or git ends.

        Raises:
            GitSilent: git says nothing for too long.
        """
        while (end := self._buffer.find(b"\n")) < 0 and len(self._buffer) <= most and self._fill():
            pass
        return self._taken(end if end >= 0 else most, with_end=end >= 0)

    def exactly(self, size: int) -> bytes:
        """The next ``size`` bytes; fewer if git ends.

        Raises:
            GitSilent: git says nothing for too long.
        """
        while len(self._buffer) < size and self._fill():
            pass
        return self._taken(size, with_end=False)

    def records(self, most: int) -> Iterator[bytes]:
        """The records that each end in a NUL; one that has more than ``most`` bytes is cut there, and the rest of it dropped.

        Raises:
            GitSilent: git says nothing for too long.
        """
        rest = b""
        while piece := self.piece():
            *whole, last = piece.split(b"\0")
            if whole:
                yield (rest + whole[0])[:most]
                yield from (each[:most] for each in whole[1:])
                rest = b""
            if len(rest) < most:
                rest = (rest + last)[:most]

    def end(self) -> int:
        """Wait for git, which has said all; its exit status.

        Raises:
            GitSilent: it does not end.
        """
        deadline = time.monotonic() + self._idle
        while self._is_heard and (left := deadline - time.monotonic()) > 0:
            self._poll.poll(left * 1000)
            self._hear()
        with suppress(subprocess.TimeoutExpired):
            return self._git.wait(timeout=max(deadline - time.monotonic(), 0.0))
        raise GitSilent(f"git did not end within {self._idle:g} seconds")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._git.kill()
        for pipe in (self._git.stdin, self._git.stdout, self._git.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._git.wait()

    def _fill(self) -> bool:
        """Read more; False at the end."""
        piece = self._read()
        self._buffer += piece
        return bool(piece)

    def _taken(self, size: int, *, with_end: bool) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[: size + with_end]
        return taken

    def _read(self) -> bytes:
        """The next bytes of git's output; empty at its end."""
        deadline = time.monotonic() + self._idle
        while True:
            with suppress(BlockingIOError):
                piece = os.read(self._output, _PIECE)
                if not piece:
                    with suppress(KeyError):
                        self._poll.unregister(self._output)
                return piece
            left = deadline - time.monotonic()
            if left <= 0:
                self._git.kill()
                raise GitSilent(f"git said nothing for {self._idle:g} seconds")
            if self._errors in (descriptor for descriptor, _ in self._poll.poll(left * 1000)):
                self._hear()

    def _hear(self) -> None:
        """Keep the end of what git complains of, so that it never waits for somebody to read it."""
        with suppress(BlockingIOError):
            heard = os.read(self._errors, _PIECE)
            self.said = (self.said + heard)[-_SAID:]
            if not heard:
                self._is_heard = False
                self._poll.unregister(self._errors)
