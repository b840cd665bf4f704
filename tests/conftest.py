"""Shared parts: a small repository with history, and the bundles built from it, once a session."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkouts import commit, init, write
from hypothesis import settings

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.query.searcher import Searcher, open_bundle

# The same examples in every run: what a test finds here, it finds again. Longer searches are commands of their own (tests/fuzz).
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Goldens change only when asked, and the diff is the review."""
    parser.addoption("--update-golden", action="store_true", help="write the expected files anew from what the code gives")


FIXTURES = Path(__file__).parents[1] / "fixtures"

# Bytes that an editor or a version control system would change on the way are written here and not kept as files.
ODD_FILES = {
    "odd/crlf.py": b"def first():\r\n    return 1\r\n\r\n\r\ndef second():\r\n    return 2\r\n",
    "odd/no_newline.py": b"def last_line_without_an_end():\n    return 'tail'",
    "odd/separators.py": "def pages():\n    return 'a\x0cb\u2028c\x85d'\r# same line\nafter = 1\n".encode(),
    "odd/escapes.py": 'def paint_it():\n    return "\x1b[31mred\x1b[0m \u202etxet\u202c \U000e0041hidden"\n'.encode(),
    "odd/wide.py": b"COLOURS = [" + b"'ultramarine', " * 40 + b"]\n",
    "odd/blank.py": b"\n  \n\n",
}


@pytest.fixture(scope="session", autouse=True)
def _no_bundles_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the user has installed is no part of a test, and no test installs anything there."""
    os.environ["HARDTACK_CACHE"] = str(tmp_path_factory.mktemp("cache") / "hardtack")


@pytest.fixture(scope="session")
def pantry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git checkout of ``fixtures/repos/pantry`` and the odd files, one commit; nothing may write into it."""
    root = tmp_path_factory.mktemp("source") / "pantry"
    shutil.copytree(FIXTURES / "repos" / "pantry", root)
    commit(init(write(root, ODD_FILES)), "all of it")
    return root


@pytest.fixture(scope="session")
def pantry_bundle(pantry: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hybrid bundle of the pantry; nothing may write into it."""
    place = tmp_path_factory.mktemp("hybrid") / "pantry"
    build_bundle(pantry, place, BuildOptions(jobs=1))
    return place


@pytest.fixture(scope="session")
def bare_bundle(pantry: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pantry once more, with neither vectors nor text."""
    place = tmp_path_factory.mktemp("bare") / "pantry"
    build_bundle(pantry, place, BuildOptions(jobs=1, profile="keyword", text="none"))
    return place


@pytest.fixture(scope="session")
def searcher(pantry_bundle: Path) -> Iterator[Searcher]:
    """The hybrid bundle, open."""
    with open_bundle(pantry_bundle) as opened:
        yield opened
