"""How many cores there are for this process."""

from __future__ import annotations

import os


def cores() -> int:
    """The cores that this process may use; macOS and Windows only tell how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
