"""A stored file in, its text out, from the bundle alone."""

from __future__ import annotations

from hardtack.bundle.reader import Bundle
from hardtack.bundle.records import FileRecord
from hardtack.errors import UsageError


def read_lines(bundle: Bundle, file: FileRecord, first: int = 1, last: int | None = None) -> bytes:
    """Lines ``first`` to ``last`` of a file, 1-based and inclusive, line endings as stored; to the end if ``last`` is None.

    Raises:
        UsageError: the range is impossible, or the bundle was built without text.
    """
    text = bundle.text_of(file)
    lines = text.splitlines(keepends=True) if b"\r" not in text else _split_at_newlines(text)
    end = max(len(lines), 1) if last is None else min(last, len(lines))
    if not 1 <= first <= end:
        wanted = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
        raise UsageError(f"{file.path} has no {wanted}.", hint=f"It has {len(lines)} lines.")
    return b"".join(lines[first - 1 : end])


def _split_at_newlines(text: bytes) -> list[bytes]:
    """Like ``splitlines``, for which a lone carriage return would end a line too."""
    return [line + b"\n" for line in text.split(b"\n")[:-1]] + ([tail] if (tail := text.rpartition(b"\n")[2]) else [])
