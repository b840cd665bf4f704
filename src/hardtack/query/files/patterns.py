"""A regular expression in, a function that finds the lines it matches out; and the texts that no line can match without.

Patterns come from anyone, so the engine is RE2: its time is linear in the text whatever the pattern, and its program has a bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hardtack.errors import MissingExtra, UsageError

_MOST_CHARACTERS: Final = 1000
_MOST_STEPS: Final = 2500
"""Of a compiled program: what a byte of text costs at most. ``\\pL`` alone takes 1,200."""
_MEMORY: Final = 8 << 20
"""Bytes that a program and its states may take; where that is too little, RE2 goes on step by step, and slower."""
_UNSETS_LINES: Final = re.compile(r"\(\?[a-zA-Z]*-[a-zA-Z]*m")
_LEAVES_LINES: Final = re.compile(r"(?<!\\)(?:\\\\)*\\[AzC]")
"""The ends of the text, and any byte at all: what they match depends on what else is looked at with a line."""
_PIECE: Final = re.compile(
    r"""
      \\(?P<escaped>[^\w\s])  # what would mean something else without its backslash
    | (?P<set>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\])
    | (?P<open>\() | (?P<close>\)) | (?P<or>\|)
    | (?P<repeated>[*?]\??|\{\d+(?:,\d*)?\}\??)  # not at all, perhaps
    | (?P<other>\\[pP](?:\{[^}]*\}|.) | \\x(?:\{[^}]*\}|..) | \\[0-7]{1,3} | \\. | \+\?? | [.^$])
    | (?P<plain>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_UNREAD: Final = re.compile(r"\\Q|\(\?(?!:|P?<)")
"""Quoted text, and flags, under which letters may mean others."""


def compiled(pattern: str) -> Callable[[bytes, int], int]:
    """A function of a text and a place in it to the place of the next match from there, -1 if there is none.

    The text is matched line by line: ``^`` and ``$`` mean the ends of a line, nothing matches a newline.

    Raises:
        UsageError: REGEX_INVALID, the pattern is malformed, or too large.
        MissingExtra: RE2 is not installed.
    """
    try:
        import re2
    except ImportError as error:
        raise MissingExtra("Searching by a regular expression", "regex") from error
    if len(pattern) > _MOST_CHARACTERS:
        raise _refused(f"The pattern has {len(pattern)} characters; at most {_MOST_CHARACTERS} are read.")
    if _UNSETS_LINES.search(pattern):
        raise _refused("The pattern turns the flag m off; it is matched line by line.")
    if _LEAVES_LINES.search(pattern):
        raise _refused(r"The pattern has \A, \z or \C; it is matched line by line, with ^ and $ for their ends.")
    options = re2.Options()
    options.never_nl, options.log_errors, options.max_mem = True, False, _MEMORY
    try:
        program = re2.compile(b"(?m)" + pattern.encode(), options)
    except (re2.error, UnicodeEncodeError) as error:
        what = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else "it is no text"
        raise _refused(f"The pattern cannot be used: {what}.") from error
    if program.programsize > _MOST_STEPS:
        raise _refused(f"The pattern makes a program of {program.programsize} steps; at most {_MOST_STEPS} are run.")

    def find(text: bytes, at: int) -> int:
        match = program.search(text, at)
        return match.start() if match else -1

    return find


def _refused(why: str) -> UsageError:
    return UsageError(why, code="REGEX_INVALID", hint="The syntax is RE2's.")


def required_text(pattern: str) -> str:
    """The longest text that is in whatever the pattern matches, as far as a look at its outermost parts tells; empty if none is."""
    if _UNREAD.search(pattern):
        return ""
    texts, text, depth = [], "", 0
    for piece in _PIECE.finditer(pattern):
        kind = piece.lastgroup
        if kind == "or" and depth == 0:
            return ""
        if kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
        if depth == 0 and kind in ("escaped", "plain"):
            text += piece.group(kind)
            continue
        texts.append(text[:-1] if kind == "repeated" else text)
        text = ""
    return max([*texts, text], key=len)
