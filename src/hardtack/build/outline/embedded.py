"""A file's outline and those of its regions in other languages in, one outline out.

The host language does not parse a region. The region's symbols are placed inside the innermost host symbol around it, with that
symbol's name before theirs. This module only shifts offsets and indices; :mod:`hardtack.build.outline.definitions` and the cutters
find regions, and :mod:`hardtack.build.outline.symbols` parses them.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from hardtack.build.languages.prose import joined_names, line_starts
from hardtack.build.outline.syntax import MAX_ERROR_LINES
from hardtack.nouns.model import CALLABLES, TYPES, Kind, Span
from hardtack.nouns.outline import ParseStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hardtack.build.languages.sections import Region
    from hardtack.nouns.details import Detail
    from hardtack.nouns.outline import Outline, Symbol
    from hardtack.nouns.relations import Binding, Fact, Import, Use

_Place = TypeVar("_Place", "Import", "Use")
_Usage = TypeVar("_Usage", "Use", "Binding")

SHOWN_IN_PROSE = TYPES | CALLABLES | {Kind.MODULE, Kind.NAMESPACE}
"""Kinds of symbols of an example in documentation that are kept: not the keys and variables that it sets."""


def merged(host: Outline, parts: Sequence[tuple[Region, Outline]], text: bytes, *, is_prose: bool) -> Outline:
    """The host's outline with the symbols of its regions.

    Args:
        host: the outline of the whole file.
        parts: each region with the outline of its text alone, in order; regions do not overlap.
        text: the file's text.
        is_prose: the regions are examples: only symbols of :data:`SHOWN_IN_PROSE` are kept, and their errors are not the file's.
    """
    lines = line_starts(text)
    starts = [symbol.extent.start for symbol in host.symbols]
    symbols: list[Symbol] = []
    details: dict[int, Detail] = {}
    places: list[int] = []  # index in the host's outline -> index in the result
    imported = list(host.imported)
    uses: list[Use] = []
    bindings: list[Binding] = []
    facts: list[Fact] = []
    errors = set(host.error_lines)
    imports = host.imports

    def take_hosts(end: int) -> None:
        for index in range(len(places), end):
            symbol = host.symbols[index]
            places.append(len(symbols))
            if index in host.details:
                details[len(symbols)] = host.details[index]
            symbols.append(replace(symbol, parent=places[symbol.parent] if symbol.parent >= 0 else -1))

    for region, outline in parts:
        take_hosts(bisect_right(starts, region.start))
        before = bisect_right(lines, region.start) - 1
        within = _add_part(symbols, details, region, outline, before, is_prose=is_prose)
        if not is_prose:
            imported += [_moved(each, region.start, before) for each in outline.imported]
            uses += [_moved(_placed(each, within, len(bindings)), region.start, before) for each in outline.uses]
            bindings += [
                _placed(each, within, len(bindings))._replace(start=each.start + region.start) for each in outline.bindings
            ]
            facts += [each._replace(symbol=within[each.symbol]) for each in outline.facts]
            errors.update(line + before for line in outline.error_lines)
            imports = imports or (outline.imports and _shifted(outline.imports, region.start, before))
    take_hosts(len(starts))
    within = {-1: -1, **dict(enumerate(places))}
    uses += [_placed(each, within, len(bindings)) for each in host.uses]
    bindings += [_placed(each, within, len(bindings)) for each in host.bindings]
    facts += [each._replace(symbol=within[each.symbol]) for each in host.facts]
    return replace(
        host,
        status=ParseStatus.PARTIAL if errors else host.status,
        error_lines=tuple(sorted(errors)[:MAX_ERROR_LINES]),
        imports=imports,
        symbols=tuple(symbols),
        details=details,
        imported=tuple(sorted(imported, key=lambda each: each.start)),
        uses=tuple(sorted(uses, key=lambda each: each.start)),
        bindings=tuple(bindings),
        facts=tuple(facts),
    )


def _add_part(
    symbols: list[Symbol], details: dict[int, Detail], region: Region, outline: Outline, before: int, *, is_prose: bool
) -> Mapping[int, int]:
    """Append the region's symbols with their positions in the file; index in the region's outline -> index in ``symbols``.

    Args:
        symbols: the symbols before the region, in order; appended to.
        details: of ``symbols``; added to.
        region: the position of the outline's text.
        outline: of the region alone.
        before: number of lines of the file before the region's first.
        is_prose: as in :func:`merged`.
    """
    around = len(symbols) - 1
    while around >= 0 and not _holds(symbols[around].span, region):
        around = symbols[around].parent
    prefix = symbols[around].qualified_name if around >= 0 else ""
    places = {-1: around}
    for index, symbol in enumerate(outline.symbols):
        if is_prose and symbol.kind not in SHOWN_IN_PROSE:
            places[index] = places[symbol.parent]
            continue
        places[index] = len(symbols)
        if index in outline.details:
            details[len(symbols)] = outline.details[index]
        symbols.append(
            replace(
                symbol,
                qualified_name=joined_names(prefix, "", symbol.qualified_name),
                span=_shifted(symbol.span, region.start, before),
                extent=_shifted(symbol.extent, region.start, before),
                selection=_shifted(symbol.selection, region.start, before),
                parent=places[symbol.parent],
            )
        )
    return places


def _holds(span: Span, region: Region) -> bool:
    return span.start <= region.start and region.end <= span.end


def _placed(usage: _Usage, symbols: Mapping[int, int], bindings: int) -> _Usage:
    """A use or binding with the file's indices of symbols and bindings; ``bindings`` come before those of its region."""
    bound = usage.bound + bindings if usage.bound >= 0 else usage.bound
    return usage._replace(symbol=symbols[usage.symbol], bound=bound)


def _moved(place: _Place, offset: int, lines: int) -> _Place:
    return place._replace(start=place.start + offset, line=place.line + lines)


def _shifted(span: Span, offset: int, lines: int) -> Span:
    return Span(
        start=span.start + offset, end=span.end + offset, start_line=span.start_line + lines, end_line=span.end_line + lines
    )
