"""A regular expression in, a function that finds its matches out; and a text that every match contains.

Patterns come from untrusted callers, so the engine is RE2: its time is linear in the text for every pattern, and the size of a
compiled program is limited.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final, NamedTuple

from hardtack.errors import MissingExtra, UsageError

_MAX_CHARACTERS: Final = 1000
_MAX_STEPS: Final = 2500
"""Instructions of a compiled program, which bounds the time per byte of text. ``\\pL`` alone takes 1,200."""
_MAX_MEMORY: Final = 8 << 20
"""Bytes for a program and the cached states of its automaton. Where they do not suffice, RE2 runs its slower NFA."""
_UNSETS_MULTILINE: Final = re.compile(r"\(\?[a-zA-Z]*-[a-zA-Z]*m")
_BEYOND_LINES: Final = re.compile(r"(?<!\\)(?:\\\\)*\\[AzC]")
"""The ends of the text, and any byte: what these match depends on how many lines are searched at once."""
_PIECE: Final = re.compile(
    r"""
      \\(?P<escaped>[^\w\s])  # a literal that would be an operator without its backslash
    | (?P<set>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\])
    | (?P<open>\() | (?P<close>\)) | (?P<or>\|)
    | (?P<repeated>[*?]\??|\{\d+(?:,\d*)?\}\??)  # may match zero times
    | (?P<other>\\[pP](?:\{[^}]*\}|.) | \\x(?:\{[^}]*\}|..) | \\[0-7]{1,3} | \\. | \+\?? | [.^$])
    | (?P<plain>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_UNSUPPORTED: Final = re.compile(r"\\Q|\(\?(?!:|P?<)")
"""Quoted text and inline flags, which change what the letters of a pattern match."""


Find = Callable[[bytes, int], int]
"""A text and an offset in it -> the offset of the next match from there, or -1."""


class LineRule(NamedTuple):
    """Which lines are wanted, besides what they are to contain; as the flags of ``grep`` say it."""

    ignore_case: bool = False
    """Letters match in either case, by Unicode's simple folding."""
    whole_words: bool = False
    """Neither a letter, mark, digit nor connector stands right before or after the match."""
    inverted: bool = False
    """The lines in which nothing matches."""


def finder(wanted: str, rule: LineRule, *, regex: bool) -> Find:
    """What finds a text, or with ``regex`` the matches of a pattern, in lines; errors as of :func:`compiled`."""
    if regex or rule.ignore_case:
        return compiled(wanted, ignore_case=rule.ignore_case, whole_words=rule.whole_words, literal=not regex)
    text = wanted.encode("utf-8", "surrogatepass")
    return _whole(lambda line, at: (line.find(text, at), len(text))) if rule.whole_words else lambda line, at: line.find(text, at)


def compiled(pattern: str, *, ignore_case: bool = False, whole_words: bool = False, literal: bool = False) -> Find:
    """What finds the matches of a pattern, or with ``literal`` of a text.

    The text is matched line by line: ``^`` and ``$`` match at the ends of a line, nothing matches a newline.

    Raises:
        UsageError: REGEX_INVALID, the pattern is malformed, or too large.
        MissingExtra: RE2 is not installed.
    """
    try:
        import re2
    except ImportError as error:
        raise MissingExtra("Ignoring case" if literal else "Searching by a regular expression", "regex") from error
    if len(pattern) > _MAX_CHARACTERS:
        raise _refused(f"The pattern has {len(pattern)} characters; at most {_MAX_CHARACTERS} are read.")
    if literal:
        pattern = re2.escape(pattern)
    elif _UNSETS_MULTILINE.search(pattern):
        raise _refused("The pattern turns the flag m off; it is matched line by line.")
    elif _BEYOND_LINES.search(pattern):
        raise _refused(r"The pattern has \A, \z or \C; it is matched line by line, with ^ and $ for their ends.")
    options = re2.Options()
    options.never_nl, options.log_errors, options.max_mem = True, False, _MAX_MEMORY
    try:
        # alone first, as what stands around it could mend a malformed pattern
        flags, whole = b"(?mi)" if ignore_case else b"(?m)", pattern.encode()
        program = re2.compile(flags + whole, options)
        # by ASCII: what stands there beyond it, _whole looks at
        word = re2.compile(flags + rb"(?:^|\W)(" + whole + rb")(?:\W|$)", options) if whole_words else None
    except (re2.error, UnicodeEncodeError) as error:
        what = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else "it is no text"
        raise _refused(f"The pattern cannot be used: {what}.") from error
    if program.programsize > _MAX_STEPS:
        raise _refused(f"The pattern makes a program of {program.programsize} steps; at most {_MAX_STEPS} are run.")

    if word:

        def next_word(text: bytes, at: int) -> tuple[int, int]:
            match = word.search(text, at)
            return (match.start(1), match.end(1) - match.start(1)) if match else (-1, 0)

        return _whole(next_word)

    def find(text: bytes, at: int) -> int:
        match = program.search(text, at)
        return match.start() if match else -1

    return find


def _whole(next_match: Callable[[bytes, int], tuple[int, int]]) -> Find:
    """What finds the matches of ``next_match``, which gives (offset or -1, length), that are whole words."""

    def find(text: bytes, at: int) -> int:
        found, length = next_match(text, at)
        while found >= 0 and (_ends_in_word(text[max(found - 4, 0) : found]) or _begins_word(text[found + length :][:4])):
            found, length = next_match(text, found + 1)
        return found

    return find


def _ends_in_word(text: bytes) -> bool:
    return _is_of_word(text.decode("utf-8", "ignore")[-1:])


def _begins_word(text: bytes) -> bool:
    return _is_of_word(text.decode("utf-8", "ignore")[:1])


def _is_of_word(character: str) -> bool:
    """Whether a character is of a word, as Unicode's technical standard 18 has it; False of none."""
    if character.isascii():
        return character.isalnum() or character == "_"
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc") or character in "\u200c\u200d"


def _refused(why: str) -> UsageError:
    return UsageError(why, code="REGEX_INVALID", hint="The syntax is RE2's.")


def required_text(pattern: str) -> str:
    """The longest literal outside of groups that every match contains; empty if there is none, as with alternatives."""
    if _UNSUPPORTED.search(pattern):
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
