"""What a catalogue says of one bundle."""

from __future__ import annotations

from typing import NamedTuple


class Telling(NamedTuple):
    """The words and symbols that tell one bundle from others, the most telling first."""

    words: tuple[str, ...]
    """Lower-case parts of the names of its symbols and files."""
    symbols: tuple[str, ...]
    """Names of the symbols that its other files refer to most, as they are written."""


class CatalogueEntry(NamedTuple):
    """One bundle of a catalogue."""

    repository: str
    """``host/owner/name``; empty for a bundle that does not say it."""
    root: str
    """The directory of the repository that was built; empty for all of it."""
    profile: str
    """``hybrid`` or ``keyword``."""
    commit: str
    commit_time: int
    """Seconds since 1970 UTC; 0 where it is not known."""
    bundle_digest: str
    pack_digest: str
    """Empty for a bundle that is no pack."""
    size: int
    """Bytes of the pack, else of the bundle's members."""
    files: int
    languages: tuple[str, ...]
    """Those of most files first."""
    telling: Telling

    @property
    def key(self) -> tuple[str, str, str]:
        """A catalogue has one entry for each: repository, directory and profile."""
        return self.repository, self.root, self.profile
