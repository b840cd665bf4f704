"""One file's text and its language in, its syntax tree out - or nothing, when that took longer than its deadline.

Runs in a worker process that may be killed at any moment, so all it keeps is one parser and one compiled query per grammar.
Parsing holds the GIL: threads gain nothing here. Which nodes matter is said by the language's tags query, not here.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from tree_sitter import Parser, Query, QueryCursor
from tree_sitter_language_pack import get_language

from hardtack.build.languages.registry import query_source
from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language

_LONGEST_LINE = 10_000
"""Bytes of a line; beyond that text is made by a program, or to be hard to parse."""
_BLOCK_BYTES = 1_024
"""How much text each call of the read function hands over."""
_DEEPEST = 500
"""How deep in the tree a match may begin: a pattern that fits at every level costs the square of the nesting."""
MAX_ERROR_LINES = 100
_MAX_ERROR_STEPS = 200_000
"""Nodes looked at for error lines; beyond that a file is noise, and counting it costs more than it tells."""

_JOINED: Final = ("tags", "details", "imports")


class Deadline:
    """A number of this process's own seconds, from now on.

    Reading the processor's clock is a system call, which for each step of a parse costs more than the step. The wall's clock is
    not, and runs at least as fast, so that the processor's is asked only when the wall's says that it may be time.
    """

    __slots__ = ("_processor", "_wall")

    def __init__(self, seconds: float) -> None:
        self._processor = time.process_time() + seconds
        self._wall = time.monotonic() + seconds

    def has_passed(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._wall and time.process_time() > self._processor


def readable(text: bytes, language: Language) -> bytes:
    """The text with blanks for what the language's table entry says the grammar cannot know; offsets stay what they are."""
    for pattern in _blanks_of(language):
        text = pattern.sub(_blanked, text)
    return text


def parse(text: bytes, language: Language, deadline: Deadline) -> Tree | None:
    """The tree of a text that is :func:`readable`, errors and all, or None when the deadline passed.

    Nothing stops a parse of bytes but the alarm of the process it runs in. Only one through a read function can be stopped; that is
    called again for every step back, which some grammars take at every line, and each call loses the bytes it returns (tree-sitter
    0.26): 200 MB for 54 KB of Scala. So only text with a line that nobody has written is read like that, a little at a time.
    """
    parser = _parser(language.grammar)
    if max(map(len, text.split(b"\n"))) <= _LONGEST_LINE:
        tree = parser.parse(text)
        return None if deadline.has_passed() else tree
    try:
        return parser.parse(lambda at, _: text[at : at + _BLOCK_BYTES], progress_callback=lambda *_: deadline.has_passed())
    except ValueError:  # what the binding raises when the callback stops it
        parser.reset()
        return None


def error_lines(tree: Tree) -> tuple[int, ...]:
    """First lines, 1-based and ascending, of the tree's error and missing nodes; at most ``MAX_ERROR_LINES``."""
    lines: set[int] = set()
    cursor = tree.walk()
    for _ in range(_MAX_ERROR_STEPS):
        node = cursor.node
        assert node is not None
        if node.is_error or node.is_missing:
            lines.add(node.start_point.row + 1)
            if len(lines) == MAX_ERROR_LINES:
                break
        if node.has_error and not node.is_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return tuple(sorted(lines))
    return tuple(sorted(lines))


@cache
def query_of(language: Language, name: str = "tags") -> Query:
    """One of the language's queries, compiled: ``tags``, ``details``, ``uses`` or ``imports``; ask only where it has it."""
    return Query(get_language(language.grammar), query_source(language, name))  # type: ignore[arg-type]


Match = tuple[int, "Mapping[str, Sequence[Node]]"]
"""The number of the pattern within its query, and the nodes of each capture."""


class Matches(NamedTuple):
    """What three of a language's queries match in one tree, each in order of the source; nothing of a query that it lacks."""

    tags: list[Match]
    details: list[Match]
    imports: list[Match]


class _Joint(NamedTuple):
    """A language's tags, details and imports as one query: one way through a tree takes half as long as three."""

    query: Query
    settings: tuple[list[dict[str, str | None]], ...]
    """Of every pattern, by query, in the order of :class:`Matches`."""
    sources: list[str]
    """Of the patterns of tags."""


@cache
def _joint_of(language: Language) -> _Joint:
    has = (True, language.has_details, language.has_imports)
    sources = [query_source(language, name).encode() + b"\n" if has_it else b"" for name, has_it in zip(_JOINED, has, strict=True)]
    whole = b"".join(sources)
    query = Query(get_language(language.grammar), whole.decode())  # type: ignore[arg-type]
    ends = list(accumulate(map(len, sources)))
    settings: tuple[list[dict[str, str | None]], ...] = ([], [], [])
    for pattern in range(query.pattern_count):
        settings[bisect_right(ends, query.start_byte_for_pattern(pattern))].append(query.pattern_settings(pattern))
    starts_and_ends = ((query.start_byte_for_pattern(at), query.end_byte_for_pattern(at)) for at in range(len(settings[0])))
    return _Joint(query, settings, [whole[start:end].decode() for start, end in starts_and_ends])


def settings_of(language: Language, name: str) -> list[dict[str, str | None]]:
    """The settings of each pattern of the language's ``tags``, ``details`` or ``imports``, in the query's order."""
    return _joint_of(language).settings[_JOINED.index(name)]


def matches_of(tree: Tree, language: Language) -> Matches:
    """What the language's tags, details and imports match; nothing that begins too deep in the tree."""
    joint = _joint_of(language)
    first_detail = len(joint.settings[0])
    first_import = first_detail + len(joint.settings[1])
    found = Matches([], [], [])
    # A progress callback would be welcome here, but it crashes tree-sitter 0.26; the process's alarm stands behind this.
    for pattern, captures in _cursor(joint.query).matches(tree.root_node):
        if pattern < first_detail:
            found.tags.append((pattern, captures))
        elif pattern < first_import:
            found.details.append((pattern - first_detail, captures))
        else:
            found.imports.append((pattern - first_import, captures))
    return found


def uses_in(tree: Tree, language: Language) -> Mapping[str, Sequence[Node]]:
    """The nodes that the language's ``uses`` captures, in no order; ask only where it has it."""
    return _cursor(query_of(language, "uses")).captures(tree.root_node)


def _cursor(query: Query) -> QueryCursor:
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(_DEEPEST)
    return cursor


class Pattern:
    """What one pattern of a tags query means."""

    __slots__ = ("capture", "conditions", "is_local", "kind", "language")

    def __init__(self, source: str, settings: Mapping[str, str | None]) -> None:
        found = sorted(set(re.findall(r"@definition\.(\w+)", source)))
        if len(found) > 1:
            raise ValueError(f"one pattern defines {' and '.join(found)}: {source.strip()}")
        self.kind = Kind(found[0]) if found else None
        """What it defines, if anything."""
        self.capture = f"definition.{found[0]}" if found else ""
        self.is_local = settings.get("outside") == "function"
        """Counts only outside functions."""
        self.language = settings.get("language") or ""
        """What the region that it captures is written in, unless the file says."""
        self.conditions = tuple(
            (name.removeprefix("match."), re.compile((wanted or "").encode()))
            for name, wanted in sorted(settings.items())
            if name.startswith("match.")
        )
        """(capture, expression): a match counts only when the capture's whole text fits. They are settings, read by us: the
        query language's own predicates have crashed (tree-sitter 0.26)."""


@cache
def patterns_of(language: Language) -> tuple[Pattern, ...]:
    """What each pattern of the language's query means, in the query's order.

    Raises:
        ValueError: a pattern captures a kind that is not ours, or more than one. A fault of the table, never of the input.
    """
    joint = _joint_of(language)
    return tuple(map(Pattern, joint.sources, joint.settings[0]))


@cache
def _blanks_of(language: Language) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.MULTILINE) for pattern in language.blanks)


def _blanked(match: re.Match[bytes]) -> bytes:
    """The match with its groups blank, the name of a group in its place where it has one; a group holds no line end."""
    found, base = match[0], match.start()
    names = {number: name.encode() for name, number in match.re.groupindex.items()}
    for number, (start, end) in enumerate(match.regs[1:], 1):
        if start >= 0:
            found = found[: start - base] + names.get(number, b"").ljust(end - start)[: end - start] + found[end - base :]
    return found


@cache
def _parser(grammar: str) -> Parser:
    return Parser(get_language(grammar))  # type: ignore[arg-type]
