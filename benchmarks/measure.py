"""Shared by the measuring scripts: times and memory of whole processes, times of single functions, and tables.

A shared machine's absolute times drift from minute to minute, so things are compared only with what ran right beside them: commands
take turns, ratios are taken turn by turn, and what is shown is their median and quartiles. Linux only (``wait4``, ``/proc``).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from unittest.mock import patch

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""What ``hardtack`` sets for itself before it imports numpy."""

_CONTROLS = (*ONE_THREAD, "HARDTACK_BUNDLE", "HARDTACK_BUNDLE_PATH", "HARDTACK_CACHE", "PYTHONDONTWRITEBYTECODE")
"""Variables that steer Hardtack, thread pools, and whether Python keeps what it compiles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A process to measure."""

    arguments: Sequence[str]
    environment: Mapping[str, str]
    """Added to this process's environment, from which :data:`_CONTROLS` are taken out first."""
    directory: Path | None = None
    """Where it runs; here, if None."""
    exit_codes: tuple[int, ...] = (0,)
    """Those that count as having worked."""

    def start(self, **options: Any) -> subprocess.Popen[bytes]:
        """Start it; its output is thrown away unless ``options`` say otherwise."""
        inherited = {name: value for name, value in os.environ.items() if name not in _CONTROLS}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
        return subprocess.Popen(self.arguments, env={**inherited, **self.environment}, cwd=self.directory, **streams)

    def check(self, code: int) -> None:
        """Stop everything when it failed: the time of a failure is no measurement."""
        if code not in self.exit_codes:
            raise SystemExit(f"{' '.join(self.arguments)[:300]} ended with {code}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one run of a command took, its child processes included."""

    seconds: float
    cpu_seconds: float


def spend(command: Command) -> Spent:
    """Run ``command`` from start to exit."""
    start = time.perf_counter()
    process = command.start()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    command.check(process.returncode)
    return Spent(seconds=seconds, cpu_seconds=usage.ru_utime + usage.ru_stime)


def in_turns(measured: Mapping[_Key, Callable[[], _Result]], rounds: int) -> dict[_Key, list[_Result]]:
    """What each gives, once a round, every other round backwards, after one round that warms caches and is thrown away."""
    given: dict[_Key, list[_Result]] = {key: [] for key in measured}
    for turn in range(rounds + 1):
        for key in list(measured)[:: 1 if turn % 2 else -1]:
            one = measured[key]()
            if turn:
                given[key].append(one)
    return given


def take_turns(commands: Mapping[str, Command], rounds: int) -> dict[str, list[Spent]]:
    """What each command takes, in turns."""
    return in_turns({name: partial(spend, command) for name, command in commands.items()}, rounds)


def peak_memory(command: Command) -> tuple[int, int]:
    """Run ``command``; bytes of the largest resident set of its first process, and of the largest of that one's children.

    Looks at ``VmHWM`` every few milliseconds: what ``getrusage`` says of a child begins at the size its parent had then.
    """
    process = command.start()
    own = child = 0
    while process.poll() is None:
        own = max(own, _high_water(process.pid))
        for children in Path(f"/proc/{process.pid}/task").glob("*/children"):
            try:
                numbers = children.read_text().split()
            except OSError:
                continue  # that thread has just ended
            child = max([child, *(_high_water(int(number)) for number in numbers)])
        time.sleep(0.005)
    command.check(process.returncode)
    return own, child


def _high_water(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0  # it has just ended
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def in_new_process(function: Callable[..., _Result], *arguments: object, environment: Mapping[str, str] | None = None) -> _Result:
    """What ``function`` gives in a fresh interpreter, in which nothing has been loaded or remembered by an earlier measurement.

    ``environment`` holds variables that it has besides: libraries read theirs when they are loaded.
    """
    with patch.dict(os.environ, environment or {}), ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


Part = tuple[str, object, str]
"""A label, and the module or class and the name of the function whose calls are timed as that."""


def part(label: str, owner: object, name: str) -> Part:
    """A part to time; fails here, and not in the middle of a measurement, when there is no such function."""
    getattr(owner, name)
    return label, owner, name


class Stopwatch:
    """Times calls of functions and methods that it replaces for a while: a context manager that puts everything back at its end.

    What a function calls is part of its time. Of a function that gives an iterator, the time of every step counts.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._replaced: list[tuple[object, str, object]] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)
        """Label to seconds since the start or the last :meth:`lap`."""

    def watch(self, part: Part) -> None:
        """Time the calls of ``part``; several may share a label when none calls another."""
        label, owner, name = part
        original = getattr(owner, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            result = self.time(label, original, *arguments, **options)
            return self._steps(label, result) if isinstance(result, Iterator) else result

        self._replaced.append((owner, name, original))
        setattr(owner, name, timed)

    def time(self, label: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Time one call as ``label``."""
        start = self._clock()
        try:
            return call(*arguments, **options)
        finally:
            self.seconds[label] += self._clock() - start

    def _steps(self, label: str, iterator: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while (item := self.time(label, next, iterator, end)) is not end:
            yield item

    def lap(self) -> defaultdict[str, float]:
        """The seconds so far by label, 0 for what was not called; and begin anew."""
        seconds = self.seconds.copy()
        self.seconds.clear()
        return seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for owner, name, original in reversed(self._replaced):
            setattr(owner, name, original)


def spread(values: Sequence[float], scale: float = 1.0, digits: int = 0) -> str:
    """``median (first quartile to third)`` of ``values`` times ``scale``."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else 3 * [values[0]]
    return f"{scale * middle:.{digits}f} ({scale * low:.{digits}f} to {scale * high:.{digits}f})"


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Turn by turn."""
    return [mine / other for mine, other in zip(ours, theirs, strict=True)]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; every column but the first is aligned to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


def share_table(stages: Mapping[str, Sequence[float]]) -> str:
    """A table of stages: the seconds each took in every repetition, as milliseconds and as a part of them all."""
    medians = {label: statistics.median(seconds) for label, seconds in stages.items()}
    whole = sum(medians.values())
    rows = [[label, spread(seconds, 1000), f"{medians[label] / whole:.0%}"] for label, seconds in stages.items()]
    return table(["stage", "ms", "share"], rows)
