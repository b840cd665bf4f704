"""Offsets in the text of all files in, the files and the lines that they lie in out."""

from __future__ import annotations

from bisect import bisect_right

from hardtack.bundle.reader import Bundle


class StoredLines:
    """The lines of a bundle's text. Offsets are bytes from the start of the first file's text."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises UsageError if the bundle was built without text."""
        self.text = bundle.text
        self.block_size: int = self.text.block_size
        self.starts = bundle.text_starts
        """Offset of each file's text, and the end of the last one's."""
        self.lines_before = bundle.runs.lines
        """For each block, the number of newlines in the file of its first byte before that byte."""
        self._file = bundle.file

    def file_at(self, offset: int, base: int) -> tuple[int, str, int, int]:
        """The file of the byte at an offset: its ordinal, its path, and the start and end of its text, relative to ``base``."""
        file = bisect_right(self.starts, offset) - 1
        return file, self._file(file).path, self.starts[file] - base, self.starts[file + 1] - base

    def line_start(self, offset: int, file_start: int) -> int:
        """The start of the line of the byte before ``offset``, not before the start of its file. Reads block by block."""
        while offset > file_start:
            low = max(file_start, (offset - 1) // self.block_size * self.block_size)
            if (newline := self.text.read(low, offset).rfind(b"\n")) >= 0:
                return low + newline + 1
            offset = low
        return file_start

    def line_end(self, offset: int, file_end: int) -> int:
        """The first newline at ``offset`` or after it; without one the end of the file. Reads block by block."""
        while offset < file_end:
            high = min(file_end, (offset // self.block_size + 1) * self.block_size)
            if (newline := self.text.read(offset, high).find(b"\n")) >= 0:
                return offset + newline
            offset = high
        return file_end
