from __future__ import annotations

from pathlib import Path

import pytest

from hardtack.tools.catalog import Catalog


@pytest.fixture
def catalog(pantry_bundle: Path) -> Catalog:
    return Catalog(named=[str(pantry_bundle)])
