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
_TAB: Final = 4
_LONGEST: Final = 120


def condition_of(lines: Sequence[str], place: int) -> str:
    """The innermost deciding line above ``place``.

    Args:
        lines: of the function, from its first.
        place: index of the line in question.

    Returns:
        The line without its indentation and opening brace, shortened; empty if there is none.
    """
    if not 0 < place < len(lines):
        return ""
    if (own := _said(lines[place])) and len(own.split()) > 2 and _BRANCH.match(own):
        return ""  # the place is in the condition itself
    depth = _indentation(lines[place])
    for line in reversed(lines[1:place]):
        if not line.strip() or _indentation(line) >= depth:
            continue
        depth = _indentation(line)
        said = _said(line)
        if _BRANCH.match(said) or _ARM.match(line):
            return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."
    return ""


def _said(line: str) -> str:
    return line.strip().removesuffix("{").removesuffix(":").strip().removeprefix("}").strip()


def _indentation(line: str) -> int:
    text = line.expandtabs(_TAB)
    return len(text) - len(text.lstrip())
