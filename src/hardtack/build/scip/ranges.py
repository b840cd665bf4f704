"""SCIP's lines and characters in, bytes of a file's text out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from hardtack.build.languages.prose import line_starts
from hardtack.build.scip.schema import UTF_8, UTF_16, UTF_32

_GUESSES: Final = (UTF_16, UTF_8, UTF_32)
"""Encodings of positions to try if a document does not name its own; most indexers are written where texts are UTF-16."""


class Lines:
    """The lines of a text, and the byte at which a character of one of them begins."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.starts = line_starts(text)
        self._is_ascii = text.isascii()

    def encodings(self, named: int) -> Sequence[int]:
        """The encodings of positions that a document may mean; any one of them if all are alike."""
        return (named,) if named in _GUESSES else (UTF_8,) if self._is_ascii else _GUESSES

    def reader(self, encoding: int) -> _Positions:
        """The positions in that encoding."""
        return _Positions(self._text, self.starts, encoding, is_ascii=self._is_ascii)


class _Positions:
    """Bytes of lines and characters in one encoding of positions."""

    def __init__(self, text: bytes, starts: Sequence[int], encoding: int, *, is_ascii: bool) -> None:
        self._text = text
        self._starts = starts
        self._encoding = encoding
        self._counts_bytes = is_ascii or encoding == UTF_8
        self._offsets: dict[int, Sequence[int] | None] = {}
        """Line -> the byte within it at which each of its units begins, of the lines that need it."""

    def span(self, occurrence: Any) -> tuple[int, int] | None:
        """First byte of an occurrence's range and one past its last; None if the text has no such place or it has several lines."""
        if occurrence.HasField("single_line_range"):
            place = occurrence.single_line_range
            line, end_line, start, end = place.line, place.line, place.start_character, place.end_character
        elif occurrence.HasField("multi_line_range"):
            place = occurrence.multi_line_range
            line, end_line, start, end = place.start_line, place.end_line, place.start_character, place.end_character
        elif len(occurrence.range) == 3:
            line, start, end = occurrence.range
            end_line = line
        elif len(occurrence.range) == 4:
            line, start, end_line, end = occurrence.range
        else:
            return None
        first, last = self._byte(line, start), self._byte(end_line, end)
        return (first, last) if line == end_line and 0 <= first <= last else None

    def _byte(self, line: int, character: int) -> int:
        """-1 if the text has no such place."""
        if not (0 <= line < len(self._starts) and character >= 0):
            return -1
        start = self._starts[line]
        if not self._counts_bytes:
            if line not in self._offsets:
                self._offsets[line] = self._units(line)
            offsets = self._offsets[line]
            if offsets is not None:
                return start + offsets[character] if character < len(offsets) else -1
        return start + character if start + character <= self._end(line) else -1

    def _end(self, line: int) -> int:
        """The end of a line, before its LF."""
        return self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self._text)

    def _units(self, line: int) -> Sequence[int] | None:
        """The byte at which each unit of a line begins, and that of its end; None if a unit is a byte."""
        data = self._text[self._starts[line] : self._end(line)]
        if data.isascii():
            return None
        wide = self._encoding == UTF_16
        steps: list[int] = []
        for character in data.decode("utf-8", "replace"):
            size = len(character.encode("utf-8", "replace"))
            steps += (0, size) if wide and ord(character) > 0xFFFF else (size,)
        return list(accumulate(steps, initial=0))
