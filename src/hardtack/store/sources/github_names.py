"""A commit and a profile <-> the name of their pack on GitHub."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

FORMAT: Final = 1
"""The version of the pack format, part of each name: an older program does not find a pack that it cannot read."""

PACK_LIMIT: Final = 2 << 30
"""The most bytes of a pack: GitHub's limit for a file of a release."""

_NAME: Final = re.compile(rf"hardtack-f{FORMAT}-([0-9a-f]{{40}}|[0-9a-f]{{64}})-(hybrid|keyword)\.hardtack")


class PackName(NamedTuple):
    """The parts of a pack's name."""

    commit: str
    profile: str


def pack_name(commit: str, profile: str) -> str:
    """The name of the pack of ``commit``, as an artifact and as a file of a release."""
    return f"hardtack-f{FORMAT}-{commit}-{profile}.hardtack"


def parse_pack_name(name: str) -> PackName | None:
    """The commit and the profile in a pack's name; None when it is no pack's name."""
    match = _NAME.fullmatch(name)
    return PackName(match[1], match[2]) if match else None
