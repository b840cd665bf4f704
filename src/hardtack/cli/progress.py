"""The progress of a build or of a transfer in: a bar on a terminal, now and then a line in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypedDict

from hardtack.cli import environment
from hardtack.cli.exits import say

if TYPE_CHECKING:
    from rich.progress import Progress

_BAR: Final = 30
"""Characters of a full bar."""
_BETWEEN_LINES: Final = 10.0
"""Seconds between two lines of a log at least."""
_BETWEEN_BARS: Final = 0.1
_SILENT: Final = 1.0
"""Seconds after which a bar appears; most builds take less."""


def transfer_progress() -> Callable[[int, int | None], None] | None:
    """Shows the progress of a transfer at most ten times a second, and clears the line at the end; None without a terminal."""
    if not environment.can_rewrite_lines():
        return None
    shown = 0.0

    def show(done: int, total: int | None) -> None:
        nonlocal shown
        now = time.monotonic()
        if done != total and now - shown < _BETWEEN_BARS:
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
    """The progress callbacks of a build as keyword arguments; none if it is quiet."""
    if quiet:
        yield {}
        return
    with BuildProgress(on_terminal=environment.can_rewrite_lines()) as progress:
        yield {"progress": progress.show, "expect": progress.expect}


class BuildProgress:
    """How many files are done, of how many at most, how many a second, and how long the others take at that pace.

    On a terminal a bar that is drawn at most ten times a second; elsewhere, as in the log of a CI job, a line every ten seconds at
    most. A build of less than a second shows nothing. To be left as a context, which takes the bar away.
    """

    def __init__(self, *, on_terminal: bool) -> None:
        self._on_terminal = on_terminal
        self._started = self._shown = time.monotonic()
        self._most = 0
        self._first: tuple[float, int] | None = None
        self._bar: Progress | None = None

    def __enter__(self) -> BuildProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def expect(self, most: int) -> None:
        """Set the number of files at most."""
        self._most = most

    def show(self, done: int) -> None:
        """Show that so many files are done, unless it was just shown."""
        now = time.monotonic()
        begun, before = self._first = self._first or (now, done)  # what comes before the first file is no file's time
        between = _BETWEEN_BARS if self._on_terminal else _BETWEEN_LINES
        if now - self._shown < between or now - self._started < _SILENT or now <= begun:
            return
        self._shown = now
        rate = (done - before) / (now - begun)
        if self._on_terminal:
            self._draw(done, rate)
        else:
            say(f"hardtack: {self._told(done, rate)}")

    def _told(self, done: int, rate: float) -> str:
        of = f" of {self._most:,}" if self._most >= done else ""
        return f"{done:,}{of} files, {rate:,.0f} a second{self._left(done, rate)}"

    def _left(self, done: int, rate: float) -> str:
        if self._most <= done or not rate:
            return ""
        seconds = round((self._most - done) / rate)
        return f", {seconds // 60} min {seconds % 60} s left" if seconds >= 60 else f", {seconds} s left"

    def _draw(self, done: int, rate: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        if self._bar is None:
            console = Console(stderr=True, no_color=not environment.has_color_on_errors(), highlight=False, legacy_windows=False)
            # Without a thread of its own, which a build that starts processes does without.
            columns = (BarColumn(bar_width=None), TextColumn("{task.description}", markup=False))
            self._bar = Progress(*columns, console=console, auto_refresh=False, transient=True, expand=True)
            self._bar.add_task("", total=None)
            self._bar.start()
        (task,) = self._bar.task_ids
        self._bar.update(task, completed=done, total=self._most or None, description=self._told(done, rate))
        self._bar.refresh()
