"""A syntax tree in, a page of drafts out: every definition that the language's tags query found, not yet nested or named.

With them go the comments, attributes, wrapping statements, packages and imports that :mod:`hardtack.build.symbols` makes symbols
from. Broken source is read again with the line in error blanked, so that one unclosed bracket does not hide a whole file.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING

from tree_sitter import QueryCursor

from hardtack.build.languages.prose import line_starts
from hardtack.build.syntax import error_lines, parse, patterns_of, query_of, readable
from hardtack.model import Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Node, Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.syntax import Deadline, Pattern
    from hardtack.model import Kind

_MAX_REPAIRS = 3
_SMALL = 16_384
"""Bytes of text that is repaired at any cost."""
_CONDITION = re.compile(
    rb"^[ \t]*#[ \t]*(?:(?P<word>(?:el)?ifn?def|elif|else|endif|if)\b(?P<never>[ \t]+0[ \t]*\r?$)?)"
    rb"[^\n]*(?:(?<=\\)\n[^\n]*|(?<=\\\r)\n[^\n]*)*",
    re.MULTILINE,
)
"""A condition of a preprocessor, on all its lines."""
_TO_BLANKS = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_PIECE = re.compile(rb"\n(?:[ \t]*\r?\n|---[^\n]*\n)+(?=[^\s])")
"""The end of a blank line, or of a rule between documents, below which something begins at the margin."""
_MOST_IN_PIECES = 65_536
"""Bytes of text that is read piece by piece."""
_USUAL_INDENTATION = 32
"""Bytes; what is indented further is looked at byte by byte."""


class Draft:
    """A definition on its way to a :class:`Symbol`; byte offsets throughout, -1 where absent."""

    __slots__ = (
        "body",
        "doc",
        "end",
        "extent",
        "is_local",
        "is_package",
        "kind",
        "leading",
        "name",
        "name_end",
        "pattern",
        "scope",
        "start",
    )

    def __init__(self, definition: Sequence[Node], names: Sequence[Node], pattern: int, kind: Kind) -> None:
        self.name = names[0].start_byte
        self.name_end = names[-1].end_byte
        self.start = self.extent = definition[0].start_byte
        self.end = max(definition[-1].end_byte, self.name_end)
        self.pattern = pattern
        self.kind = kind
        self.body = -1
        self.doc: Node | None = None
        self.scope = ""
        self.is_local = False
        """Counts only outside functions."""
        self.is_package = False
        """Its name is the package of what it holds."""
        self.leading: list[int] = []
        """Starts of the comments right above it, nearest first."""

    def trim(self, text: bytes) -> None:
        """Leave the blank space at the end of the span out."""
        while self.end > self.name_end and text[self.end - 1] in b" \t\r\n":
            self.end -= 1


class Page:
    """A file's text with what the query found in it."""

    __slots__ = (
        "alone",
        "attributes",
        "comments",
        "drafts",
        "ends",
        "imports",
        "last_on_line",
        "lines",
        "outers",
        "packages",
        "regions",
        "text",
        "tree",
    )

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.text = text
        self.tree = tree
        """Of the text, or of what a repair left of it."""
        self.lines = line_starts(text)
        self.drafts: dict[tuple[int, int], Draft] = {}
        """By start and end of the name: one name defines one thing."""
        self.comments: dict[int, int] = {}
        """Start -> end, both bytes, in order."""
        self.attributes: dict[int, int] = {}
        """The same for attributes, decorators and annotations."""
        self.alone: set[int] = set()
        """Ends of those with nothing but others before them on their line."""
        self.ends: dict[int, int] = {}
        """End -> start of every comment and attribute."""
        self.last_on_line: dict[int, int] = {}
        """Line index -> start of the comment or attribute that ends that line, with nothing but others before it."""
        self.outers: dict[int, int] = {}
        """End -> start of the widest statement that may wrap a single definition."""
        self.packages: list[tuple[int, str]] = []
        self.imports: tuple[int, int] | None = None
        self.regions: dict[tuple[int, int], tuple[int, str]] = {}
        """Start and end of a region in another language -> the pattern that found it, and the language's name."""

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
        """Whether a comment holds byte ``at``: an error that begins there says nothing about the line."""
        return any(start <= at < end for start, end in self.comments.items())

    def string(self, start: int, end: int) -> str:
        """The text from ``start`` to ``end``."""
        return self.text[start:end].decode("utf-8", "replace")

    def add_leading(self, node: Node, table: dict[int, int]) -> None:
        """Note a comment or attribute; only one that starts its line can belong to what is below it."""
        start, end = node.start_byte, node.end_byte
        if not start and self.text.startswith(b"#!"):  # it documents nothing
            return
        if self.text[end - 1] in b" \t\r\n":  # some grammars count the line's end in, and the next one's blanks
            end = start + len(self.text[start:end].rstrip(b" \t\r\n"))
        table[start] = end
        self.ends[end] = start
        before = self.before(start)
        if before < 0 or before in self.alone:
            self.alone.add(end)
            line_end = self.text.find(b"\n", end)
            if line_end == end or not self.text[end : line_end if line_end >= 0 else len(self.text)].strip():
                self.last_on_line[self.line_of(max(start, end - 1))] = start

    def before(self, at: int) -> int:
        """One past the last byte before ``at`` that is not blank; -1 when ``at`` begins its line. Costs no more than the blanks."""
        left = self.text[max(0, at - _USUAL_INDENTATION) : at].rstrip(b" \t")
        if left or at <= _USUAL_INDENTATION:
            at = at - min(at, _USUAL_INDENTATION) + len(left)
        else:
            while at > 0 and self.text[at - 1] in b" \t":
                at -= 1
        return at if at > 0 and self.text[at - 1] != 10 else -1


def page_of(text: bytes, tree: Tree, language: Language, deadline: Deadline) -> Page | None:
    """The query's matches, sorted out; None when the deadline passed meanwhile."""
    page = Page(text, tree)
    patterns = patterns_of(language)
    # A progress callback would be welcome here, but it crashes tree-sitter 0.26; the worker pool's own deadline stands behind this.
    matches = QueryCursor(query_of(language)).matches(tree.root_node)
    if deadline.has_passed():
        return None
    for index, captures in matches:
        pattern = patterns[index]
        if pattern.conditions and not _meets(pattern, captures, text):
            continue
        if pattern.kind is not None:
            _add_draft(page, index, pattern, captures)
        elif "comment" in captures:
            page.add_leading(captures["comment"][0], page.comments)
        elif "attribute" in captures:
            page.add_leading(captures["attribute"][0], page.attributes)
        elif "outer" in captures:
            node = captures["outer"][0]
            page.outers[node.end_byte] = min(node.start_byte, page.outers.get(node.end_byte, node.start_byte))
        elif "import" in captures:
            node = captures["import"][0]
            first, last = page.imports or (node.start_byte, node.end_byte)
            page.imports = (min(first, node.start_byte), max(last, node.end_byte))
        elif "embedded" in captures:
            _add_region(page, index, pattern.language, captures)
        if "package" in captures:
            node = captures["package"][0]
            page.packages.append((node.start_byte, "".join(page.string(node.start_byte, node.end_byte).split())))
    page.packages.sort()
    return page


def repaired(page: Page, lines: Sequence[int], language: Language, deadline: Deadline) -> Page:
    """The page with what broken source hid: an unclosed bracket can swallow every definition after it.

    First the conditions of a preprocessor go, and with them every branch but one: the grammars know them around whole statements
    only. If that leaves errors, the first line in error is blanked and the text read again, a few times over. Last, what stands
    between blank lines and does not parse alone is blanked, all of it. A reading counts
    when it has more definitions than the page; of several the one with the most, then with the fewest errors, wins. What the page
    has on the blanked lines joins it.

    Args:
        page: the text as it is.
        lines: its lines in error, 1-based, ascending.
        language: of the text.
        deadline: when to stop.
    """
    text, best, score = readable(page.text, language), page, (len(page.drafts), 0)
    spans = _branches(text)
    blank: set[int] = set()
    for attempt in range(0 if spans else 1, _MAX_REPAIRS + 1):
        if attempt:
            spans = [page.line_bounds(line - 1) for line in _first_broken(page, lines, blank)]
        if not spans or deadline.has_passed():
            break
        text = _without(text, spans)
        blank.update(line + 1 for start, end in spans for line in range(page.line_of(start), page.line_of(end) + 1))
        tree = parse(text, language, deadline, is_readable=True)
        reading = None if tree is None else page_of(text, tree, language, deadline)
        if tree is None or reading is None:
            break
        before, lines = len(lines), error_lines(tree)
        _join_hidden(reading, page, blank)
        if not attempt:
            reading.comments.update(spans)  # no words of a signature
        if not attempt and not tree.root_node.has_error:
            best = reading
            break
        if attempt and len(text) > _SMALL and len(reading.drafts) <= len(page.drafts) and len(lines) >= before - 1:
            break  # that line hid nothing, and reading so much again for the next is dear
        if len(reading.drafts) > len(page.drafts) and (len(reading.drafts), -len(lines)) > score:
            best, score = reading, (len(reading.drafts), -len(lines))
    text = readable(page.text, language)
    if score[1] < 0 or best is page:
        spans = _broken_pieces(text, language, deadline)
        reading = _read_without(text, spans, page, language, deadline) if spans else None
        if reading is not None and len(reading.drafts) > score[0]:
            best = reading
    best.text = page.text
    return best


def _read_without(text: bytes, spans: Sequence[tuple[int, int]], page: Page, language: Language, deadline: Deadline) -> Page | None:
    """The page of the text without what is in the spans, what ``page`` has there joined; None when the deadline passed."""
    tree = parse(_without(text, spans), language, deadline, is_readable=True)
    reading = None if tree is None else page_of(text, tree, language, deadline)
    if reading is not None:
        blank = {line + 1 for start, end in spans for line in range(page.line_of(start), page.line_of(end) + 1)}
        _join_hidden(reading, page, blank)
    return reading


def _broken_pieces(text: bytes, language: Language, deadline: Deadline) -> list[tuple[int, int]]:
    """Start and end of what begins at a margin below a blank line or a rule, up to the next of these, and does not parse alone."""
    if len(text) > _MOST_IN_PIECES:
        return []
    starts = [0, *(match.end() for match in _PIECE.finditer(text)), len(text)]
    spans = []
    for start, end in pairwise(starts):
        if deadline.has_passed():
            return []
        tree = parse(text[start:end], language, deadline, is_readable=True) if start < end else None
        if tree is not None and tree.root_node.has_error:
            spans.append((start, end))
    return spans if len(spans) < len(starts) - 1 else []


def _branches(text: bytes) -> list[tuple[int, int]]:
    """Start and end of every condition of a preprocessor, and of every branch but the first that is not ``#if 0``.

    Nothing where the conditions do not balance: they are something else then.
    """
    spans: list[tuple[int, int]] = []
    opened: list[tuple[int, bool]] = []  # where the branch that goes begins, or -1; whether one has stayed
    for match in _CONDITION.finditer(text):
        spans.append(match.span())
        if match["word"].startswith(b"if"):
            is_dead = match["never"] is not None
            opened.append((match.start() if is_dead else -1, not is_dead))
            continue
        if not opened:
            return []
        start, has_stayed = opened.pop()
        if match["word"] == b"endif":
            spans += [(start, match.start())] if start >= 0 else []
        elif start < 0:
            opened.append((match.start(), True))
        elif has_stayed:
            opened.append((start, True))
        else:
            spans.append((start, match.start()))
            opened.append((-1, True))
    return [] if opened else spans


def _first_broken(page: Page, lines: Sequence[int], blank: set[int]) -> list[int]:
    """The first of ``lines`` (1-based) that is not blank yet and not in a comment, if any."""
    return [line for line in lines if line not in blank and not page.is_within_comment(page.lines[line - 1])][:1]


def _without(text: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """The text with everything in the spans blank but the ends of lines."""
    left = bytearray(text)
    for start, end in spans:
        left[start:end] = left[start:end].translate(_TO_BLANKS)
    return bytes(left)


def _join_hidden(reading: Page, page: Page, blank: set[int]) -> None:
    """Add to ``reading`` what ``page`` has on the lines that were blanked for it (1-based), cut to them."""
    for key, draft in page.drafts.items():
        line = page.line_of(draft.name)
        line_end = page.line_bounds(line)[1]
        if key not in reading.drafts and line + 1 in blank and draft.name_end <= line_end:
            hidden = copy(draft)
            while hidden.end > line_end and line + 2 in blank:
                line += 1
                line_end = page.line_bounds(line)[1]
            hidden.end = min(draft.end, line_end)
            reading.drafts[key] = hidden
    for line, start in page.last_on_line.items():
        if line + 1 in blank and line not in reading.last_on_line:
            table, hidden_in = (
                (reading.comments, page.comments) if start in page.comments else (reading.attributes, page.attributes)
            )
            reading.last_on_line[line] = start
            table[start] = hidden_in[start]
            reading.ends[hidden_in[start]] = start


def _add_region(page: Page, index: int, language: str, captures: Mapping[str, Sequence[Node]]) -> None:
    """A region in another language. As with names, the first pattern in ``tags.scm`` decides."""
    node = captures["embedded"][0]
    key = (node.start_byte, node.end_byte)
    if key in page.regions and page.regions[key][0] <= index:
        return
    if (named := captures.get("embedded.language")) is not None:
        language = page.string(named[0].start_byte, named[0].end_byte)
    page.regions[key] = (index, language)


def _meets(pattern: Pattern, captures: Mapping[str, Sequence[Node]], text: bytes) -> bool:
    """Whether every condition holds for the first node of its capture."""
    for capture, expression in pattern.conditions:
        node = captures[capture][0]
        if expression.fullmatch(text, node.start_byte, node.end_byte) is None:
            return False
    return True


def _add_draft(page: Page, index: int, pattern: Pattern, captures: Mapping[str, Sequence[Node]]) -> None:
    """One definition. When two patterns name the same thing, the first in ``tags.scm`` decides."""
    names = captures["name"]
    key = (names[0].start_byte, names[-1].end_byte)
    rival = page.drafts.get(key)
    if rival is not None and rival.pattern <= index:
        return
    assert pattern.kind is not None
    draft = Draft(captures[pattern.capture], names, index, pattern.kind)
    draft.is_local = pattern.is_local
    draft.is_package = "package" in captures
    draft.trim(page.text)
    if (body := captures.get("body")) is not None:
        draft.body = body[0].start_byte
    if (doc := captures.get("doc")) is not None:
        draft.doc = doc[0]
    if (scope := captures.get("scope")) is not None:
        draft.scope = page.string(scope[0].start_byte, scope[-1].end_byte)
    page.drafts[key] = draft
