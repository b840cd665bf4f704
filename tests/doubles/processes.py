"""The command line as a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

Run = Callable[..., subprocess.CompletedProcess[str]]


def hardtack(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """``hardtack`` with arguments; ``options`` are those of :func:`subprocess.run`."""
    command = [sys.executable, "-P", "-m", "hardtack", *map(str, arguments)]
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, **{"capture_output": True, "text": True, "timeout": 120, **options}
    )
    return done


def piped(stream: IO[bytes] | None) -> IO[bytes]:
    """A pipe to a process that was started with one."""
    assert stream is not None
    return stream
