"""One file's text and its language in, its syntax tree and query matches out; None if parsing exceeds its deadline.

It runs in a worker process that may be killed at any moment, so it stores only one parser and compiled queries for each grammar.
Parsing holds the GIL, so threads would not help. The language's queries decide which nodes matter.
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

from hardtack.build.languages.registry import languages, macros_of, query_source
from hardtack.nouns.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language

_LONGEST_LINE = 10_000
"""Bytes of a line; longer lines are generated, or written to be hard to parse."""
_BLOCK_BYTES = 1_024
"""Bytes that each call of the read function returns."""
_MOST_READINGS = 2_000
"""How often each block of a text with an overlong line is read, on average; six seconds a megabyte. Most grammars read a block once
or twice. Those that ask for the column at every token (Scala's, Perl's) read the line from its start each time: quadratic time."""
_MOST_NAMELESS = 4_000
"""Tokens in a row that an error may hold."""
_MAX_DEPTH = 500
"""Maximum depth in the tree at which a match may begin: a pattern that fits at every level takes quadratic time."""
_MAX_WAITING = 256
"""Unfinished matches of a details query; of thousands of repository files none had as many. A fact that stands before the name it
is about, as an attribute, waits for that name, and each node in between is compared with all that wait: quadratic time."""
_UNLIMITED = 0xFFFFFFFF
MAX_ERROR_LINES = 100
_MAX_ERROR_STEPS = 200_000
"""Nodes that are searched for error lines; a file with more errors is noise."""

TO_BLANKS: Final = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_TO_UNDERSCORES: Final = TO_BLANKS.replace(b" ", b"_")
_FILLER: Final = b"_"

_JOINED: Final = ("tags", "details", "imports")


class Deadline:
    """A limit of processor time of this process, in seconds from now.

    Reading the processor-time clock is a system call, which takes longer than a step of a parse. Reading the wall clock is not, and
    it runs at least as fast, so the processor-time clock is read only after the wall clock has passed the deadline.
    """

    __slots__ = ("_processor", "_wall")

    def __init__(self, seconds: float) -> None:
        self._processor = time.process_time() + seconds
        self._wall = time.monotonic() + seconds

    def has_passed(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._wall and time.process_time() > self._processor


def readable(text: bytes, language: Language) -> bytes:
    """The text with blanks in place of what the grammar cannot parse: macros, and what ``blanks`` match; the offsets stay."""
    if language.has_macros:
        text = macros_of(language)(text)
    for pattern in _blanks_of(language):
        text = pattern.sub(_blanked, text)
    return text


def parse(text: bytes, language: Language, deadline: Deadline) -> Tree | None:
    """The tree of a text from :func:`readable`, with its errors, or None if the deadline passed, or it is no text of the language.

    A parse of bytes can be stopped only by the timer signal of its process. A parse through a read function can be stopped, but
    that function is called again for each step back, which some grammars take at every line. So only text with an overlong line is
    read through a function, in small blocks. It is given up when blocks are read too often, too: the time is then in proportion to
    the text, on every machine for the same texts.
    """
    parser = _parser(language.grammar)
    if max(map(len, text.split(b"\n"))) <= _LONGEST_LINE:
        tree = parser.parse(text)
        return None if deadline.has_passed() or _is_noise(tree) else tree
    blocks = _Blocks(text)
    try:
        tree = parser.parse(blocks.read, progress_callback=lambda *_: blocks.are_read_too_often() or deadline.has_passed())
    except ValueError:  # the binding raises it when the callback stops the parse
        parser.reset()
        return None
    return None if _is_noise(tree) else tree


class _Blocks:
    """A text as a parser reads it, block by block; it counts how often it does."""

    __slots__ = ("_by_start", "_left", "_text")

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._by_start: dict[int, bytes] = {}
        """Each block is one object, however often it is read: each call leaks a reference to what it returns (tree-sitter 0.26)."""
        self._left = _MOST_READINGS * (len(text) // _BLOCK_BYTES + 1)

    def read(self, at: int, _: object) -> bytes:
        """The text from byte ``at`` on."""
        self._left -= 1
        block = self._by_start.get(at)
        if block is None:
            block = self._by_start[at] = self._text[at : at + _BLOCK_BYTES]
        return block

    def are_read_too_often(self) -> bool:
        """Whether the text was read as often as it may be."""
        return self._left < 0


def _is_noise(tree: Tree) -> bool:
    """Whether thousands of tokens in a row are no part of anything: brackets that nothing closes, a line of dashes.

    A query looks for a sibling with a name from each of them on: quadratic time, eight seconds for 100 KB of brackets.
    """
    if not tree.root_node.has_error:
        return False
    for node in _errors(tree):
        run = 0
        for child in node.children if node.child_count > _MOST_NAMELESS else ():
            run = 0 if child.is_named else run + 1
            if run > _MOST_NAMELESS:
                return True
    return False


def error_lines(tree: Tree) -> tuple[int, ...]:
    """First lines, 1-based and ascending, of the tree's error and missing nodes; at most ``MAX_ERROR_LINES``."""
    lines: set[int] = set()
    for node in _errors(tree):
        lines.add(node.start_point.row + 1)
        if len(lines) == MAX_ERROR_LINES:
            break
    return tuple(sorted(lines))


def error_spans(tree: Tree) -> list[tuple[int, int]]:
    """(start, end), in bytes and in order, of the tree's error nodes, and of the nodes in which something is missing."""
    spans: list[tuple[int, int]] = []
    for node in _errors(tree):
        within = node.parent if node.is_missing else node
        if within is not None and (not spans or within.end_byte > spans[-1][1]):
            spans.append(within.byte_range)
    return spans


def _errors(tree: Tree) -> Iterator[Node]:
    """The outermost error nodes and the missing nodes of a tree, in order; the rest of a file with very many is passed over."""
    cursor = tree.walk()
    for _ in range(_MAX_ERROR_STEPS):
        node = cursor.node
        assert node is not None
        if node.is_error or node.is_missing:
            yield node
        if node.has_error and not node.is_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


@cache
def query_of(language: Language, name: str = "tags") -> Query:
    """One of the language's queries, compiled: ``tags``, ``details``, ``uses`` or ``imports``; the language must have it."""
    return Query(get_language(language.grammar), query_source(language, name))  # type: ignore[arg-type]


def compile_queries(names: Iterable[str]) -> None:
    """Compile the queries of the languages with these ids, which are then kept: in a second for C++, at once for those compiled."""
    for language in map(languages().__getitem__, names):
        if language.has_query:
            patterns_of(language)
        if language.has_uses:
            query_of(language, "uses")


Match = tuple[int, "Mapping[str, Sequence[Node]]"]
"""(index of the pattern within its query, nodes of each capture)."""


class QueryMatches(NamedTuple):
    """The matches of three of a language's queries in one tree, in the order of the source; empty for a query that it lacks."""

    tags: list[Match]
    details: list[Match]
    imports: list[Match]


class _JointQuery(NamedTuple):
    """A language's tags, details and imports as one query: one pass over a tree takes half as long as three."""

    query: Query
    settings: tuple[list[dict[str, str | None]], ...]
    """The settings of every pattern of each query, in the order of :class:`QueryMatches`."""
    sources: list[str]
    """The source text of each pattern of tags."""


@cache
def _joint_query_of(language: Language) -> _JointQuery:
    has = (True, language.has_details, language.has_imports)
    sources = [query_source(language, name).encode() + b"\n" if has_it else b"" for name, has_it in zip(_JOINED, has, strict=True)]
    whole = b"".join(sources)
    query = Query(get_language(language.grammar), whole.decode())  # type: ignore[arg-type]
    ends = list(accumulate(map(len, sources)))
    settings: tuple[list[dict[str, str | None]], ...] = ([], [], [])
    for pattern in range(query.pattern_count):
        settings[bisect_right(ends, query.start_byte_for_pattern(pattern))].append(query.pattern_settings(pattern))
    starts_and_ends = ((query.start_byte_for_pattern(at), query.end_byte_for_pattern(at)) for at in range(len(settings[0])))
    return _JointQuery(query, settings, [whole[start:end].decode() for start, end in starts_and_ends])


def settings_of(language: Language, name: str) -> list[dict[str, str | None]]:
    """The settings of each pattern of the language's ``tags``, ``details`` or ``imports``, in the query's order."""
    return _joint_query_of(language).settings[_JOINED.index(name)]


def matches_of(tree: Tree, language: Language) -> QueryMatches:
    """The matches of the language's tags, details and imports, except those that begin too deep in the tree.

    If more than ``_MAX_WAITING`` wait at a time, those that began first are dropped, among details alone: the first of hundreds of
    attributes before a definition, but never the definition.
    """
    joint = _joint_query_of(language)
    first_detail = len(joint.settings[0])
    first_import = first_detail + len(joint.settings[1])
    found = QueryMatches([], [], [])
    # No progress callback: it crashes tree-sitter 0.26. The timer signal of the process stops a query that takes too long.
    cursor = _cursor(joint.query, _MAX_WAITING if language.has_details else _UNLIMITED)
    for pattern, captures in cursor.matches(tree.root_node):
        if pattern < first_detail:
            found.tags.append((pattern, captures))
        elif pattern < first_import:
            found.details.append((pattern - first_detail, captures))
        else:
            found.imports.append((pattern - first_import, captures))
    if not cursor.did_exceed_match_limit:
        return found
    found = QueryMatches([], [], [])
    found.tags.extend(_cursor(query_of(language)).matches(tree.root_node))
    found.details.extend(_cursor(query_of(language, "details"), _MAX_WAITING).matches(tree.root_node))
    if language.has_imports:
        found.imports.extend(_cursor(query_of(language, "imports")).matches(tree.root_node))
    return found


def uses_in(tree: Tree, language: Language) -> Mapping[str, Sequence[Node]]:
    """The nodes of each capture of the language's ``uses`` query, in no order; the language must have it."""
    return _cursor(query_of(language, "uses")).captures(tree.root_node)


def _cursor(query: Query, limit: int = _UNLIMITED) -> QueryCursor:
    """A cursor that keeps at most ``limit`` unfinished matches."""
    cursor = QueryCursor(query, match_limit=limit)
    cursor.set_max_start_depth(_MAX_DEPTH)
    return cursor


class Pattern:
    """One pattern of a tags query, with its settings."""

    __slots__ = ("capture", "conditions", "is_local", "is_own", "kind", "language", "reaches_next")

    def __init__(self, source: str, settings: Mapping[str, str | None]) -> None:
        found = sorted(set(re.findall(r"@definition\.(\w+)", source)))
        if len(found) > 1:
            raise ValueError(f"one pattern defines {' and '.join(found)}: {source.strip()}")
        self.kind = Kind(found[0]) if found else None
        """The kind that it defines; None if it defines nothing."""
        self.capture = f"definition.{found[0]}" if found else ""
        self.is_local = settings.get("outside") == "function"
        """It counts only outside functions."""
        self.is_own = settings.get("named") == "type"
        """Inside a type it counts only with the type's own name."""
        self.reaches_next = settings.get("until") == "next"
        """What it defines reaches to the next definition of such a pattern, or to the end of the text."""
        self.language = settings.get("language") or ""
        """The language of the region that it captures, unless the file names it."""
        self.conditions = tuple(
            (name.removeprefix("match."), re.compile((wanted or "").encode()))
            for name, wanted in sorted(settings.items())
            if name.startswith("match.")
        )
        """(capture, expression): a match counts only if the expression matches the capture's whole text. These are settings that we
        evaluate, because the query language's own predicates have crashed (tree-sitter 0.26)."""


@cache
def patterns_of(language: Language) -> tuple[Pattern, ...]:
    """The patterns of the language's tags query, in its order.

    Raises:
        ValueError: a pattern captures an unknown kind, or more than one: a fault of the query, never of the input.
    """
    joint = _joint_query_of(language)
    return tuple(map(Pattern, joint.sources, joint.settings[0]))


@cache
def _blanks_of(language: Language) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.MULTILINE) for pattern in language.blanks)


def _blanked(match: re.Match[bytes]) -> bytes:
    """The match with each group replaced by blanks: one with a name by that name and blanks, one called ``_`` by underscores.

    Line ends stay where they are.
    """
    found, base = match[0], match.start()
    names = {number: name.encode() for name, number in match.re.groupindex.items()}
    for number, (start, end) in enumerate(match.regs[1:], 1):
        if start < 0:
            continue
        name, length = names.get(number, b""), end - start
        if name == _FILLER:
            new = found[start - base : end - base].translate(_TO_UNDERSCORES)
        else:
            new = name.ljust(length)[:length] if name else found[start - base : end - base].translate(TO_BLANKS)
        found = found[: start - base] + new + found[end - base :]
    return found


@cache
def _parser(grammar: str) -> Parser:
    return Parser(get_language(grammar))  # type: ignore[arg-type]
