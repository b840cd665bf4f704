"""Goldens change only when asked: ``pytest tests/languages --update-golden``, and the diff is the review."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the expected files anew from what the code gives")
