"""Relations, references and facts in, their members' rows out; the mapped members in, the same values out (FORMAT.md 4.7 to 4.10).

The functions take a build's values in any order and return tables to write. :class:`RelationTables` finds rows by binary search or
by a column, without decoding a whole member, and checks that the values it returns point inside the bundle.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from hardtack.bundle.format import layout
from hardtack.bundle.format.postings import CERTAINTIES, MOST_POSTINGS, read_postings, write_postings
from hardtack.bundle.format.tables import NOTHING, RowTable, pack_row
from hardtack.errors import UsageError
from hardtack.nouns.relations import Certainty, Fact, Reference, Relation, RelationKind

if TYPE_CHECKING:
    from hardtack.bundle.format.records import FileRecord

RELATION_FIELDS: Final = ("file", "line", "source", "kind", "name", "target", "target_file", "certainty")
REFERENCE_FIELDS: Final = ("name", "count", "postings")
FACT_FIELDS: Final = ("symbol", "key", "values")
SHAPES: Final[Mapping[tuple[str, ...], str]] = {RELATION_FIELDS: "iinisnni", REFERENCE_FIELDS: "sib", FACT_FIELDS: "is*"}
MOST_REFERENCES: Final = 8 * MOST_POSTINGS
"""The most references of one name that are read together: six bytes of a posting become two hundred."""
RELATION_KINDS: Final = tuple(RelationKind)
"""Kinds of relations by their stored number; ``RelationKind`` only ever grows at its end."""

_KIND_NUMBERS = {kind: number for number, kind in enumerate(RELATION_KINDS)}
_CERTAINTY_NUMBERS = {certainty: number for number, certainty in enumerate(CERTAINTIES)}
_VALUES = 100
"""The most values of a fact in one array, since a reader takes no longer ones; the rest follow in further arrays."""


class TableToWrite(NamedTuple):
    """The arguments of :func:`tables.render_table`."""

    fields: tuple[str, ...]
    rows: list[bytes]
    columns: Mapping[str, Sequence[int]]


def relation_table(relations: Iterable[Relation]) -> TableToWrite:
    """The table of ``relations``, in order of file, line, source, kind, name, target, its file and certainty."""

    def place(each: Relation) -> tuple[int, int, int, int, str, int, int, Certainty]:
        kind = _KIND_NUMBERS[each.kind]
        return each.file, each.line, each.source, kind, each.name, each.target, each.target_file, each.certainty

    ordered = sorted(relations, key=place)
    rows = [pack_row((*place(each)[:-1], _CERTAINTY_NUMBERS[each.certainty])) for each in ordered]
    columns = {"source": [each.source & NOTHING for each in ordered], "target": [each.target & NOTHING for each in ordered]}
    return TableToWrite(RELATION_FIELDS, rows, columns)


def reference_table(references: Iterable[tuple[str, Sequence[Reference]]], first_symbols: Sequence[int]) -> TableToWrite:
    """The table of posting lists of ``references``.

    Args:
        references: (name, references) with each name once, in any order.
        first_symbols: ordinal of the first symbol of each file.
    """
    rows: list[tuple[bytes, int, bytes]] = []
    for name, unordered in references:
        ordered = sorted(unordered)
        for start in range(0, len(ordered), MOST_POSTINGS):
            some = ordered[start : start + MOST_POSTINGS]
            rows.append((name.encode(), start, pack_row((name, len(some), write_postings(some, first_symbols)))))
    return TableToWrite(REFERENCE_FIELDS, [packed for _, _, packed in sorted(rows)], {})


def fact_table(facts: Iterable[Fact]) -> TableToWrite:
    """The table of ``facts``; those of one symbol stay in their order."""
    ordered = sorted(facts, key=lambda fact: fact.symbol)
    rows = [
        pack_row((symbol, key, tuple(values[start : start + _VALUES] for start in range(0, len(values), _VALUES))))
        for symbol, key, values in ordered
    ]
    return TableToWrite(FACT_FIELDS, rows, {"symbol": [fact.symbol for fact in ordered]})


class RelationTables:
    """The mapped members."""

    def __init__(
        self, members: Mapping[str, memoryview], *, file: Callable[[int], FileRecord], file_count: int, symbol_count: int
    ) -> None:
        """Check the tables' frames.

        Args:
            members: the bytes of each of the three members, by name.
            file: returns a file by its ordinal.
            file_count: files in the bundle.
            symbol_count: symbols in the bundle.

        Raises:
            FormatError: one is not a table of its fields.
        """
        self._relations, self._references, self._facts = (
            RowTable(name, members[name], fields, SHAPES[fields])
            for name, fields in (
                (layout.RELATIONS, RELATION_FIELDS),
                (layout.REFERENCES, REFERENCE_FIELDS),
                (layout.FACTS, FACT_FIELDS),
            )
        )
        self._file = file
        self._file_count = file_count
        self._symbol_count = symbol_count

    def relation(self, row: int) -> Relation:
        """The relation in that row.

        Raises:
            FormatError: the row is damaged or points outside the bundle.
        """
        file, line, source, kind, name, target, target_file, certainty = self._relations.row(row)
        if kind >= len(RELATION_KINDS) or certainty >= len(CERTAINTIES):
            raise self._relations.fault(f"row {row} has an impossible kind or certainty")
        is_inside = (
            file < self._file_count
            and target_file < self._file_count
            and _is_line(self._file(file), line)
            and (source < 0 or _is_symbol(self._file(file), source))
            and (target < 0 or (target_file >= 0 and _is_symbol(self._file(target_file), target)))
        )
        if not is_inside:
            raise self._relations.fault(f"row {row} points outside the bundle")
        return Relation(file, line, source, RELATION_KINDS[kind], name, target, target_file, CERTAINTIES[certainty])

    def relations_from(self, symbol: int) -> tuple[Relation, ...]:
        """The relations whose source is ``symbol``, in order of line."""
        return self._relations_with("source", symbol)

    def relations_to(self, symbol: int) -> tuple[Relation, ...]:
        """The relations whose target is ``symbol``, in order of file and line."""
        return self._relations_with("target", symbol)

    def _relations_with(self, column: str, symbol: int) -> tuple[Relation, ...]:
        found = tuple(self.relation(row) for row in self._relations.rows_where(column, symbol))
        if any(getattr(relation, column) != symbol for relation in found):
            raise self._relations.fault(f"column {column!r} has other numbers than the rows")
        return found

    def relations_of_file(self, file: int) -> tuple[Relation, ...]:
        """The relations stated in a file, its imports among them, in order of line."""

        def file_of(row: int) -> int:
            return int(self._relations.row(row)[0])

        rows = range(len(self._relations))
        start = bisect_left(rows, file, key=file_of)
        end = bisect_left(rows, file + 1, lo=start, key=file_of)
        return tuple(map(self.relation, rows[start:end]))

    def relations(self) -> Iterator[Relation]:
        """Every relation, in order of file and line."""
        return map(self.relation, range(len(self._relations)))

    def unresolved(self, text: str) -> Iterator[Relation]:
        """The relations without a target in the bundle whose rows contain ``text``, in order of file and line.

        All relations whose name contains the text, in any ASCII case, are among them; so may be others.
        """
        targets = self._relations.column("target")
        for row in self._relations.rows_holding(text.encode("utf-8", "surrogatepass")):
            if row < len(targets) and targets[row] == NOTHING:
                yield self.relation(row)

    def references_of(self, name: str) -> tuple[Reference, ...]:
        """The references listed under exactly that name, in order of file and place.

        These are the uses whose target has that name, by whatever name they use it, and the uses of that name without a target.

        Raises:
            UsageError: there are more than :data:`MOST_REFERENCES`.
            FormatError: a row is damaged or points outside the bundle.
        """
        wanted = name.encode("utf-8", "surrogatepass")
        rows = range(len(self._references))
        found: list[Reference] = []
        for row in rows[bisect_left(rows, wanted, key=lambda row: self._name_of(row).encode()) :]:
            if self._name_of(row) != name:
                break
            if len(found) >= MOST_REFERENCES:
                raise UsageError(
                    f"{name!r} is used in more than {MOST_REFERENCES} places, which are more than one answer takes.",
                    hint=f"Look for its lines instead, in some files: hardtack grep {name} 'src/**'",
                )
            _, references = self._postings(row)
            found += references
        return tuple(found)

    def _name_of(self, row: int) -> str:
        name: str = self._references.row(row)[0]
        return name

    def _postings(self, row: int) -> tuple[str, list[Reference]]:
        """The name of a row and its references, each ``source`` as an ordinal in the bundle."""
        name, count, postings = self._references.row(row)
        try:
            references = read_postings(postings, count)
        except ValueError as error:
            raise self._references.fault(f"row {row} has impossible postings: {error}") from error
        number, first = -1, 0
        file: FileRecord | None = None
        for place, reference in enumerate(references):
            if file is None or reference.file != number:
                number = reference.file
                file = self._file(number) if number < self._file_count else None
                first = file.first_symbol if file else 0
            is_inside = (
                file is not None
                and reference.start < file.text_length
                and _is_line(file, reference.line)
                and reference.source < file.symbol_count
                and reference.target < self._symbol_count
            )
            if not is_inside:
                raise self._references.fault(f"row {row} points outside the bundle")
            if reference.source >= 0 and first:
                references[place] = Reference(
                    reference.file,
                    reference.line,
                    reference.start,
                    reference.source + first,
                    reference.is_call,
                    reference.target,
                    reference.certainty,
                )
        return name, references

    def references(self) -> Iterator[Reference]:
        """Every reference, in order of the names they are listed under."""
        for _, references in self.references_by_name():
            yield from references

    def references_by_name(self) -> Iterator[tuple[str, Sequence[Reference]]]:
        """(name, references) of every row, in order of names; a name with very many references has several rows."""
        return map(self._postings, range(len(self._references)))

    def facts_of(self, symbol: int) -> tuple[Fact, ...]:
        """The facts of a symbol, in the order in which they were found."""
        symbols = self._facts.column("symbol")
        row = bisect_left(symbols, symbol)
        found = []
        while row < len(symbols) and symbols[row] == symbol:
            found.append(self._fact(row))
            row += 1
        return tuple(found)

    def _fact(self, row: int) -> Fact:
        symbol, key, values = self._facts.row(row)
        is_sound = isinstance(values, tuple) and all(
            isinstance(some, tuple) and all(isinstance(value, str) for value in some) for some in values
        )
        if not is_sound or not layout.is_identifier(key):
            raise self._facts.fault(f"row {row} has an impossible key or values")
        if symbol != self._facts.column("symbol")[row] or symbol >= self._symbol_count:
            raise self._facts.fault(f"row {row} points outside the bundle, or elsewhere than its column")
        return Fact(symbol, key, tuple(value for some in values for value in some))

    def check(self, name_of: Callable[[int], str]) -> None:
        """Decode every row, and compare it with the row before, its columns and the symbols it names.

        Args:
            name_of: returns the name of a symbol by its ordinal.

        Raises:
            FormatError: a row is malformed, points outside the bundle or contradicts another.
        """
        before: tuple[object, ...] = ()
        columns = (self._relations.column("source"), self._relations.column("target"))
        for row, relation in enumerate(self.relations()):
            place = (relation.file, relation.line, relation.source, _KIND_NUMBERS[relation.kind], relation.name)
            if place < before or (relation.source & NOTHING, relation.target & NOTHING) != (columns[0][row], columns[1][row]):
                raise self._relations.fault(f"row {row} comes too late, or its columns have other numbers")
            before = place
        self._check_references(name_of)
        symbol = 0
        for row in range(len(self._facts)):
            fact = self._fact(row)
            if fact.symbol < symbol:
                raise self._facts.fault(f"row {row} comes too late")
            symbol = fact.symbol

    def _check_references(self, name_of: Callable[[int], str]) -> None:
        before: tuple[bytes, int, int] = (b"", -1, -1)
        for row in range(len(self._references)):
            name, references = self._postings(row)
            first, last = references[0], references[-1]
            if (name.encode(), first.file, first.start) <= before:
                raise self._references.fault(f"row {row} comes too late")
            if any(name_of(target) != name for target in {reference.target for reference in references} if target >= 0):
                raise self._references.fault(f"row {row} is filed under another name than its symbols have")
            before = (name.encode(), last.file, last.start)


def _is_symbol(file: FileRecord, symbol: int) -> bool:
    return file.first_symbol <= symbol < file.first_symbol + file.symbol_count


def _is_line(file: FileRecord, line: int) -> bool:
    return 1 <= line <= max(file.line_count, 1)
