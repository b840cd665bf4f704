"""Hostile posting lists of names and words, filters of pairs, and columns that lie: what ranking maps and uses as it stands."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain
from typing import Any, TypeVar

from attacks_on_records import bytes_of, retold
from forge import Attack, Forge

from hardtack.bundle.format.layout import CHUNKS, FILES, NAMES, PAIRS, SYMBOLS, TEXT, WORDS
from hardtack.bundle.format.records import CHUNK_COLUMNS, FILE_COLUMNS, FILE_FIELDS, KINDS, SYMBOL_COLUMNS

BIG = (1 << 64) - 1
NOTHING = (1 << 32) - 1
STOCK = 18
"""A symbol that every query of the shelf finds: what its columns say is used, whether or not anyone verifies it."""


@dataclass
class Names:
    """``names.postings`` taken apart: four families of lists over one vocabulary."""

    words: list[bytes]
    lists: list[list[list[int]]]
    """Family, word, ordinals."""
    starts: dict[int, list[int]] = field(default_factory=dict)
    """Family to starts that are written instead of its own."""

    @classmethod
    def parsed(cls, data: bytes) -> Names:
        count, length, *totals = struct.unpack_from("<6Q", data, 8)
        at = 56
        starts = [struct.unpack_from(f"<{count + 1}I", data, at + 4 * (count + 1) * family) for family in range(4)]
        at += 16 * (count + 1)
        lists = []
        for own, total in zip(starts, totals, strict=True):
            ordinals = struct.unpack_from(f"<{total}I", data, at)
            at += 4 * total
            lists.append([list(ordinals[own[row] : own[row + 1]]) for row in range(count)])
        return cls(words=data[at : at + length].split(b"\n"), lists=lists)

    def rendered(self) -> bytes:
        vocabulary = b"\n".join(self.words)
        totals = [sum(map(len, family)) for family in self.lists]
        head = b"HTKNAM\0\1" + struct.pack("<6Q", len(self.words), len(vocabulary), *totals)
        starts = [self.starts.get(number, starts_of(family)) for number, family in enumerate(self.lists)]
        ordinals = [ordinal for family in self.lists for postings in family for ordinal in postings]
        return head + words_of([*chain.from_iterable(starts), *ordinals]) + vocabulary


@dataclass
class Words:
    """``words.postings`` taken apart."""

    stems: list[int]
    lists: list[list[tuple[int, int]]]
    """Stem, (file, count)."""
    starts: list[int] | None = None

    @classmethod
    def parsed(cls, data: bytes) -> Words:
        stems, postings = struct.unpack_from("<2Q", data, 8)
        numbers = struct.unpack_from(f"<{2 * stems + 1 + postings}I", data, 24)
        starts, files = numbers[stems : 2 * stems + 1], numbers[2 * stems + 1 :]
        pairs = list(zip(files, data[-postings:], strict=True))
        return cls(stems=list(numbers[:stems]), lists=[pairs[starts[row] : starts[row + 1]] for row in range(stems)])

    def rendered(self) -> bytes:
        pairs = [pair for postings in self.lists for pair in postings]
        starts = starts_of(self.lists) if self.starts is None else self.starts
        head = b"HTKWRD\0\1" + struct.pack("<2Q", len(self.stems), len(pairs))
        return head + words_of([*self.stems, *starts, *(file for file, _ in pairs)]) + bytes(count for _, count in pairs)


def raised_by(data: bytes, more: int) -> bytes:
    """The number of entries that a filter of pairs claims, made greater."""
    return struct.pack("<Q", struct.unpack_from("<Q", data, 8)[0] + more)


def every_bit(data: bytes) -> bytes:
    """A filter that says yes of everything."""
    return data[:16] + b"\xff" * len(data[16:])


def no_bit_of_the_last(data: bytes) -> bytes:
    """A filter in which the last byte that has bits has none."""
    return data.rstrip(b"\0")[:-1].ljust(len(data), b"\0")


def starts_of(lists: Sequence[Sequence[object]]) -> list[int]:
    """Where each list begins, and where the last ends."""
    return [0, *accumulate(map(len, lists))]


def words_of(numbers: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


_Parts = TypeVar("_Parts", Names, Words)


def names(change: Callable[[Names], object]) -> Callable[[Forge], None]:
    """Take the names' lists apart, change something and put them together again."""
    return bytes_of(NAMES, lambda data: _changed(Names.parsed(data), change, data))


def words(change: Callable[[Words], object]) -> Callable[[Forge], None]:
    """The same for the words'."""
    return bytes_of(WORDS, lambda data: _changed(Words.parsed(data), change, data))


def _changed(parts: _Parts, change: Callable[[_Parts], object], data: bytes) -> bytes:
    assert data == parts.rendered()
    change(parts)
    return parts.rendered()


def patched(member: str, at: int, layout: str, *values: Any) -> Callable[[Forge], None]:
    return bytes_of(
        member, lambda data: data[:at] + struct.pack(f"<{layout}", *values) + data[at + struct.calcsize(f"<{layout}") :]
    )


def set_ordinal(family: int, value: int | None) -> Callable[[Names], None]:
    """Let the first list of a family name something else at its end; None: what it has at its beginning, if that is elsewhere."""

    def change(parts: Names) -> None:
        postings = next(postings for postings in parts.lists[family] if len(postings) > (value is None))
        postings[-1] = postings[0] if value is None else value

    return change


def backwards(family: int) -> Callable[[Names], None]:
    """The first list of a family with two postings, in the other order."""
    return lambda parts: next(postings for postings in parts.lists[family] if len(postings) > 1).reverse()


def starts(family: int, change: Callable[[list[int]], object]) -> Callable[[Names], None]:
    """Change where the lists of a family begin."""

    def apply(parts: Names) -> None:
        parts.starts[family] = starts_of(parts.lists[family])
        change(parts.starts[family])

    return apply


def raised(place: int, by: int) -> Callable[[list[int]], None]:
    """Add to one number of a list."""

    def change(numbers: list[int]) -> None:
        numbers[place] += by

    return change


def word(place: int, value: bytes) -> Callable[[Names], None]:
    def change(parts: Names) -> None:
        parts.words[place] = value

    return change


def stem_starts(change: Callable[[list[int]], object]) -> Callable[[Words], None]:
    def apply(parts: Words) -> None:
        parts.starts = starts_of(parts.lists)
        change(parts.starts)

    return apply


def posting(place: int, file: int, count: int) -> Callable[[Words], None]:
    """Another posting in the last place of the first list that has two, or in its first."""

    def change(parts: Words) -> None:
        next(postings for postings in parts.lists if len(postings) > 1)[place] = (file, count)

    return change


def stem(place: int, value: int) -> Callable[[Words], None]:
    def change(parts: Words) -> None:
        parts.stems[place] = value

    return change


def without_text(change: Callable[[Forge], None]) -> Callable[[Forge], None]:
    """The change, in a bundle that nobody can hold against its text."""

    def apply(forge: Forge) -> None:
        forge.members.pop(TEXT)
        change(forge)

    return apply


def endless_file(forge: Forge) -> None:
    """A last file of 8 GiB, which nobody can hold against its text."""
    forge.members.pop(TEXT)
    length = forge.rows(FILES)[-1][FILE_FIELDS.index("text_length")]
    forge.set_field(FILES, 6, "text_length", 1 << 33)
    forge.document["counts"]["text_bytes"] += (1 << 33) - length


NAMES_ = [
    Attack(f"names: {name}", apply, words=said)
    for name, apply, said in (
        ("missing", lambda forge: forge.members.pop(NAMES), "lists no member 'names.postings'"),
        ("empty", bytes_of(NAMES, lambda _: b""), "too short"),
        ("cut in the header", bytes_of(NAMES, lambda data: data[:55]), "too short"),
        ("another magic", bytes_of(NAMES, lambda data: b"HTKNAM\0\2" + data[8:]), "no index of names"),
        ("cut short", bytes_of(NAMES, lambda data: data[:-1]), "another length"),
        ("trailing bytes", bytes_of(NAMES, lambda data: data + b"\0"), "another length"),
        ("2^64-1 words", patched(NAMES, 8, "Q", BIG), "promises more"),
        ("2^62 words, which times four is none", patched(NAMES, 8, "Q", 1 << 62), "promises more"),
        ("a vocabulary of 2^64-1 bytes", patched(NAMES, 16, "Q", BIG), "promises more"),
        ("2^62 postings", patched(NAMES, 24, "Q", 1 << 62), "promises more"),
        ("one more word", patched(NAMES, 8, "Q", 80), "another length"),
        ("one more posting", patched(NAMES, 48, "Q", 60), "another length"),
        (
            "no words but a vocabulary",
            bytes_of(NAMES, lambda _: b"HTKNAM\0\1" + struct.pack("<6Q4I", *(0, 1, *[0] * 8)) + b"a"),
            "promises",
        ),
        ("lists that begin at 1", names(starts(0, raised(0, 1))), "out of order"),
        ("lists that go back", names(starts(2, raised(5, 1 << 20))), "out of order"),
        ("lists that end early", names(starts(3, raised(-1, -1))), "out of order"),
        ("a file beyond the last", names(set_ordinal(0, 7)), "points outside"),
        ("a folder's file beyond the last", names(set_ordinal(1, NOTHING)), "points outside"),
        ("a symbol beyond the last", names(set_ordinal(2, 33)), "points outside"),
        ("a whole name's symbol beyond the last", names(lambda parts: parts.lists[3][-1].append(NOTHING)), "points outside"),
        ("a file twice", names(set_ordinal(1, None)), "a posting list is out of order"),
        ("a symbol twice", names(set_ordinal(2, None)), "a posting list is out of order"),
        ("symbols backwards", names(backwards(2)), "a posting list is out of order"),
        ("words backwards", names(lambda parts: parts.words.reverse()), "words are out of order"),
        ("a word twice", names(lambda parts: parts.words.__setitem__(1, parts.words[0])), "words are out of order"),
        ("an empty word", names(word(0, b"")), "words are out of order"),
        ("two words in one", names(word(-1, b"zz\nzzz")), "other words than it promises"),
        ("no UTF-8", names(word(-1, b"\xff\xfe")), "no text"),
        ("a surrogate", names(word(-1, b"\xed\xa0\x80")), "no text"),
        ("a word too long by a megabyte", names(word(-1, b"z" * (1 << 20))), "other lists"),
        ("another word", names(word(-1, b"zzzz")), "other lists"),
        (
            "a word of nothing",
            names(lambda parts: (parts.words.append(b"zzzz"), [each.append([]) for each in parts.lists])),
            "other lists",
        ),
        ("a symbol that is called otherwise", names(lambda parts: parts.lists[3][-1].__setitem__(0, 0)), "other lists"),
        ("a file too many", names(lambda parts: parts.lists[0][-1].append(6)), "other lists"),
        ("no names at all", bytes_of(NAMES, lambda _: b"HTKNAM\0\1" + bytes(6 * 8 + 4 * 4)), "other lists"),
    )
]
WORDS_ = [
    Attack(f"words: {name}", apply, words=said)
    for name, apply, said in (
        ("missing", lambda forge: forge.members.pop(WORDS), "lists no member 'words.postings'"),
        ("empty", bytes_of(WORDS, lambda _: b""), "too short"),
        ("another magic", bytes_of(WORDS, lambda data: b"HTKWRD\0\2" + data[8:]), "no index of words"),
        ("cut short", bytes_of(WORDS, lambda data: data[:-1]), "another length"),
        ("trailing bytes", bytes_of(WORDS, lambda data: data + b"\0"), "another length"),
        ("2^64-1 stems", patched(WORDS, 8, "Q", BIG), "no index of words"),
        ("2^62 postings", patched(WORDS, 16, "Q", 1 << 62), "no index of words"),
        ("lists that begin at 1", words(stem_starts(raised(0, 1))), "posting lists are out of order"),
        ("lists that go back", words(stem_starts(raised(5, 1 << 20))), "posting lists are out of order"),
        ("lists that end early", words(stem_starts(raised(-1, -1))), "posting lists are out of order"),
        ("an empty list", words(lambda parts: (parts.lists[1].extend(parts.lists[0]), parts.lists[0].clear())), "out of order"),
        ("stems backwards", words(lambda parts: parts.stems.reverse()), "stems are out of order"),
        ("a stem twice", words(lambda parts: parts.stems.__setitem__(1, parts.stems[0])), "stems are out of order"),
        ("a file beyond the last", words(posting(-1, 7, 1)), "points outside"),
        ("a file of 2^32-1", words(posting(-1, NOTHING, 1)), "points outside"),
        ("a count of 0", words(posting(-1, 6, 0)), "counts what is not there"),
        (
            "files backwards",
            words(lambda parts: [postings.reverse() for postings in parts.lists]),
            "a posting list is out of order",
        ),
        ("another count", words(posting(0, 0, 255)), "other lists"),
        ("another stem", words(stem(-1, NOTHING)), "other lists"),
        ("no words at all", bytes_of(WORDS, lambda _: b"HTKWRD\0\1" + bytes(20)), "other lists"),
        ("out of order, without text", without_text(words(lambda parts: parts.stems.reverse())), "stems are out of order"),
    )
]
UNTOLD = [
    Attack("words: another stem, without text, which nobody can tell", without_text(words(stem(-1, NOTHING))), ""),
    Attack("pairs: every bit, without text, which nobody can tell", without_text(bytes_of(PAIRS, every_bit)), ""),
]
PAIRS_ = [
    Attack(f"pairs: {name}", apply, words=said)
    for name, apply, said in (
        ("missing", lambda forge: forge.members.pop(PAIRS), "lists no member 'pairs.filter'"),
        ("empty", bytes_of(PAIRS, lambda _: b""), "too short"),
        ("another magic", bytes_of(PAIRS, lambda data: b"HTKPRS\0\2" + data[8:]), "no filter of pairs"),
        ("cut short", bytes_of(PAIRS, lambda data: data[:-1]), "another length"),
        ("trailing bytes", bytes_of(PAIRS, lambda data: data + b"\0"), "another length"),
        ("no bits", bytes_of(PAIRS, lambda data: data[:16]), "another length"),
        ("2^64-1 entries", patched(PAIRS, 8, "Q", BIG), "another length"),
        ("8 entries more", bytes_of(PAIRS, lambda data: data[:8] + raised_by(data, 8) + data[16:]), "another length"),
        ("fewer bits", bytes_of(PAIRS, no_bit_of_the_last), "other bits"),
        ("every bit", bytes_of(PAIRS, every_bit), "other bits"),
        ("no pairs at all", bytes_of(PAIRS, lambda _: b"HTKPRS\0\1" + bytes(16)), "other bits"),
        ("cut short, without text", without_text(bytes_of(PAIRS, lambda data: data[:-1])), "another length"),
    )
]
COLUMNS_ = [
    *(
        Attack(
            f"column: {name} of {value}",
            partial(Forge.set_column, member=FILES, name=name, row=3, value=value),
            words="column",
        )
        for name in FILE_COLUMNS
        for value in (1000, NOTHING)
    ),
    *(
        Attack(
            f"column: {name} of {value}",
            partial(Forge.set_column, member=SYMBOLS, name=name, row=3, value=value),
            words="column",
        )
        for name in SYMBOL_COLUMNS
        for value in (1000, NOTHING)
        if name not in FILE_COLUMNS
    ),
    *(
        Attack(
            f"column: {name} of {value}",
            partial(Forge.set_column, member=CHUNKS, name=name, row=0, value=value),
            words=f"column '{name}' says {value} of row 0",
        )
        for name in CHUNK_COLUMNS
        for value in (1000, NOTHING)
    ),
    Attack(
        "column: a kind of the future", lambda forge: forge.set_column(SYMBOLS, "kind", STOCK, len(KINDS)), words="column 'kind'"
    ),
    Attack(
        "column: a chunk past the last", lambda forge: forge.set_column(SYMBOLS, "chunk", STOCK, 1 << 31), words="column 'chunk'"
    ),
    Attack("column: a symbol's references", lambda forge: forge.set_column(SYMBOLS, "references", 0, 9), words="says 9 of row 0"),
    Attack(
        "column: a first file that begins late", lambda forge: forge.set_column(FILES, "first_chunk", 0, 1), words="says 1 of row 0"
    ),
    Attack("column: none of files", lambda forge: forge.set_table(FILES, forge.rows(FILES)), words="no column"),
    Attack(
        "column: none of symbols but tags",
        lambda forge: forge.set_table(SYMBOLS, forge.rows(SYMBOLS), tags=[0] * 33),
        words="no column",
    ),
    Attack("column: a file of 8 GiB", endless_file, words="of text; a file has at most"),
    Attack("column: sound", retold(lambda forge: None), ""),
]

ATTACKS = [*NAMES_, *WORDS_, *PAIRS_, *UNTOLD, *COLUMNS_]
