"""A path glob in, a predicate over paths out.

``**`` is any run of characters, ``*`` any run within one component, ``?`` one character of it. A glob without a slash is held
against the last component, as in ``.gitignore``; one that ends in a slash, or names a directory, takes all below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_WILD = re.compile(r"\*\*/|\*\*|\*|\?")
_MEANING = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def path_predicate(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path matches any of ``globs``."""
    pattern = re.compile("|".join(_pattern(glob) for glob in globs), re.DOTALL)
    return lambda path: pattern.fullmatch(path) is not None


def _pattern(glob: str) -> str:
    body, at = "", 0
    for wild in _WILD.finditer(glob):
        body += re.escape(glob[at : wild.start()]) + _MEANING[wild.group()]
        at = wild.end()
    body += re.escape(glob[at:])
    if "/" not in glob:
        return f"(?:[^/]+/)*{body}(?:/.*)?"
    return f"{body.lstrip('/')}.*" if glob.endswith("/") else f"{body.removeprefix('/')}(?:/.*)?"
