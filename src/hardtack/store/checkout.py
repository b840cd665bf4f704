"""A directory in, the name of the repository it is a checkout of out: ``host/owner/name``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hardtack.git import git_output, normalise_repository

_SECONDS: Final = 10
"""The longest time for git, which reads one file."""


def repository_of(directory: Path) -> str:
    """The ``origin`` remote of the checkout around ``directory`` as ``host/owner/name``; empty when it is not known."""
    found = git_output(directory, "config", "-z", "--get", "remote.origin.url", seconds=_SECONDS)
    return normalise_repository(found.rstrip(b"\0").decode("utf-8", "replace")) if found else ""
