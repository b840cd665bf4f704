"""The progress of a build or of a transfer in, a line on the terminal that is rewritten out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypedDict

_BAR: Final = 30
"""Characters of a full bar."""


def transfer_progress() -> Callable[[int, int | None], None] | None:
    """Shows the progress of a transfer at most ten times a second, and clears the line at the end; None without a terminal."""
    if not sys.stderr.isatty():
        return None
    shown = 0.0

    def show(done: int, total: int | None) -> None:
        nonlocal shown
        now = time.monotonic()
        if done != total and now - shown < 0.1:
            return
        shown = now
        filled = done * _BAR // total if total else 0
        bar = f"[{'#' * filled}{'.' * (_BAR - filled)}] " if total else ""
        of = f" of {total / 1e6:.1f}" if total else ""
        sys.stderr.write("\r\x1b[K" if done == total else f"\r\x1b[K{bar}{done / 1e6:.1f}{of} MB")
        sys.stderr.flush()

    return show


class BuildCallbacks(TypedDict, total=False):
    """What a build calls as it goes on, as keyword arguments."""

    progress: Callable[[int], None]
    expect: Callable[[int], None]


@contextmanager
def build_progress(*, quiet: bool) -> Iterator[BuildCallbacks]:
    """The progress callbacks of a build as keyword arguments; none if it is quiet or standard error is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield {}
        return
    progress = BuildProgress()
    try:
        yield {"progress": progress.show, "expect": progress.expect}
    finally:
        sys.stderr.write("\r\x1b[K")


class BuildProgress:
    """A line on the terminal that is rewritten at most ten times a second, and only once a build takes longer than a second."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._most = 0

    def expect(self, most: int) -> None:
        """Set the number of files at most."""
        self._most = most

    def show(self, done: int) -> None:
        """Show how many files are done, how many a second, and the seconds left at that pace."""
        now = time.monotonic()
        seconds = now - self._started
        if seconds > 1 and now - self._shown > 0.1:
            self._shown = now
            left = f", {(self._most - done) * seconds / done:.0f} s left" if self._most > done else ""
            sys.stderr.write(f"\r\x1b[K{done} files, {done / seconds:.0f} a second{left}")
            sys.stderr.flush()
