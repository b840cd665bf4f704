"""Shared by the proofs: claims and their outcomes, the command line as a process, clones, and the exact content of a directory."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from hardtack.bundle.reader import open_bundle

HARDTACK = (sys.executable, "-P", "-m", "hardtack")
"""The command line of the interpreter at hand; the current directory cannot replace a module of it."""


class Proof:
    """Claims with their outcomes: one line each, as they are settled, and the exit status at the end."""

    def __init__(self, title: str) -> None:
        self._started = time.monotonic()
        self._claims = self._failures = 0
        print(title, flush=True)

    def claim(self, what: str, holds: bool, detail: str = "") -> None:
        """Settle one claim."""
        self._claims += 1
        self._failures += not holds
        print(f"  {'ok  ' if holds else 'FAIL'}  {what:<44}  {detail}".rstrip(), flush=True)

    def skip(self, what: str, why: str) -> None:
        """Say that something could not be tried."""
        print(f"  skip  {what:<44}  {why}", flush=True)

    def leave(self) -> NoReturn:
        """End the process: 0 when every claim holds, else 1."""
        seconds = time.monotonic() - self._started
        print(f"{self._claims - self._failures} of {self._claims} hold, {seconds:.0f} s")
        sys.exit(bool(self._failures))


def hardtack(
    *arguments: str | Path, timeout: float = 600, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line, for so many seconds at most, with the environment and in the directory given."""
    command = [*HARDTACK, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=env, cwd=cwd, check=False)


def build(source: Path, output: Path, *flags: str) -> None:
    """Build a bundle with the command line; a build that fails ends the proof."""
    done = hardtack("build", source, "-o", output, "--quiet", *flags)
    if done.returncode:
        sys.exit(f"hardtack build failed with exit status {done.returncode}:\n{done.stderr}")


def verified_digest(bundle: Path) -> str:
    """What ``hardtack verify`` does, in this process; the bundle's digest.

    Raises:
        HardtackError: it is not as it was built.
    """
    with open_bundle(bundle, check="hashes") as opened:
        opened.check_records()
        return opened.digest


def git(directory: Path, *arguments: str) -> str:
    """What git prints, without the last line break."""
    done = subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True, text=True)
    return done.stdout.removesuffix("\n")


def clone(repository: Path, place: Path, *flags: str) -> Path:
    """A clone of the commit checked out in ``repository``, through git's own protocol, so that ``--depth`` means something."""
    place.parent.mkdir(parents=True, exist_ok=True)
    git(place.parent, "clone", "--quiet", *flags, f"file://{repository.resolve()}", str(place))
    return place


def content_of(directory: Path) -> Mapping[str, tuple[object, ...]]:
    """Everything below ``directory``: path to type, mode, modification time in nanoseconds and bytes."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(directory.rglob("*")):
        state = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(state.st_mode) else b""
        found[path.relative_to(directory).as_posix()] = (stat.filemode(state.st_mode), state.st_mtime_ns, data)
    return found


def environment(**changes: str | None) -> dict[str, str]:
    """This process's environment with some variables set, and those that are None taken away."""
    merged: dict[str, str | None] = {**os.environ, **changes}
    return {name: value for name, value in merged.items() if value is not None}


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory that any user may enter, gone at the end."""
    path = Path(tempfile.mkdtemp(prefix="hardtack-proof-"))
    try:
        path.chmod(0o755)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def spread(count: int, length: int) -> Sequence[int]:
    """``count`` numbers below ``length``, first and last among them, as even as can be; round and round when there are too few."""
    if count >= length:
        return [number % length for number in range(count)]
    return [round(number * (length - 1) / max(1, count - 1)) for number in range(count)]
