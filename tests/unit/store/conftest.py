"""Packs of small bundles, and an empty cache."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import parse_manifest, render_manifest
from hardtack.bundle.packing import PackInfo, write_pack
from hardtack.store.cache import BundleCache

FROZEN = Path(__file__).parents[3] / "fixtures" / "bundles" / "v1"


@pytest.fixture(scope="session")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> PackInfo:
    """A pack of ``example.org/ship/tiny``."""
    return write_pack(FROZEN / "hybrid", tmp_path_factory.mktemp("packs") / "hybrid.hardtack")


@pytest.fixture(scope="session")
def keyword(tmp_path_factory: pytest.TempPathFactory) -> PackInfo:
    """A pack of another bundle of the same repository, which shares members with the first."""
    return write_pack(FROZEN / "keyword", tmp_path_factory.mktemp("packs") / "keyword.hardtack")


@pytest.fixture(scope="session")
def nameless(tmp_path_factory: pytest.TempPathFactory) -> PackInfo:
    return _of_repository("", tmp_path_factory.mktemp("packs") / "my prototype.hardtack")


@pytest.fixture(scope="session")
def of_repository() -> Callable[[str, Path], PackInfo]:
    return _of_repository


@pytest.fixture
def forged(tmp_path: Path) -> Callable[..., PackInfo]:
    """Makes a pack of ``example.org/ship/tiny`` whose provenance says something else."""
    numbers = itertools.count()
    return lambda **provenance: _forged(tmp_path / f"forged-{next(numbers)}.hardtack", **provenance)


def _of_repository(repository: str, pack: Path) -> PackInfo:
    return _forged(pack, repository=repository)


def _forged(pack: Path, **provenance: Any) -> PackInfo:
    bundle = pack.with_suffix(".bundle")
    shutil.copytree(FROZEN / "keyword", bundle)
    manifest = parse_manifest((bundle / layout.MANIFEST).read_bytes())
    changed = manifest._replace(provenance=manifest.provenance._replace(**provenance))
    (bundle / layout.MANIFEST).write_bytes(render_manifest(changed))
    return write_pack(bundle, pack)


@pytest.fixture
def cache(tmp_path: Path) -> BundleCache:
    return BundleCache(tmp_path / "cache")
