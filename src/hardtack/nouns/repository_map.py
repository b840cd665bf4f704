"""What a map of a repository says: its parts, what each is for, what most of the others use of it, and where one begins to read."""

from __future__ import annotations

from dataclasses import dataclass

from hardtack.nouns.exploration import ExploredSymbol


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A directory or a file of source; of documents where there is no source."""

    path: str
    """A directory's ends in a slash; that of the top is ``./``."""
    files: int
    lines: int
    languages: tuple[str, ...]
    """The largest first."""
    purpose: str
    """The first sentence of its README, or of the comment that its main file begins with; empty if there is none."""
    symbols: tuple[tuple[ExploredSymbol, int], ...]
    """Those that other files refer to most, with the number of places."""
    symbol_count: int
    """How many other files refer to; if to none, how many there are."""
    uses: tuple[tuple[str, int], ...]
    """Other parts that its files import or refer to, with the number of ties, the most first."""
    use_count: int
    """How many such parts there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryMap:
    """A map of a repository, or of one directory of it."""

    path: str
    """``.`` for the whole."""
    purpose: str
    """As of a part."""
    projects: tuple[str, ...]
    """Those that manifests declare: ``pypi click 8.1``."""
    files: int
    languages: tuple[tuple[str, int], ...]
    """Language -> lines of source that people wrote, the most first."""
    entries: tuple[ExploredSymbol, ...]
    """Where programs begin: functions ``main``, routes; the first of them."""
    entry_count: int
    """How many there are."""
    parts: tuple[Part, ...]
    """By path."""
    aside: tuple[tuple[str, int, str], ...]
    """Role (``test``, ``example``), number of its files, and the directory that holds most of them."""
