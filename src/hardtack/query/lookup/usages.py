"""Sites, callers and implementations in, usages out: with paths, names and lines of code instead of ordinals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardtack.bundle.reader import Bundle
from hardtack.nouns.relations import Certainty
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.hits.snippet import MAX_COLUMNS
from hardtack.query.lookup.implementations import Implementation
from hardtack.query.lookup.references import Caller, Site
from hardtack.query.lookup.symbols import place_of

_SHOWN_BEFORE = 40
"""Characters of a long line that are shown before the name."""


def usages_of(bundle: Bundle, sites: Iterable[Site]) -> Iterator[Usage]:
    """One usage for each site, in their order."""
    lines = _SiteLines(bundle)
    for site in sites:
        within, kind = _name_and_kind(bundle, site.source)
        column, code = lines.at(site)
        yield Usage(
            path=bundle.file(site.file).path,
            line=site.line,
            column=column,
            relation=site.relation,
            certainty=site.certainty,
            within=within,
            kind=kind,
            code=code,
            target=place_of(bundle, site.target),
        )


def calling_symbols(bundle: Bundle, callers: Iterable[Caller]) -> Iterator[CallingSymbol]:
    """One calling symbol for each caller, in their order."""
    for caller in callers:
        within, kind = _name_and_kind(bundle, caller.source)
        yield CallingSymbol(
            path=bundle.file(caller.file).path,
            within=within,
            kind=kind,
            certainty=min((call.certainty for call in caller.calls), key=tuple(Certainty).index),
            target=place_of(bundle, caller.target),
            calls=tuple(usages_of(bundle, caller.calls)),
        )


def usages_of_implementations(bundle: Bundle, found: Iterable[Implementation]) -> Iterator[Usage]:
    """One usage for each implementation, in their order: the line of its declaration."""
    for each in found:
        symbol = bundle.symbol(each.symbol)
        yield Usage(
            path=bundle.file(symbol.file).path,
            line=symbol.selection.start_line,
            relation=each.relation,
            certainty=each.certainty,
            within=symbol.qualified_name,
            kind=symbol.kind.value,
            code=symbol.signature,
            target=place_of(bundle, each.target),
            depth=each.depth,
            through=tuple(bundle.symbol_name(type_).qualified_name for type_ in each.through),
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

    def at(self, site: Site) -> tuple[int, str]:
        """The column, in characters from 1, and the text of a site's line; 0 and an empty text where they are not known."""
        if not self._bundle.has_text:
            return 0, ""
        if site.file != self._file:
            self._file, self._text = site.file, self._bundle.text_of(self._bundle.file(site.file))
        if site.start < 0:
            lines = self._text.split(b"\n", site.line)
            return 0, _shortened(lines[site.line - 1].decode("utf-8", "replace").rstrip(), 0) if len(lines) >= site.line else ""
        start = self._text.rfind(b"\n", 0, site.start) + 1
        end = self._text.find(b"\n", site.start)
        column = len(self._text[start : site.start].decode("utf-8", "replace"))
        line = self._text[start : end if end >= 0 else None].decode("utf-8", "replace")
        return column + 1, _shortened(line.rstrip(), column)


def _shortened(line: str, column: int) -> str:
    """A line cut at both ends to ``MAX_COLUMNS`` characters around a column from 0."""
    if len(line) <= MAX_COLUMNS:
        return line
    first = max(0, min(column - _SHOWN_BEFORE, len(line) - MAX_COLUMNS))
    shown = line[first : first + MAX_COLUMNS]
    return f"{'...' if first else ''}{shown}{'...' if first + MAX_COLUMNS < len(line) else ''}"
