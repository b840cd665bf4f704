"""Lines in, the definitions that they say plainly out: for what no grammar could read.

A language's ``lines`` are regular expressions for lines such as ``CREATE PROCEDURE name`` or ``sub name {``. They are tried where
the tree has errors, or on the whole text if there is no tree. Nothing here parses: a line inside a string or comment that spans
lines counts only as far as the language says how such texts begin and end, and a definition ends where a line looks like its end.
Each expression is anchored at the start of a line, so that the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from hardtack.build.outline.definitions import Draft
from hardtack.nouns.model import NAMESPACES, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardtack.build.languages.registry import Language
    from hardtack.build.outline.definitions import ParsedFile

_BLANKS = b" \t"
_MEMBERS = frozenset({Kind.FIELD, Kind.PROPERTY, Kind.KEY, Kind.VARIABLE, Kind.CONSTANT})
"""Kinds that a broken tree gives to any name; where a line says another, the line is right."""
_STATEMENTS = _MEMBERS | {Kind.STRUCT}
"""Kinds of definitions that the next statement ends, and that may be in a function at its own indentation, as a table in SQL."""
_LAST, _AFTER = "last", "after"


class _Rules(NamedTuple):
    """What a language says of lines, compiled."""

    definitions: tuple[tuple[re.Pattern[bytes], tuple[Kind, ...]], ...]
    """Each of ``lines`` with the kinds that its groups name."""
    marks: re.Pattern[bytes]
    """The beginning of a line that is no bracket or comment. With a group ``last`` it is the last line of what began at its
    indentation, with ``after`` it is behind all."""
    has_ends: bool
    """The language has such groups. In one that has not, what is not more indented is behind a definition."""
    texts: re.Pattern[bytes] | None
    """A string or comment, which may hold what looks like a definition."""


class _Event(NamedTuple):
    """A place where a definition begins or others may end."""

    at: int
    mark: str = ""
    """The group of ``marks``; empty for any other line."""
    draft: Draft | None = None
    """What begins."""


def read_lines(parsed: ParsedFile, language: Language, spans: Sequence[tuple[int, int]]) -> None:
    """Add to the drafts what lines define.

    Args:
        parsed: the file; gets the drafts.
        language: its language, which has ``lines``.
        spans: (start, end) of what the grammar could not read, in bytes and in order.
    """
    rules = _rules_of(language)
    known = sorted(parsed.drafts)
    plain = [key for key in known if parsed.drafts[key].kind not in _MEMBERS]
    wholes = sorted((draft.start, draft.end) for draft in parsed.drafts.values() if draft.kind is Kind.RESOURCE)
    reaches = [0, *accumulate((end for _, end in wholes), max)]
    found: dict[tuple[int, int], Draft] = {}
    for start, end in _whole_lines(parsed, spans):
        for expression, kinds in rules.definitions:
            for match in expression.finditer(parsed.text, start, end):
                name, kind = match.span("name"), next(kind for kind in kinds if match[kind] is not None)
                if name in found or _overlaps(known if kind in _MEMBERS else plain, name):
                    continue
                if kind is Kind.RESOURCE and name[0] < reaches[bisect_left(wholes, name)]:
                    continue  # the tree has the resource that this line is of
                found[name] = _draft(parsed, match, kind)
    if found and rules.texts is not None:
        _leave_out(found, rules.texts, parsed.text)
    if found:
        names = sorted(found)
        parsed.drafts = {key: draft for key, draft in parsed.drafts.items() if not _overlaps(names, key)}
        _end(parsed, list(found.values()), rules)
    parsed.drafts.update(found)


def _whole_lines(parsed: ParsedFile, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans widened to whole lines, without overlaps."""
    done = 0
    for start, end in spans:
        first = max(done, parsed.line_bounds(parsed.line_of(start))[0])
        done = max(done, parsed.line_bounds(parsed.line_of(max(start, end - 1)))[1])
        if first < done:
            yield first, done


def _overlaps(names: Sequence[tuple[int, int]], name: tuple[int, int]) -> bool:
    """Whether one of ``names``, which are in order and do not overlap one another, overlaps ``name``."""
    at = bisect_left(names, (name[1],)) - 1
    return at >= 0 and names[at][1] > name[0]


def _draft(parsed: ParsedFile, match: re.Match[bytes], kind: Kind) -> Draft:
    """The definition of one line; where it ends is not known yet."""
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    line_end = parsed.line_bounds(parsed.line_of(match.end("name")))[1]
    draft = Draft((start, line_end), match.span("name"), kind)
    draft.body = max(match.end(), line_end)
    draft.scope = match.groupdict(b"").get("scope", b"").decode("utf-8", "replace")
    draft.is_from_lines = True
    return draft


def _leave_out(found: dict[tuple[int, int], Draft], texts: re.Pattern[bytes], source: bytes) -> None:
    """Take out of ``found`` what is inside a string or comment."""
    names = sorted(found)
    for match in texts.finditer(source):
        at = bisect_left(names, match.span())
        while at < len(names) and names[at][0] < match.end():
            found.pop(names[at], None)
            at += 1


def _end(parsed: ParsedFile, drafts: Sequence[Draft], rules: _Rules) -> None:
    """Set where definitions end: at a line that ends them, or before the next definition that is not inside them.

    A definition of the tree that goes on over such a line is cut before it: the tree missed its end.
    """
    text = parsed.text
    first = parsed.line_bounds(parsed.line_of(drafts[0].start))[0]
    events = [_Event(draft.start, draft=draft) for draft in (*parsed.drafts.values(), *drafts)]
    events += [_Event(match.end("indentation"), match.lastgroup or "") for match in rules.marks.finditer(text, first)]
    events.sort(key=lambda event: (event.at, event.draft is not None))
    opened: list[tuple[int, Draft]] = []
    """(indentation, definition) of what lines began: the later, the deeper."""
    around: list[tuple[int, Draft]] = []
    """The same of what the tree has."""
    for event in events:
        start, end = parsed.line_bounds(parsed.line_of(event.at))
        draft = event.draft
        if draft is not None and text[start : event.at].strip(_BLANKS):
            continue  # another definition of the same line
        indentation = -1 if event.mark == _AFTER else event.at - start
        while opened and _is_over(opened[-1], event, indentation, rules):
            opened.pop()[1].end = start
        if event.mark == _LAST and opened and opened[-1][0] == indentation:
            opened.pop()[1].end = end
        while around and around[-1][0] >= indentation and (draft is not None or event.mark == _AFTER):
            before = around.pop()[1]
            if before.kind not in NAMESPACES and (draft is None or draft.is_from_lines):
                before.end = max(before.name_end, min(before.end, start))
                before.trim(text)
        if draft is not None:
            (opened if draft.is_from_lines else around).append((indentation, draft))
    for _, draft in opened:
        draft.end = len(text)
    for draft in drafts:
        draft.trim(text)


def _is_over(opened: tuple[int, Draft], event: _Event, indentation: int, rules: _Rules) -> bool:
    """Whether what a line began is over before the line of ``event``, which has that indentation."""
    own, draft = opened
    if event.mark == _LAST or own < indentation:
        return own > indentation
    if event.draft is not None:
        return not rules.has_ends or draft.kind in _STATEMENTS or event.draft.kind not in _STATEMENTS
    return event.mark == _AFTER or draft.kind in _STATEMENTS or not rules.has_ends


@cache
def _rules_of(language: Language) -> _Rules:
    definitions = [re.compile(pattern.encode(), re.MULTILINE) for pattern in language.lines]
    ends = ((_LAST, language.last_line), (_AFTER, language.line_after))
    marks = [f"(?P<{mark}>{pattern})" for mark, pattern in ends if pattern]
    statement = rf"(?![\s(\[{{)\]}}]{'|' + re.escape(language.line_comment) if language.line_comment else ''})"
    return _Rules(
        definitions=tuple((each, tuple(kind for kind in Kind if kind in each.groupindex)) for each in definitions),
        marks=re.compile(rf"^(?P<indentation>[ \t]*)(?:{'|'.join([*marks, statement])})".encode(), re.MULTILINE),
        has_ends=bool(marks),
        texts=re.compile(language.long_texts.encode(), re.MULTILINE) if language.long_texts else None,
    )
