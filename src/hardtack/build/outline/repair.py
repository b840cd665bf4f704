"""A file that parses with errors in, the same file with more definitions out: one unclosed bracket can hide all of them.

The text is parsed again with the broken parts blanked. Repairs are tried in turn, the most specific first, and a result counts only
if it has more definitions than the one before.
"""

from __future__ import annotations

import re
from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING

from hardtack.build.outline.definitions import Hidden, ParsedFile, parsed_file
from hardtack.build.outline.syntax import TO_BLANKS, QueryMatches, error_lines, parse

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from tree_sitter import Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Deadline

_MAX_REPAIRS = 3
_SMALL = 16_384
"""Bytes of text for which every repair is tried, whatever it costs."""
_CONDITION = re.compile(
    rb"^[ \t]*#[ \t]*(?:(?P<word>(?:el)?ifn?def|elif|else|endif|if)\b(?P<never>[ \t]+0[ \t]*\r?$)?)"
    rb"[^\n]*(?:(?<=\\)\n[^\n]*|(?<=\\\r)\n[^\n]*)*",
    re.MULTILINE,
)
"""A preprocessor condition with its continuation lines."""
_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?:include|define|(?P<mute>undef|pragma))\b[^\n\\]*+(?>(?:\\.[^\n\\]*+)*)", re.MULTILINE | re.DOTALL
)
"""Another line of the preprocessor with its continuation lines."""
_LISTED = re.compile(rb"[,|+=]\s*\Z|(?:\benum\b[^;{}()]{0,100}|[=,(]\s{0,20})\{\s*\Z")
"""The end of text after which an element of a list is due."""
_REACH = 200
"""Bytes before a line that tell whether it stands in a list."""
_PIECE = re.compile(rb"\n(?:[ \t]*\r?\n|---[^\n]*\n)+(?=[^\s])")
"""The end of a blank line, or of a separator between documents, if the next line begins at the margin."""
_MAX_IN_PIECES = 65_536
"""Maximum bytes of text that is parsed piece by piece."""


def repaired(parsed: ParsedFile, text: bytes, lines: Sequence[int], language: Language, deadline: Deadline) -> ParsedFile:
    """The file with the definitions that errors hid.

    First preprocessor conditions are blanked, with every branch but one, and other lines of the preprocessor amid lists: grammars
    parse them only around whole statements. If errors remain, the first line with an error is blanked and the text parsed again, a
    few times. Last, every piece between blank lines that does not parse alone is blanked. Definitions of ``parsed`` on blanked
    lines are added to each result.

    Args:
        parsed: the file with its original text.
        text: its text from :func:`syntax.readable`.
        lines: its lines with errors, 1-based, ascending.
        language: its language.
        deadline: when to stop.
    """
    best = _without_lines(parsed, text, lines, language, deadline)
    if best.tree.root_node.has_error and (pieces := _broken_pieces(text, language, deadline)):
        reading = _read_without(text, pieces, set(), parsed, language, deadline)
        if reading is not None and _worth(reading) > _worth(best):
            best = reading
    if directives := _directives_in_lists(text):
        _add_alone(best, text, directives, language, deadline)
    best.text = parsed.text
    return best


def _add_alone(best: ParsedFile, text: bytes, spans: Sequence[tuple[int, int]], language: Language, deadline: Deadline) -> None:
    """Add to ``best`` what the spans of a text define by themselves: macros amid a list."""
    others = [(end, start) for (_, end), (start, _) in pairwise([(0, 0), *spans, (len(text), len(text))])]
    tree = parse(_without(text, others), language, deadline)
    alone = None if tree is None else parsed_file(text, tree, language, deadline)
    if alone is not None:
        best.drafts = alone.drafts | best.drafts


def _without_lines(parsed: ParsedFile, text: bytes, lines: Sequence[int], language: Language, deadline: Deadline) -> ParsedFile:
    """The best result without preprocessor conditions, then without single lines with errors; ``parsed`` if none is better.

    The best is worth the most in definitions, then has the fewest errors.
    """
    known = _worth(parsed)
    best, score = parsed, (known, 0)
    spans = _branches(text) + _directives_in_lists(text)
    blank: set[int] = set()
    for attempt in range(0 if spans else 1, _MAX_REPAIRS + 1):
        if attempt:
            spans = [parsed.line_bounds(line - 1) for line in _first_broken(parsed, lines, blank)]
        if not spans or deadline.has_passed():
            break
        text = _without(text, spans)
        reading = _read_without(text, spans, blank, parsed, language, deadline)
        if reading is None:
            break
        before, lines = len(lines), error_lines(reading.tree)
        if not attempt:
            reading.comments.update(spans)  # as comments they stay out of signatures
        if not attempt and not reading.tree.root_node.has_error:
            return reading
        if attempt and len(text) > _SMALL and _worth(reading) <= known and len(lines) >= before - 1:
            break  # the line hid nothing, and parsing a large text again for the next one takes too long
        worth = _worth(reading)
        if worth > known and (worth, -len(lines)) > score:
            best, score = reading, (worth, -len(lines))
    return best


def _worth(parsed: ParsedFile) -> int:
    """What a result is worth: two for a definition, one for what may be a local of a function that broke apart."""
    return sum(1 if draft.is_local else 2 for draft in parsed.drafts.values())


def _read_without(
    text: bytes, spans: Sequence[tuple[int, int]], blank: set[int], parsed: ParsedFile, language: Language, deadline: Deadline
) -> ParsedFile | None:
    """The file parsed with ``spans`` blanked; None if the deadline passed.

    It has no definitions if errors remain and the tree differs only on the blanked lines: it could have no more than ``parsed``.

    Args:
        text: the text, with or without the spans.
        spans: (start, end) of what is blanked.
        blank: lines, 1-based, that were blanked before; those of ``spans`` are added.
        parsed: its definitions on these lines are added to the result.
        language: of the text.
        deadline: when to stop.
    """
    blank.update(line + 1 for start, end in spans for line in range(parsed.line_of(start), parsed.line_of(end) + 1))
    text = _without(text, spans)
    tree = parse(text, language, deadline)
    if tree is not None and tree.root_node.has_error and _differs_only_on(blank, parsed, tree):
        return ParsedFile(text, tree, QueryMatches([], [], []))
    reading = None if tree is None else parsed_file(text, tree, language, deadline)
    if reading is not None:
        reading.add_macros(parsed.macros)
        _join_hidden(reading, parsed, blank)
        reading.hidden = Hidden(parsed.tree, parsed.matches, frozenset(line - 1 for line in blank))
    return reading


def _differs_only_on(lines: Container[int], parsed: ParsedFile, tree: Tree) -> bool:
    """Whether a tree of a text of the same length differs from that of ``parsed`` only on these lines, 1-based."""
    ranges = [(changed.start_byte, max(changed.start_byte, changed.end_byte - 1)) for changed in parsed.tree.changed_ranges(tree)]
    return all(line + 1 in lines for first, last in ranges for line in range(parsed.line_of(first), parsed.line_of(last) + 1))


def _broken_pieces(text: bytes, language: Language, deadline: Deadline) -> list[tuple[int, int]]:
    """(start, end) of each piece between blank lines or separators that begins at the margin and does not parse alone."""
    if len(text) > _MAX_IN_PIECES:
        return []
    starts = [0, *(match.end() for match in _PIECE.finditer(text)), len(text)]
    spans = []
    for start, end in pairwise(starts):
        if deadline.has_passed():
            return []
        tree = parse(text[start:end], language, deadline) if start < end else None
        if tree is not None and tree.root_node.has_error:
            spans.append((start, end))
    return spans if len(spans) < len(starts) - 1 else []


def _branches(text: bytes) -> list[tuple[int, int]]:
    """(start, end) of every preprocessor condition, and of every branch but the longest that is not ``#if 0``.

    Empty if the conditions do not balance: then they are something else.
    """
    spans: list[tuple[int, int]] = []
    opened: list[list[tuple[int, bool]]] = []  # (start of each branch so far, whether it is dead)
    for match in _CONDITION.finditer(text):
        spans.append(match.span())
        branch = (match.start(), match["never"] is not None)
        if match["word"].startswith(b"if"):
            opened.append([branch])
        elif not opened:
            return []
        elif match["word"] != b"endif":
            opened[-1].append(branch)
        else:
            branches = [(start, end, dead) for (start, dead), (end, _) in pairwise([*opened.pop(), branch])]
            kept = max(branches, key=lambda each: -1 if each[2] else each[1] - each[0])
            spans += [(start, end) for start, end, dead in branches if dead or start != kept[0]]
    return [] if opened else spans


def _directives_in_lists(text: bytes) -> list[tuple[int, int]]:
    """(start, end) of every other line of the preprocessor amid an enumeration or an initialiser, where grammars know none.

    Those that define nothing are among them wherever they stand.
    """
    spans: list[tuple[int, int]] = []
    for match in _DIRECTIVE.finditer(text):
        above = spans[-1][1] if spans else -1
        if (
            match["mute"]
            or _LISTED.search(text, max(0, match.start() - _REACH), match.start())
            or (above >= 0 and above >= match.start() - _REACH and not text[above : match.start()].strip())
        ):
            spans.append(match.span())
    return spans


def _first_broken(parsed: ParsedFile, lines: Sequence[int], blank: set[int]) -> list[int]:
    """The first of ``lines`` (1-based) that is not blanked yet and not in a comment, if any."""
    return [line for line in lines if line not in blank and not parsed.is_within_comment(parsed.lines[line - 1])][:1]


def _without(text: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """The text with blanks in place of the spans; line ends stay."""
    left = bytearray(text)
    for start, end in spans:
        left[start:end] = left[start:end].translate(TO_BLANKS)
    return bytes(left)


def _join_hidden(reading: ParsedFile, parsed: ParsedFile, blank: set[int]) -> None:
    """Add to ``reading`` the definitions and comments of ``parsed`` on the blanked lines (1-based), cut to those lines."""
    for key, draft in parsed.drafts.items():
        line = parsed.line_of(draft.name)
        line_end = parsed.line_bounds(line)[1]
        if key not in reading.drafts and line + 1 in blank and draft.name_end <= line_end:
            hidden = copy(draft)
            while hidden.end > line_end and line + 2 in blank:
                line += 1
                line_end = parsed.line_bounds(line)[1]
            hidden.end = min(draft.end, line_end)
            reading.drafts[key] = hidden
    for line, start in parsed.last_on_line.items():
        if line + 1 in blank and line not in reading.last_on_line:
            table, hidden_in = (
                (reading.comments, parsed.comments) if start in parsed.comments else (reading.attributes, parsed.attributes)
            )
            reading.last_on_line[line] = start
            table[start] = hidden_in[start]
            reading.ends[hidden_in[start]] = start
