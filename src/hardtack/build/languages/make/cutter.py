"""A makefile in, its targets, variables and canned recipes (``define``) out; Automake's and BSD's dialects included.

Make reads logical lines: a closing backslash joins the next one, a tab below a rule begins its recipe, and any other line is an
assignment, a rule or a directive. Recipes, values and ``define`` hold any text, mostly scripts, which grammars of Make cannot
parse; it is skipped here. Conditions are evaluated at run time, so definitions in all their branches count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hardtack.build.languages.prose import comment_words, line_starts
from hardtack.nouns.model import Kind, Span
from hardtack.nouns.outline import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_SIGNATURE_CHARACTERS = 200
_MAX_LOGICAL_BYTES = 20_000
"""How much of a logical line is looked at."""

_PREFIX = re.compile(rb"[ \t]*(?:(?:export|override|private|unexport)[ \t]+)*")
_DIRECTIVE = re.compile(
    rb"(?:[-s]?include|ifn?eq|ifn?def|if|else|endif|vpath|load|export|unexport|undefine)(?![\w.-])(?![ \t]*[:?+!]*=)"
    rb"|\.[ \t]*(?:if\w*|elif\w*|else|endif|for|endfor|include|undef|error|warning|info|export\S*)\b(?![ \t]*[:?+!]*=)"
)
_BOUND = re.compile(rb"[ \t]*(define|endef)(?![^\s])")
_DEFINE = re.compile(rb"define[ \t]+([^\s=:?+!]+)")
_ASSIGNMENT = re.compile(rb"([^\s:#=?+!](?:[^\s:#=?+!]|[?+!:](?!:{0,3}=))*)[ \t]*(?::{1,3}|[?+!])?=")
_TARGET = re.compile(rb"[^\s:]+")
_SPECIAL = re.compile(rb"[.][A-Z_]+")
_CLOSING = {b"(": b")", b"{": b"}"}
_HELP = re.compile(rb"[^#\n]*[ \t]##[ \t]+([^\r\n]+)")


class _Line(NamedTuple):
    """A logical line, in bytes from the start of the text and 0-based physical lines."""

    start: int
    end: int
    first: int
    last: int


def sections_of(text: bytes) -> list[Symbol]:
    """One symbol for each definition, in order; a rule with two targets gives two."""
    starts = line_starts(text)
    lines = list(_logical_lines(text, starts))
    closings = _closings(text, lines)
    symbols: list[Symbol] = []
    index = 0
    is_below_rule = False
    while index < len(lines):
        line = lines[index]
        at = _unprefixed(text, line.start, line.end)
        index += 1
        is_recipe = is_below_rule and text.startswith(b"\t", line.start)
        if is_recipe or text.startswith(b"#", line.start) or _DIRECTIVE.match(text, at, line.end):
            continue
        if (define := _DEFINE.match(text, at, line.end)) is not None:
            is_below_rule = False
            index = closings.get(index - 1, index)
            symbols.append(_symbol(text, starts, (line, lines[index - 1].end), define.span(1), Kind.MACRO))
        elif (assignment := _assigned(text, at, line.end)) is not None:
            is_below_rule = False
            symbols.append(_symbol(text, starts, (line, line.end), assignment, Kind.VARIABLE))
        elif (colon := _colon(text, at, min(line.end, at + _MAX_LOGICAL_BYTES))) >= 0:
            is_below_rule = True
            body = _end_of_recipe(text, lines, index)
            symbols += (_symbol(text, starts, (line, body), place, Kind.TARGET) for place in _targets(text, at, colon))
            if (assignment := _assigned(text, _unprefixed(text, colon + 1, line.end), line.end)) is not None:
                symbols.append(_symbol(text, starts, (line, line.end), assignment, Kind.VARIABLE))
    return symbols


def _unprefixed(text: bytes, at: int, end: int) -> int:
    """Position after the blanks and the words, ``export`` and the like, before an assignment."""
    match = _PREFIX.match(text, at, end)
    return match.end() if match else at


def _end_of_recipe(text: bytes, lines: Sequence[_Line], index: int) -> int:
    """The end of the rule whose first line is the one before ``index``."""
    end = lines[index - 1].end
    while index < len(lines) and _continues_rule(text, lines[index]):
        end = lines[index].end if text.startswith(b"\t", lines[index].start) else end
        index += 1
    return end


def _logical_lines(text: bytes, starts: Sequence[int]) -> Iterator[_Line]:
    """Physical lines joined at a closing backslash, without blank lines."""
    first = 0
    bounds = [*starts, len(text) + 1]
    for index, start in enumerate(starts):
        end = bounds[index + 1] - 1
        stripped = text[start:end].rstrip(b"\r")
        if stripped.endswith(b"\\") and index + 1 < len(starts):
            continue
        whole = text[starts[first] : end].rstrip()
        if whole:
            yield _Line(starts[first], starts[first] + len(whole), first, index)
        first = index + 1


def _closings(text: bytes, lines: Sequence[_Line]) -> dict[int, int]:
    """Index of each ``define`` that an ``endef`` closes -> the index after that one."""
    closings: dict[int, int] = {}
    opened: list[int] = []
    for index, line in enumerate(lines):
        word = _BOUND.match(text, line.start, line.end)
        if word is not None and word[1] == b"define":
            opened.append(index)
        elif word is not None and opened:
            closings[opened.pop()] = index + 1
    return closings


def _assigned(text: bytes, at: int, end: int) -> tuple[int, int] | None:
    """The position of the variable's name if the line from ``at`` assigns one; not of a computed name."""
    match = _ASSIGNMENT.match(text, at, end)
    return None if match is None or b"$(" in match[1] or b"${" in match[1] else match.span(1)


def _colon(text: bytes, at: int, end: int) -> int:
    """The colon that ends a rule's targets: outside every ``$(...)`` and no part of an assignment; -1 if there is none."""
    closings: list[bytes] = []
    while at < end:
        byte = text[at : at + 1]
        if byte == b"$" and text[at + 1 : at + 2] in _CLOSING:
            closings.append(_CLOSING[text[at + 1 : at + 2]])
            at += 1
        elif closings and byte == closings[-1]:
            closings.pop()
        elif not closings and byte in b"#=":
            return -1
        elif not closings and byte == b":" and text[at - 1 : at] != b"\\":
            return -1 if text[at : at + 4].lstrip(b":").startswith(b"=") else at
        at += 1
    return -1


def _targets(text: bytes, at: int, colon: int) -> Iterator[tuple[int, int]]:
    """The positions of the names before the colon, without built-in targets such as ``.PHONY``."""
    start, depth = -1, 0
    for place in range(at, colon + 1):
        byte = text[place : place + 1]
        depth += (byte in b"({" and text[place - 1 : place] in b"$({") - (byte in b")}" and depth > 0)
        if place < colon and (depth or not (byte.isspace() or (byte == b"\\" and text[place + 1 : place + 2] in b"\r\n"))):
            start = place if start < 0 else start
        elif start >= 0:
            if not _SPECIAL.fullmatch(text, start, place) and text[start:place] != b"&":
                yield start, place
            start = -1


def _continues_rule(text: bytes, line: _Line) -> bool:
    """Whether the line may be part of a rule: a recipe, a comment, a condition."""
    return text[line.start : line.start + 1] in b"\t#" or bool(_DIRECTIVE.match(text, line.start, line.end))


def _symbol(text: bytes, starts: Sequence[int], place: tuple[_Line, int], name: tuple[int, int], kind: Kind) -> Symbol:
    """One symbol.

    Args:
        text: the file's text.
        starts: its line starts.
        place: the defining logical line and the end of the definition.
        name: (start, end) of the name.
        kind: of the symbol.
    """
    line, end = place
    above = line.first
    while above > 0 and text.startswith(b"#", starts[above - 1]):
        above -= 1
    words = comment_words(text[starts[above] : starts[line.first]].decode("utf-8", "replace")) if above < line.first else ""
    if not words and (help_ := _HELP.match(text, line.start, line.end)) is not None:  # the custom of "make help"
        words = help_[1].decode("utf-8", "replace").strip()
    head = text[line.start : min(line.end, line.start + _MAX_LOGICAL_BYTES)].decode("utf-8", "replace")
    signature = " ".join(head.replace("\\\n", " ").replace("\\\r\n", " ").split())
    shown = text[name[0] : name[1]].decode("utf-8", "replace")

    def span(start: int, stop: int, first: int) -> Span:
        return Span(start=start, end=stop, start_line=first + 1, end_line=first + 1 + text.count(b"\n", start, stop))

    return Symbol(
        name=shown,
        qualified_name=shown,
        kind=kind,
        span=span(line.start, end, line.first),
        extent=span(starts[above], end, above),
        selection=span(*name, line.first + text.count(b"\n", line.start, name[0])),
        signature=signature.removesuffix(":").rstrip()[:MAX_SIGNATURE_CHARACTERS].rstrip(),
        doc=words,
        package="",
        parent=-1,
    )
