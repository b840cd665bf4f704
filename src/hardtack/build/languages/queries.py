"""The path of a query in, its text out: with what it includes, and with what its terms stand for."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent
_INCLUDE = re.compile(r"^; include (\S+)$", re.MULTILINE)
"""What languages share stands in one file; group 1 is its path below this folder."""
_TERM = re.compile(r"^; (\$[A-Z_]+) = ?(.*)\n", re.MULTILINE)
"""Text that a query repeats, or that a file which it includes leaves open."""
_WORD = re.compile(r"\$[A-Z_]+\b")


def expanded(path: str) -> str:
    """The text of the query at a path below this folder."""
    source, terms = _included(path), dict[str, str]()
    for line in _TERM.finditer(source):
        terms[line[1]] = _WORD.sub(lambda word: terms[word[0]], line[2])
    return _WORD.sub(lambda word: terms[word[0]], _TERM.sub("", source))


def _included(path: str) -> str:
    """The text of a query, with that of the files which it includes in place of the lines that say so."""
    return _INCLUDE.sub(lambda line: _included(line[1]), (_FOLDER / path).read_text(encoding="utf-8"))
