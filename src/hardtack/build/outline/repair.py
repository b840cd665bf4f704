"""A parsed of broken source in, the parsed with what the breaks hid out: one unclosed bracket can swallow a whole file.

The text is read again without what stands in the way. Repairs are tried in turn, from the one that knows most of what is wrong to
the one that knows least, and a reading counts only when it has more definitions than the one before.
"""

from __future__ import annotations

import re
from copy import copy
from itertools import pairwise
from typing import TYPE_CHECKING

from hardtack.build.outline.definitions import ParsedFile, parsed_file
from hardtack.build.outline.syntax import QueryMatches, error_lines, parse

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from tree_sitter import Tree

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.syntax import Deadline

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


def repaired(parsed: ParsedFile, text: bytes, lines: Sequence[int], language: Language, deadline: Deadline) -> ParsedFile:
    """The parsed with what broken source hid.

    First the conditions of a preprocessor go, and with them every branch but one: the grammars know them around whole statements
    only. If that leaves errors, the first line in error is blanked and the text read again, a few times over. Last, what stands
    between blank lines and does not parse alone is blanked, all of it. What the parsed has on blanked lines joins every reading.

    Args:
        parsed: the text as it is.
        text: the same as the grammar can read it.
        lines: its lines in error, 1-based, ascending.
        language: of the text.
        deadline: when to stop.
    """
    best = _without_lines(parsed, text, lines, language, deadline)
    if best.tree.root_node.has_error and (pieces := _broken_pieces(text, language, deadline)):
        reading = _read_without(text, pieces, set(), parsed, language, deadline)
        if reading is not None and len(reading.drafts) > len(best.drafts):
            best = reading
    best.text = parsed.text
    return best


def _without_lines(parsed: ParsedFile, text: bytes, lines: Sequence[int], language: Language, deadline: Deadline) -> ParsedFile:
    """The best reading without preprocessor conditions, then without single lines in error; the parsed itself if none is better.

    Of several the one with the most definitions, then with the fewest errors.
    """
    best, score = parsed, (len(parsed.drafts), 0)
    spans = _branches(text)
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
            reading.comments.update(spans)  # no words of a signature
        if not attempt and not reading.tree.root_node.has_error:
            return reading
        if attempt and len(text) > _SMALL and len(reading.drafts) <= len(parsed.drafts) and len(lines) >= before - 1:
            break  # that line hid nothing, and reading so much again for the next is dear
        if len(reading.drafts) > len(parsed.drafts) and (len(reading.drafts), -len(lines)) > score:
            best, score = reading, (len(reading.drafts), -len(lines))
    return best


def _read_without(
    text: bytes, spans: Sequence[tuple[int, int]], blank: set[int], parsed: ParsedFile, language: Language, deadline: Deadline
) -> ParsedFile | None:
    """The parsed of a text without what is in ``spans``; None when the deadline passed.

    It is left empty where errors remain and nothing but the blanked lines reads differently: it would have no more than ``parsed``.

    Args:
        text: with or without them.
        spans: start and end of what goes.
        blank: lines, 1-based, that went before; those of ``spans`` are added.
        parsed: what it has on these lines joins the reading.
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
        _join_hidden(reading, parsed, blank)
    return reading


def _differs_only_on(lines: Container[int], parsed: ParsedFile, tree: Tree) -> bool:
    """Whether a tree of a text that is as long differs from the parsed's on these lines, 1-based, alone."""
    ranges = [(changed.start_byte, max(changed.start_byte, changed.end_byte - 1)) for changed in parsed.tree.changed_ranges(tree)]
    return all(line + 1 in lines for first, last in ranges for line in range(parsed.line_of(first), parsed.line_of(last) + 1))


def _broken_pieces(text: bytes, language: Language, deadline: Deadline) -> list[tuple[int, int]]:
    """Start and end of what begins at a margin below a blank line or a rule, up to the next of these, and does not parse alone."""
    if len(text) > _MOST_IN_PIECES:
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


def _first_broken(parsed: ParsedFile, lines: Sequence[int], blank: set[int]) -> list[int]:
    """The first of ``lines`` (1-based) that is not blank yet and not in a comment, if any."""
    return [line for line in lines if line not in blank and not parsed.is_within_comment(parsed.lines[line - 1])][:1]


def _without(text: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    """The text with everything in the spans blank but the ends of lines."""
    left = bytearray(text)
    for start, end in spans:
        left[start:end] = left[start:end].translate(_TO_BLANKS)
    return bytes(left)


def _join_hidden(reading: ParsedFile, parsed: ParsedFile, blank: set[int]) -> None:
    """Add to ``reading`` what ``parsed`` has on the lines that were blanked for it (1-based), cut to them."""
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
