"""A file is known by the pairs of stems that stand on one of its lines, and by next to no other pair."""

from __future__ import annotations

import random
import struct
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from hardtack import text as terms
from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.format import layout
from hardtack.bundle.indexes import cooccurrence as pairs
from hardtack.bundle.indexes.cooccurrence import PairFilter, PairsWriter, is_paired, pack_pairs, pair_hashes
from hardtack.bundle.indexes.words import stem_hash
from hardtack.errors import FormatError


def written(*texts: str) -> bytes:
    writer = PairsWriter()
    for text in texts:
        writer.add(pack_pairs(text))
    return b"".join(writer.render())


def hash_of(one: str, other: str) -> int:
    first, second = (np.array([stem_hash(stem)], dtype=np.uint32) for stem in (one, other))
    return int(pair_hashes(first, second)[0])


def has(text: str, *wanted: tuple[str, str]) -> list[bool]:
    """Whether a text has each pair of stems."""
    packed = set(np.frombuffer(pack_pairs(text), dtype=np.uint32).tolist())
    return [hash_of(one, other) in packed for one, other in wanted]


def all_of(*stems: str) -> list[int]:
    """The hashes of all pairs of some stems, ascending."""
    return sorted(hash_of(one, other) for one, other in combinations(stems, 2))


def pairs_in(text: str) -> list[int]:
    found: list[int] = np.frombuffer(pack_pairs(text), dtype=np.uint32).tolist()
    return found


def test_a_pair_is_found_in_the_files_that_have_it_on_a_line() -> None:
    index = PairFilter(memoryview(written("the jar of lids", "jar\nlid", "", "lid, shelf, jar")))
    found = index.has(np.arange(5), np.full(5, hash_of("jar", "lid"), dtype=np.uint32))
    assert [True, False, False, True, False] == found.tolist()
    assert found.dtype == np.bool_


def test_each_pair_is_looked_for_in_the_file_beside_it() -> None:
    index = PairFilter(memoryview(written("jar lid", "jar shelf")))
    hashes = np.array([hash_of("jar", "lid"), hash_of("jar", "shelf"), hash_of("jar", "lid")], dtype=np.uint32)
    assert [True, True, False] == index.has(np.array([0, 1, 1]), hashes).tolist()
    assert [] == index.has(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint32)).tolist()


def test_the_order_of_two_words_does_not_matter_and_their_distance_does_not() -> None:
    assert all_of("jar", "lid", "shelf") == pairs_in("shelf (lid) -> jar") == pairs_in("jar.lid[shelf]\njar shelf jar jar")
    assert hash_of("jar", "lid") == hash_of("lid", "jar")


def _pair_hash(one: int, other: int) -> int:
    """FORMAT.md's words in plain whole numbers: the finaliser of SplitMix64 over the greater and the lesser, its upper half."""
    key, most = max(one, other) << 32 | min(one, other), (1 << 64) - 1
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & most
    key = (key ^ key >> 27) * 0x94D049BB133111EB & most
    return (key ^ key >> 31) >> 32


def test_a_pair_has_the_hash_that_the_format_says() -> None:
    drawn = random.Random(1)
    stems = [0, 1, (1 << 32) - 1, *(drawn.getrandbits(32) for _ in range(20))]
    one, other = np.array([*combinations(stems, 2)], dtype=np.uint32).T
    assert pair_hashes(one, other).tolist() == [_pair_hash(*pair) for pair in zip(one.tolist(), other.tolist(), strict=True)]
    assert pair_hashes(one, other).tolist() == pair_hashes(other, one).tolist()


def test_words_of_two_lines_are_no_pair() -> None:
    wanted = [("jar", "lid"), ("lid", "shelf"), ("jar", "shelf")]
    assert [True, False, False] == has("jar lid\nshelf", *wanted)
    assert [False, True, False] == has("jar\n\n\nlid shelf\n", *wanted)
    assert [False, False, False] == has("jar\r\nlid\n \x01\nshelf", *wanted)
    assert [True, False, False] == has("jar \x01 lid\x0b\x0c\x85\u2028", *wanted)


def test_a_compound_is_its_parts_and_a_word_is_its_stem() -> None:
    assert all_of("pars", "http", "request", "gross", "andern") == pairs_in("parseHTTPRequests größe_ändern")
    assert all_of("cach", "jar") == pairs_in("jars caching caches __ _")


def test_what_lies_beyond_a_hundred_characters_of_a_word_is_not_looked_at() -> None:
    assert [True, False, False] == has(f"{'a' * 97}JarLid shelf", ("jar", "shelf"), ("lid", "shelf"), ("jar", "lid"))


def test_characters_of_text_without_spaces_are_in_no_pair() -> None:
    assert all_of("jar", "lid") == pairs_in("jar 設定を読む lid ตั้งค่า 설정")


def test_small_words_single_characters_and_numbers_are_in_no_pair() -> None:
    assert [] == pairs_in("jar of the a x 1 2026 with while _ __")
    assert [False, False, False, False, True] == [is_paired(part) for part in ("the", "x", "42", "", "jar")]
    assert all_of("jar", "lid") == pairs_in("jar x1 i18n The_lid OF")


def test_equal_stems_make_no_pair() -> None:
    assert [] == pairs_in("jar jars Jar JAR")


def test_what_lies_beyond_four_hundred_characters_of_a_line_is_not_looked_at() -> None:
    padding = "." * 392
    assert [True] == has(f"jar {padding} lid", ("jar", "lid"))
    assert [False, True] == has(f"jar {padding}. lid", ("jar", "lid"), ("jar", "li"))
    assert [False] == has(f"jar {padding}... lid", ("jar", "lid"))
    assert [True] == has(f"{'.' * 390}\njar {padding} lid", ("jar", "lid"))


def test_stems_further_apart_than_forty_are_no_pair() -> None:
    between = " ".join(f"{one}{other}" for one in "bcdfghj" for other in "klmnpq")
    assert 42 == len(between.split())
    near, far = " ".join(between.split()[:39]), " ".join(between.split()[:40])
    assert [True, False] == [*has(f"jar {near} lid", ("jar", "lid")), *has(f"jar {far} lid", ("jar", "lid"))]
    assert [True] == has(f"jar the of {near} 7 a b lid", ("jar", "lid")), "what is left out does not count"


def test_a_long_text_has_the_pairs_of_all_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(" ".join(f"w{chr(97 + (line * 7 + word) % 26)}" for word in range(line % 9)) for line in range(200))
    whole = pairs_in(text)
    for at_once in (1, 7, 64):
        monkeypatch.setattr(pairs, "_STEMS_AT_ONCE", at_once)
        assert whole == pairs_in(text)
    entries = written(text, text, "jar lid")
    monkeypatch.setattr(pairs, "_ENTRIES_AT_ONCE", 3)
    assert entries == written(text, text, "jar lid")


def test_whatever_is_no_letter_digit_or_underscore_parts_words() -> None:
    spaced = pairs._Spaced()
    characters = "".join(map(chr, [*range(0x3000), *range(0xFB00, 0x10000), 0x10400, 0x1F600, 0x1D7D8]))
    expected = "".join(each if each == "\n" or terms._WORD.fullmatch(each) else " " for each in characters)
    assert expected == characters.translate(spaced)


def test_less_than_four_in_a_hundred_of_what_is_not_there_seem_to_be() -> None:
    made_up = random.Random(4)
    packed = [np.unique(np.array([made_up.getrandbits(32) for _ in range(500)], dtype=np.uint32)) for _ in range(40)]
    writer = PairsWriter()
    for each in packed:
        writer.add(each.tobytes())
    index = PairFilter(memoryview(b"".join(writer.render())))
    assert all(index.has(np.full(len(each), file), each).all() for file, each in enumerate(packed))
    others = np.array([made_up.getrandbits(32) for _ in range(20_000)], dtype=np.uint32)
    files = np.repeat(np.arange(40), 500)
    is_there = np.array([pair in own for pair, own in zip(others, (packed[file] for file in files), strict=True)])
    wrong = index.has(files, others) & ~is_there
    assert 0.01 < wrong.mean() < 0.04
    for file, each in enumerate(packed):
        assert index.has(np.full(len(each), (file + 1) % 40), each).mean() < 0.08, "what one file has is not there in another"


def test_a_bundle_without_files_and_one_of_empty_files_have_no_pairs() -> None:
    assert b"HTKPRS\0\1" + bytes(16) == written() == written("", "\n")
    assert [False] == PairFilter(memoryview(written())).has(np.array([0]), np.array([7], dtype=np.uint32)).tolist()


def test_a_filter_has_a_byte_for_each_entry_and_so_many_as_eight_divides() -> None:
    assert [8, 8, 8, 16, 16, (1 << 32) - 8] == [pairs._size_for(entries) for entries in (0, 1, 8, 9, 16, 1 << 40)]


def damaged(at: int, new: bytes) -> memoryview:
    member = bytearray(written("jar lid shelf", "jar"))
    member[at : at + len(new)] = new
    return memoryview(bytes(member))


@pytest.mark.parametrize(
    ("member", "what"),
    [
        (memoryview(b""), "it is too short"),
        (memoryview(written("jar lid"))[:15], "it is too short"),
        (damaged(0, b"HTKWRD\0\1"), "it is no filter of pairs"),
        (damaged(7, b"\2"), "it is no filter of pairs"),
        (damaged(8, struct.pack("<Q", 9)), "it has another length than it promises"),
        (damaged(8, struct.pack("<Q", (1 << 64) - 1)), "it has another length than it promises"),
        (memoryview(written("jar lid"))[:-1], "it has another length than it promises"),
        (memoryview(written("jar lid"))[:16], "it has another length than it promises"),
        (memoryview(written("jar lid") + b"\0"), "it has another length than it promises"),
    ],
)
def test_what_is_no_filter_is_refused_in_one_sentence(member: memoryview, what: str) -> None:
    with pytest.raises(FormatError) as caught:
        PairFilter(member)
    assert f"{layout.PAIRS} is damaged: {what}." == str(caught.value)
    assert layout.PAIRS == caught.value.field


def test_the_bytes_are_the_same_whatever_the_number_of_processes(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    for number in range(30):
        text = f"def open_jar_{chr(97 + number % 26)}x(lid):\n    return shelf{number}.put(lid, jar)\n"
        (tmp_path / "tree" / f"jar{number:02}.py").write_text(text, encoding="utf-8")
    members = []
    for jobs in (1, 2):
        build_bundle(tmp_path / "tree", tmp_path / f"bundle{jobs}", BuildOptions(jobs=jobs, profile="keyword"))
        members.append((tmp_path / f"bundle{jobs}" / layout.PAIRS).read_bytes())
    assert members[0] == members[1]
    assert len(members[0]) > 16 + 30 * 3
