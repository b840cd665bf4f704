"""The text around a name that is bound in a loop, a list or a pattern in, the place of the value that it is taken out of out."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hardtack.nouns.relations import EACH

_REACH: Final = 600
"""Bytes after a name that are searched."""
_ARMS: Final = 4_000
"""Bytes before an arm that are searched for the beginning of all arms."""
_LOOP: Final = re.compile(rb"\bfor(?:each)?\b\s*(\()?[^;]*\Z")
_IN: Final = re.compile(rb"\s*(?:\)\s*)?\b(?:in|of)\s+(enumerate\s*\(\s*)?|\s*:(?![:=])\s*|\s*:?=\s*range\s+")
_SECOND: Final = re.compile(rb"\bfor\s*\(?\s*[\w$]+\s*,\s*(?:&|mut\s+)*\Z")
_LIST_BEFORE: Final = re.compile(rb"(?:[\w$.]+\s*,\s*)*$")
_HELD: Final = re.compile(rb"\b(?:Some|Ok)\(\s*(?:&|ref\s+|mut\s+)*\Z")
_HELD_AFTER: Final = re.compile(rb"\s*\)\s*(?:=(?![=>])\s*|((?:if\b[^\n]*?)?=>))")
_TUPLE_BEFORE: Final = re.compile(rb"(?:\b(?:let|const|var|val|auto)\b[ \t&]*|\A\s*|\(\s*)[(\[]([^()\[\]{}=;]*)\Z")
_TUPLE_AFTER: Final = re.compile(rb"([^()\[\]{}=;]*)[)\]]\s*=(?![=>])\s*")
_GIVEN: Final = re.compile(
    rb"\s*(?:\?\.|\.)\s*(?:map|for_each|forEach|filter|any|all|find|find_map|flat_map|flatMap|filter_map|filterMap|inspect|some|every"
    rb"|each|and_then|is_some_and|is_ok_and|Where|Select|SelectMany|Any|All|First|FirstOrDefault|Single|mapNotNull|firstOrNull|position"
    rb"|partition|map_or|take_while|skip_while|sumOf|associateBy|groupBy|sortedBy|anyMatch|allMatch|noneMatch|ifPresent|also|let)"
    rb"\s*(?:\(\s*(?:async\s+|move\s+)?[(|]?|\{\s*\|?|\s*do\s*\|)\s*(?:&|mut\s+)*\Z"
)
_GIVEN_AFTER: Final = re.compile(rb"\s*(?:[|,]|\)?\s*[=-]>|in\b)")
_BRACE: Final = re.compile(rb"[{}]")


class Loop(NamedTuple):
    """A loop that binds a name."""

    at: int
    """Where the collection begins."""
    is_counted: bool
    """Whether the name is bound beside the number of each thing, which the collection gives with it."""

    def each_of(self, chain: str) -> str:
        """The chain of the thing that the name is bound to."""
        return f"{chain.removesuffix('.enumerate()') if self.is_counted else chain}.{EACH}"


class Pattern(NamedTuple):
    """A pattern that takes a value apart."""

    at: int
    """Where the value begins."""
    result: int
    """Which of its parts the name gets, from 1; 0 for all that the value holds."""


def loop_in(line: bytes, text: bytes, end: int) -> Loop | None:
    """The loop that binds the name that ends at ``end``; ``line`` is what precedes the name in its line."""
    loop = _LOOP.search(line) if b"for" in line else None
    found = _IN.match(text, end, end + _REACH) if loop is not None else None
    if loop is None or found is None:
        return None
    sign = found[0].strip()
    is_second = _SECOND.search(line) is not None
    if (sign == b":" and not loop[1]) or (sign.endswith(b"range") != (is_second and not sign.endswith((b"in", b"of", b"(", b":")))):
        return None
    if b"," in line[loop.start() :] and not is_second:
        return None
    if is_second and not sign.endswith(b"range") and not found[1] and not sign.startswith(b")"):
        return None
    return Loop(found.end(), is_second)


def part_of_list(line: bytes, text: bytes, ahead: re.Match[bytes]) -> tuple[int, int]:
    """(where the value of one of several names begins, which part of it the name gets): ``a, b = f()`` and ``a, b = f(), g()``.

    ``ahead`` matches the names after this one, and what sets them.
    """
    listed = _LIST_BEFORE.search(line)
    index = listed[0].count(b",") if listed else 0
    if not index and not ahead[1]:
        return ahead.end(), 0
    starts, depth = [ahead.end()], 0
    for at in range(ahead.end(), min(len(text), ahead.end() + _REACH)):
        sign = text[at : at + 1]
        depth += (sign in (b"(", b"[", b"{")) - (sign in (b")", b"]", b"}"))
        if depth < 0 or (depth == 0 and sign in (b"\n", b";", b"#")):
            break
        if depth == 0 and sign == b",":
            starts.append(at + 1)
    if len(starts) == 1:
        return starts[0], index + 1
    return (starts[index], 0) if index < len(starts) else (len(text), 0)


def pattern_around(line: bytes, text: bytes, end: int) -> Pattern | None:
    """The pattern that takes apart a value that follows it: ``Some(x) = f()``, ``let (a, b) = f()``."""
    if _HELD.search(line):
        after = _HELD_AFTER.match(text, end, end + _REACH)
        return Pattern(after.end(), 0) if after is not None and after[1] is None else None
    before = _TUPLE_BEFORE.search(line)
    if before is None:
        return None
    after = _TUPLE_AFTER.match(text, end, end + _REACH)
    index = before[1].count(b",")
    return Pattern(after.end(), index + 1) if after is not None and (index or b"," in after[1]) else None


def arm_around(line: bytes, text: bytes, start: int, end: int) -> int:
    """The brace in which the arms of a match begin, of which one binds the name as ``Some(x) =>``; -1 for none."""
    if not _HELD.search(line):
        return -1
    after = _HELD_AFTER.match(text, end, end + _REACH)
    if after is None or after[1] is None:
        return -1
    depth, floor = 0, max(0, start - _ARMS)
    for match in _BRACE.finditer(text[floor:start][::-1]):
        depth += 1 if match[0] == b"}" else -1
        if depth < 0:
            return start - match.end()
    return -1


def lambda_around(line: bytes, text: bytes, end: int) -> bytes | None:
    """The text from the joint to the name, where the name is the parameter of a lambda that a collection calls with each thing."""
    given = _GIVEN.search(line)
    return given[0] if given is not None and _GIVEN_AFTER.match(text, end, end + _REACH) else None
