"""Files in, and what refers to them; the numbers that ranking reads of many files and symbols at once out (FORMAT.md 4.2 and 4.3).

A column says again, one unsigned 32-bit number a row, what rows, relations and references say. The writer stores what is made here;
verification makes it anew and compares; a reader that trusts neither checks that it points inside the bundle.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from hardtack.bundle.format.records import CHUNK_COLUMNS, FILE_COLUMNS, KINDS, SYMBOL_COLUMNS, Table
from hardtack.bundle.format.tables import NOTHING
from hardtack.bundle.indexes.names import words_of
from hardtack.nouns.model import FUNCTIONS, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardtack.nouns.relations import Reference, Relation

MOST: Final = 0xFFFFFFFF
"""The longest text that is told from longer ones."""

_FUNCTIONS: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in FUNCTIONS)
_TYPES: Final = frozenset(number for number, kind in enumerate(KINDS) if kind in TYPES)


class Columns:
    """Takes files in order and then what refers to them; keeps both tables' columns."""

    def __init__(self) -> None:
        self.files = {name: array("I") for name in FILE_COLUMNS}
        """One number a file: :data:`records.FILE_COLUMNS`."""
        self.symbols = {name: array("I") for name in SYMBOL_COLUMNS}
        """One number a symbol: :data:`records.SYMBOL_COLUMNS`."""
        self.chunks = {name: array("I") for name in CHUNK_COLUMNS}
        """One number a chunk: :data:`records.CHUNK_COLUMNS`."""

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
        """Count those to symbols of other files; after the last file."""
        of_symbols, of_files = self.symbols["references"], self.files["references"]
        for each in references:
            if each.target >= 0 and (file := self._file_of_symbol(each.target)) != each.file:
                of_symbols[each.target] += 1
                of_files[file] += 1

    def count_imports(self, relations: Iterable[Relation]) -> None:
        """Count the files that import each file, all relations being given at once; after the last file."""
        from hardtack.nouns.relations import RelationKind  # a reader, which only checks columns, does without it

        imports = {(each.file, each.target_file) for each in relations if each.kind is RelationKind.IMPORTS}
        for file, imported in imports:
            if imported >= 0 and imported != file:
                self.files["importers"][imported] += 1

    def _file_of_symbol(self, symbol: int) -> int:
        # of files that begin with the same symbol all but the last have none
        return bisect_right(self.files["first_symbol"], symbol) - 1

    def compare(self, files: Table, symbols: Table, chunks: Table) -> None:
        """Hold the columns of stored tables against these.

        Raises:
            FormatError: one has another number.
        """
        for table, columns in ((files, self.files), (symbols, self.symbols), (chunks, self.chunks)):
            for name, expected in columns.items():
                stored = table.column(name)
                if stored != memoryview(expected):
                    row = next(row for row, number in enumerate(expected) if stored[row] != number)
                    raise table.fault(f"column {name!r} says {stored[row]} of row {row} and not {expected[row]}")


class StoredColumns:
    """The columns of an open bundle: one unsigned 32-bit number a row."""

    def __init__(self, files: Table, symbols: Table, chunks: Table) -> None:
        """Check that all are there, and of those that are used as an index all that is read at once: where files begin.

        Raises:
            FormatError: a number points outside the bundle, or a column is missing.
        """
        import numpy as np  # ranking has it; look-ups do without

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
        """A number a file: one of :data:`records.FILE_COLUMNS`."""
        return self._files.column(name)

    def of_symbols(self, name: str) -> memoryview[int]:
        """A number a symbol: one of :data:`records.SYMBOL_COLUMNS`; kinds and chunks, unchecked."""
        return self._symbols.column(name)

    def of_chunks(self, name: str) -> memoryview[int]:
        """A number a chunk: one of :data:`records.CHUNK_COLUMNS`."""
        return self._chunks.column(name)

    def kinds_of(self, symbols: NDArray[np.int64]) -> NDArray[np.uint32]:
        """(n,), the kinds of these symbols, as their places in :data:`records.KINDS`.

        Raises:
            FormatError: one is none of them.
        """
        kinds = self._kind[symbols]
        if len(kinds) and int(kinds.max()) >= len(KINDS):
            raise self._symbols.fault("column 'kind' points outside the bundle")
        return kinds

    def chunks_of(self, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """(n,), the chunks that these symbols start in; -1 for one that starts in none.

        Raises:
            FormatError: one is not in the bundle.
        """
        import numpy as np

        found = self._chunk[symbols].astype(np.int64)
        found[found == NOTHING] = -1
        if len(found) and int(found.max()) >= len(self._chunks):
            raise self._symbols.fault("column 'chunk' points outside the bundle")
        return found
