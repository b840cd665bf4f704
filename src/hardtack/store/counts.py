"""What a server's answers cost, counted in the user's cache: a tool, the bytes of an answer and of the files it names in, sums out.

    v1/counts/YYYY-MM    one line an answer: the tool, bytes of the answer, bytes of the files that it names

Numbers alone are kept, no question, path or text, and for who asks for it (``hardtack serve --count-answers``). Nothing is sent.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardtack.descriptors import NO_FOLLOW, open_file
from hardtack.errors import HardtackError
from hardtack.nouns.savings import Counted

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

MOST_BYTES: Final = 4 << 20
"""Bytes of a month's lines; beyond them nothing more is counted in that month."""
_MONTH: Final = re.compile(r"[0-9]{4}-[0-9]{2}")
_LINE: Final = re.compile(r"([a-z_]{1,64}) ([0-9]{1,12}) ([0-9]{1,12})")
"""``[0-9]``: ``\\d`` takes the digits of other scripts."""
_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_FOLLOW


class AnswerCounts:
    """The counts of one user."""

    def __init__(self, cache: Callable[[], BundleCache | None], *, clock: Callable[[], float] = time.time) -> None:
        """Note where the user's cache comes from, and what tells the seconds since 1970."""
        self._cache = cache
        self._clock = clock

    def add(self, tool: str, answer_bytes: int, file_bytes: int) -> None:
        """Count an answer; where that cannot be written it is not counted."""
        from hardtack.store.cache_writing import prepare_cache

        with suppress(HardtackError, OSError):
            cache = self._cache()
            if cache is None:
                return
            prepare_cache(cache)
            path = cache.counts / time.strftime("%Y-%m", time.gmtime(self._clock()))
            descriptor = os.open(path, _APPEND, 0o600)
            try:
                if os.fstat(descriptor).st_size < MOST_BYTES:
                    os.write(descriptor, f"{tool} {answer_bytes} {file_bytes}\n".encode("ascii"))  # one write: lines stay whole
            finally:
                os.close(descriptor)

    def sums(self) -> tuple[str, tuple[Counted, ...]]:
        """The first month that was counted (empty if none was), and the sums of each tool, by name.

        Raises:
            PolicyError: others may write to the cache.
        """
        months = self._months()
        sums: dict[str, Counted] = {}
        for path in months:
            for line in _lines(path):
                if found := _LINE.fullmatch(line):
                    tool, answer, files = found[1], int(found[2]), int(found[3])
                    before = sums.get(tool, Counted(tool, 0, 0, 0))
                    sums[tool] = Counted(tool, before.calls + 1, before.answer_bytes + answer, before.file_bytes + files)
        return months[0].name if months else "", tuple(sums[tool] for tool in sorted(sums))

    def clear(self) -> None:
        """Forget everything that was counted.

        Raises:
            PolicyError: others may write to the cache.
            SourceError: the disk refuses.
        """
        from hardtack.store.cache_writing import unwritable

        for path in self._months():
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise unwritable(path, error) from error

    def _months(self) -> list[Path]:
        cache = self._cache()
        if cache is None:
            return []
        cache.check()
        with suppress(OSError):
            return sorted(path for path in cache.counts.iterdir() if _MONTH.fullmatch(path.name))
        return []


def _lines(path: Path) -> list[str]:
    with suppress(OSError), FileIO(open_file(path)) as file:
        return file.read(2 * MOST_BYTES).decode("ascii", "replace").splitlines()
    return []
