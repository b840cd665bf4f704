"""Directories and git repositories to read sources from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from checkouts import Checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """An empty repository."""
    return Checkout(tmp_path / "checkout").init()


@pytest.fixture
def directory(tmp_path: Path) -> Checkout:
    """An empty directory outside any repository."""
    return Checkout(tmp_path / "directory")


@pytest.fixture
def make_checkout(tmp_path: Path) -> Callable[[str], Checkout]:
    """Called with a name: one more empty repository."""
    return lambda name: Checkout(tmp_path / name).init()
