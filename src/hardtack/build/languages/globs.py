"""The globs of a language's tests in, one regular expression for all of them out."""

from __future__ import annotations

import re
from functools import cache


@cache
def glob_pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    """One expression for all globs; None if there are none."""
    if not globs:
        return None
    return re.compile("|".join(map(_glob_expression, globs)))


def _glob_expression(glob: str) -> str:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob if "/" in glob else f"**/{glob}")
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(meaning.get(part) or re.escape(part) for part in parts)
