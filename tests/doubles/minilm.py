"""The real all-MiniLM-L6-v2, out of the package that ships its weights; what needs it is skipped where that is not installed."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

_IS_THERE = all(find_spec(name) for name in ("torch", "sentence_transformers", "all_minilm_l6_v2"))

NEEDED = (
    pytest.mark.transformers,
    pytest.mark.skipif(not _IS_THERE, reason="the 'transformers' extra and its model are not installed (make test-transformers)"),
)
"""Marks of a test that needs the model and the libraries that run it."""


@cache
def directory() -> Path:
    spec = find_spec("all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    parent = Path(tempfile.mkdtemp(prefix="hardtack-minilm-"))
    atexit.register(shutil.rmtree, parent, ignore_errors=True)
    place = parent / "all-MiniLM-L6-v2"
    with zipfile.ZipFile(Path(spec.origin).with_name("model.zip")) as archive:
        archive.extractall(place)
    return place
