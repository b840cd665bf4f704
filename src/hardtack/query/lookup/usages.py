"""Sites, callers and implementations in, usages out: with paths, names and lines of code instead of ordinals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial

from hardtack.bundle.reader import Bundle
from hardtack.nouns.relations import Certainty
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.files.line_starts import start_of_line
from hardtack.query.hits.snippet import MAX_COLUMNS
from hardtack.query.lookup.implementations import Implementation
from hardtack.query.lookup.references import Caller, Site
from hardtack.query.lookup.symbols import place_of

_MOST_CHARACTERS = 16 << 20
"""Characters of all usages of one answer together."""
_BESIDES = 200
"""Characters that a usage takes besides its texts."""
_AROUND = 16 * MAX_COLUMNS
"""Bytes of a line that are looked at before and after the name."""
_SHOWN_BEFORE = 40
"""Characters of a long line that are shown before the name."""


class Room:
    """How many characters the usages of one answer may take together: a place in a bundle is six bytes, a usage names paths."""

    def __init__(self, left: int = _MOST_CHARACTERS) -> None:
        self._left = left

    @property
    def is_spent(self) -> bool:
        """Whether no more fits, so that what is left was not given."""
        return self._left <= 0

    def take(self, *texts: str) -> None:
        """Take what a usage says; the last one may exceed the room."""
        self._left -= _BESIDES + sum(map(len, texts))


def usages_of(bundle: Bundle, sites: Iterable[Site], room: Room | None = None) -> Iterator[Usage]:
    """One usage for each site, in their order, as long as there is room."""
    room, lines, place_at = room or Room(), _SiteLines(bundle), cache(partial(place_of, bundle))
    for site in sites:
        if room.is_spent:
            return
        within, kind = _name_and_kind(bundle, site.source)
        column, code = lines.at(site)
        path, target = bundle.file(site.file).path, place_at(site.target)
        room.take(path, within, code, target)
        yield Usage(
            path=path,
            line=site.line,
            column=column,
            relation=site.relation,
            certainty=site.certainty,
            within=within,
            kind=kind,
            code=code,
            target=target,
        )


def calling_symbols(bundle: Bundle, callers: Iterable[Caller], room: Room | None = None) -> Iterator[CallingSymbol]:
    """One calling symbol for each caller, in their order, as long as there is room."""
    room = room or Room()
    for caller in callers:
        if room.is_spent:
            return
        within, kind = _name_and_kind(bundle, caller.source)
        yield CallingSymbol(
            path=bundle.file(caller.file).path,
            within=within,
            kind=kind,
            certainty=min((call.certainty for call in caller.calls), key=tuple(Certainty).index),
            target=place_of(bundle, caller.target),
            calls=tuple(usages_of(bundle, caller.calls, room)),
        )


def usages_of_implementations(bundle: Bundle, found: Iterable[Implementation], room: Room | None = None) -> Iterator[Usage]:
    """One usage for each implementation, in their order, as long as there is room: the line of its declaration."""
    room = room or Room()
    for each in found:
        if room.is_spent:
            return
        symbol = bundle.symbol(each.symbol)
        path, target = bundle.file(symbol.file).path, place_of(bundle, each.target)
        through = tuple(bundle.symbol_name(type_).qualified_name for type_ in each.through)
        room.take(path, target, symbol.qualified_name, symbol.signature, *through)
        yield Usage(
            path=path,
            line=symbol.selection.start_line,
            relation=each.relation,
            certainty=each.certainty,
            within=symbol.qualified_name,
            kind=symbol.kind.value,
            code=symbol.signature,
            target=target,
            depth=each.depth,
            through=through,
        )


def _name_and_kind(bundle: Bundle, ordinal: int) -> tuple[str, str]:
    """The qualified name and the kind of a symbol; empty for -1."""
    if ordinal < 0:
        return "", ""
    symbol = bundle.symbol_name(ordinal)
    return symbol.qualified_name, symbol.kind.value


class _SiteLines:
    """The lines of sites. The text of the last file is kept, as sites come file by file."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._file = -1
        self._text = b""
        self._counted = (0, 0, 0)
        """Where a line begins, a place in it, and how many characters lie between."""

    def at(self, site: Site) -> tuple[int, str]:
        """The column, in characters from 1, and the text of a site's line; 0 and an empty text where they are not known.

        Of a line only what is shown is decoded, since many sites may lie in a line that is as long as its file.
        """
        if not self._bundle.has_text:
            return 0, ""
        if site.file != self._file:
            self._file, self._text, self._counted = site.file, self._bundle.text_of(self._bundle.file(site.file)), (0, 0, 0)
        text = self._text
        if site.start < 0:
            start = start_of_line(text, site.line)
            return 0, _shortened(self._part(start, start, self._end_of_line(start)), 0)
        start, end = text.rfind(b"\n", 0, site.start) + 1, self._end_of_line(site.start)
        column, first = self._column(start, site.start), max(start, site.start - _AROUND)
        shown = self._part(start, first, end)
        return column + 1, _shortened(shown, len(self._part(start, first, site.start, is_whole=True)))

    def _end_of_line(self, start: int) -> int:
        """The end of the line, or of what of it is looked at."""
        end = self._text.find(b"\n", start, start + _AROUND)
        return end if end >= 0 else min(start + _AROUND, len(self._text))

    def _part(self, start: int, first: int, end: int, *, is_whole: bool = False) -> str:
        part = self._text[first:end].decode("utf-8", "replace" if first == start else "ignore")
        return part if is_whole else part.rstrip()

    def _column(self, start: int, at: int) -> int:
        """Characters between the start of a line and a place in it; counted on from the place before."""
        line, place, count = self._counted
        if line != start or place > at:
            place, count = start, 0
        count += len(self._text[place:at].decode("utf-8", "replace"))
        self._counted = (start, at, count)
        return count


def _shortened(line: str, column: int) -> str:
    """A line cut at both ends to ``MAX_COLUMNS`` characters around a column from 0."""
    if len(line) <= MAX_COLUMNS:
        return line
    first = max(0, min(column - _SHOWN_BEFORE, len(line) - MAX_COLUMNS))
    shown = line[first : first + MAX_COLUMNS]
    return f"{'...' if first else ''}{shown}{'...' if first + MAX_COLUMNS < len(line) else ''}"
