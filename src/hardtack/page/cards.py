"""A symbol in, what its card says out: callers and callees, other places that use it, supertypes and subtypes; tests folded.

Every list has a bound, and says how many entries it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from hardtack.bundle.format.records import SymbolRecord
from hardtack.bundle.reader import Bundle
from hardtack.nouns.relations import Certainty
from hardtack.page.addresses import Addresses, Here, card_anchor, definition_anchor, line_anchor
from hardtack.page.shown import ShownText
from hardtack.page.uses import CERTAINTIES, Used, Uses
from hardtack.query.lookup.references import HERITAGE
from hardtack.query.lookup.tests_inside import is_in_test
from hardtack.render.style import inert_line

_MOST: Final = 30
"""Entries that a list shows."""
_MOST_READ: Final = 5_000
"""Uses of one symbol that are looked at; more are counted only."""
_DOC: Final = 600
"""Characters of documentation."""


class Row(NamedTuple):
    """One entry of a list."""

    label: str
    href: str
    """Empty where the bundle has no such place."""
    place: str
    """``path:line``; empty where the label says it."""
    certainty: str
    times: int
    """Uses that it stands for."""


class Rows(NamedTuple):
    """A bounded list."""

    title: str
    rows: tuple[Row, ...]
    more: int
    """Entries that are left out."""
    tests: tuple[Row, ...]
    """Those in tests."""
    tests_more: int

    @property
    def tests_count(self) -> int:
        """All entries in tests."""
        return len(self.tests) + self.tests_more


class Card(NamedTuple):
    """What is said of one symbol."""

    anchor: str
    back: str
    """The address of its name in the source."""
    kind: str
    name: str
    signature: str
    doc: str
    lines: str
    uses: int
    callers: Rows | None
    calls: Rows | None
    lists: tuple[Rows, ...]
    """Other uses, supertypes, subtypes."""
    unresolved: int
    """Uses of its name of which nothing tells what they mean."""
    unread: int
    """Uses that were not looked at."""


class Cards:
    """The cards of a bundle's symbols."""

    def __init__(self, bundle: Bundle, uses: Uses, addresses: Addresses, shown: ShownText) -> None:
        self._bundle, self._uses, self._addresses, self._shown = bundle, uses, addresses, shown

    def card(self, ordinal: int, here: Here) -> Card | None:
        """The card of a symbol; None where there is nothing to say beyond its source."""
        symbol = self._bundle.symbol(ordinal)
        uses = list(islice(self._uses.of(ordinal), _MOST_READ + 1))
        unread = self._uses.count_of(ordinal) - _MOST_READ if len(uses) > _MOST_READ else 0
        uses = uses[:_MOST_READ]
        callers = self._by_source("Callers", (use for use in uses if use.is_call), here)
        others = self._by_source("Other uses", (use for use in uses if not use.is_call), here)
        calls = self._callees(islice(self._uses.inside(ordinal), _MOST_READ), here)
        lists = [others, *self._heritage(ordinal, here)]
        if not (callers.rows or callers.tests or calls.rows or any(each.rows or each.tests for each in lists)):
            return None
        number = ordinal - self._bundle.file(symbol.file).first_symbol
        return Card(
            anchor=card_anchor(number),
            back=self._addresses.to(self._addresses.file(symbol.file), here, definition_anchor(number)),
            kind=symbol.kind.value,
            name=inert_line(symbol.qualified_name),
            signature=inert_line(symbol.signature),
            doc=_shortened(inert_line(symbol.doc)),
            lines=lines_of(symbol),
            uses=len(uses) + unread,
            callers=callers if callers.rows or callers.tests else None,
            calls=calls if calls.rows else None,
            lists=tuple(each for each in lists if each.rows or each.tests),
            unresolved=self._uses.unresolved(symbol.name),
            unread=unread,
        )

    def _by_source(self, title: str, uses: Iterable[Used], here: Here) -> Rows:
        """Uses, one row for each symbol or file that they stand in."""
        grouped: dict[tuple[int, int], list[Used]] = {}
        for use in uses:
            grouped.setdefault((use.file, use.source), []).append(use)
        own: list[Row] = []
        tests: list[Row] = []
        for (file, source), group in grouped.items():
            first = group[0]
            path = inert_line(self._bundle.file(file).path)
            label = inert_line(self._bundle.symbol(source).qualified_name) if source >= 0 else path.rpartition("/")[2]
            row = Row(
                label=label,
                href=self._addresses.to(self._addresses.file(file), here, self._anchor(first)),
                place=f"{path}:{first.line}",
                certainty=first.certainty.value,
                times=len(group),
            )
            (tests if is_in_test(self._bundle, file, source) else own).append(row)
        return Rows(title, tuple(own[:_MOST]), max(len(own) - _MOST, 0), tuple(tests[:_MOST]), max(len(tests) - _MOST, 0))

    def _anchor(self, use: Used) -> str:
        """The anchor of a use's line; empty where that is not shown."""
        return line_anchor(use.line) if self._shown.has_line(use.file, use.line) else ""

    def _callees(self, inside: Iterable[Used], here: Here) -> Rows:
        counts: dict[tuple[int, Certainty], int] = {}
        for use in inside:
            if use.is_call and use.target >= 0:
                counts[use.target, use.certainty] = counts.get((use.target, use.certainty), 0) + 1
        rows = tuple(
            self._symbol_row(target, certainty.value, count, here)
            for (target, certainty), count in islice(sorted(counts.items(), key=lambda each: CERTAINTIES.index(each[0][1])), _MOST)
        )
        return Rows("Calls", rows, len(counts) - len(rows), (), 0)

    def _symbol_row(self, ordinal: int, certainty: str, count: int, here: Here) -> Row:
        symbol = self._bundle.symbol(ordinal)
        file = self._bundle.file(symbol.file)
        address = self._addresses.to(self._addresses.file(symbol.file), here, definition_anchor(ordinal - file.first_symbol))
        place = f"{inert_line(file.path)}:{symbol.selection_line}"
        return Row(inert_line(symbol.qualified_name), address, place, certainty, count)

    def _heritage(self, ordinal: int, here: Here) -> Iterator[Rows]:
        above: list[Row] = []
        for relation in self._bundle.related.relations_from(ordinal):
            if relation.kind in HERITAGE:
                if relation.target >= 0:
                    above.append(self._symbol_row(relation.target, relation.certainty.value, 1, here))
                else:
                    above.append(Row(inert_line(relation.name), "", "not in this bundle", relation.certainty.value, 1))
        below = [
            self._symbol_row(relation.source, relation.certainty.value, 1, here)
            for relation in self._bundle.related.relations_to(ordinal)
            if relation.kind in HERITAGE and relation.source >= 0
        ]
        for title, rows in (("Supertypes", above), ("Subtypes", below)):
            yield Rows(title, tuple(rows[:_MOST]), max(len(rows) - _MOST, 0), (), 0)


def lines_of(symbol: SymbolRecord) -> str:
    """``line 12`` or ``lines 12 to 40``."""
    if symbol.start_line == symbol.end_line:
        return f"line {symbol.start_line}"
    return f"lines {symbol.start_line} to {symbol.end_line}"


def _shortened(text: str) -> str:
    return text if len(text) <= _DOC else f"{text[:_DOC].rstrip()} …"
