from __future__ import annotations

import hashlib

import pytest

from hardtack.bundle.format.container import (
    ALIGNMENT,
    FRAME_LIMIT,
    SECTION_LIMIT,
    PackSection,
    aligned,
    first_offset,
    paddings,
    parse_frame,
    render_frame,
)
from hardtack.errors import BundleError


def laid_out(lengths: list[int]) -> tuple[PackSection, ...]:
    """Sections of these lengths, one after another."""
    at, sections = first_offset(len(lengths)), []
    for number, length in enumerate(lengths):
        digest = hashlib.sha256(bytes(number)).digest()
        section = PackSection(
            kind=number * 3, is_required=number % 2 == 0, offset=at, length=length, codec=number % 3, sha256=digest
        )
        sections.append(section)
        at = aligned(section.end)
    return tuple(sections)


def test_what_is_rendered_is_parsed() -> None:
    sections = laid_out([1, 4096, 0, 5000])
    frame = render_frame(sections)
    assert sections == parse_frame(frame, sections[-1].end, "x")
    assert ALIGNMENT == len(frame)
    assert [(4097, 8192)] == list(paddings(sections))


def test_the_longest_table_of_contents_fits_what_is_read_of_a_pack() -> None:
    sections = laid_out([1] * SECTION_LIMIT)
    frame = render_frame(sections)
    assert len(frame) <= FRAME_LIMIT
    assert sections == parse_frame(frame, sections[-1].end, "x")


def test_no_bit_of_the_header_or_the_table_of_contents_can_change_unnoticed() -> None:
    sections = laid_out([10] * 24)
    frame, size = render_frame(sections), sections[-1].end
    for bit in (*range(8 * (56 + 57 * 24)), *range(8 * (56 + 57 * 24), 8 * len(frame), 37)):
        changed = bytearray(frame)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            parse_frame(bytes(changed), size, "x")
        except BundleError:
            continue
        pytest.fail(f"bit {bit} changed and nobody noticed")


def test_a_frame_that_ends_anywhere_is_refused() -> None:
    sections = laid_out([10] * 5)
    frame = render_frame(sections)
    for size in range(57 * 5 + 56):
        with pytest.raises(BundleError):
            parse_frame(frame[:size], size, "x")
