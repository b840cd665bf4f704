"""The mining scripts import each other from their own folder."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

RANKING = Path(__file__).parents[4] / "training" / "ranking"
if str(RANKING) not in sys.path:
    sys.path.insert(0, str(RANKING))

from mine_repositories import Repository  # noqa: E402 - its folder was put on the path above


@pytest.fixture
def repository() -> Repository:
    return Repository(name="shop", language="python", repository="a/shop", revision="0" * 40, root="src", licence="MIT")
