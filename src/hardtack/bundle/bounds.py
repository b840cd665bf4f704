"""Records and what they point into in, whether they point inside it out: what is checked when one is followed (FORMAT.md 10)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate

from hardtack.bundle.format.manifest import Counts
from hardtack.bundle.format.records import ChunkRecord, FileRecord, SymbolRecord, Table
from hardtack.bundle.indexes.columns import MOST
from hardtack.errors import FormatError


def is_file_inside(record: FileRecord, counts: Counts) -> bool:
    """Whether a file's symbols, chunks and text are of the bundle, its lines and imports of its text."""
    return (
        record.first_chunk + record.chunk_count <= counts.chunks
        and record.first_symbol + record.symbol_count <= counts.symbols
        and record.text_start + record.text_length <= counts.text_bytes
        and record.line_count <= record.text_length
        and (not record.imports or record.imports[0] <= record.imports[1] <= record.text_length)
    )


def is_symbol_inside(record: SymbolRecord, ordinal: int, file: FileRecord) -> bool:
    """Whether a symbol is one of its file's, its parent too, and its bytes and lines of the file's text."""
    return (
        file.first_symbol <= ordinal < file.first_symbol + file.symbol_count
        and (record.parent < 0 or file.first_symbol <= record.parent < ordinal)
        and record.extent_start <= record.start
        and 1 <= record.extent_start_line <= record.start_line
        and _holds(file, record.start, record.end, record.start_line, record.end_line)
        and _holds(file, record.selection_start, record.selection_end, record.selection_line, record.selection_line)
    )


def is_chunk_inside(record: ChunkRecord, ordinal: int, file: FileRecord) -> bool:
    """Whether a chunk is one of its file's, its symbols too, and its bytes and lines of the file's text."""
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
        FormatError: the lengths of their column do not add up.
    """
    lengths: Sequence[int] = files.column("length")
    if MOST in lengths:
        lengths = [files.file(ordinal).text_length for ordinal in range(len(files))]
    starts = array("Q", accumulate(lengths, initial=0))
    if starts[-1] != counts.text_bytes:
        raise files.fault("the lengths of its texts do not add up")
    return starts


def _holds(file: FileRecord, start: int, end: int, first: int, last: int) -> bool:
    """Whether those bytes and those lines can be of the file's text."""
    return 0 <= start <= end <= file.text_length and 1 <= first <= last <= max(file.line_count, 1)


def points_nowhere(member: str, ordinal: int) -> FormatError:
    """What to raise for a row that is not."""
    return FormatError(f"{member} is damaged: row {ordinal} points outside the bundle.", field=member)
