"""A Dask cluster on loopback, of processes of its own: a scheduler, and workers that can be killed or run another program."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from hardtack.notations import parse_json

_SECONDS = 60


class Cluster:
    """A scheduler without workers; a context manager, at whose end none of its processes is left."""

    def __init__(self, root: Path, protocol: str) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self._root = root
        self._file = root / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self._file), "--protocol", protocol
        )
        self.address = str(_waited_for(self._file)["address"])

    def add_worker(self, environment: Mapping[str, str] | None = None, *, threads: int = 1) -> subprocess.Popen[bytes]:
        """Start one more worker process; it is ready once the scheduler counts it."""
        name = str(len(self.workers))
        flags = ("--nthreads", str(threads), "--no-nanny", "--no-dashboard", "--memory-limit", "0", "--name", name)
        place = ("--scheduler-file", str(self._file), "--local-directory", str(self._root / name))
        self.workers.append(self._start("dask_worker", *flags, *place, environment=environment))
        return self.workers[-1]

    def wait(self, count: int) -> None:
        """Wait until there are so many workers."""
        from distributed import Security
        from distributed.core import rpc

        arguments = Security().get_connection_args("client")

        async def counted() -> int:
            async with rpc(
                self.address, connection_args=arguments
            ) as scheduler:  # no client: one that comes together with a worker fails (distributed 2026.8)
                return len((await scheduler.identity())["workers"])

        until = time.monotonic() + _SECONDS
        while asyncio.run(counted()) < count:
            assert time.monotonic() < until, f"{count} workers do not come"
            time.sleep(0.05)

    def _start(self, module: str, *flags: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--host", "127.0.0.1", *flags]
        log = (self._root / f"{module}-{len(self.workers)}.log").open("wb")
        with log:
            return subprocess.Popen(
                command, cwd=self._root, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def close(self) -> None:
        """Kill every process."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def cluster(root: Path, workers: int, *, protocol: str = "tcp") -> Iterator[Cluster]:
    """A cluster of so many workers, ready. With ``tls``, Dask's variables of the environment name the certificates."""
    made = Cluster(root, protocol)
    try:
        for _ in range(workers):
            made.add_worker()
        if workers:
            made.wait(workers)
        yield made
    finally:
        made.close()


def another_version(root: Path) -> dict[str, str]:
    """The environment of a process that runs this program under another version number, from a copy below ``root``."""
    import hardtack

    package = root / "hardtack"
    package.mkdir(parents=True)
    for each in Path(hardtack.__file__).parent.iterdir():
        if each.name not in ("__init__.py", "__pycache__"):
            (package / each.name).symlink_to(each)
    text = Path(hardtack.__file__).read_text(encoding="utf-8")
    (package / "__init__.py").write_text(text.replace(hardtack.__version__, "99.9"), encoding="utf-8")
    return {"PYTHONPATH": str(root)}


def _waited_for(file: Path) -> dict[str, object]:
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until:
        try:
            found = parse_json(file.read_text(encoding="utf-8"))
            assert isinstance(found, dict)
            return found
        except (OSError, ValueError):
            time.sleep(0.1)
    raise TimeoutError(f"{file} was not written")
