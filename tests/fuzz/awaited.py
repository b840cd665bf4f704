"""Findings that are not mended yet: target -> what is said of them. Their cases in ``kept/`` are expected to fail, strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

AWAITED: Final[Mapping[str, Mapping[str, str]]] = {}
