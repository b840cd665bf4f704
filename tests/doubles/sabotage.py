"""Worker processes that are brought down on purpose.

A ``sitecustomize`` on the workers' path wraps ``analyse`` before the worker imports it, so that a word in a file's text says what
befalls the process that reads it. Nothing in the package knows of this.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

_SABOTAGE = r"""
import ctypes, os, pathlib, signal, time
import hardtack.build.workers.analyse as module

real = module.analyse

def written(path, text):
    new = path.parent.with_name(f"{path.name}.new")
    new.write_text(text)
    new.rename(path)

def spin():
    left, _ = signal.getitimer(signal.ITIMER_PROF)
    if not 1 < left < 32:
        os._exit(99)  # the limit is not in force
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    while True:
        pass

def hang():
    mark = pathlib.Path(os.environ["HANGING"])
    if not mark.exists():
        status = pathlib.Path(f"/proc/{os.getppid()}/status").read_text()
        written(mark, status.partition("PPid:")[2].split()[0])
        time.sleep(600)

def compiled():
    from hardtack.build.outline import syntax
    return syntax._joint_query_of.cache_info().currsize

FATES = {
    b"SIGKILL": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"SIGTERM": lambda: os.kill(os.getpid(), signal.SIGTERM),
    b"SIGSEGV": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    b"EXIT": lambda: os._exit(7),
    b"RAISE": lambda: 1 / 0,
    b"MEMORY": lambda: bytearray(4 << 30),
    b"NATIVE": lambda: ctypes.memset(ctypes.CDLL(None).malloc(ctypes.c_size_t(4 << 30)), 0, 1),
    b"SPIN": spin,
    b"HANG": hang,
    b"COMPILED": lambda: os._exit(compiled()),
    b"KEY": lambda: os._exit(len([name for name in os.environ if name.endswith("_KEY")])),
}

def analyse(file, encoder, *, use_grammar=True, **products):
    written(pathlib.Path(os.environ["WORKERS"], str(os.getpid())), str(os.getppid()))
    print("noise on standard output")
    for word, fate in FATES.items():
        if word in file.text and (use_grammar or b"ALWAYS" in file.text):
            fate()
    return real(file, encoder, use_grammar=use_grammar, **products)

module.analyse = analyse
"""


@dataclass(frozen=True, slots=True)
class Sabotaged:
    """What the workers leave behind."""

    workers: Path
    """A directory with a file for each, named by its process id, that holds the id of its fork server."""
    hanging: Path
    """Made by the first worker that meets ``HANG``, which then waits; holds the id of the process that started its fork server."""

    def wait(self) -> int:
        """Wait until a worker hangs; gives the id of the process that started its fork server."""
        deadline = time.monotonic() + 60
        while not self.hanging.exists():
            assert time.monotonic() < deadline, "no worker has met HANG"
            time.sleep(0.01)
        return int(self.hanging.read_text())

    def alive(self) -> list[int]:
        """The ids of the workers and fork servers that are left."""
        servers = {int(path.read_text()) for path in self.workers.iterdir()}
        return [pid for pid in sorted({int(path.name) for path in self.workers.iterdir()} | servers) if is_alive(pid)]

    def wait_for_none(self) -> None:
        """Wait until none of them is left."""
        deadline = time.monotonic() + 10
        while left := self.alive():
            assert time.monotonic() < deadline, f"{left} are left"
            time.sleep(0.01)


def sabotaged(root: Path, monkeypatch: pytest.MonkeyPatch) -> Sabotaged:
    """Have words in files bring down the workers that are started from now on, by this process or one that it starts."""
    (root / "path").mkdir()
    (root / "path" / "sitecustomize.py").write_text(_SABOTAGE)
    (root / "workers").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(root / "path"), prepend=os.pathsep)
    monkeypatch.setenv("WORKERS", str(root / "workers"))
    monkeypatch.setenv("HANGING", str(root / "hanging"))
    return Sabotaged(root / "workers", root / "hanging")


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
