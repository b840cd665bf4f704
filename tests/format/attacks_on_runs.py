"""Hostile indexes of runs: what a literal search inflates, scans and follows before anyone verifies it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from attacks_on_postings import patched
from attacks_on_records import bytes_of
from forge import Attack, Forge

from hardtack.bundle.format.layout import RUNS

BIG = (1 << 64) - 1
HEADER = struct.Struct("<8s7Q")


@dataclass
class Runs:
    """``runs.postings`` taken apart, its streams inflated."""

    lines: list[int]
    groups: list[int]
    words: list[bytes]
    postings: bytes
    counts: tuple[int, int, int] | None = None
    """Runs, groups and postings that are claimed instead of those that are there."""
    deflated: Callable[[bytes], bytes] = zlib.compress

    @classmethod
    def parsed(cls, data: bytes) -> Runs:
        """The frozen member: one block, so that a posting has one byte."""
        _, blocks, _, groups, _, _, vocabulary, _ = HEADER.unpack_from(data)
        numbers = struct.unpack_from(f"<{blocks + 2 * groups}I", data, HEADER.size)
        at = HEADER.size + 4 * len(numbers)
        words = zlib.decompress(data[at : at + vocabulary]).split(b"\n")
        return cls(list(numbers[:blocks]), list(numbers[blocks:]), words, zlib.decompress(data[at + vocabulary :]))

    def rendered(self) -> bytes:
        vocabulary = b"\n".join(self.words)
        counts = self.counts or (len(self.words), len(self.groups) // 2, len(self.postings))
        streams = self.deflated(vocabulary), self.deflated(self.postings)
        head = HEADER.pack(b"HTKRUN\0\1", len(self.lines), *counts, len(vocabulary), *map(len, streams))
        return head + struct.pack(f"<{len(self.lines + self.groups)}I", *self.lines, *self.groups) + b"".join(streams)


def runs(change: Callable[[Runs], object]) -> Callable[[Forge], None]:
    """Take the member apart, change something and put it together again."""

    def changed(data: bytes) -> bytes:
        parts = Runs.parsed(data)
        change(parts)
        return parts.rendered()

    return bytes_of(RUNS, changed)


def field(name: str, value: object) -> Callable[[Runs], object]:
    return lambda parts: setattr(parts, name, value)


def deflated(change: Callable[[bytes], bytes]) -> Callable[[Runs], object]:
    """Streams that are not what they should be."""
    return field("deflated", lambda data: change(zlib.compress(data)))


def claimed(runs: int, groups: int, postings: int) -> Callable[[Runs], object]:
    return lambda parts: setattr(
        parts, "counts", (len(parts.words) + runs, len(parts.groups) // 2 + groups, len(parts.postings) + postings)
    )


def word(place: int, value: bytes) -> Callable[[Runs], object]:
    return lambda parts: parts.words.__setitem__(place, value)


def postings_of(number: int) -> Callable[[Runs], object]:
    return lambda parts: setattr(parts, "postings", bytes([number]) * len(parts.postings))


def bomb(data: bytes) -> bytes:
    """A vocabulary of 200 MB that claims to be what it was."""
    *head, vocabulary, postings = HEADER.unpack_from(data)
    at = len(data) - postings - vocabulary
    stream = zlib.compress(bytes(200 << 20))
    return HEADER.pack(*head, len(stream), postings) + data[HEADER.size : at] + stream + data[len(data) - postings :]


NOTHING_SAID = b"HTKRUN\0\1" + struct.pack("<7Q", 1, 0, 0, 0, 0, 8, 8) + bytes(4) + 2 * zlib.compress(b"")

ATTACKS = [
    Attack(f"runs: {name}", apply, words=said)
    for name, apply, said in (
        ("missing", lambda forge: forge.members.pop(RUNS), "lists 'text.blocks' without 'runs.postings'"),
        ("empty", bytes_of(RUNS, lambda _: b""), "too short"),
        ("another magic", bytes_of(RUNS, lambda data: b"HTKRUN\0\2" + data[8:]), "no index of runs"),
        ("cut short", bytes_of(RUNS, lambda data: data[:-1]), "another length"),
        ("trailing bytes", bytes_of(RUNS, lambda data: data + b"\0"), "another length"),
        ("2^64-1 blocks", patched(RUNS, 8, "Q", BIG), "of another text"),
        ("one block more", patched(RUNS, 8, "Q", 2), "of another text"),
        ("2^64-1 runs", patched(RUNS, 16, "Q", BIG), "more runs than the text can have"),
        ("2^61 groups, which times eight are none", patched(RUNS, 24, "Q", 1 << 61), "another length"),
        ("2^64-1 postings", patched(RUNS, 32, "Q", BIG), "more runs than the text can have"),
        ("a vocabulary of 2^64-1 bytes", patched(RUNS, 40, "Q", BIG), "more runs than the text can have"),
        ("a vocabulary of 2^64-1 deflated bytes", patched(RUNS, 48, "Q", BIG), "another length"),
        ("postings of 2^64-1 deflated bytes", patched(RUNS, 56, "Q", BIG), "another length"),
        ("a bomb", bytes_of(RUNS, bomb), "inflates to another length"),
        ("streams of noise", runs(deflated(lambda data: b"\xff" * len(data))), "does not inflate"),
        ("streams that end early", runs(deflated(lambda data: data[:-5])), "inflates to another length"),
        ("streams with bytes left over", runs(deflated(lambda data: data + b"\0")), "inflates to another length"),
        ("one run more", runs(claimed(1, 0, 0)), "other numbers"),
        ("one posting more", runs(claimed(0, 0, 1)), "inflates to another length"),
        ("a group too large", runs(lambda parts: parts.groups.__setitem__(1, parts.groups[1] + 1)), "other numbers"),
        ("groups of 2^32-1 runs in 2^32-1 blocks", runs(field("groups", [(1 << 32) - 1] * 4000)), "other numbers"),
        ("no groups", runs(field("groups", [])), "other numbers"),
        ("two runs in one", runs(word(0, b"a\nb")), "other numbers"),
        ("postings past the last block", runs(postings_of(0xFF)), "says something else"),
        ("another run", runs(word(0, b"never_written")), "says something else"),
        ("runs in another order", runs(lambda parts: parts.words.reverse()), "says something else"),
        ("other lines", runs(field("lines", [7])), "says something else"),
        ("nothing said", bytes_of(RUNS, lambda _: NOTHING_SAID), "says something else"),
    )
]
