"""Runs a fuzz target: mutates its seeds, executes what comes out in a child process, and keeps what ends badly.

An execution ends well in an answer or in a :class:`HardtackError`. It ends badly in any other exception (a target's own assertions
among them, which say what an accepted input must hold to), in more than :data:`SECONDS` of processor time, in :data:`MEGABYTES`
more of memory, or in the death of its process. The child notes each case in shared memory before it executes it, so that a case
that kills the process is known, and native code can be fuzzed as cheaply as Python.
"""

from __future__ import annotations

import atexit
import faulthandler
import hashlib
import itertools
import json
import mmap
import os
import random
import re
import resource
import select
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from hardtack.errors import HardtackError

SECONDS: Final = 10.0
"""Processor time of one execution at most."""
MEGABYTES: Final = 256
"""Growth of the process's peak memory in one execution at most."""
_ADDRESS_SPACE: Final = 8 << 30
_LONGEST_CASE: Final = 8 << 20
_STUCK: Final = 15.0
"""Processor time without progress after which a child is killed: native code does not hear its timer."""
_WAITING: Final = 300.0
"""Seconds after which it is killed though it takes no processor time: it waits for what does not come."""
_BATCH: Final = 60.0
"""Seconds that one child lives, so that what native code leaks does not add up."""
_MOST_TRIALS: Final = 400
"""Executions that making a case smaller may take."""
_REDUCING: Final = 60.0
"""Seconds that it may take."""
_FRAMES: Final = 8
"""Innermost frames of a traceback that an account has."""
_HEAD: Final = struct.Struct("<QQ")  # number of the case in work, its length

Generator = random.Random


@dataclass(frozen=True, kw_only=True)
class Target:
    """What is fuzzed."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    """Sound inputs, small."""
    mutate: Callable[[Generator, bytes], bytes]
    """Another input, made of a seed; the same generator gives the same."""
    execute: Callable[[bytes], str]
    """Use an input: what became of it, in a word or two. Raises HardtackError where it is refused."""
    share: float = 1.0
    """Of the time of a run, beside the others'."""
    stopped: frozenset[str] = frozenset()
    """Findings that are none in a build: a limit of its worker processes stops them, and one file has no symbols."""
    is_reducible: bool = True
    """Whether a part of an input is an input too, so that a finding can be made smaller."""


@dataclass(frozen=True)
class Finding:
    """A case that ended badly."""

    what: str
    """How, the same for cases with the same cause: an exception and where it was raised, a signal, a limit."""
    case: bytes
    account: str


@dataclass
class Tally:
    """What became of the executions of a target."""

    executions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    endings: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Finding] = field(default_factory=dict)
    """The first of each cause."""
    bad: int = 0
    """Executions that ended badly."""

    def add(self, finding: Finding) -> None:
        self.bad += 1
        self.findings.setdefault(finding.what, finding)


class Hang(BaseException):
    """An execution took too long. No broad ``except`` of the code under test stops it."""


def scratch() -> Path:
    """A new directory, in memory where there is such a place; it goes when this process ends."""
    memory = Path("/dev/shm")
    directory = Path(tempfile.mkdtemp(prefix="hardtack-fuzz-", dir=memory if memory.is_dir() else None))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


def hunt(target: Target, *, seconds: float, seed: int, most: int = sys.maxsize) -> Tally:
    """Execute mutations for so many seconds, or so many of them. Case ``n`` of a seed is always the same."""
    tally, shared = Tally(), mmap.mmap(-1, _HEAD.size + _LONGEST_CASE)
    seeds = target.seeds()  # before any fork, so that it is done once
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0 and tally.executions < most:
        _hunt_in_child(target, seeds, shared, tally, seed, min(left, _BATCH), most)
    tally.seconds = time.monotonic() - deadline + seconds
    return tally


def ending_of(target: Target, case: bytes) -> Finding | None:
    """How one case ends, tried in a process of its own; None if well."""
    tally, shared = Tally(), mmap.mmap(-1, _HEAD.size + _LONGEST_CASE)
    _in_child(lambda report: _execute(target, case, 0, shared, report), shared, tally)
    return next(iter(tally.findings.values()), None)


def reduced(target: Target, finding: Finding) -> Finding:
    """The same finding with less input: pieces are left out for as long as it ends in the same way."""
    case, trials, deadline = finding.case, 0, time.monotonic() + _REDUCING
    size = len(case) // 2 if target.is_reducible else 0
    while size and trials < _MOST_TRIALS and time.monotonic() < deadline:
        at = 0
        while at < len(case) and trials < _MOST_TRIALS and time.monotonic() < deadline:
            shorter = case[:at] + case[at + size :]
            trials += 1
            found = ending_of(target, shorter)
            if found and found.what == finding.what:
                case, finding = shorter, found
            else:
                at += size
        size //= 2
    return finding


def _hunt_in_child(
    target: Target, seeds: Sequence[bytes], shared: mmap.mmap, tally: Tally, seed: int, seconds: float, most: int
) -> None:
    first = tally.executions

    def work(report: Tally) -> None:
        deadline = time.monotonic() + seconds
        for number in itertools.count(first):
            generator = Generator(seed << 40 | number)
            case = target.mutate(generator, generator.choice(seeds))[:_LONGEST_CASE]
            _execute(target, case, number, shared, report)
            if time.monotonic() > deadline or number + 1 >= most or report.bad > 200:
                return

    _in_child(work, shared, tally)


def _execute(target: Target, case: bytes, number: int, shared: mmap.mmap, tally: Tally) -> None:
    """Execute one case in this process, which is a child."""
    shared[: _HEAD.size + len(case)] = _HEAD.pack(number + 1, len(case)) + case
    peak, started = _peak(), time.process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        tally.endings[target.execute(case)] += 1
    except HardtackError as error:
        tally.endings[type(error).__name__] += 1
        if not str(error).endswith((".", "!", "?")):
            tally.add(Finding("a refusal that is no sentence", case, str(error)))
    except Hang as error:
        tally.add(Finding(f"more than {SECONDS:.0f} s in {_place_of(error)}", case, traceback.format_exc(limit=-_FRAMES)))
    except BaseException as error:  # noqa: BLE001  (whatever gets here is what is looked for; a panic is no Exception)
        tally.add(Finding(_cause_of(error), case, traceback.format_exc(limit=-_FRAMES)))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    tally.executions += 1
    tally.slowest = max(tally.slowest, time.process_time() - started)
    if (grown := _peak() - peak) > MEGABYTES:
        tally.add(Finding(f"more than {MEGABYTES} MB", case, f"its process grew by {grown} MB"))


def _peak() -> int:
    """The most memory that this process had, megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _cause_of(error: BaseException) -> str:
    """The exception, where it was raised, and what a target's own assertion says."""
    said = f": {str(error).partition(':')[0][:60]}" if isinstance(error, AssertionError) and str(error) else ""
    return f"{type(error).__name__} in {_place_of(error)}{said}"


def _place_of(error: BaseException) -> str:
    """Module and function of the innermost frame that is ours."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/hardtack/" in frame.filename] or frames
    return f"{Path(ours[-1].filename).stem}.{ours[-1].name}"


def _in_child(work: Callable[[Tally], None], shared: mmap.mmap, tally: Tally) -> None:
    """Do some executions in a child, and add what became of them to ``tally``, also if the child dies of one."""
    shared[: _HEAD.size] = _HEAD.pack(0, 0)
    before = tally.executions
    reader, writer = os.pipe()
    sys.stdout.flush()
    with tempfile.TemporaryFile() as stack, os.fdopen(reader, "rb") as pipe:
        child = os.fork()
        if child == 0:
            _be_child(work, writer, stack.fileno())
        os.close(writer)
        stuck = _wait(child, shared, reader, stack)
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    if data and not stuck:
        _take(tally, json.loads(data))
        return
    number, length = _HEAD.unpack(shared[: _HEAD.size])
    how = stuck or f"the process ended with status {status}"
    tally.executions = max(number, before + 1)
    tally.endings["in a process that died"] += tally.executions - before
    tally.add(Finding(how, shared[_HEAD.size : _HEAD.size + length], how))


def _be_child(work: Callable[[Tally], None], writer: int, stack: int) -> NoReturn:
    def late(*_: object) -> NoReturn:
        raise Hang

    try:
        signal.signal(signal.SIGPROF, late)
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        faulthandler.disable()
        faulthandler.register(signal.SIGUSR1, file=stack, all_threads=False)  # also in the middle of native code
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a panic prints its own account; it is told from outside
        report = Tally()
        work(report)
        told = {**vars(report), "findings": [(each.what, each.case.hex(), each.account) for each in report.findings.values()]}
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(json.dumps(told).encode())
    except BaseException:  # noqa: BLE001  (a fault of the target itself, to be told as a finding)
        message = {"findings": [("a fault of the target", "", traceback.format_exc())], "bad": 1}
        os.write(writer, json.dumps(message).encode())
    finally:
        os._exit(0)


def _wait(child: int, shared: mmap.mmap, pipe: int, stack: IO[bytes]) -> str:
    """Wait until the child reports or dies; kill it if it makes no progress, and say how and where it was found."""
    seen, since, taken = -1, time.monotonic(), 0.0
    poll = select.poll()  # select() takes no descriptor beyond 1,023
    poll.register(pipe, select.POLLIN)
    while not poll.poll(1000):
        number, _ = _HEAD.unpack(shared[: _HEAD.size])
        if number != seen:
            seen, since, taken = number, time.monotonic(), _processor_time(child)
            continue
        how = f"more than {SECONDS:.0f} s" if _processor_time(child) - taken > _STUCK else ""
        if how or time.monotonic() - since > _WAITING:
            os.kill(child, signal.SIGUSR1)
            time.sleep(1.0)
            os.kill(child, signal.SIGKILL)
            return f"{how or 'no end'} in {_innermost(stack)}"
    return ""


def _innermost(stack: IO[bytes]) -> str:
    """Module and function of the innermost frame that is ours, in a stack that ``faulthandler`` wrote."""
    stack.seek(0)
    frames = re.findall(r'File "(.*)", line \d+ in (.*)', stack.read().decode("utf-8", "replace"))
    path, function = next((frame for frame in frames if "/hardtack/" in frame[0]), ("native code", "?"))
    return f"{Path(path).stem}.{function}"


def _processor_time(process: int) -> float:
    """Seconds that a process has taken."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:  # it has ended, or this system tells it in another way
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _take(tally: Tally, told: dict[str, Any]) -> None:
    tally.executions += told.get("executions", 0)
    tally.slowest = max(tally.slowest, told.get("slowest", 0.0))
    tally.endings.update(told.get("endings", {}))
    tally.bad += told["bad"]
    for what, case, account in told["findings"]:
        tally.findings.setdefault(what, Finding(what, bytes.fromhex(case), account))
    if not told.get("executions"):  # so that a target that cannot run ends
        tally.executions = sys.maxsize


def kept_name(finding: Finding) -> str:
    """The file name under which a finding's case is kept."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", finding.what)[:60].strip("-").lower()
    return f"{words}-{hashlib.sha256(finding.case).hexdigest()[:8]}"
