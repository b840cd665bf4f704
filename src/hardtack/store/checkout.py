"""A directory in, the repository it is a checkout of out, as bundles name theirs."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from hardtack.git import git_command, git_environment, normalise_repository

_SECONDS: Final = 10
"""How long git may take; it reads one file."""


def repository_of(directory: Path) -> str:
    """The ``origin`` remote of the checkout around ``directory`` as ``host/owner/name``; empty where that is not known."""
    command = git_command("config", "-z", "--get", "remote.origin.url")
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            env=git_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return normalise_repository(done.stdout.rstrip(b"\0").decode("utf-8", "replace")) if done.returncode == 0 else ""
