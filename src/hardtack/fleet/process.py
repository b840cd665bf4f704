"""A repository and a plan in, the outcome out, of a process of its own with limits of time and memory: it can only cost itself.

The process, :mod:`hardtack.cli.fleet_process`, gets one line of JSON and answers with one. It ends when its standard input does,
which happens however this process ends. All that it writes lies in one directory, which is removed here whatever became of it.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from hardtack.descriptors import work_directory
from hardtack.errors import BuildError, HardtackError, SourceError
from hardtack.fleet.listing import Entry
from hardtack.fleet.outcome import Outcome, failed, outcome_of
from hardtack.fleet.task import Plan
from hardtack.notations import parse_json
from hardtack.render.style import inert_line

_LOOKS_EVERY: Final = 0.5
"""Seconds between two looks at the clock and at the memory."""
_ANSWER_LIMIT: Final = 1 << 20
"""Bytes of the answer."""
_SHOWN: Final = 300
"""Last characters of a complaint that a message shows."""


def run(entry: Entry, plan: Plan) -> Outcome:
    """Have a process build and publish one repository; every failure is an outcome, also that of the process."""
    started = time.monotonic()
    try:
        with work_directory() as scratch:
            return _run(entry, plan, scratch)
    except HardtackError as error:
        return failed(entry, error, seconds=time.monotonic() - started)
    except OSError as error:  # the work directory, or the process itself
        refusal = SourceError(f"{error.filename or 'A process'} cannot be made: {error.strerror}.")
        return failed(entry, refusal, seconds=time.monotonic() - started)


def _run(entry: Entry, plan: Plan, scratch: Path) -> Outcome:
    # -P: a module in the directory where the fleet or a worker was started must not replace one of ours.
    command = [sys.executable, "-P", "-m", "hardtack.cli.fleet_process"]
    message = {"entry": asdict(entry), "plan": asdict(plan), "scratch": str(scratch)}
    with tempfile.TemporaryFile(dir=scratch) as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True, bufsize=0
        )
        try:
            assert process.stdin
            assert process.stdout
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            answer = _answer(process.pid, process.stdout, entry, plan)
        finally:
            _end(process)
        try:
            return outcome_of(parse_json(answer.decode("utf-8", "replace"), most=_ANSWER_LIMIT))
        except ValueError:
            raise _broken(entry, process.returncode, errors) from None


def _answer(pid: int, output: IO[bytes], entry: Entry, plan: Plan) -> bytes:
    """What the process says until it closes its output.

    Raises:
        BuildError: it exceeds a limit.
    """
    deadline = time.monotonic() + plan.max_time
    answer = b""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while len(answer) < _ANSWER_LIMIT:
            if selector.select(_LOOKS_EVERY):
                piece = os.read(output.fileno(), _ANSWER_LIMIT)
                if not piece:
                    break
                answer += piece
            if time.monotonic() > deadline:
                raise BuildError(
                    f"{entry.address} took more than {plan.max_time} seconds; it was stopped.",
                    hint="Raise --max-time, or leave the repository out.",
                )
            if memory_of(pid) > plan.max_memory:
                raise BuildError(
                    f"{entry.address} took more than {plan.max_memory} bytes of memory; it was stopped.",
                    hint="Raise --max-memory, or leave the repository out.",
                )
    return answer


def memory_of(pid: int) -> int:
    """Bytes of private memory of a process and all that it has started, where the system tells (Linux); elsewhere 0.

    Pages that a fork shares with its parent count for both.
    """
    total = 0
    pending = [pid]
    while pending:
        process = Path(f"/proc/{pending.pop()}")
        with suppress(OSError, ValueError):  # it has ended meanwhile, or there is no such file
            status = dict(line.split(":", 1) for line in (process / "status").read_text("utf-8", "replace").splitlines())
            total += int(status.get("RssAnon", "0 kB").split()[0]) << 10
            for thread in (process / "task").iterdir():  # each lists what it has started itself, a pool's thread the fork server
                with suppress(FileNotFoundError, ProcessLookupError):  # this thread has ended meanwhile
                    pending += [int(child) for child in (thread / "children").read_text("ascii").split()]
    return total


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all that it has started; when it has closed its output, it has ended, or has nothing left to do."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # its number is still its own: nobody has waited for it yet
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            with suppress(OSError):
                stream.close()


def _broken(entry: Entry, code: int, errors: IO[bytes]) -> BuildError:
    """The error for a process that ended without an outcome."""
    errors.seek(max(errors.seek(0, os.SEEK_END) - (_SHOWN << 2), 0))
    said = [line.strip() for line in errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
    how = f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit status {code}"
    why = f": {inert_line(said[-1])[-_SHOWN:].rstrip('. ')}" if said else ""
    return BuildError(f"The process that built {entry.address} {how}{why}.", hint="'hardtack build' of a clone may say more.")


def run_plain(entry: Mapping[str, Any], plan: Mapping[str, Any]) -> dict[str, Any]:
    """:func:`run` for a cluster: plain values in and out, which any version of this program could read."""
    return run(Entry(**entry), Plan(**plan)).to_json()
