"""References of one name in, their compact bytes out, and back: a posting list (FORMAT.md 4.9).

Numbers are LEB128 and mostly differences, so that a posting takes six bytes where a msgpack array takes fifteen. A list's length is
checked against the count that is stored beside it before anything is decoded. The caller checks that the numbers point into the
bundle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hardtack.nouns.relations import Certainty, Reference

MOST_POSTINGS: Final = 1 << 16
"""The most postings of one list, so that even the longest ones fit into a row. A name with more uses has several lists."""

CERTAINTIES: Final = tuple(Certainty)
"""Certainties by their stored number; ``Certainty`` only ever grows at its end."""

_NUMBERS: Final = {certainty: number for number, certainty in enumerate(CERTAINTIES)}
_MOST_NUMBERS: Final = 6
"""The most numbers that one posting takes, with the target in the list's head that it may be the first to have."""
_LONGEST_NUMBER: Final = 5
_TOP_SHIFT: Final = 7 * (_LONGEST_NUMBER - 1)


def write_postings(references: Sequence[Reference], first_symbols: Sequence[int]) -> bytes:
    """The posting list of ``references``.

    Args:
        references: at most :data:`MOST_POSTINGS`, in order of file and start.
        first_symbols: ordinal of the first symbol of each file.
    """
    targets = sorted({reference.target for reference in references if reference.target >= 0})
    places = {target: place for place, target in enumerate(targets, start=1)} | {-1: 0}
    data = bytearray()
    _append(data, len(targets))
    for before, target in zip([0, *targets], targets, strict=False):
        _append(data, target - before)
    file, start, line, first = -1, 0, 0, 0
    numbers: list[int] = []
    for each, next_line, next_start, source, is_call, target, certainty in references:
        is_elsewhere = each != file
        numbers.append(is_elsewhere | is_call << 1 | _NUMBERS[certainty] << 2 | places[target] << 4)
        if is_elsewhere:
            numbers.append(each - file)
            file, start, line, first = each, 0, 0, first_symbols[each]
        numbers += (next_start - start, next_line - line, source - first + 1 if source >= 0 else 0)
        start, line = next_start, next_line
    for number in numbers:
        if 0 <= number <= 0x7F:
            data.append(number)
        else:
            _append(data, number)
    return bytes(data)


def _append(data: bytearray, number: int) -> None:
    if number < 0:
        raise AssertionError("postings are not in order")
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)


def read_postings(data: bytes, count: int) -> list[Reference]:
    """The references of a posting list. Each ``source`` counts from the first symbol of its file.

    Raises:
        ValueError: ``data`` is no list of ``count`` postings.
    """
    if not 0 < count <= MOST_POSTINGS or len(data) > (1 + _MOST_NUMBERS * count) * _LONGEST_NUMBER:
        raise ValueError("the count is impossible")
    numbers = _numbers(data)
    references: list[Reference] = []
    try:
        targets = _targets(numbers)
        file, start, line = -1, 0, 0
        for _ in range(count):
            head = next(numbers)
            if head & 1:
                step = next(numbers)
                if not step:
                    raise ValueError("a file comes twice")
                file, start, line = file + step, 0, 0
            elif file < 0:
                raise ValueError("it begins in no file")
            start += next(numbers)
            line += next(numbers)
            place = next(numbers)
            certainty = CERTAINTIES[head >> 2 & 3]
            references.append(Reference(file, line, start, place - 1, bool(head & 2), targets[head >> 4], certainty))
    except (StopIteration, IndexError) as error:
        raise ValueError("it ends early, or names what is not there") from error
    if next(numbers, None) is not None:
        raise ValueError("bytes are left over")
    return references


def _targets(numbers: Iterator[int]) -> list[int]:
    """The targets of a list, by the number that its postings have for them; number 0 is no target, -1."""
    targets = [-1]
    target = 0
    for place in range(next(numbers)):
        step = next(numbers)
        if not step and place:
            raise ValueError("a target comes twice")
        target += step
        targets.append(target)
    return targets


def _numbers(data: bytes) -> Iterator[int]:
    """The LEB128 numbers in ``data``.

    Raises:
        ValueError: a number is not in its shortest form, is too long, or ends outside ``data``.
    """
    number = shift = 0
    for byte in data:
        if byte & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
            if shift > _TOP_SHIFT:
                raise ValueError("a number is too long")
        elif shift:
            if not byte:
                raise ValueError("a number is longer than it must be")
            yield number | byte << shift
            number = shift = 0
        else:
            yield byte
    if shift:
        raise ValueError("it ends inside a number")
