"""Members of a bundle in, kinds of a pack's sections out: the table of member names and kind numbers (FORMAT.md 16.2).

A pack holds no file names, so none can become a path: a section's number leads to a member name by this table, or by the manifest,
whose names are checked. A member that the table does not have gets the number of its place in the manifest, so that a bundle with
members of a later builder can be packed and unpacked too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from hardtack.bundle.format import layout
from hardtack.bundle.format.manifest import Member


class Codec(IntEnum):
    """How a section is stored."""

    RAW = 0
    ZSTD = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionKind:
    """One kind of section."""

    name: str
    """Of the member; for a file of Tantivy's segment ``lexical/*`` and its suffix."""
    limit: int = layout.MEMBER_LIMIT
    """Bytes of the longest such member."""
    is_compressed: bool = True
    """Whether a writer compresses it. What hardly shrinks is stored raw, so that it can be mapped where it lies."""


_SEGMENT: Final = f"{layout.LEXICAL}/*"
MANIFEST: Final = 1
KINDS: Final = MappingProxyType(
    {
        MANIFEST: SectionKind(name=layout.MANIFEST, limit=layout.MANIFEST_LIMIT, is_compressed=False),
        2: SectionKind(name=layout.FILES),
        3: SectionKind(name=layout.SYMBOLS),
        4: SectionKind(name=layout.CHUNKS),
        5: SectionKind(name=layout.DETAILS),
        6: SectionKind(name=layout.RELATIONS),
        7: SectionKind(name=layout.REFERENCES),
        8: SectionKind(name=layout.FACTS),
        9: SectionKind(name=layout.NAMES),
        10: SectionKind(name=layout.WORDS),
        11: SectionKind(name=layout.PAIRS, is_compressed=False),
        12: SectionKind(name=layout.TEXT, is_compressed=False),
        13: SectionKind(name=layout.RUNS, is_compressed=False),
        14: SectionKind(name=layout.VECTORS, is_compressed=False),
        15: SectionKind(name=layout.LEXICAL_META, limit=layout.LEXICAL_META_LIMIT),
        **{16 + place: SectionKind(name=f"{_SEGMENT}.{component}") for place, component in enumerate(layout.LEXICAL_COMPONENTS)},
        24: SectionKind(name=layout.ENCODER, limit=layout.ENCODER_LIMIT),
        25: SectionKind(name=layout.ENCODER_TABLE, is_compressed=False),
        26: SectionKind(name=layout.ENCODER_PROBE, is_compressed=False),
        30: SectionKind(name=layout.NOTICE),
        31: SectionKind(name=layout.READINGS, is_compressed=False),
        32: SectionKind(name=layout.SKIPS),
        33: SectionKind(name=layout.HISTORY),
        34: SectionKind(name=layout.HISTORY_POSTINGS),
    }
)
"""By number. A number is never used again for another kind."""

OTHERS: Final = 1000
"""Number of a manifest's first member, if the table does not have it; the second one's is one more, and so on."""

_OTHER: Final = SectionKind(name="")
_NUMBERS: Final = MappingProxyType({kind.name: number for number, kind in KINDS.items()})


def kind_of(number: int) -> SectionKind | None:
    """The kind of that number; None for one that this program does not know."""
    return _OTHER if OTHERS <= number < OTHERS + layout.MEMBER_COUNT_LIMIT else KINDS.get(number)


def numbered(members: Sequence[Member]) -> dict[int, Member]:
    """The members of a manifest by the numbers of their kinds, ascending."""
    found: dict[int, Member] = {}
    for place, member in enumerate(members):
        is_segment = layout.is_segment_name(member.name)
        number = _NUMBERS.get(f"{_SEGMENT}.{member.name.rpartition('.')[2]}" if is_segment else member.name)
        found[OTHERS + place if number is None or number in found else number] = member
    return dict(sorted(found.items()))
