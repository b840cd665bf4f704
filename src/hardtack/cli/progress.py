"""Bytes that have come, and that will, in; a line on the terminal that says so, out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

_BAR: Final = 30
"""Characters of a full bar."""


def transfer_progress() -> Callable[[int, int | None], None] | None:
    """Shows how far a transfer is, rewritten at most ten times a second and gone at the end; None where there is no terminal."""
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
