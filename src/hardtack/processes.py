"""A module of this package and its arguments in, what a process of it wrote out; no process of it outlives the call."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress


def output_of(module: str, arguments: Sequence[str], *, seconds: float | None) -> tuple[int, bytes]:
    """Run a module as a process of its own, in a group of its own, which is killed if it is still there when this ends.

    Args:
        module: its whole name; it is run as ``__main__``.
        arguments: those of its command line.
        seconds: the longest that it may take; None for as long as it likes.

    Returns:
        Its exit code, and its standard output.

    Raises:
        OSError: it could not be started.
        subprocess.TimeoutExpired: it took too long.
    """
    # -P: no module may be imported from the working directory
    command = [sys.executable, "-P", "-m", module, *arguments]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, start_new_session=True)
    try:
        answer, _ = process.communicate(timeout=seconds)
        return process.returncode, answer
    finally:
        if process.poll() is None:
            _kill(process)
            process.communicate()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those that it started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
