"""A path in, whether a word of it says that the file is secondary out: a test, an example, vendored, generated or legacy code."""

from __future__ import annotations

import re
from typing import Final

_SECONDARY_WORDS: Final = frozenset(
    {
        *("test", "tests", "testing", "spec", "specs", "bench", "benches", "benchmark", "benchmarks", "example", "examples"),
        *("sample", "samples", "demo", "demos", "mock", "mocks", "fixture", "fixtures", "legacy", "deprecated", "compat"),
        *("vendor", "generated", "internaldoc", "internaldocs"),
    }
)
"""Words of paths that mark a secondary file."""
_SECONDARY_COMPOUNDS: Final = re.compile(r"(?:^|[/_.-])(?:third_party|internal_docs?)(?:[/_.-]|$)")


def has_secondary_word(path: str) -> bool:
    """Whether a lower-case path, split at ``/``, ``_``, ``.`` and ``-``, has a word of a secondary role."""
    if not _SECONDARY_WORDS.isdisjoint(path.replace("_", "/").replace(".", "/").replace("-", "/").split("/")):
        return True
    return ("third_party" in path or "internal_doc" in path) and _SECONDARY_COMPOUNDS.search(path) is not None
