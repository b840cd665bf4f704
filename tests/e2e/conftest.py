"""A small real repository with two commits, its bundle, and the command line as a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hardtack

_PACKAGE = Path(hardtack.__file__).parent
_PROJECT = Path(__file__).parents[2]
_WHO = {
    f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"))
}
_ENVIRONMENT = {**os.environ, **_WHO, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run() -> Run:
    """``hardtack`` as a process: arguments, and options of :func:`subprocess.run`."""

    def run(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "hardtack", *map(str, arguments)]
        return subprocess.run(command, **{"capture_output": True, "text": True, "timeout": 120, **options})

    return run


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real code in a git repository of two commits: two packages of Hardtack, and an input of each language's fixtures."""
    root = tmp_path_factory.mktemp("source") / "small"
    for name in ("bundle", "query"):
        shutil.copytree(_PACKAGE / name, root / "src" / name, ignore=shutil.ignore_patterns("__pycache__"))
    _commit(root, "init", "first")
    for case in sorted((_PROJECT / "fixtures" / "languages").glob("*/definitions/input.*")):
        place = root / "samples" / case.parts[-3]
        place.mkdir(parents=True)
        shutil.copy(case, place)
    (root / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    _commit(root, "second")
    return root


def _commit(root: Path, *arguments: str) -> None:
    *first, message = arguments
    for command in ([*first, "--quiet"] if first else [], ["add", "--all"], ["commit", "--quiet", "--message", message]):
        if command:
            subprocess.run(["git", *command], cwd=root, env=_ENVIRONMENT, check=True, capture_output=True)


@pytest.fixture(scope="session")
def built(repository: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's bundle; not to be written to."""
    place = tmp_path_factory.mktemp("built") / "bundle"
    done = run("build", repository, "-o", place)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return place


@pytest.fixture
def bundle(built: Path, tmp_path: Path) -> Path:
    """A copy of the repository's bundle that a test may damage."""
    return Path(shutil.copytree(built, tmp_path / "bundle"))
