"""The sections of a pack in, its header and table of contents out; the first bytes of a file in, its sections out.

The table of contents has the kind and the place of each section. Sections follow in order of their kinds, each on a page of its
own, and fill the file to its last byte (FORMAT.md 16). A digest in the header covers the header and the table, so that no bit of
them can change unnoticed. This module knows nothing of bundles: it makes no paths and unpacks nothing.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hardtack.errors import BundleNotFound, FormatError, IntegrityError, UnsupportedFormat

# 1: first version.
MAJOR: Final = 1
"""Version of the framing; a reader refuses any other."""

MINOR: Final = 0
"""Minor version of the framing; a reader takes any."""

MAGIC: Final = b"HTK\0"
ALIGNMENT: Final = 4096
"""Sections begin at multiples of this, so that they can be mapped."""

SECTION_LIMIT: Final = 80
FRAME_LIMIT: Final = 16 << 10
"""Bytes of the longest header and table of contents."""

SIZE_LIMIT: Final = 1 << 46
"""Bytes of the longest pack."""

_HEADER: Final = struct.Struct("<4sHHIIQ32s")  # magic, major, minor, sections, flags, bytes of the file, digest
_ENTRY: Final = struct.Struct("<IIQQB32s")  # kind, flags, offset, length, codec, digest
_REQUIRED: Final = 1
_ORDERED_KINDS: Final = 1 << 32


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSection:
    """One entry of a pack's table of contents."""

    kind: int
    """What the section holds: a number of :data:`sections.KINDS`."""
    is_required: bool
    """Whether a reader that does not know the kind must refuse the pack."""
    offset: int
    """First byte in the file, 0-based."""
    length: int
    """Bytes as they are stored."""
    codec: int
    """How they are stored: a :class:`sections.Codec`, or a later one."""
    sha256: bytes
    """32 bytes: of the stored bytes."""

    @property
    def end(self) -> int:
        """The byte after the section's last one."""
        return self.offset + self.length


def first_offset(count: int) -> int:
    """Where the first of ``count`` sections begins."""
    return aligned(_HEADER.size + count * _ENTRY.size)


def aligned(offset: int) -> int:
    """The first offset at or after ``offset`` where a section may begin."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


def render_frame(sections: Sequence[PackSection]) -> bytes:
    """The bytes before the first section: header, table of contents, padding."""
    table = b"".join(
        _ENTRY.pack(
            *(section.kind, _REQUIRED if section.is_required else 0, section.offset, section.length, section.codec, section.sha256)
        )
        for section in sections
    )
    header = _header(len(sections), sections[-1].end, bytes(32))
    header = _header(len(sections), sections[-1].end, hashlib.sha256(header + table).digest())
    return (header + table).ljust(first_offset(len(sections)), b"\0")


def _header(count: int, size: int, digest: bytes) -> bytes:
    return _HEADER.pack(MAGIC, MAJOR, MINOR, count, 0, size, digest)


def parse_frame(data: bytes, size: int, name: str) -> tuple[PackSection, ...]:
    """The sections of a pack.

    Args:
        data: the first :data:`FRAME_LIMIT` bytes of the file, or all of it.
        size: of the file, bytes.
        name: what to call it in errors.

    Raises:
        BundleNotFound: it is no pack.
        UnsupportedFormat: another version of the framing, or a feature of it that this program does not know.
        IntegrityError: header or table were changed, or the file has another length than they say.
        FormatError: the sections are not sorted, aligned and without gap or overlap.
    """
    if data[: len(MAGIC)] != MAGIC:
        raise BundleNotFound(f"{name} is not a Hardtack pack.", hint="A pack is made with: hardtack pack DIR -o FILE")
    if len(data) < _HEADER.size:
        raise FormatError(f"{name} ends inside its header.", field="header")
    _, major, _, count, flags, claimed, digest = _HEADER.unpack_from(data)
    if major != MAJOR:
        raise _unsupported(f"{name} has version {major} of the pack format", major)
    if not 1 <= count <= SECTION_LIMIT:
        raise FormatError(f"{name} claims {count} sections; a pack has 1 to {SECTION_LIMIT}.", field="header")
    end = _HEADER.size + count * _ENTRY.size
    if len(data) < end:
        raise FormatError(f"{name} ends inside its table of contents.", field="contents")
    unsigned = data[: _HEADER.size - 32] + bytes(32) + data[_HEADER.size : end]
    if hashlib.sha256(unsigned).digest() != digest:
        raise _changed(f"the table of contents of {name} was changed after it was written")
    if flags:
        raise _unsupported(f"{name} has flags {flags:#x} that say how to read it", major)
    if claimed != size:
        raise _changed(f"{name} has {size} bytes, not {claimed}")
    sections = tuple(_section(fields, name) for fields in _ENTRY.iter_unpack(data[_HEADER.size : end]))
    _check_tiling(sections, size, name)
    if any(data[end : sections[0].offset]):
        raise _padded("table of contents", name)
    return sections


def _section(fields: tuple[int, int, int, int, int, bytes], name: str) -> PackSection:
    kind, flags, offset, length, codec, digest = fields
    if flags & ~_REQUIRED:
        raise _unsupported(f"{name} has flags {flags:#x} on its section of kind {kind}", MAJOR)
    return PackSection(kind=kind, is_required=bool(flags), offset=offset, length=length, codec=codec, sha256=digest)


def _check_tiling(sections: Sequence[PackSection], size: int, name: str) -> None:
    """Refuse sections that are not in order of their kinds, each kind once, each at the first allowed offset after the last one."""
    if size > SIZE_LIMIT:
        raise FormatError(f"{name} has {size} bytes; a pack has at most {SIZE_LIMIT}.", field="header")
    before, expected = -1, first_offset(len(sections))
    for section in sections:
        if section.kind <= before:
            raise FormatError(f"{name} lists kind {section.kind} after kind {before}.", field="contents")
        if section.offset != expected:
            sentence = f"section {section.kind} of {name} begins at byte {section.offset}, not {expected}"
            raise FormatError(f"{sentence[0].upper()}{sentence[1:]}.", field="contents")
        if section.end > size:
            raise FormatError(f"PackSection {section.kind} of {name} ends beyond the file.", field="contents")
        before, expected = section.kind, aligned(section.end)
    if sections[-1].end != size:
        raise FormatError(f"{name} goes on after its last section.", field="contents")


def paddings(sections: Iterable[PackSection]) -> Iterable[tuple[int, int]]:
    """(start, end) of each gap between sections, whose bytes must be zero."""
    end = None
    for section in sections:
        if end is not None and end < section.offset:
            yield end, section.offset
        end = section.end


def _padded(after: str, name: str) -> FormatError:
    return FormatError(f"There is something behind the {after} of {name}, where nothing but zeros may be.", field="padding")


def _changed(what: str) -> IntegrityError:
    return IntegrityError(f"{what[0].upper()}{what[1:]}.", faults=[what])


def _unsupported(what: str, found: int) -> UnsupportedFormat:
    sentence = f"{what[0].upper()}{what[1:]}; this Hardtack reads version {MAJOR}."
    return UnsupportedFormat(sentence, found=found, readable=(MAJOR, MAJOR), hint="Install a newer Hardtack.")
