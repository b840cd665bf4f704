"""Two bundles in, what of the new one a change is in out: symbols, tops of files, tests that differ, and what is no code.

A symbol that is gone has no place in the new bundle, so it is given as one of the old. Documentation alone changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hardtack.bundle.format.records import FileRecord
from hardtack.bundle.reader import Bundle
from hardtack.diff.bodies import MOST_BYTES, tokens_of
from hardtack.diff.comparison import compare
from hardtack.nouns.changes import ChangeKind, SymbolChange, SymbolState
from hardtack.nouns.model import NAMESPACES, Content
from hardtack.query.lookup.references import groups_of
from hardtack.query.lookup.symbols import symbols_qualified
from hardtack.query.lookup.tests_inside import is_in_test

_COMMENT = re.compile(r"^[ \t]*(?://|#(?=\s|$)|\*(?=[\s/]|$)|/\*|--(?=\s|$)).*$", re.MULTILINE)
"""A line that is a comment in most languages; none of ``#include``, ``#[test]``, ``#own = 1``, ``*place = 1``, ``--count``."""


@dataclass(slots=True)
class Changed:
    """What differs between two bundles, as far as something can lead to it."""

    symbols: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Ordinal in the new bundle, of the first symbol of its reference group -> how it differs. None of tests."""
    gone: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Ordinal in the old bundle -> the same, of symbols that are gone."""
    tops: list[int] = field(default_factory=list)
    """Ordinals of the new bundle's files whose text outside of all symbols differs, imports and comments aside."""
    tests: list[int] = field(default_factory=list)
    """Ordinals of the new bundle's symbols in tests that differ."""
    test_files: list[int] = field(default_factory=list)
    """Ordinals of the new bundle's files of tests that differ."""
    no_code: list[str] = field(default_factory=list)
    """Paths of files that differ and hold no code."""
    notes: tuple[str, ...] = ()
    """What could not be compared, one sentence each, without a full stop."""


def changed(old: Bundle, new: Bundle, takes: Callable[[str], bool], *, any_repository: bool = False) -> Changed:
    """What differs between two bundles, of the paths that ``takes`` accepts; errors as of :func:`compare`."""
    comparison = compare(old, new, takes=takes, any_repository=any_repository)
    found = Changed(notes=comparison.notes)
    for change in comparison.symbols:
        kinds = tuple(kind.value for kind in change.kinds if kind is not ChangeKind.DOCUMENTATION)
        if not kinds or (kinds == (ChangeKind.BODY.value,) and _is_commented_otherwise(old, new, change)):
            continue
        if change.new is None:
            if change.old and (ordinal := _ordinal(old, change.old)) >= 0:
                found.gone[ordinal] = kinds
        elif (ordinal := _ordinal(new, change.new)) >= 0:
            if is_in_test(new, new.symbol(ordinal).file, ordinal):
                found.tests.append(ordinal)
            else:
                found.symbols[ordinal] = kinds
    for before, number, file in _files(old, new, takes):
        if file.content != Content.CODE:
            found.no_code.append(file.path)
        elif file.is_test:
            found.test_files.append(number)
        elif before is not None and old.has_text and new.has_text and _top(old, before) != _top(new, file):
            found.tops.append(number)
    return found


def _is_commented_otherwise(old: Bundle, new: Bundle, change: SymbolChange) -> bool:
    """Whether a definition differs in lines of comments alone."""
    texts = [_without_comments(bundle, state) for bundle, state in ((old, change.old), (new, change.new)) if state]
    return len(texts) == 2 and texts[0] is not None and texts[0] == texts[1]


def _without_comments(bundle: Bundle, state: SymbolState) -> list[str] | None:
    """The tokens of a symbol's text but for lines of comments; None where they are not known."""
    ordinal = _ordinal(bundle, state)
    if ordinal < 0 or not bundle.has_text:
        return None
    symbol = bundle.symbol(ordinal)
    data = bundle.text_of(bundle.file(symbol.file), symbol.start, min(symbol.end, symbol.start + MOST_BYTES))
    return tokens_of(_COMMENT.sub("", data.decode("utf-8", "replace")))


def _ordinal(bundle: Bundle, state: SymbolState) -> int:
    """The first symbol of the reference group of a symbol that a comparison names; -1 for what is no symbol, as a module."""
    for number in symbols_qualified(bundle, state.name):
        symbol = bundle.symbol(number)
        if symbol.selection_line == state.line and bundle.file(symbol.file).path == state.path:
            return groups_of(bundle, [number])[0]
    return -1


def _files(old: Bundle, new: Bundle, takes: Callable[[str], bool]) -> Iterator[tuple[FileRecord | None, int, FileRecord]]:
    """(as it was, ordinal, as it is) of each file of the new bundle that differs or is new."""
    before = {file.path: file for file in old.files}
    for number, file in enumerate(new.files):
        was = before.get(file.path)
        if takes(file.path) and (was is None or was.sha256 != file.sha256):
            yield was, number, file


def _top(bundle: Bundle, file: FileRecord) -> list[str]:
    """The tokens of a file outside of its symbols, but for imports and lines of comments."""
    data, at, pieces = bundle.text_of(file), 0, []
    spans = [file.imports] if file.imports else []
    for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
        symbol = bundle.symbol(ordinal)
        if symbol.kind not in NAMESPACES:
            spans.append((symbol.extent_start, symbol.end))
    for start, end in sorted(spans):
        if start >= at:
            pieces.append(data[at:start])
        at = max(at, end)
    pieces.append(data[at:])
    return tokens_of(_COMMENT.sub("", b"\n".join(pieces).decode("utf-8", "replace")))
