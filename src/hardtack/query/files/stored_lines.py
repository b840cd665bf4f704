"""Places in the text of all files in, the files and the lines they belong to out."""

from __future__ import annotations

from bisect import bisect_right

from hardtack.bundle.reader import Bundle


class StoredLines:
    """The lines of a bundle's text. Places are bytes from the beginning of the first file's text."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises UsageError where the bundle was built without text."""
        self.text = bundle.text
        self.size: int = self.text.block_size
        """Bytes of a block."""
        self.starts = bundle.text_starts
        """Where each file's text begins, and the last one's ends."""
        self.before = bundle.runs.lines
        """Of each block: how many lines of the file that its first byte is of end before it."""
        self._file = bundle.file

    def file_at(self, place: int, base: int) -> tuple[int, str, int, int]:
        """The file that has the byte at a place: its ordinal and path, and how far from ``base`` its text begins and ends."""
        file = bisect_right(self.starts, place) - 1
        return file, self._file(file).path, self.starts[file] - base, self.starts[file + 1] - base

    def line_start(self, place: int, least: int) -> int:
        """Where the line begins that goes on at a place; ``least``, where its file begins, at the earliest."""
        while place > least:
            low = max(least, (place - 1) // self.size * self.size)
            if (newline := self.text.read(low, place).rfind(b"\n")) >= 0:
                return low + newline + 1
            place = low
        return least

    def line_end(self, place: int, most: int) -> int:
        """The first line feed at a place or after it; ``most``, where its file ends, if there is none."""
        while place < most:
            high = min(most, (place // self.size + 1) * self.size)
            if (newline := self.text.read(place, high).find(b"\n")) >= 0:
                return place + newline
            place = high
        return most
