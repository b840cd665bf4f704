from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from bundles import opened
from kiosk import FILES

from hardtack.bundle.reader import Bundle
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher

BundleOf = Callable[[Mapping[str, str | bytes]], AbstractContextManager[Bundle]]


@pytest.fixture(scope="session")
def kiosk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bundle]:
    """The bundle of a small repository; nothing may write into it."""
    with opened(tmp_path_factory.mktemp("kiosk"), FILES) as bundle:
        yield bundle


@pytest.fixture(scope="session")
def kiosk_searcher(kiosk: Bundle) -> Iterator[Searcher]:
    """The same, to be searched."""
    with open_bundle(kiosk.path) as searcher:
        yield searcher


@pytest.fixture
def bundle_of(tmp_path: Path) -> BundleOf:
    """Builds and opens the bundle of a few files."""
    return lambda files: opened(tmp_path / "source", files)
