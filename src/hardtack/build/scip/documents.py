"""One document of an index and the text of its file in, the occurrences that fit the text out.

An index does not say of which state of a file it is. If the file was changed since, ranges end in the middle of words, or words are
not the names of their symbols. A few of those are ordinary: what is imported under another name, what an indexer derives.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hardtack.build.outline.locals import NestedIntervals
from hardtack.build.outline.uses import applied_in
from hardtack.build.scip.ranges import Lines
from hardtack.build.scip.schema import DEFINITION, FORWARD_DEFINITION
from hardtack.build.scip.symbols import Parsed, SymbolTable, is_name_of, parsed
from hardtack.bundle.format.details import detail_of
from hardtack.bundle.format.records import SYMBOL_FIELDS

if TYPE_CHECKING:
    from hardtack.bundle.writer import IndexedFile

_SELECTION: Final = SYMBOL_FIELDS.index("selection_start")
_EXTENT: Final = SYMBOL_FIELDS.index("extent_start")
_END: Final = SYMBOL_FIELDS.index("end")
_SPARE: Final = 1000
"""Occurrences that a document may have beyond one for each byte of its file."""
_LONGEST_NAME: Final = 1000
_IMPORT_LIMIT: Final = 200
_AROUND: Final = 100
"""Bytes that are looked at around a name."""
_IN_IMPORT: Final = re.compile(rb"[\w$*.:\\ \t]*")
"""The text between the start of an import and a name in it."""
_WORDS: Final = frozenset(b"_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + bytes(range(0x80, 0x100)))
_NAMES: Final = _WORDS | frozenset(b"$#@")
_WORD: Final = re.compile(rb"[^\s.,;:()\[\]{}<>]+")
_TYPE: Final = re.compile(r"(?:[\w$]+(?:\.|::|\\))*([\w$]+)")
_QUOTES: Final = b"'\"`"
_MOST_STRANGE: Final = 0.25
"""Share of symbols that may be written by other words than their names, other than what is imported."""

DEFINES, APPLIED, RENAMED, AS_TYPE, SHORTHAND = 1, 2, 4, 8, 16
"""Bits: it is a definition; arguments follow; it is called otherwise than its symbol; a constructor goes by its type's name; it
stands alone between braces and commas, as a member and the variable of its name do in ``{ open, shut }``."""


@dataclass(slots=True)
class Said:
    """What an index says of one file: parallel columns, a row for each occurrence, and the symbols that are defined there."""

    starts: array[int] = field(default_factory=lambda: array("i"))
    lines: array[int] = field(default_factory=lambda: array("i"))
    symbols: array[int] = field(default_factory=lambda: array("i"))
    """Numbers of :class:`SymbolTable`."""
    holders: array[int] = field(default_factory=lambda: array("i"))
    """Index of the innermost symbol of the file that contains it, or -1."""
    flags: array[int] = field(default_factory=lambda: array("b"))
    words: dict[int, str] = field(default_factory=dict)
    """By row: how a symbol is called that goes by another name."""
    imported: dict[int, list[int]] = field(default_factory=dict)
    """By index of one of the file's imports: the rows that are in it."""
    supertypes: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    """By index of a type and the last word of one of its supertypes as written: the rows that may be that word."""
    aliases: list[tuple[int, int]] = field(default_factory=list)
    """(number of a member, number of a symbol): the member of an object literal and the variable that it is, ``{ open }``."""
    definitions: list[tuple[int, int, int]] = field(default_factory=list)
    """(number of a symbol, index of the file's symbol whose name is there, index of the innermost one around it), -1 for none."""


class _Occurrence(NamedTuple):
    start: int
    end: int
    symbol: str
    read: Parsed
    roles: int


class Reading:
    """Reads documents into one table of symbols."""

    def __init__(self, table: SymbolTable) -> None:
        self._table = table

    def said_of(self, document: Any, key: str, text: bytes, indexed: IndexedFile) -> Said | None:
        """What a document says of a file; None if it is of another state of the file.

        Args:
            document: SCIP's message.
            key: what identifies the document.
            text: of the file.
            indexed: the file's analysis.
        """
        if not _is_plausible(document, len(text)):
            return None
        if document.text and document.text.removeprefix("\ufeff").encode("utf-8", "replace") != text:
            return None
        lines = Lines(text)
        for encoding in lines.encodings(document.position_encoding):
            found = _occurrences(document, lines, encoding, text, {row[2] for row in indexed.imported})
            if found is not None:
                return self._told(found, key, lines.starts, text, indexed)
        return None

    def defined_in(self, document: Any, key: str, size: int) -> Collection[int]:
        """The symbols that a document defines, wherever; ``size`` is that of its file."""
        found = set()
        for each in document.occurrences if document is not None and _is_plausible(document, size) else ():
            read = parsed(each.symbol) if each.symbol_roles & (DEFINITION | FORWARD_DEFINITION) else None
            if read is not None:
                found.add(self._table.number(each.symbol, read, key))
        return found

    def _told(self, found: Sequence[_Occurrence], key: str, lines: Sequence[int], text: bytes, indexed: IndexedFile) -> Said:
        said = Said()
        own = {row[_SELECTION]: index for index, row in enumerate(indexed.symbols)}
        holders = NestedIntervals([(row[_EXTENT], row[_END]) for row in indexed.symbols])
        around = holders.innermost_of(np.array([each.start for each in found], dtype=np.int64)) if found else []
        applied = applied_in(text, [(each.start, each.end) for each in found])
        imports = [row[3] for row in indexed.imported]  # Import.start
        bases = {(index, last_word(base.name)) for index, detail in map(detail_of, indexed.details) for base in detail.supertypes}
        for each, holder in zip(found, around, strict=True):
            number = self._table.number(each.symbol, each.read, key)
            word = text[each.start : each.end].decode("utf-8", "replace")
            is_own = each.read.is_local or is_name_of(word, each.read)
            row = len(said.starts)
            flags = (APPLIED if each.start in applied else 0) | (0 if is_own else RENAMED)
            if each.roles & (DEFINITION | FORWARD_DEFINITION):
                flags |= DEFINES
                said.definitions.append((number, own.get(each.start, -1), holder))
            elif is_own and not each.read.is_local and not each.read.name and word == each.read.owner:
                flags |= AS_TYPE
            if not is_own:
                said.words[row] = word
            if (entry := _import_at(imports, each.start, text)) >= 0:
                said.imported.setdefault(entry, []).append(row)
            if stands_alone(text, each.start, each.end):
                flags |= SHORTHAND
            if (holder, word) in bases:
                said.supertypes.setdefault((holder, word), []).append(row)
            said.starts.append(each.start)
            said.lines.append(bisect_right(lines, each.start))
            said.symbols.append(number)
            said.holders.append(holder)
            said.flags.append(flags)
        here: dict[int, list[int]] = {}
        for each, number, flags in zip(found, said.symbols, said.flags, strict=True):
            if not flags & DEFINES:
                here.setdefault(each.start, []).append(number)
        for each, number, flags in zip(found, said.symbols, said.flags, strict=True):
            if flags & DEFINES and each.read.is_numbered and each.start not in own:
                said.aliases += ((number, other) for other in here.get(each.start, ()))
        return said


def _occurrences(
    document: Any, lines: Lines, encoding: int, text: bytes, imported: Collection[str]
) -> Sequence[_Occurrence] | None:
    """The occurrences of names, by place, each symbol once at a place; None if they do not fit the text.

    Args:
        document: SCIP's message.
        lines: of the text.
        encoding: of the document's positions.
        text: of the file.
        imported: names under which the file imports something.
    """
    positions = lines.reader(encoding)
    found: dict[tuple[int, str], _Occurrence] = {}
    for each in document.occurrences:
        span = positions.span(each)
        if span is None:
            if len(each.range) == 4 or each.HasField("multi_line_range"):
                continue  # no name, but code of several lines
            return None
        start, end = span
        is_quoted = 2 < end - start <= _LONGEST_NAME and text[start] in _QUOTES and text[end - 1] == text[start]
        if is_quoted:
            start, end = start + 1, end - 1  # a member whose name need not be a word
        elif start == end or end - start > _LONGEST_NAME:
            continue
        elif text[start:end] != text[start:end].strip() or _is_cut(text, start) or _is_cut(text, end):
            return None
        elif text[start] not in _NAMES or text[end - 1] not in _NAMES:
            continue
        read = parsed(each.symbol)
        if read is not None and not is_quoted and not _WORD.fullmatch(text, start, end):  # scip-python: name as alias
            end = start + len(name) if text.startswith(name := read.name.encode(), start) and name else start
            if start == end or _is_cut(text, end):
                continue
        if read is not None and not read.is_module:
            found.setdefault((start, each.symbol), _Occurrence(start, end, each.symbol, read, each.symbol_roles))
    ordered = sorted(found.values())
    return ordered if _are_named(ordered, text, imported) else None


def _is_plausible(document: Any, size: int) -> bool:
    """Whether a file of that size can have so many names."""
    return len(document.occurrences) <= size + _SPARE


def stands_alone(text: bytes, start: int, end: int) -> bool:
    """Whether braces or commas surround a name."""
    before, after = text[max(0, start - _AROUND) : start].rstrip(), text[end : end + _AROUND].lstrip()
    return before[-1:] in (b"{", b",") and after[:1] in (b"}", b",")


def last_word(supertype: str) -> str:
    """The last word of a supertype's name as written, before its arguments: ``Shelf`` of ``jars.Shelf<Jar>``."""
    match = _TYPE.match(supertype)
    return match[1] if match else ""


def _is_cut(text: bytes, at: int) -> bool:
    """Whether a place is inside a word."""
    return 0 < at < len(text) and text[at - 1] in _WORDS and text[at] in _WORDS


def _are_named(occurrences: Sequence[_Occurrence], text: bytes, imported: Collection[str]) -> bool:
    """Whether enough symbols go by their names, a local one by one word, and are defined where their names are."""
    words: dict[tuple[str, bytes], bool] = {}
    locals_: dict[str, bytes] = {}
    defined: dict[int, bool] = {}
    for each in occurrences:
        word = text[each.start : each.end]
        if (each.symbol, word) not in words:
            words[each.symbol, word] = (
                locals_.setdefault(each.symbol, word) == word
                if each.read.is_local
                else is_name_of(written := word.decode("utf-8", "replace"), each.read) or written in imported
            )
        if each.roles & DEFINITION and not each.read.is_local:  # an indexer may define more there than what is written
            defined[each.start] = defined.get(each.start, False) or is_name_of(word.decode("utf-8", "replace"), each.read)
    strange, undefined = (sum(not is_own for is_own in some.values()) for some in (words, defined))
    return strange <= max(1, _MOST_STRANGE * len(words)) and undefined <= _MOST_STRANGE * len(defined)


def _import_at(starts: Sequence[int], at: int, text: bytes) -> int:
    """The index of the import that a place is in; -1 for none."""
    entry = bisect_right(starts, at) - 1
    if entry < 0 or at - starts[entry] > _IMPORT_LIMIT or not _IN_IMPORT.fullmatch(text, starts[entry], at):
        return -1
    return entry
