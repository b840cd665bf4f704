"""Sites, callers and implementations in, what is told of them out: paths, names and lines of code instead of ordinals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hardtack.bundle.reader import Bundle
from hardtack.nouns.relations import Certainty
from hardtack.nouns.usages import CallingSymbol, Usage
from hardtack.query.hits.snippet import MAX_COLUMNS
from hardtack.query.lookup.implementations import Implementation
from hardtack.query.lookup.references import Caller, Site

_BEFORE = 40
"""Characters of a long line that are shown before the name."""


def usages_of(bundle: Bundle, sites: Iterable[Site]) -> Iterator[Usage]:
    """One mention for each site, in their order."""
    lines = _Lines(bundle)
    for site in sites:
        within, kind = _named(bundle, site.source)
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
    """One account for each caller, in their order."""
    for caller in callers:
        within, kind = _named(bundle, caller.source)
        yield CallingSymbol(
            path=bundle.file(caller.file).path,
            within=within,
            kind=kind,
            certainty=min((call.certainty for call in caller.calls), key=tuple(Certainty).index),
            target=place_of(bundle, caller.target),
            calls=tuple(usages_of(bundle, caller.calls)),
        )


def usages_of_implementations(bundle: Bundle, found: Iterable[Implementation]) -> Iterator[Usage]:
    """One mention for each implementation, in their order: where it is declared."""
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


def place_of(bundle: Bundle, ordinal: int) -> str:
    """``path:first-last`` of a symbol; empty for -1."""
    if ordinal < 0:
        return ""
    symbol = bundle.symbol(ordinal)
    return f"{bundle.file(symbol.file).path}:{symbol.span.start_line}-{symbol.span.end_line}"


def _named(bundle: Bundle, ordinal: int) -> tuple[str, str]:
    if ordinal < 0:
        return "", ""
    symbol = bundle.symbol_name(ordinal)
    return symbol.qualified_name, symbol.kind.value


class _Lines:
    """Lines of stored files, one file at a time."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._file = -1
        self._text = b""

    def at(self, site: Site) -> tuple[int, str]:
        """The column and the line of a site; 0 and nothing where they are not known."""
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
    if len(line) <= MAX_COLUMNS:
        return line
    first = max(0, min(column - _BEFORE, len(line) - MAX_COLUMNS))
    shown = line[first : first + MAX_COLUMNS]
    return f"{'...' if first else ''}{shown}{'...' if first + MAX_COLUMNS < len(line) else ''}"
