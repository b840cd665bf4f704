"""A path in, whether the file is secondary by its role out: by a word of its path, or since a newer version replaced it."""

from __future__ import annotations

import re
from typing import Final

from hardtack.bundle.reader import Bundle
from hardtack.nouns.path_words import has_secondary_word

_VERSION_FOLDER: Final = re.compile(r"(?:^|(?<=/))v[0-9]{1,3}/")


def is_secondary(bundle: Bundle, path: str) -> bool:
    """Whether a file is secondary: a word of its path says so, or a newer version replaced it."""
    return has_secondary_word(path.lower()) or _is_superseded(bundle, path)


def _is_superseded(bundle: Bundle, path: str) -> bool:
    """Whether the file belongs to an older version: it is below a folder such as ``v1/``, and the same path without that exists."""
    return "/v" in f"/{path}" and any(
        bundle.file_at(path[: folder.start()] + path[folder.end() :]) is not None for folder in _VERSION_FOLDER.finditer(path)
    )
