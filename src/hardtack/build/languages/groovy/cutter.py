"""Groovy text in, its definitions out, builds and pipelines included.

Comments and the insides of strings are blanked first, byte for byte, so that words and braces are those of code. A definition
starts a line and holds the text in its braces.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardtack.build.languages.prose import comment_words, joined_names, line_starts
from hardtack.nouns.model import FUNCTIONS, Kind, Span
from hardtack.nouns.outline import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SIGNATURE_CHARACTERS = 200
_MAX_PARAMETER_BYTES = 4_000
_SIGNATURE_BYTES = 1_000

_OPAQUE = re.compile(
    rb"""\"{3}(?:[^"\\]|\\.|"(?!""))*(?:\"{3}|\Z)|'{3}(?:[^'\\]|\\.|'(?!''))*(?:'{3}|\Z)"""
    rb"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|//[^\n]*|/\*.*?(?:\*/|\Z)""",
    re.DOTALL,
)
_MODIFIERS = (
    rb"(?:(?:@[\w.]+(?:\([^()\n]*\))?|public|private|protected|static|final|abstract|synchronized|transient|volatile|default|native)"
    rb"[ \t]+)*"
)
_TYPE = rb"(?:def|var|void|boolean|byte|char|short|int|long|float|double|(?:[a-z]\w*\.)*[A-Z][\w.]*(?:<[^(){};=\n]*>)?)(?:\[\])*"
_STRING = rb'"[ \t]*"'
_DEFINITION = re.compile(
    rb"^[ \t]*(?:"
    rb"(?P<head>%(modifiers)s(?P<sort>class|interface|trait|enum|record|@interface)[ \t]+)(?P<type>\w+)"
    rb"|%(modifiers)s(?:<[^(){};=\n]*>[ \t]*)?(?:%(type)s|static|private|public|protected|final)[ \t]+"
    rb"(?P<function>%(string)s|\w+)[ \t]*\("
    rb"|%(modifiers)s(?P<constructor>[A-Z]\w*)[ \t]*\("
    rb"|%(modifiers)s(?:%(type)s|static|final)[ \t]+(?P<variable>\w+)[ \t]*(?:$|[;\r]|=(?![=~]))"
    rb"|stage[ \t]*\([ \t]*(?:name[ \t]*:[ \t]*)?(?P<stage>%(string)s)"
    rb"|(?:task[ \t]+|task[ \t]*\([ \t]*|tasks\.(?:register|create)[ \t]*\([ \t]*)(?P<target>%(string)s|\w+)"
    rb"|(?:process|workflow)[ \t]+(?P<process>\w+)(?=[ \t\r\n]*\{)"
    rb"|(?P<block>\w+)(?=[ \t]*\{)"
    rb")" % {b"modifiers": _MODIFIERS, b"type": _TYPE, b"string": _STRING},
    re.MULTILINE,
)
_CONSTANT = re.compile(rb"\s*(\w+)[ \t]*(?:\([^()\n]*\))?\s*(,?)")
_BODY = re.compile(rb"\s*(?:throws\s[\w.,\s]*)?\{")
_TYPE_BODY = re.compile(rb"[^{}();=]*\{")
_BRACKET = re.compile(rb"[()]")
_BRACKET_OR_END = re.compile(rb"[()\n]")
_PACKAGE = re.compile(rb"^[ \t]*package[ \t]+([\w.]+)", re.MULTILINE)
_SORTS = {b"class": Kind.CLASS, b"record": Kind.CLASS, b"trait": Kind.TRAIT, b"enum": Kind.ENUM}
_TYPES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.TRAIT, Kind.ENUM})
_GROUPS = {
    "type": Kind.CLASS,
    "function": Kind.FUNCTION,
    "constructor": Kind.CONSTRUCTOR,
    "variable": Kind.VARIABLE,
    "stage": Kind.STAGE,
    "target": Kind.TARGET,
    "process": Kind.FUNCTION,
    "block": Kind.BLOCK,
}


@dataclass(slots=True)
class _Source:
    """A text with its lines, comments and braces; offsets are bytes."""

    text: bytes
    code: bytes = b""
    """The text with comments and the insides of strings blank."""
    starts: list[int] = field(default_factory=list)
    comments: dict[int, int] = field(default_factory=dict)
    """Index of the line where a comment ends -> its start; only of comments that begin their line."""
    braces: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    """How deep the text is after each brace."""
    closings: dict[int, int] = field(default_factory=dict)
    """Opening brace -> one past the brace that closes it."""

    def depth(self, at: int) -> int:
        """Number of braces around byte ``at``."""
        before = bisect_left(self.braces, at) - 1
        return self.depths[before] if before >= 0 else 0

    def span(self, start: int, end: int) -> Span:
        """The bytes from ``start`` to ``end`` with their lines."""
        first = bisect_right(self.starts, start)
        return Span(start=start, end=end, start_line=first, end_line=max(first, bisect_left(self.starts, end)))


def sections_of(text: bytes) -> list[Symbol]:
    """The text's definitions, by start, outer before inner."""
    source = _source_of(text)
    package = match[1].decode() if (match := _PACKAGE.search(source.code)) else ""
    symbols: list[Symbol] = []
    bodies: list[int] = []  # of each symbol, where its braces open, or -1
    opened: list[int] = []
    for match in _DEFINITION.finditer(source.code):
        group = match.lastgroup or ""
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        while opened and symbols[opened[-1]].span.end <= start:
            opened.pop()
        enclosing = symbols[opened[-1]] if opened else None
        is_direct = source.depth(start) == (source.depth(bodies[opened[-1]]) + 1 if opened else 0)
        kind = _kind_of(match, group, enclosing, is_direct=is_direct)
        if kind is None:
            continue
        body, end = _body_of(source, match, group)
        opened.append(len(symbols))
        bodies.append(body)
        parent = opened[-2] if len(opened) > 1 else -1
        symbols.append(_symbol(source, (start, end, body), match.span(group), kind, package, symbols, parent))
        if kind is Kind.ENUM and body >= 0:
            for span in _constants(source.code, body + 1, end):
                bodies.append(-1)
                symbols.append(_symbol(source, (*span, -1), span, Kind.ENUM_MEMBER, package, symbols, opened[-1]))
    return symbols


def _source_of(text: bytes) -> _Source:
    source = _Source(text, starts=line_starts(text))
    pieces, at = [], 0
    for match in _OPAQUE.finditer(text):
        start, end = match.span()
        pieces.append(text[at:start])
        hidden = re.sub(rb"[^\r\n]", b" ", match[0])
        if text[start : start + 1] != b"/":
            hidden = b'"' + hidden[1:-1] + b'"' if end - start > 1 else b" "
        elif not text[source.starts[bisect_right(source.starts, start) - 1] : start].strip():
            source.comments[bisect_right(source.starts, end - 1) - 1] = start
        pieces.append(hidden)
        at = end
    source.code = b"".join((*pieces, text[at:]))
    waiting: list[int] = []
    for brace in re.finditer(rb"[{}]", source.code):
        if brace[0] == b"{":
            waiting.append(brace.start())
        elif waiting:
            source.closings[waiting.pop()] = brace.end()
        source.braces.append(brace.start())
        source.depths.append(len(waiting))
    return source


def _kind_of(match: re.Match[bytes], group: str, enclosing: Symbol | None, *, is_direct: bool) -> Kind | None:
    """The kind of the definition at a match; None for a call or a local variable."""
    kind = _GROUPS[group]
    within_type = enclosing is not None and enclosing.kind in _TYPES
    if group == "type":
        return _SORTS.get(match["sort"], Kind.INTERFACE)
    if group == "constructor":
        return kind if within_type and is_direct and enclosing is not None and match[group].decode() == enclosing.name else None
    if group == "block":
        return kind if enclosing is None and is_direct else None
    if group == "variable" and not is_direct:
        return None
    if enclosing is not None and enclosing.kind in FUNCTIONS:
        return None
    if within_type:
        return {Kind.FUNCTION: Kind.METHOD, Kind.VARIABLE: Kind.FIELD}.get(kind, kind) if is_direct else None
    return kind


def _body_of(source: _Source, match: re.Match[bytes], group: str) -> tuple[int, int]:
    """(position of the definition's opening brace or -1, its end)."""
    code, at = source.code, match.end()
    if group == "variable":
        line = bisect_right(source.starts, match.start(group)) - 1
        end = source.starts[line + 1] if line + 1 < len(source.starts) else len(code)
        return -1, max(match.end(group), match.start(group) + len(source.text[match.start(group) : end].rstrip(b"; \t\r\n")))
    if code[at - 1 : at] == b"(" or group in {"stage", "target"}:
        at = _after_parameters(code, at, depth=1 if b"(" in match[0][match.end(group) - match.start() :] or group == "stage" else 0)
    opening = (_TYPE_BODY if group == "type" else _BODY).match(code, at, at + _SIGNATURE_BYTES)
    if opening is None:
        return -1, max(at, match.end(group))
    brace = opening.end() - 1
    return brace, source.closings.get(brace, len(code.rstrip()))


def _after_parameters(code: bytes, at: int, depth: int) -> int:
    """One past the bracket that closes the list around ``at``; ``at`` if it is too far or missing."""
    for bracket in (_BRACKET if depth else _BRACKET_OR_END).finditer(code, at, at + _MAX_PARAMETER_BYTES):
        if bracket[0] == b"\n":
            break
        depth += 1 if bracket[0] == b"(" else -1
        if depth <= 0:
            return bracket.end()
    return at


def _constants(code: bytes, at: int, end: int) -> list[tuple[int, int]]:
    """The positions of an enumeration's constants, which come first in it."""
    found: list[tuple[int, int]] = []
    while (match := _CONSTANT.match(code, at, end)) is not None:
        found.append(match.span(1))
        at = match.end()
        if not match[2]:
            break
    return found


def _symbol(
    source: _Source,
    place: tuple[int, int, int],
    selection: tuple[int, int],
    kind: Kind,
    package: str,
    symbols: Sequence[Symbol],
    parent: int,
) -> Symbol:
    """One symbol.

    Args:
        source: the file.
        place: (start, end, position of the opening brace or -1).
        selection: (start, end) of its name.
        kind: of the symbol.
        package: its package.
        symbols: those before it.
        parent: index of the enclosing symbol, or -1.
    """
    start, end, body = place
    extent, doc = (start, "") if kind is Kind.ENUM_MEMBER else _leading(source, start)
    if source.code[selection[0] : selection[0] + 1] == b'"' and selection[1] - selection[0] > 2:
        selection = (selection[0] + 1, selection[1] - 1)
    name = " ".join(source.text[selection[0] : selection[1]].decode("utf-8", "replace").split()) or '""'
    signature = source.text[start : min(body if body >= 0 else end, start + _SIGNATURE_BYTES)].decode("utf-8", "ignore")
    enclosing = symbols[parent] if parent >= 0 else None
    return Symbol(
        name=name,
        qualified_name=joined_names(enclosing.qualified_name if enclosing else "", "", name),
        kind=kind,
        span=source.span(start, end),
        extent=source.span(max(extent, enclosing.span.start if enclosing else 0), end),
        selection=source.span(*selection),
        signature=" ".join(signature.split())[:MAX_SIGNATURE_CHARACTERS].rstrip(),
        doc=doc,
        package=package,
        parent=parent,
    )


def _leading(source: _Source, start: int) -> tuple[int, str]:
    """(start of the comments and annotations directly above ``start``, words of the last ``/**`` comment among them)."""
    line, doc = bisect_right(source.starts, start) - 1, ""
    while line > 0:
        above = source.text[source.starts[line - 1] : source.starts[line]]
        comment = source.comments.get(line - 1)
        if comment is not None:
            text = source.text[comment : source.starts[line]].decode("utf-8", "replace")
            doc = doc or (comment_words(text) if text.startswith("/**") else "")
            start = comment
            line = bisect_right(source.starts, comment) - 1
        elif above.lstrip().startswith(b"@") and b"@interface" not in above and above.rstrip()[-1:] != b"{":
            start = source.starts[line - 1] + len(above) - len(above.lstrip())
            line -= 1
        else:
            break
    return start, doc
