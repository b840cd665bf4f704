from __future__ import annotations

import shutil
from pathlib import Path

import pytest

FROZEN = Path(__file__).parents[3] / "fixtures" / "bundles" / "v1"


@pytest.fixture
def keyword(tmp_path: Path) -> Path:
    """A copy of the frozen keyword bundle, to be harmed."""
    return Path(shutil.copytree(FROZEN / "keyword", tmp_path / "keyword"))


@pytest.fixture
def hybrid(tmp_path: Path) -> Path:
    """A copy of the frozen hybrid bundle, to be harmed."""
    return Path(shutil.copytree(FROZEN / "hybrid", tmp_path / "hybrid"))
