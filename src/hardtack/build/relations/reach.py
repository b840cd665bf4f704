"""A language in, how far its bare names reach out."""

from __future__ import annotations

from functools import cache

from hardtack.build.languages.registry import languages


@cache
def family_of(language: str) -> str:
    """The family of a language."""
    return languages()[language].family


@cache
def reach_of(language: str) -> tuple[str, bool]:
    """(how far its bare names reach, whether folders are its modules)."""
    entry = languages()[language]
    return entry.bare_names, entry.has_modules


@cache
def open_kinds_of(language: str) -> frozenset[str]:
    """Kinds whose members are named beside them, too."""
    return frozenset(languages()[language].open_kinds)
