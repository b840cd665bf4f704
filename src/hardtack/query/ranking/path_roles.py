"""A path in, whether what lies there stands beside the code proper: tests, examples, benchmarks, what older versions left."""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.reader import Bundle

_SECONDARY_WORDS: Final = frozenset(
    {
        *("test", "tests", "testing", "spec", "specs", "bench", "benches", "benchmark", "benchmarks", "example", "examples"),
        *("sample", "samples", "demo", "demos", "mock", "mocks", "fixture", "fixtures", "legacy", "deprecated", "compat"),
        *("vendor", "generated", "internaldoc", "internaldocs"),
    }
)
"""Words in the names of folders and files of it."""
_SECONDARY_COMPOUNDS: Final = re.compile(r"(?:^|[/_.-])(?:third_party|internal_docs?)(?:[/_.-]|$)")
_VERSION_FOLDER: Final = re.compile(r"(?:^|(?<=/))v[0-9]{1,3}/")


def is_secondary(bundle: Bundle, path: str) -> bool:
    """Whether a file of the bundle stands beside its code proper, by where it lies."""
    return has_secondary_word(path.lower()) or _is_superseded(bundle, path)


def has_secondary_word(path: str) -> bool:
    """Whether a path in lower case has a word of what stands aside between ``/``, ``_``, ``.`` and ``-``."""
    if not _SECONDARY_WORDS.isdisjoint(path.replace("_", "/").replace(".", "/").replace("-", "/").split("/")):
        return True
    return ("third_party" in path or "internal_doc" in path) and _SECONDARY_COMPOUNDS.search(path) is not None


def _is_superseded(bundle: Bundle, path: str) -> bool:
    """Whether the file is kept from an older version: it lies below ``v1``, and one of its name where that folder lies."""
    return "/v" in f"/{path}" and any(
        bundle.file_at(path[: folder.start()] + path[folder.end() :]) is not None for folder in _VERSION_FOLDER.finditer(path)
    )
