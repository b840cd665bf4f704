"""Runs a proof of ``benchmarks/proofs``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_PROOFS = Path(__file__).parents[2] / "benchmarks" / "proofs"


def prove(name: str, repository: Path, *flags: str) -> None:
    """Run the proof of that name over a repository; what it says is shown if it fails."""
    command: list[str | Path] = [sys.executable, _PROOFS / f"{name}.py", repository, *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
