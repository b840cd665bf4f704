"""Files are found by the stems of the words in their text, with how often they have them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping

import numpy as np
import pytest

from hardtack.bundle.indexes import words
from hardtack.bundle.indexes.words import WordIndex, WordsWriter, pack_stems, stem_hash
from hardtack.errors import FormatError


def written(*files: Mapping[str, int]) -> bytes:
    """The member of files that have these words so often."""
    writer = WordsWriter()
    for counts in files:
        writer.add(*pack_stems(" ".join(word for word, count in counts.items() for _ in range(count))))
    return b"".join(writer.render())


def found(index: WordIndex, *stems: str) -> list[list[tuple[int, int]]]:
    """File and count of each posting of each stem."""
    files, counts, lengths = index.postings(stems)
    pairs = iter(zip(files.tolist(), counts.tolist(), strict=True))
    lists = [[next(pairs) for _ in range(length)] for length in lengths.tolist()]
    assert [] == list(pairs)
    return lists


def test_the_words_of_a_text_are_the_stems_of_its_terms() -> None:
    writer = WordsWriter()
    for text in ("cache caches, caching parseRequest шкаф", " +-*/ ", ""):
        writer.add(*pack_stems(text))
    index = WordIndex(memoryview(b"".join(writer.render())), files=3)
    stems = ("cach", "parserequest", "pars", "request", "шкаф")
    assert [[(0, 3)], [(0, 1)], [(0, 1)], [(0, 1)], [(0, 1)]] == found(index, *stems)
    assert len(stems) == len(index.postings(stems)[0])


def test_each_stem_has_its_files_in_order_and_how_often_they_have_it() -> None:
    index = WordIndex(memoryview(written({"jar": 2, "shelf": 1}, {}, {"shelf": 7})), files=3)
    assert [[(0, 1), (2, 7)], [(0, 2)], []] == found(index, "shelf", "jar", "lid")
    assert [] == found(index)


def test_more_than_a_byte_holds_is_told_as_the_most_it_holds() -> None:
    index = WordIndex(memoryview(written({"a": 254, "b": 255, "c": 256, "d": 1 << 12})), files=1)
    assert [[(0, 254)], [(0, 255)], [(0, 255)], [(0, 255)]] == found(index, "a", "b", "c", "d")


def test_stems_of_one_hash_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "stem_hash", lambda stem: len(stem))
    monkeypatch.setattr(words, "_stems_by_word", type(words._stems_by_word)())
    index = WordIndex(memoryview(written({"jar": 2, "lid": 3, "shelf": 1}, {"box": 200, "jug": 100})), files=2)
    assert [[(0, 5), (1, 255)], [(0, 1)]] == found(index, "can", "plate")


def test_a_bundle_without_files_and_one_of_empty_files_have_no_words() -> None:
    assert [[]] == found(WordIndex(memoryview(written()), files=0), "jar")
    assert [[]] == found(WordIndex(memoryview(written({}, {})), files=2), "jar")


def test_a_query_may_hold_what_is_no_text() -> None:
    assert [[]] == found(WordIndex(memoryview(written({"jar": 1})), files=1), "\udcff")


def test_the_bytes_are_those_that_the_specification_describes() -> None:
    first, second = sorted((zlib.crc32(b"jar"), zlib.crc32("шкаф".encode())))
    expected = b"HTKWRD\0\1" + struct.pack("<2Q", 2, 2) + struct.pack("<2I", first, second)
    expected += struct.pack("<3I", 0, 1, 2) + struct.pack("<2I", 0, 0) + bytes([1, 1])
    assert expected == written({"jar": 1, "шкаф": 1}) == written({"шкаф": 1, "jar": 1})
    assert zlib.crc32(b"jar") == stem_hash("jar")


def member(stems: list[int], starts: list[int], files: list[int], counts: list[int]) -> memoryview:
    columns = (np.array(column, dtype="<u4").tobytes() for column in (stems, starts, files))
    return memoryview(b"HTKWRD\0\1" + struct.pack("<2Q", len(stems), len(files)) + b"".join(columns) + bytes(counts))


@pytest.mark.parametrize(
    ("built", "what"),
    [
        (member([1, 2], [0, 1, 3], [0, 0, 2], [1, 1, 1]), ""),
        (member([], [0], [], []), ""),
        (member([2, 1], [0, 1, 3], [0, 0, 2], [1, 1, 1]), "stems are out of order"),
        (member([1, 1], [0, 1, 3], [0, 0, 2], [1, 1, 1]), "stems are out of order"),
        (member([1, 2], [1, 2, 3], [0, 0, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([1, 2], [0, 1, 2], [0, 0, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([1, 2], [0, 4, 3], [0, 0, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([1, 2], [0, 0, 3], [0, 1, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([], [0], [0], [1]), "posting lists are out of order"),
        (member([1, 2], [0, 1, 3], [0, 2, 0], [1, 1, 1]), "a posting list is out of order"),
        (member([1, 2], [0, 1, 3], [0, 2, 2], [1, 1, 1]), "a posting list is out of order"),
        (member([1, 2], [0, 1, 3], [0, 0, 3], [1, 1, 1]), "points outside"),
        (member([1, 2], [0, 1, 3], [0, 0, 2], [1, 0, 1]), "counts what is not there"),
    ],
)
def test_lists_that_are_none_are_refused_when_all_is_checked(built: memoryview, what: str) -> None:
    if not what:
        WordIndex(built, files=3).check()
        return
    with pytest.raises(FormatError, match=what):
        WordIndex(built, files=3).check()


@pytest.mark.parametrize(
    ("built", "what"),
    [
        (member([1, 2], [0, 1, 3], [0, 0, 2], [1, 1, 1]), ""),
        (member([1, 2], [0, 4, 3], [0, 0, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([1, 2], [0, 0, 3], [0, 1, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([1, 2], [2, 1, 3], [0, 0, 2], [1, 1, 1]), "posting lists are out of order"),
        (member([1, 2], [0, 1, 3], [0, 2, 0], [1, 1, 1]), "a posting list is out of order"),
        (member([1, 2], [0, 1, 3], [0, 2, 2], [1, 1, 1]), "a posting list is out of order"),
        (member([1, 2], [0, 1, 3], [0, 0, 3], [1, 1, 1]), "points outside"),
        (member([1, 2], [0, 1, 3], [0, 0, 2], [1, 0, 1]), "counts what is not there"),
    ],
)
def test_lists_that_are_none_are_refused_when_they_are_read(monkeypatch: pytest.MonkeyPatch, built: memoryview, what: str) -> None:
    monkeypatch.setattr(words, "stem_hash", int)
    index = WordIndex(built, files=3)
    if not what:
        assert [[(0, 1)], [(0, 1), (2, 1)], [], [(0, 1)]] == found(index, "1", "2", "3", "1")
        return
    with pytest.raises(FormatError, match=what):
        index.postings(["1", "2"])
