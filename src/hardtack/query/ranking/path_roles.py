"""A path in, whether the file is secondary by its role out: by a word of its path, or since a newer version replaced it."""

from __future__ import annotations

from hardtack.bundle.reader import Bundle
from hardtack.nouns.path_words import has_secondary_word
from hardtack.nouns.roles import Role


def is_secondary(bundle: Bundle, path: str) -> bool:
    """Whether a file is secondary: a word of its path says so, or a newer version replaced it."""
    if has_secondary_word(path.lower()):
        return True
    file = bundle.file_at(path)
    return file is not None and file.role == Role.SUPERSEDED
