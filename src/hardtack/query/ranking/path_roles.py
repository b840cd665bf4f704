"""A path in, whether the file is secondary by its role out: tests, examples, benchmarks, vendored, generated and legacy code."""

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
"""Words of paths that mark a secondary file."""
_SECONDARY_COMPOUNDS: Final = re.compile(r"(?:^|[/_.-])(?:third_party|internal_docs?)(?:[/_.-]|$)")
_VERSION_FOLDER: Final = re.compile(r"(?:^|(?<=/))v[0-9]{1,3}/")


def is_secondary(bundle: Bundle, path: str) -> bool:
    """Whether a file is secondary: a word of its path says so, or a newer version replaced it."""
    return has_secondary_word(path.lower()) or _is_superseded(bundle, path)


def has_secondary_word(path: str) -> bool:
    """Whether a lower-case path, split at ``/``, ``_``, ``.`` and ``-``, has a word of a secondary role."""
    if not _SECONDARY_WORDS.isdisjoint(path.replace("_", "/").replace(".", "/").replace("-", "/").split("/")):
        return True
    return ("third_party" in path or "internal_doc" in path) and _SECONDARY_COMPOUNDS.search(path) is not None


def _is_superseded(bundle: Bundle, path: str) -> bool:
    """Whether the file belongs to an older version: it is below a folder such as ``v1/``, and the same path without that exists."""
    return "/v" in f"/{path}" and any(
        bundle.file_at(path[: folder.start()] + path[folder.end() :]) is not None for folder in _VERSION_FOLDER.finditer(path)
    )
