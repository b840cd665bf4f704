"""Which places an answer shows, read from the text that each tool of ``agent_tasks.py`` writes, and whether one is wanted.

A tool that names a place without its code counts as one that shows it: the reader knows where to go. Paths with blanks are not
read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple


class Place(NamedTuple):
    """A stretch of a file, a symbol in it, or both."""

    path: str
    first: int
    """The first line, from 1; 0 if no line is known."""
    last: int
    name: str = ""
    """The symbol there, as the tool writes it; empty if none is named."""


_ABOVE = 12
"""Lines above a symbol that may be its comment or its decorators: some tools begin it there, others at its name."""
_SEPARATORS = re.compile(r"::|->|[.#/\\]")


def shows(place: Place, wanted: Place) -> bool:
    """Whether ``place`` shows the wanted one: by a line of it, or by its name in its file.

    A name that is written in full (``Cart.add`` of ``Cart.add``) counts wherever in the file it is said to be. A part of it
    (``add``) counts without a line, or with a line no further above the wanted ones than a comment may be. That of another owner
    (``Shelf.add``) does not count.
    """
    if place.path != wanted.path:
        return False
    meets = place.first > 0 and place.first <= wanted.last and place.last >= wanted.first
    if meets or not (place.name and wanted.name):
        return meets
    mine, its = (_SEPARATORS.split(each.name) for each in (place, wanted))
    common = min(len(mine), len(its))
    if mine[-common:] != its[-common:]:
        return False
    return len(mine) == len(its) or place.first == 0 or (place.first <= wanted.last and place.last >= wanted.first - _ABOVE)


def found_in(places: Iterable[Place], wanted: Iterable[Place]) -> set[Place]:
    """Those of the wanted places that one of ``places`` shows."""
    shown = list(places)
    return {each for each in wanted if any(shows(place, each) for place in shown)}


# -- hardtack -------------------------------------------------------------------------------------------------------------------

_AT = re.compile(r"(?:`([^`\s]+)`(?:\*\*)? )?`?([^\s`:;,]+)`?:(\d+)(?:-(\d+))?((?:, \d+)*)(?![\w.])")
"""A name, if one stands there, and a path with lines: ``routergroup.go:107``, ``a.go:272, 297``, ``a.go:53-60``."""
_AFTER = re.compile(r"`(?: of \d+-\d+| of \d+|, of \d+-\d+)? \w+(?: \w+)? `([^`]+)`")
"""The name in ``\\`a.go:53-60\\` struct \\`Cart\\```."""
_MEMBER = re.compile(r"(?:: |; )([\w~$]+) (\d+)(?=;|$)")
_SAME_NAME = re.compile(r"more of this name at ([\d, ]+)")
_HEADING = re.compile(r"#{2,} `([^`]+)`$")
_CALLER = re.compile(r"- (?:[\w ]+ `([^`]+)`|top of the file), .*\bat (\d+)")
_LINE = re.compile(r"\s*(?:- |↓ )?(\d+)[:,] ")
_FENCE = re.compile(r"(`{3,})")


def hardtack_places(answer: str) -> Iterator[Place]:
    """Places in an answer of ``explore``, ``symbol``, ``usages``, ``read`` or ``search_text`` in Markdown.

    The heading above code says which lines it has, so what is inside a fence is not read; but for the lines of ``search_text``,
    whose heading is a path alone.
    """
    path, fence, before = "", "", ""
    for line in answer.split("\n"):
        if fence:
            if line == fence:
                fence = ""
            elif path and (numbered := _LINE.match(line)):
                yield Place(path, int(numbered[1]), int(numbered[1]))
        elif opening := _FENCE.match(line):
            fence, path = opening[1], before if before and " " not in before and "`" not in before else ""
        elif heading := _HEADING.match(line):
            path = heading[1]
        elif path and (caller := _CALLER.search(line)):
            yield Place(path, int(caller[2]), int(caller[2]), caller[1] or "")
        elif path and (numbered := _LINE.match(line)):
            yield Place(path, int(numbered[1]), int(numbered[1]))
        else:
            for place in _hardtack_line(line):
                yield place
                path = place.path if line[:1].isdigit() else path  # a step of a way, whose call stands in the next line
        before = line


def _hardtack_line(line: str) -> Iterator[Place]:
    """The places of a line that names paths."""
    for at in _AT.finditer(line):
        name, path, first, last, more = at.groups()
        after = _AFTER.match(line, at.end()) if name is None else None
        yield Place(path, int(first), int(last or first), name or (after[1] if after else ""))
        for other in re.findall(r"\d+", more):
            yield Place(path, int(other), int(other), name or "")
        if line.startswith("`"):
            for member, number in _MEMBER.findall(line[at.end() :]):
                yield Place(path, int(number), int(number), member)
            for numbers in _SAME_NAME.findall(line):
                yield from (Place(path, int(number), int(number)) for number in re.findall(r"\d+", numbers))


# -- codegraph ------------------------------------------------------------------------------------------------------------------

_SECTION = re.compile(r"\*\*`([^`]+)`\*\*(?: — (.*))?$")
_LABEL = re.compile(r"([^\s,()]+)\((\w+)\)")
_NO_PLACES = frozenset(
    """file contains calls imports exports extends implements references type_of returns instantiates overrides decorates navigates
    """.split()  # noqa: SIM905  (read more easily so)
)
"""What codegraph puts after its name for the file, or after one that the file refers to; else it puts the kind of symbol."""
_NAMED_AT = re.compile(r"`?([^\s`(]+)`? \(([^\s():]+):(\d+)\)")
_WIRED_AT = re.compile(r"@([^\s:\]]+):(\d+)")
_POINTER = re.compile(r"- ([^\s:]+): (.+)$")
_POINTED = re.compile(r"([^\s,:]+):(\d+)(?=,|$)")
_NUMBERED = re.compile(r"(\d+)\t")


def codegraph_places(answer: str) -> Iterator[Place]:
    """Places in an answer of ``codegraph_explore``: numbered source, and names with their file."""
    path, fence, is_rest = "", "", False
    for line in answer.split("\n"):
        if fence and (numbered := _NUMBERED.match(line)):
            yield Place(path, int(numbered[1]), int(numbered[1]))
        elif opening := _FENCE.match(line):
            fence = "" if fence else opening[1]
        elif section := _SECTION.match(line):
            path = section[1]
            yield from (Place(path, 0, 0, name) for name, kind in _LABEL.findall(section[2] or "") if kind not in _NO_PLACES)
        elif line.startswith("**Not shown above"):
            is_rest = True
        elif is_rest and (pointer := _POINTER.match(line)):
            for name, number in _POINTED.findall(pointer[2]):
                if name != pointer[1].rpartition("/")[2]:  # the file, at line 1
                    yield Place(pointer[1], int(number), int(number), name)
        else:
            yield from (Place(where, int(number), int(number), name) for name, where, number in _NAMED_AT.findall(line))
            yield from (Place(where, int(number), int(number)) for where, number in _WIRED_AT.findall(line))


# -- semble and ripgrep ---------------------------------------------------------------------------------------------------------


def semble_places(answer: str) -> Iterator[Place]:
    """The stretches of an answer of ``search`` or ``find_related``; all lines count, though ten of each are printed."""
    try:
        results = json.loads(answer).get("results", ())
    except ValueError:  # a sentence: nothing was found
        return
    yield from (Place(each["file_path"], each["start_line"], each["end_line"]) for each in results)


_MATCH = re.compile(r"([^:\n]+):(\d+):")
_READ = re.compile(r"([^:\n]+):(\d+)-(\d+)$")


def ripgrep_places(answer: str) -> Iterator[Place]:
    """The lines that ``rg -n`` printed, or the stretch that was read, which stands above it; none of a list of files by matches."""
    first, _, _ = answer.partition("\n")
    if read := _READ.fullmatch(first):
        yield Place(read[1], int(read[2]), int(read[3]))
        return
    for line in answer.split("\n"):
        if match := _MATCH.match(line):
            yield Place(match[1], int(match[2]), int(match[2]))


PLACES: Mapping[str, Callable[[str], Iterator[Place]]] = {
    "hardtack": hardtack_places,
    "codegraph": codegraph_places,
    "semble": semble_places,
    "ripgrep": ripgrep_places,
}
"""Of each tool what its answers show."""
