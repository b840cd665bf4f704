"""A small real repository with two commits, its bundle, and the command line as a process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from checkouts import commit, init
from processes import Run, hardtack

_PROJECT = Path(__file__).parents[2]
_PACKAGE = _PROJECT / "src" / "hardtack"


@pytest.fixture(scope="session")
def run() -> Run:
    """``hardtack`` as a process: arguments, and options of :func:`subprocess.run`."""
    return hardtack


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real code in a git repository of two commits: two packages of Hardtack, and an input of each language's fixtures."""
    root = tmp_path_factory.mktemp("source") / "small"
    for name in ("bundle", "query"):
        shutil.copytree(_PACKAGE / name, root / "src" / name, ignore=shutil.ignore_patterns("__pycache__"))
    commit(init(root), "first")
    for case in sorted((_PROJECT / "fixtures" / "languages").glob("*/definitions/input.*")):
        place = root / "samples" / case.parts[-3]
        place.mkdir(parents=True)
        shutil.copy(case, place)
    (root / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    commit(root, "second")
    return root


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
