"""A file of a bundle in, the part of its text that a page shows out."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from hardtack.bundle.reader import Bundle

SHOWN: Final = 1 << 20
"""Bytes of a file's text that its page shows."""


class ShownText:
    """What is shown of each file's text: all of it, or its first :data:`SHOWN` bytes up to the end of a line."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._lines = lru_cache(maxsize=1024)(self._counted)

    def data(self, file: int) -> bytes:
        """The bytes that are shown; empty in a bundle without text."""
        if not self._bundle.has_text:
            return b""
        record = self._bundle.file(file)
        if record.text_length <= SHOWN:
            return self._bundle.text_of(record)
        data = self._bundle.text_of(record, 0, SHOWN)
        return data[: data.rfind(b"\n") + 1] or data

    def has_line(self, file: int, line: int) -> bool:
        """Whether a line is shown."""
        return self._bundle.has_text and line <= self._lines(file)

    def _counted(self, file: int) -> int:
        data = self.data(file)
        return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
