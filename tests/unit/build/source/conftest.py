"""Real git repositories with fixed people and dates, untouched by the configuration of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_DATE": "2001-02-03T04:05:06Z",
    "GIT_COMMITTER_DATE": "2001-02-03T04:05:07Z",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
}


class Checkout:
    """A directory, a repository once ``init`` was called."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root

    def git(self, *arguments: str | bytes, stdin: bytes = b"") -> str:
        """What the command prints, without the last line break."""
        command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, cwd=self.root, env=_ENVIRONMENT, input=stdin, check=True, capture_output=True)
        return done.stdout.decode().removesuffix("\n")

    def write(self, files: dict[str, str | bytes]) -> None:
        for path, content in files.items():
            place = self.root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())

    def init(self) -> Checkout:
        self.git("init", "--quiet")
        return self

    def commit(self, files: dict[str, str | bytes] | None = None) -> str:
        """Write ``files``, commit everything there is; the commit's id."""
        self.write(files or {})
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--message", "state")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """An empty repository."""
    return Checkout(tmp_path / "checkout").init()


@pytest.fixture
def directory(tmp_path: Path) -> Checkout:
    """An empty directory outside any repository."""
    return Checkout(tmp_path / "directory")


@pytest.fixture
def make_checkout(tmp_path: Path):
    """Called with a name: one more empty repository."""
    return lambda name: Checkout(tmp_path / name).init()
