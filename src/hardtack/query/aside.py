"""A path in, whether what lies there stands beside the code proper: tests, examples, benchmarks, what older versions left."""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.reader import Bundle

_ASIDE: Final = re.compile(
    r"(?:^|[/_.-])(?:tests?|testing|specs?|bench(?:es|marks?)?|examples?|samples?|demos?|mocks?|fixtures?|legacy|deprecated|compat"
    r"|vendor|third_party|generated|internal_?docs?)(?:[/_.-]|$)"
)
"""Folders and names of it."""
_VERSION_FOLDER: Final = re.compile(r"(?:^|(?<=/))v[0-9]{1,3}/")


def is_aside(bundle: Bundle, path: str) -> bool:
    """Whether a file of the bundle stands beside its code proper, by where it lies."""
    return _ASIDE.search(path.lower()) is not None or _is_superseded(bundle, path)


def _is_superseded(bundle: Bundle, path: str) -> bool:
    """Whether the file is kept from an older version: it lies below ``v1``, and one of its name where that folder lies."""
    return any(
        bundle.file_at(path[: folder.start()] + path[folder.end() :]) is not None for folder in _VERSION_FOLDER.finditer(path)
    )
