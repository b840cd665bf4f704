"""Files, relations and references in, columns of tables out; stored columns and rows in, checked against the bundle's bounds, out.

A column repeats, as one unsigned 32-bit number for each row, what rows, relations and references say, so that ranking reads numbers
of many files and symbols at once (FORMAT.md 4.2 and 4.3). The writer stores what is made here, and verification makes it again and
compares. A reader checks that columns and rows point inside the bundle (FORMAT.md 10).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import Counts
from hardtack.bundle.format.records import (
    CHUNK_COLUMNS,
    FILE_COLUMNS,
    KINDS,
    SYMBOL_COLUMNS,
    ChunkRecord,
    FileRecord,
    SymbolRecord,
    Table,
)
from hardtack.bundle.format.tables import NOTHING
from hardtack.bundle.indexes.names import words_of
from hardtack.errors import FormatError
from hardtack.nouns.model import FUNCTIONS, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.nouns.relations import Reference, Relation

MOST: Final = 0xFFFFFFFF
"""The length that a column has for texts of that length and longer ones."""

_FUNCTIONS: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in FUNCTIONS)
_TYPES: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in TYPES)


class Columns:
    """Takes files in order, then imports and references; makes the columns of three tables."""

    def __init__(self) -> None:
        self.files = {name: array("I") for name in FILE_COLUMNS}
        """One number for each file: :data:`records.FILE_COLUMNS`."""
        self.symbols = {name: array("I") for name in SYMBOL_COLUMNS}
        """One number for each symbol: :data:`records.SYMBOL_COLUMNS`."""
        self.chunks = {name: array("I") for name in CHUNK_COLUMNS}
        """One number for each chunk: :data:`records.CHUNK_COLUMNS`."""

    def add(
        self,
        *,
        length: int,
        first_chunk: int,
        chunk_lines: Iterable[tuple[int, int]],
        symbol_counts: Iterable[int],
        kinds: Sequence[int],
        names: Sequence[str],
    ) -> None:
        """Take the next file.

        Args:
            length: of its text, bytes.
            first_chunk: ordinal of its first chunk.
            chunk_lines: first and last line of each of its chunks, in order.
            symbol_counts: how many symbols start in each of its chunks, in order.
            kinds: numbers of its symbols' kinds, in order.
            names: its symbols' names, in order.
        """
        values = {
            "length": min(length, MOST),
            "first_chunk": first_chunk,
            "first_symbol": len(self.symbols["kind"]),
            "functions": sum(kind in _FUNCTIONS for kind in kinds),
            "types": sum(kind in _TYPES for kind in kinds),
            "references": 0,
            "importers": 0,
        }
        for name, column in self.files.items():
            column.append(values[name])
        for place in chunk_lines:
            for column, line in zip(self.chunks.values(), place, strict=True):
                column.append(line)
        chunks = [chunk for chunk, count in enumerate(symbol_counts, start=first_chunk) for _ in range(count)]
        self.symbols["chunk"].extend(chunks)
        self.symbols["chunk"].extend([NOTHING] * (len(kinds) - len(chunks)))
        self.symbols["kind"].extend(kinds)
        self.symbols["parts"].extend(len(words_of(name)) for name in names)
        self.symbols["references"].extend([0] * len(kinds))

    def count_references(self, references: Iterable[Reference]) -> None:
        """Count the references to symbols of other files. After the last file."""
        of_symbols, of_files = self.symbols["references"], self.files["references"]
        for each in references:
            if each.target >= 0 and (file := self._file_of_symbol(each.target)) != each.file:
                of_symbols[each.target] += 1
                of_files[file] += 1

    def count_imports(self, relations: Iterable[Relation]) -> None:
        """Count the files that import each file, from all relations at once. After the last file."""
        from hardtack.nouns.relations import RelationKind  # a search, which only reads columns, does without it

        imports = {(each.file, each.target_file) for each in relations if each.kind is RelationKind.IMPORTS}
        for file, imported in imports:
            if imported >= 0 and imported != file:
                self.files["importers"][imported] += 1

    def _file_of_symbol(self, symbol: int) -> int:
        # Of files with the same first symbol, all but the last have no symbols.
        return bisect_right(self.files["first_symbol"], symbol) - 1

    def compare(self, files: Table, symbols: Table, chunks: Table) -> None:
        """Compare the columns of stored tables with these.

        Raises:
            FormatError: a number differs.
        """
        for table, columns in ((files, self.files), (symbols, self.symbols), (chunks, self.chunks)):
            for name, expected in columns.items():
                stored = table.column(name)
                if stored != memoryview(expected):
                    row = next(row for row, number in enumerate(expected) if stored[row] != number)
                    raise table.fault(f"column {name!r} says {stored[row]} of row {row} and not {expected[row]}")


class StoredColumns:
    """The columns of an open bundle: one unsigned 32-bit number for each row."""

    def __init__(self, files: Table, symbols: Table, chunks: Table) -> None:
        """Check that no column is missing, and that the columns that say where files begin ascend inside the bundle.

        Raises:
            FormatError: a number points outside the bundle, or a column is missing.
        """
        import numpy as np  # a look-up does without it

        self._files, self._symbols, self._chunks = files, symbols, chunks
        self._kind, self._chunk = np.asarray(symbols.column("kind")), np.asarray(symbols.column("chunk"))
        for name, end in (("first_chunk", len(chunks)), ("first_symbol", len(symbols))):
            firsts = np.asarray(files.column(name))
            if len(firsts) and (firsts[0] != 0 or int(firsts[-1]) > end or (firsts[1:] < firsts[:-1]).any()):
                raise files.fault(f"column {name!r} is out of order or points outside the bundle")
        for table, names in ((files, FILE_COLUMNS), (symbols, SYMBOL_COLUMNS), (chunks, CHUNK_COLUMNS)):
            for name in names:
                table.column(name)

    def of_files(self, name: str) -> memoryview[int]:
        """One number for each file: the column of that name in :data:`records.FILE_COLUMNS`."""
        return self._files.column(name)

    def encoding_basis(self, path: str) -> str:
        """As :meth:`records.Table.encoding_basis`, of the file at ``path``, which exists."""
        return self._files.encoding_basis(self._files.place_of(path))

    def of_symbols(self, name: str) -> memoryview[int]:
        """One number for each symbol: the column of that name in :data:`records.SYMBOL_COLUMNS`. Kinds and chunks are unchecked."""
        return self._symbols.column(name)

    def of_chunks(self, name: str) -> memoryview[int]:
        """One number for each chunk: the column of that name in :data:`records.CHUNK_COLUMNS`."""
        return self._chunks.column(name)

    def kinds_of(self, symbols: NDArray[np.int64]) -> NDArray[np.uint32]:
        """(n,), the kinds of these symbols, as places in :data:`records.KINDS`.

        Raises:
            FormatError: there is no such kind.
        """
        kinds = self._kind[symbols]
        if len(kinds) and int(kinds.max()) >= len(KINDS):
            raise self._symbols.fault("column 'kind' points outside the bundle")
        return kinds

    def chunks_of(self, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,), the chunks that these symbols start in; -1 for a symbol that starts in none.

        Raises:
            FormatError: the bundle has no such chunk.
        """
        import numpy as np

        found = self._chunk[symbols].astype(np.int64)
        found[found == NOTHING] = -1
        if len(found) and int(found.max()) >= len(self._chunks):
            raise self._symbols.fault("column 'chunk' points outside the bundle")
        return found


def is_file_inside(record: FileRecord, counts: Counts) -> bool:
    """Whether a file's symbols, chunks and text lie inside the bundle, and its lines and imports inside its text."""
    return (
        record.first_chunk + record.chunk_count <= counts.chunks
        and record.first_symbol + record.symbol_count <= counts.symbols
        and record.text_start + record.text_length <= counts.text_bytes
        and record.line_count <= record.text_length
        and (not record.imports or record.imports[0] <= record.imports[1] <= record.text_length)
    )


def is_symbol_inside(record: SymbolRecord, ordinal: int, file: FileRecord) -> bool:
    """Whether a symbol and its parent are among its file's symbols, and its bytes and lines lie inside the file's text."""
    return (
        file.first_symbol <= ordinal < file.first_symbol + file.symbol_count
        and (record.parent < 0 or file.first_symbol <= record.parent < ordinal)
        and record.extent_start <= record.start
        and 1 <= record.extent_start_line <= record.start_line
        and _holds(file, record.start, record.end, record.start_line, record.end_line)
        and _holds(file, record.selection_start, record.selection_end, record.selection_line, record.selection_line)
    )


def is_chunk_inside(record: ChunkRecord, ordinal: int, file: FileRecord) -> bool:
    """Whether a chunk and its symbols are among its file's, and its bytes and lines lie inside the file's text."""
    end = file.first_symbol + file.symbol_count
    return (
        file.first_chunk <= ordinal < file.first_chunk + file.chunk_count
        and file.first_symbol <= record.first_symbol <= record.first_symbol + record.symbol_count <= end
        and (record.enclosing < 0 or file.first_symbol <= record.enclosing < end)
        and 1 <= record.part <= record.parts <= file.chunk_count
        and _holds(file, record.start, record.end, record.start_line, record.end_line)
    )


def starts_of_texts(files: Table, counts: Counts) -> Sequence[int]:
    """Where each file's text begins in the text of all files, and where the last one's ends.

    Raises:
        FormatError: the lengths in the column do not add up to the length of the text.
    """
    lengths = files.column("length")
    if max(lengths, default=0) > layout.TEXT_LIMIT:
        raise files.fault(f"a file claims more than {layout.TEXT_LIMIT} bytes of text")
    starts = array("Q", accumulate(lengths, initial=0))
    if starts[-1] != counts.text_bytes:
        raise files.fault("the lengths of its texts do not add up")
    return starts


def _holds(file: FileRecord, start: int, end: int, first: int, last: int) -> bool:
    """Whether these bytes and lines lie inside the file's text."""
    return 0 <= start <= end <= file.text_length and 1 <= first <= last <= max(file.line_count, 1)


def points_nowhere(member: str, ordinal: int) -> FormatError:
    """The error to raise for a row that points outside the bundle."""
    return FormatError(f"{member} is damaged: row {ordinal} points outside the bundle.", field=member)
