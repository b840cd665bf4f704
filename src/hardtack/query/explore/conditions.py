"""A place in a function in, the innermost line out that decides whether the place is reached.

Told by indentation and by the word that the line begins with, so it holds for code that is indented as formatters do. Of a place
after an early ``return`` nothing is said: that takes the flow of control.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_BRANCH: Final = re.compile(
    r"(?:\}\s*)?(?:else\s+if|else|elif|elsif|elseif|if|unless|switch|case|when|match|while|until|for|foreach|loop|except|catch|rescue|select|guard|default)\b"
)
_ARM: Final = re.compile(r".{1,200}=>\s*(?:\{\s*)?$")
"""An arm of a ``match``, or a lambda that is passed on."""
_ENDS: Final = re.compile(r"[)\]]|\{$|then$|do$")
"""What begins the last line of a condition over several lines, or stands alone below it."""
_GOES_ON: Final = re.compile(r"(?:&&|\|\||\band|\bor|\\|,|=)\s*$")
"""What a line ends with whose condition goes on."""
_JOINED: Final = re.compile(r"([(\[]) +| +([)\]])")
_MOST_LINES: Final = 60
"""Lines of a condition that are read."""
_TAB: Final = 4
_LONGEST: Final = 120


def condition_of(lines: Sequence[str], place: int) -> str:
    """The innermost deciding line above ``place``.

    Args:
        lines: of the function, from its first.
        place: index of the line in question.

    Returns:
        The line, or the lines of one condition joined, without indentation and opening brace, cut with an ellipsis where it is
        long; empty if there is none.
    """
    if not 0 < place < len(lines):
        return ""
    if (own := _said(lines[place])) and len(own.split()) > 2 and _BRANCH.match(own):
        return ""  # the place is in the condition itself
    depth, end = _indentation(lines[place]), -1
    for number in range(place - 1, 0, -1):
        line = lines[number]
        if not line.strip() or _indentation(line) >= depth:
            continue
        if _ENDS.match(line.strip()):  # the last line of a condition over several, or a brace below it
            depth, end = _indentation(line) + 1, number if end < 0 else end
            continue
        if _BRANCH.match(_said(line)) or _ARM.match(line):
            return _shown(lines[number : _end(lines, number, max(end, number), place) + 1])
        depth, end = _indentation(line), -1
    return ""


def _end(lines: Sequence[str], first: int, last: int, place: int) -> int:
    """The last line of a condition that begins at ``first``, before ``place``: brackets are closed there."""
    opened = sum(_opened(line) for line in lines[first : last + 1])
    while (opened > 0 or _GOES_ON.search(lines[last])) and last + 1 < place and last - first < _MOST_LINES:
        last += 1
        opened += _opened(lines[last])
    return last


def _opened(line: str) -> int:
    return sum(line.count(mark) for mark in "([") - sum(line.count(mark) for mark in ")]")


def _shown(lines: Sequence[str]) -> str:
    """The lines of a condition as one, without indentation and opening brace, cut where it is long."""
    said = _JOINED.sub(lambda match: match[1] or match[2], _said(" ".join(line.strip() for line in lines))).strip()
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."


def _said(line: str) -> str:
    return line.strip().removesuffix("{").removesuffix(":").strip().removeprefix("}").strip()


def _indentation(line: str) -> int:
    text = line.expandtabs(_TAB)
    return len(text) - len(text.lstrip())
