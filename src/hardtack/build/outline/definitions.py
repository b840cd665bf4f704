"""A syntax tree in, drafts out: every definition that the language's tags query found, not yet nested or named.

The comments, attributes, wrapping statements, packages and imports come with them; :mod:`hardtack.build.outline.symbols` makes
symbols of all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hardtack.build.languages.prose import line_starts
from hardtack.build.outline.syntax import matches_of, patterns_of
from hardtack.nouns.model import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Deadline, Match, Pattern, QueryMatches
    from hardtack.nouns.model import Kind

_LINE_REST = re.compile(rb"[ \t\r\f\v]*+(?:\n|\Z)")
"""Blanks up to the end of the line; a long line may hold thousands of comments."""
_USUAL_INDENTATION = 32
"""Bytes; deeper indentation is read byte by byte."""

_MACRO = re.compile(rb"(?!extern\b)[A-Za-z_]")
"""What a macro begins with."""


class Draft:
    """A definition that becomes a :class:`Symbol`. Positions are byte offsets; -1 for none."""

    __slots__ = (
        "body",
        "doc",
        "end",
        "extent",
        "is_from_lines",
        "is_local",
        "is_own",
        "is_package",
        "kind",
        "leading",
        "name",
        "name_end",
        "pattern",
        "scope",
        "start",
    )

    def __init__(self, span: tuple[int, int], name: tuple[int, int], kind: Kind, pattern: int = -1) -> None:
        self.name, self.name_end = name
        self.start = self.extent = span[0]
        self.end = max(span[1], self.name_end)
        self.pattern = pattern
        """Index of the pattern of the tags query that found it; -1 for none."""
        self.kind = kind
        self.body = -1
        self.doc: Node | None = None
        self.scope = ""
        self.is_from_lines = False
        """A line said so, not the tree."""
        self.is_local = False
        """It counts only outside functions."""
        self.is_own = False
        """Inside a type it counts only with the type's own name."""
        self.is_package = False
        """Its name is the package of the definitions inside it."""
        self.leading: list[int] = []
        """Starts of the comments directly above it, nearest first."""

    def trim(self, text: bytes) -> None:
        """Cut white space off the end of the span."""
        while self.end > self.name_end and text[self.end - 1] in b" \t\r\n":
            self.end -= 1


class ParsedFile:
    """A file's text and tree with the results of the language's queries."""

    __slots__ = (
        "alone",
        "attributes",
        "comments",
        "drafts",
        "ends",
        "hidden",
        "imports",
        "last_on_line",
        "lines",
        "macros",
        "matches",
        "outers",
        "packages",
        "regions",
        "text",
        "tree",
    )

    tree: Tree
    """The tree of the text, or of the repaired text; not set if the text was not parsed."""

    def __init__(self, text: bytes, tree: Tree | None, matches: QueryMatches) -> None:
        self.text = text
        if tree is not None:
            self.tree = tree
        self.matches = matches
        """The matches of the language's queries in the tree."""
        self.lines = line_starts(text)
        self.hidden: Hidden | None = None
        """What another reading has of lines that were blanked before this one."""
        self.drafts: dict[tuple[int, int], Draft] = {}
        """By start and end of the name: one name defines one symbol."""
        self.comments: dict[int, int] = {}
        """Start -> end, both bytes, in order."""
        self.attributes: dict[int, int] = {}
        """Start -> end of attributes, decorators and annotations."""
        self.alone: set[int] = set()
        """Ends of the comments and attributes that have no code before them on their line."""
        self.ends: dict[int, int] = {}
        """End -> start of every comment and attribute."""
        self.last_on_line: dict[int, int] = {}
        """Line index -> start of the last comment or attribute on a line without code."""
        self.outers: dict[int, int] = {}
        """End -> start of the widest statement that may wrap a single definition."""
        self.macros: list[tuple[int, int, int]] = []
        """Start and end of each macro that begins a line, and the line if it is alone there, else -1."""
        self.packages: list[tuple[int, str]] = []
        self.imports: tuple[int, int] | None = None
        self.regions: dict[tuple[int, int], tuple[int, str]] = {}
        """Start and end of a region in another language -> the pattern that found it, and the language's name."""

    def details(self) -> list[Match]:
        """The matches of details, with those on hidden lines."""
        return self.matches.details + (self.hidden.matches_of(self.hidden.matches.details) if self.hidden is not None else [])

    def imported(self) -> list[Match]:
        """The matches of imports, with those on hidden lines, in order."""
        if self.hidden is None:
            return self.matches.imports
        found = self.matches.imports + self.hidden.matches_of(self.hidden.matches.imports)
        return sorted(found, key=lambda match: min(nodes[0].start_byte for nodes in match[1].values() if nodes))

    def line_of(self, at: int) -> int:
        """Index, from 0, of the line that holds byte ``at``."""
        return bisect_right(self.lines, at) - 1

    def line_bounds(self, line: int) -> tuple[int, int]:
        """Start and end, without the line feed, of the line of index ``line``."""
        return self.lines[line], self.lines[line + 1] - 1 if line + 1 < len(self.lines) else len(self.text)

    def span(self, start: int, end: int) -> Span:
        """The bytes from ``start`` to ``end`` with their lines."""
        lines = self.lines
        first = bisect_right(lines, start)
        last = first if first == len(lines) or end <= lines[first] else bisect_left(lines, end)
        return Span(start=start, end=end, start_line=first, end_line=last)

    def is_within_comment(self, at: int) -> bool:
        """Whether a comment holds byte ``at``; a parse error there does not make the line broken."""
        return any(start <= at < end for start, end in self.comments.items())

    def string(self, start: int, end: int) -> str:
        """The text from ``start`` to ``end``."""
        return self.text[start:end].decode("utf-8", "replace")

    def add_leading(self, node: Node, table: dict[int, int]) -> None:
        """Add a comment or attribute to ``table``; only one that starts its line can belong to the definition below."""
        start, end = node.start_byte, node.end_byte
        if not start and self.text.startswith(b"#!"):  # the interpreter line documents nothing
            return
        if self.text[end - 1] in b" \t\r\n":  # some grammars include the line end and the next line's indentation
            end = start + len(self.text[start:end].rstrip(b" \t\r\n"))
        table[start] = end
        self.ends[end] = start
        before = self.before(start)
        if before < 0 or before in self.alone:
            self.alone.add(end)
            if _LINE_REST.match(self.text, end):
                self.last_on_line[self.line_of(max(start, end - 1))] = start

    def find_macros(self, clean: bytes) -> None:
        """Add as attributes the macros that begin lines of the text and are blanks in ``clean``, the text that was parsed."""
        if clean == self.text:
            return
        text = self.text
        differing = np.flatnonzero(np.frombuffer(clean, np.uint8) != np.frombuffer(text, np.uint8))
        for line in np.unique(np.searchsorted(np.array(self.lines), differing, side="right") - 1).tolist():
            start, end = self.line_bounds(line)
            first = end - len(text[start:end].lstrip())
            code = end - len(clean[start:end].lstrip())
            if first < code and _MACRO.match(text, first):
                self.macros.append((first, first + len(text[first:code].rstrip()), line if code == end else -1))
        self.add_macros(self.macros)

    def add_macros(self, macros: Sequence[tuple[int, int, int]]) -> None:
        """Add macros as attributes: start, end, and the line of each that is alone on one, else -1."""
        for start, end, line in macros:
            self.attributes[start] = end
            self.ends[end] = start
            self.alone.add(end)
            if line >= 0:
                self.last_on_line[line] = start

    def before(self, at: int) -> int:
        """One past the last byte before ``at`` that is not blank; -1 if ``at`` begins its line. It reads only the blanks."""
        left = self.text[max(0, at - _USUAL_INDENTATION) : at].rstrip(b" \t")
        if left or at <= _USUAL_INDENTATION:
            at = at - min(at, _USUAL_INDENTATION) + len(left)
        else:
            while at > 0 and self.text[at - 1] in b" \t":
                at -= 1
        return at if at > 0 and self.text[at - 1] != 10 else -1


class Hidden(NamedTuple):
    """A tree of the same text, and the lines of it that count."""

    tree: Tree
    matches: QueryMatches
    lines: frozenset[int]
    """Indices from 0."""

    def matches_of(self, found: Sequence[Match]) -> list[Match]:
        """Those of its matches that begin on these lines."""
        return [(index, captures) for index, captures in found if _first_line(captures) in self.lines]


def _first_line(captures: Mapping[str, Sequence[Node]]) -> int:
    return min((nodes[0].start_point.row for nodes in captures.values() if nodes), default=-1)


def parsed_file(text: bytes, tree: Tree, language: Language, deadline: Deadline) -> ParsedFile | None:
    """The file with the matches of the tags query sorted by their captures; None if the deadline passed."""
    parsed = ParsedFile(text, tree, matches_of(tree, language))
    patterns = patterns_of(language)
    if deadline.has_passed():
        return None
    for index, captures in parsed.matches.tags:
        pattern = patterns[index]
        if pattern.conditions and not _meets(pattern, captures, text):
            continue
        if pattern.kind is not None:
            _add_draft(parsed, index, pattern, captures)
        elif "comment" in captures:
            parsed.add_leading(captures["comment"][0], parsed.comments)
        elif "attribute" in captures:
            parsed.add_leading(captures["attribute"][0], parsed.attributes)
        elif "outer" in captures:
            node = captures["outer"][0]
            parsed.outers[node.end_byte] = min(node.start_byte, parsed.outers.get(node.end_byte, node.start_byte))
        elif "import" in captures:
            node = captures["import"][0]
            first, last = parsed.imports or (node.start_byte, node.end_byte)
            parsed.imports = (min(first, node.start_byte), max(last, node.end_byte))
        elif "embedded" in captures:
            _add_region(parsed, index, pattern.language, captures)
        if "package" in captures:
            node = captures["package"][0]
            parsed.packages.append((node.start_byte, "".join(parsed.string(node.start_byte, node.end_byte).split())))
    parsed.packages.sort()
    _extend([draft for draft in parsed.drafts.values() if draft.pattern >= 0 and patterns[draft.pattern].reaches_next], text)
    return parsed


def _extend(drafts: Sequence[Draft], text: bytes) -> None:
    """Extend each to the next one; what it was until then is its signature."""
    ordered = sorted(drafts, key=attrgetter("start"))
    for draft, end in zip(ordered, [*(each.start for each in ordered[1:]), len(text)], strict=False):
        draft.body, draft.end = draft.end, end
        draft.trim(text)


def _add_region(parsed: ParsedFile, index: int, language: str, captures: Mapping[str, Sequence[Node]]) -> None:
    """Add a region in another language. If several patterns match it, the first in ``tags.scm`` counts."""
    node = captures["embedded"][0]
    key = (node.start_byte, node.end_byte)
    if key in parsed.regions and parsed.regions[key][0] <= index:
        return
    if (named := captures.get("embedded.language")) is not None:
        language = parsed.string(named[0].start_byte, named[0].end_byte)
    parsed.regions[key] = (index, language)


def _meets(pattern: Pattern, captures: Mapping[str, Sequence[Node]], text: bytes) -> bool:
    """Whether every condition holds for the first node of its capture."""
    for capture, expression in pattern.conditions:
        node = captures[capture][0]
        if expression.fullmatch(text, node.start_byte, node.end_byte) is None:
            return False
    return True


def _add_draft(parsed: ParsedFile, index: int, pattern: Pattern, captures: Mapping[str, Sequence[Node]]) -> None:
    """Add a definition. If several patterns match the same name, the first in ``tags.scm`` counts."""
    names = captures["name"]
    key = (names[0].start_byte, names[-1].end_byte)
    rival = parsed.drafts.get(key)
    if rival is not None and rival.pattern <= index:
        return
    assert pattern.kind is not None
    nodes = captures[pattern.capture]
    draft = Draft((nodes[0].start_byte, nodes[-1].end_byte), key, pattern.kind, index)
    draft.is_local, draft.is_own = pattern.is_local, pattern.is_own
    draft.is_package = "package" in captures
    draft.trim(parsed.text)
    if (body := captures.get("body")) is not None:
        draft.body = body[0].start_byte
    if (doc := captures.get("doc")) is not None:
        draft.doc = doc[0]
    if (scope := captures.get("scope")) is not None:
        draft.scope = parsed.string(scope[0].start_byte, scope[-1].end_byte)
    parsed.drafts[key] = draft
