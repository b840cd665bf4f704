"""A commit and a profile in, the name of its pack on GitHub out, and back: the one name that is looked for."""

from __future__ import annotations

import re
from typing import Final

FORMAT: Final = 1
"""Of packs, part of every address: what an older program cannot read, it does not find."""

PACK_LIMIT: Final = 2 << 30
"""Bytes; GitHub takes no larger file into a release."""

_NAME: Final = re.compile(rf"hardtack-f{FORMAT}-([0-9a-f]{{40}}|[0-9a-f]{{64}})-(hybrid|keyword)\.hardtack")


def pack_name(commit: str, profile: str) -> str:
    """The name of the pack of ``commit``: of an artifact and of a release's asset alike."""
    return f"hardtack-f{FORMAT}-{commit}-{profile}.hardtack"


def commit_and_profile(name: str) -> tuple[str, str] | None:
    """What a pack's name says; None when the name is no pack's."""
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else None
