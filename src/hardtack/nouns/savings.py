"""What answers to agents cost."""

from __future__ import annotations

from typing import NamedTuple


class Counted(NamedTuple):
    """The sums of one tool's answers."""

    tool: str
    calls: int
    answer_bytes: int
    file_bytes: int
    """Of the files that the answers name, whole, each once an answer."""
