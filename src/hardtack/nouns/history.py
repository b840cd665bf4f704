"""Commits as a look-up of the history returns them, with names and paths instead of ordinals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitEntry:
    """One commit that changed what was asked for."""

    id: str
    """Full."""
    date: str
    """Of the commit, as ``2026-01-15T10:30:00Z``."""
    subject: str
    body: str
    """May be empty."""
    paths: int
    """Paths of the repository that it changed."""
    symbols: tuple[str, ...]
    """Qualified names of the symbols that it changed of what was asked for, each once, in order of the source."""
    is_sweep: bool
    """It changed so much that the bundle does not list all of it."""
