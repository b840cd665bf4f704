"""Shared parts: a small repository with history, and the bundles built from it, once a session.

The query half can be tested without the build half (`make test-query`): bundles that were built before, perhaps on another system,
come from ``--bundles``, and a test that builds one of its own is skipped.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

import pytest
from checkouts import commit, init, write
from hypothesis import settings

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher

# The same examples in every run: what a test finds here, it finds again. Longer searches are commands of their own (tests/fuzz).
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Goldens change only when asked, and the diff is the review."""
    parser.addoption("--update-golden", action="store_true", help="write the expected files anew from what the code gives")
    parser.addoption(
        "--bundles", type=Path, help="where bundles lie that many tests read; those that are not there are built there"
    )


PARSERS = {"tree_sitter", "tree_sitter_language_pack"}
"""What the build half needs and the query half does not."""
HAS_BUILD_HALF = all(find_spec(name) for name in PARSERS)
OF_THE_BUILD_HALF = [
    *(
        "unit/build",
        "unit/ci",
        "unit/fleet",
        "unit/training",
        "languages",
    ),  # tests of the build half, and of what is learned for it
    *("property/test_chunks_tile.py", "property/test_resolving.py"),  # the same
    *("unit/tools/test_building.py", "unit/cli/test_index_verbs.py"),  # tools and verbs that build
    *("unit/encoders/test_wordpiece.py", "unit/store/test_objects.py"),  # need `tokenizers` to compare with, and an S3 server
    "unit/export",  # needs Arrow, and the engines that load tables
    "unit/page",  # needs Jinja2 and Pygments
    *("contract", "e2e", "fuzz"),  # start programs that build, or read the whole tree
]
OF_POSIX = [
    *("format", "unit/store", "unit/clients/test_files.py", "unit/doctor"),  # locks, modes, owners and pipes of POSIX
    *(f"unit/bundle/{name}.py" for name in ("format/test_digest", "format/test_members", "format/test_pack")),  # the same
    *("unit/bundle/test_integrity.py", "unit/bundle/test_naming.py"),  # the same
    *("unit/tools/test_catalog.py", "unit/tools/test_indexes.py"),  # delete bundles that are open, which Windows refuses
]
assert [] == [name for name in (*OF_THE_BUILD_HALF, *OF_POSIX) if not (Path(__file__).parent / name).exists()], "was moved"
collect_ignore = [*(() if HAS_BUILD_HALF else OF_THE_BUILD_HALF), *(OF_POSIX if os.name == "nt" else ())]


def _skips_what_builds() -> Generator[None, object, object]:
    try:
        return (yield)
    except ModuleNotFoundError as error:
        if HAS_BUILD_HALF or error.name not in PARSERS or not _passes_through_the_build_half(error.__traceback__):
            raise
        pytest.skip("builds a bundle of its own, and the build extra is not installed")


def _passes_through_the_build_half(trace: TracebackType | None) -> bool:
    while trace is not None:
        if trace.tb_frame.f_globals["__name__"].startswith("hardtack.build."):
            return True
        trace = trace.tb_next
    return False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Fixtures may build."""
    return (yield from _skips_what_builds())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Tests may build."""
    return (yield from _skips_what_builds())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """A property says in the results of a run how many examples it tried (docs/make_evidence.py)."""
    if statistics := str(getattr(item, "hypothesis_statistics", "")):
        tried = sum(map(int, re.findall(r"(\d+) passing", statistics)))
        item.user_properties.append(("cases", tried))


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
    """What the user has installed or named is no part of a test, and no test installs anything there."""
    for name in ("HARDTACK_BUNDLE", "HARDTACK_BUNDLE_PATH", "HARDTACK_AS_BUILT"):
        os.environ.pop(name, None)
    os.environ["HARDTACK_CACHE"] = str(tmp_path_factory.mktemp("cache") / "hardtack")


@pytest.fixture(scope="session")
def pantry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A git checkout of ``fixtures/repos/pantry`` and the odd files, one commit; nothing may write into it."""
    root = tmp_path_factory.mktemp("source") / "pantry"
    shutil.copytree(FIXTURES / "repos" / "pantry", root)
    commit(init(write(root, ODD_FILES)), "all of it")
    return root


@pytest.fixture
def build_half() -> None:
    """For a test that runs ``hardtack build``: it is skipped where the build extra is not installed."""
    if not HAS_BUILD_HALF:
        pytest.skip("runs hardtack build, and the build extra is not installed")


MakeShared = Callable[[str, Path, BuildOptions], Path]


@pytest.fixture(scope="session")
def shared_bundle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MakeShared:
    """Makes a bundle that many tests read, or finds it where ``--bundles`` has it."""
    kept: Path | None = request.config.getoption("--bundles")

    def made(name: str, source: Path, options: BuildOptions) -> Path:
        place = (kept.absolute() / name if kept else tmp_path_factory.mktemp(name)) / source.name
        if not (kept and place.exists()):
            assert HAS_BUILD_HALF or not kept, f"{place} is not there, and the build extra, which makes it, is not installed"
            place.parent.mkdir(parents=True, exist_ok=True)
            build_bundle(source, place, options)
        return place

    return made


@pytest.fixture(scope="session")
def pantry_bundle(pantry: Path, shared_bundle: MakeShared) -> Path:
    """The hybrid bundle of the pantry; nothing may write into it."""
    return shared_bundle("hybrid", pantry, BuildOptions(jobs=1, history=10))


@pytest.fixture(scope="session")
def bare_bundle(pantry: Path, shared_bundle: MakeShared) -> Path:
    """The pantry once more, with neither vectors nor text."""
    return shared_bundle("bare", pantry, BuildOptions(jobs=1, profile="keyword", text="none", history=10))


@pytest.fixture(scope="session")
def searcher(pantry_bundle: Path) -> Iterator[Searcher]:
    """The hybrid bundle, open."""
    with open_bundle(pantry_bundle) as opened:
        yield opened
