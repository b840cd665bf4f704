"""Whatever files and symbols are called, and whatever they say, mapping what was written gives the same look-ups."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hardtack.bundle.indexes.cooccurrence import PairFilter, PairsWriter, is_paired, pack_pairs, pair_hashes
from hardtack.bundle.indexes.names import Family, NameIndex, NamesWriter, folder_words, stem_words, words_of
from hardtack.bundle.indexes.words import WordIndex, WordsWriter, pack_stems, stem_hash
from hardtack.errors import FormatError
from hardtack.text import parts_of, stem_of, terms_of, whole_name

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
name = text | st.sampled_from(
    ["parseHTTPRequest", "max_size", "Shelf", "shelf", "__", "", "Getting\nStarted", "größe_Ändern", "İ", "ß"]
)
path = st.lists(name.map(lambda each: each.replace("/", "")).filter(bool), min_size=1, max_size=4).map("/".join)
trees = st.lists(st.tuples(path, st.lists(name, max_size=5)), max_size=8)


def written(tree: list[tuple[str, list[str]]]) -> bytes:
    writer, first = NamesWriter(), 0
    for number, (where, names) in enumerate(tree):
        writer.add(number, where, first, names)
        first += len(names)
    return b"".join(writer.render())


def opened(member: bytes, tree: list[tuple[str, list[str]]]) -> NameIndex:
    return NameIndex(memoryview(member), files=len(tree), symbols=sum(len(names) for _, names in tree))


@settings(max_examples=100)
@given(trees)
def test_names_are_found_by_each_of_their_words_and_by_no_other(tree: list[tuple[str, list[str]]]) -> None:
    index = opened(written(tree), tree)
    symbols = [each for _, names in tree for each in names]
    expected = {
        Family.STEM: [stem_words(where) for where, _ in tree],
        Family.FOLDER: [folder_words(where) for where, _ in tree],
        Family.PART: [words_of(each) for each in symbols],
        Family.WHOLE: [[folded] if (folded := whole_name(each)) else [] for each in symbols],
    }
    vocabulary = {word for words in expected.values() for own in words for word in own}
    stored = index.words.between(range(len(index.words)))
    assert sorted(vocabulary) == stored
    for family, words in expected.items():
        for row, word in enumerate(stored):
            assert row == index.row(word)
            assert [ordinal for ordinal, own in enumerate(words) if word in own] == index.postings(family, row).tolist()


@settings(max_examples=100)
@given(trees, st.lists(st.integers(0, 1000), max_size=9), st.lists(st.sampled_from(Family), unique=True, min_size=1))
def test_lists_that_are_read_together_are_those_that_are_read_alone(
    tree: list[tuple[str, list[str]]], numbers: list[int], families: list[Family]
) -> None:
    index = opened(written(tree), tree)
    rows = [number % len(index.words) for number in numbers if index.words]
    alone = [[index.postings(family, row).tolist() for row in rows] for family in families]
    ordinals, lengths = index.postings_of(families, np.array(rows, dtype=np.int64))
    assert [[len(each) for each in lists] for lists in alone] == lengths.tolist()
    assert [ordinal for lists in alone for each in lists for ordinal in each] == ordinals.tolist()


@settings(max_examples=100)
@given(trees, text)
def test_the_words_from_a_prefix_on_are_those_that_begin_so(tree: list[tuple[str, list[str]]], prefix: str) -> None:
    index = opened(written(tree), tree)
    words = index.words.between(range(len(index.words)))
    begin_so = [row for row, word in enumerate(words) if word.startswith(prefix) and not word.startswith(prefix + "\U0010ffff")]
    assert begin_so == list(index.rows_from(prefix))


@settings(max_examples=100)
@given(st.lists(text | st.sampled_from(["cache caches cached", "jar jar jar", ""]), max_size=8))
def test_files_are_found_by_each_of_their_stems_and_by_no_other(texts: list[str]) -> None:
    writer, counts = WordsWriter(), [Counter(map(stem_of, terms_of(each))) for each in texts]
    for each in texts:
        writer.add(*pack_stems(each))
    index = WordIndex(memoryview(b"".join(writer.render())), files=len(texts))
    stems = sorted({stem for each in counts for stem in each} | {"jar"})
    expected = [[(file, min(each[stem], 255)) for file, each in enumerate(counts) if stem in each] for stem in stems]
    files, found, lengths = index.postings(stems)
    assert [pair for pairs in expected for pair in pairs] == list(zip(files.tolist(), found.tolist(), strict=True))
    assert [len(pairs) for pairs in expected] == lengths.tolist()


def pairs_of(text: str) -> set[tuple[int, int]]:
    """The pairs of stems of a text that stand on one line, by their hashes, worked out one by one."""
    found = set()
    for line in text.split("\n"):
        parts = [part for word in re.findall(r"\w+", line) for part in parts_of(word) if is_paired(part)]
        stems = [stem_hash(stem_of(part)) for part in parts]
        found |= {(one, other) for one, other in combinations(stems, 2) if one != other}
    return found


@settings(max_examples=200)
@given(st.lists(st.lists(text | name, max_size=6).map(" ".join), max_size=6))
def test_a_file_has_the_pairs_of_each_of_its_lines_and_the_filter_misses_none(texts: list[str]) -> None:
    writer = PairsWriter()
    for number, each in enumerate(texts):
        pairs = pairs_of(each)
        one, other = np.array(sorted(pairs), dtype=np.uint32).reshape(-1, 2).T
        packed = pack_pairs(each)
        assert sorted(set(pair_hashes(one, other).tolist())) == np.frombuffer(packed, dtype=np.uint32).tolist(), number
        writer.add(packed)
    index = PairFilter(memoryview(b"".join(writer.render())))
    for number, each in enumerate(texts):
        hashes = np.frombuffer(pack_pairs(each), dtype=np.uint32)
        assert index.has(np.full(len(hashes), number), hashes).all()


@settings(max_examples=300)
@given(trees.filter(bool), st.data())
def test_no_damage_is_more_than_a_format_error(tree: list[tuple[str, list[str]]], data: st.DataObject) -> None:
    is_checked = data.draw(st.booleans())
    writer = WordsWriter()
    for where, names in tree:
        writer.add(*pack_stems(" ".join([where, *names])))
    for member, of_names in ((written(tree), True), (b"".join(writer.render()), False)):
        damaged = bytearray(member)
        at = data.draw(st.integers(min_value=0, max_value=len(damaged)))
        new = data.draw(st.binary(max_size=9))
        damaged[at : at + data.draw(st.sampled_from([len(new), 0, 4]))] = new
        with contextlib.suppress(FormatError):
            if of_names:
                index = opened(bytes(damaged), tree)
                if is_checked:
                    index.check()
                    assert all(row == index.row(word) for row, word in enumerate(index.words.between(range(len(index.words)))))
                for row in range(len(index.words)):
                    lists = [index.postings(family, row).tolist() for family in Family]
                    assert all(postings == sorted(set(postings)) for postings in lists)
                    assert all(ordinal < len(tree) for ordinal in (*lists[Family.STEM], *lists[Family.FOLDER]))
            else:
                words = WordIndex(memoryview(bytes(damaged)), files=len(tree))
                if is_checked:
                    words.check()
                files, counts, _ = words.postings(["jar", "shelf", "jar", *(stem_of(part) for part in parts_of(tree[0][0]))])
                assert (files < len(tree)).all()
                assert (counts > 0).all()
