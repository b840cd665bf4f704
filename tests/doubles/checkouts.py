"""Git repositories with fixed people and dates, untouched by the configuration of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2001-02-03T04:05:06Z",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_COMMITTER_DATE": "2001-02-03T04:05:07Z",
}
_SETTINGS = ("-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always")


def git(root: Path, *arguments: str | bytes | Path, stdin: bytes = b"", time: int | None = None) -> str:
    """What git prints in ``root``, without the last line break.

    Args:
        root: The directory to run in.
        arguments: After ``git``.
        stdin: What git reads.
        time: Unix time of a commit, when two commits must differ in it.
    """
    environment = ENVIRONMENT
    if time is not None:
        environment = ENVIRONMENT | {"GIT_AUTHOR_DATE": f"@{time} +0000", "GIT_COMMITTER_DATE": f"@{time} +0000"}
    done = subprocess.run(["git", *_SETTINGS, *arguments], cwd=root, env=environment, input=stdin, check=True, capture_output=True)
    return done.stdout.decode().removesuffix("\n")


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write ``files``, path to content, below ``root``; ``root``."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def init(root: Path) -> Path:
    """Make ``root`` an empty repository; ``root``."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "--quiet")
    return root


def commit(root: Path, message: str = "state", *, time: int | None = None) -> str:
    """Commit everything below ``root``, ignored files too; the commit's id."""
    git(root, "add", "--all", "--force")
    git(root, "commit", "--quiet", "--allow-empty", "--message", message, time=time)
    return git(root, "rev-parse", "HEAD")


class Checkout:
    """A directory, a repository once ``init`` was called."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root

    def git(self, *arguments: str | bytes, stdin: bytes = b"") -> str:
        return git(self.root, *arguments, stdin=stdin)

    def write(self, files: Mapping[str, str | bytes]) -> None:
        write(self.root, files)

    def init(self) -> Checkout:
        init(self.root)
        return self

    def commit(self, files: Mapping[str, str | bytes] | None = None) -> str:
        """Write ``files``, commit everything there is; the commit's id."""
        write(self.root, files or {})
        return commit(self.root)
