"""The table encoder: its arithmetic against a plain computation, and damaged members."""

from __future__ import annotations

import hashlib
import math
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgpack
import numpy as np
import pytest

from hardtack.encoders import static
from hardtack.encoders.static import (
    FIELDS,
    MEMBERS,
    StaticEncoder,
    default_encoder,
    member_paths,
    notice_path,
    spellings_of,
    words_in,
)
from hardtack.encoders.unit import MAX_EXACT
from hardtack.encoders.wordpiece import OrderedTokens, packed
from hardtack.errors import EncoderUnavailable, FormatError

TOKENS = ["##name", "[UNK]", "file", "http", "read", "readfile"]
TABLE = np.array([[1, 0], [9, 9], [-5, 12], [0, 1], [3, 4], [127, -127]], dtype=np.int8)
FROZEN = "a98e60ae542c97fb2d84261e9639157e2dd5c1eeb732e01e12dc532f7cf47f49"
"""The hash of vectors of the package's table: it changes with the table only."""
FROZEN_BOUNDS = "0c6fbaf6f8865296028158e862482abea920c3de75933d275f307c4701560de2"
"""The hash of the bounds of these vectors: other bits would give every bundle other codes."""
WEIGHTS = np.array([65_535, 0, 1, 2, 10, 7], dtype="<u2")


def fields_with(**changes: Any) -> dict[str, Any]:
    return {
        "format": 3,
        "name": "tiny",
        "source": "this test",
        "license": "Apache-2.0",
        "dimension": 2,
        "table_sha256": hashlib.sha256(TABLE.tobytes()).hexdigest(),
        "vocabulary": packed(TOKENS),
        "weights": WEIGHTS.tobytes(),
    } | changes


def tiny(**changes: Any) -> StaticEncoder:
    return StaticEncoder.from_buffers(msgpack.packb(fields_with(**changes)), memoryview(TABLE.tobytes()))


def plain_direction(ids: list[int]) -> np.ndarray:
    times = {token: math.isqrt(256 * ids.count(token)) for token in ids}
    total = [sum(n * int(WEIGHTS[token]) * int(TABLE[token][column]) for token, n in times.items()) for column in (0, 1)]
    return np.array(total) / math.hypot(*total)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("read", [4]),
        ("read file", [4, 2]),
        ("read_file", [4, 2]),
        ("filename(read);", [2, 0, 4]),
        ("readFile", [4, 2, 5]),
        ("unknown read", [4]),
        ("HTTPFile", [3, 2]),
        ("read read file read_file", [4, 4, 2, 4, 2]),
    ],
)
def test_a_vector_is_the_weighted_sum_of_its_tokens_rows(text: str, ids: list[int]) -> None:
    np.testing.assert_allclose(tiny().encode([text])[0], plain_direction(ids), atol=1e-7)


@pytest.mark.parametrize(
    ("word", "spellings"),
    [
        ("parseHTTPRequest", ["parse", "HTTP", "Request", "parseHTTPRequest"]),
        ("sha256", ["sha", "256", "sha256"]),
        ("plain", ["plain"]),
        ("Łódź2024", ["Łódź2024"]),
    ],
)
def test_a_word_counts_as_its_parts_and_itself(word: str, spellings: list[str]) -> None:
    assert spellings == spellings_of(word)


def test_ascii_punctuation_only_separates() -> None:
    assert words_in("a_b(é);") == ["a", "b", "é"]


def test_unknown_words_and_weightless_tokens_say_nothing() -> None:
    assert not tiny().encode(["zzz [UNK] ()"]).any()


def test_roots_are_the_exact_ones_rounded_down() -> None:
    counts = [*range(1, 5000), *(root * root + step for root in (4095, 4096, 8191) for step in (-1, 0, 1)), static.MAX_TOKENS]
    found = np.floor(np.sqrt(np.array(counts, dtype=np.float64) * static.ONCE**2)).astype(int).tolist()
    assert [math.isqrt(static.ONCE**2 * count) for count in counts] == found


def test_a_long_text_is_the_same_whatever_is_summed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["read file http " * 5000 + "filename"]
    whole = tiny().encode(texts)
    monkeypatch.setattr(static, "_TOKENS_AT_ONCE", 7)
    assert whole.tobytes() == tiny().encode(texts).tobytes()


def test_tokens_beyond_the_cap_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "MAX_TOKENS", 2)
    monkeypatch.setattr(static, "_TOKENS_AT_ONCE", 3)
    assert tiny().encode(["read file"]).tobytes() == tiny().encode(["read file http http"]).tobytes()


def test_a_sum_of_as_many_tokens_as_count_is_exact() -> None:
    assert static.MAX_TOKENS * static.ONCE * 128 * 65_535 < MAX_EXACT


def test_the_memo_stays_within_its_bound_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["read file", "http filename readFile", "read http"]
    wanted = tiny().encode(texts)
    monkeypatch.setattr(static, "_MAX_MEMO_WORDS", 2)
    small = tiny()
    assert wanted.tobytes() == small.encode(texts).tobytes()
    assert len(small._memo) <= 2


def test_the_fingerprint_follows_the_members_not_the_object() -> None:
    assert tiny().fingerprint == tiny().fingerprint
    assert len({tiny().fingerprint, tiny(name="other").fingerprint, tiny(table_sha256="0" * 64).fingerprint}) == 3


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": 2}, "format"),
        ({"format": 4}, "format"),
        ({"format": True}, "format"),
        ({"name": b"tiny"}, "name"),
        ({"dimension": 0}, "dimension"),
        ({"dimension": 513}, "dimension"),
        ({"dimension": 3}, "vocabulary"),
        ({"table_sha256": "A" * 64}, "table_sha256"),
        ({"vocabulary": TOKENS}, "vocabulary"),
        ({"vocabulary": packed(TOKENS)[:-1]}, "vocabulary"),
        ({"vocabulary": packed(TOKENS)[:-2] + b"\xff\n"}, "vocabulary"),
        ({"vocabulary": packed(["##name", "[PAD]", *TOKENS[2:]])}, "vocabulary"),
        ({"vocabulary": b""}, "vocabulary"),
        ({"weights": WEIGHTS.tobytes()[:-1]}, "weights"),
    ],
)
def test_a_wrong_field_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(FormatError) as caught:
        tiny(**changes)
    assert field == caught.value.field


def test_tokens_out_of_order_are_found_by_who_looks_at_all_of_them() -> None:
    tiny().check()
    for tokens in ([*TOKENS[:4], "readfile", "read"], [*TOKENS[:5], "read"]):
        with pytest.raises(FormatError, match="vocabulary is not in the order"):
            tiny(vocabulary=packed(tokens)).check()


@pytest.mark.parametrize("field", list(FIELDS))
def test_a_missing_field_is_refused(field: str) -> None:
    fields = fields_with()
    del fields[field]
    with pytest.raises(FormatError, match="exactly these fields"):
        StaticEncoder.from_buffers(msgpack.packb(fields), memoryview(TABLE.tobytes()))


def test_an_unexpected_field_is_refused() -> None:
    with pytest.raises(FormatError, match="exactly these fields"):
        tiny(extra=1)


@pytest.mark.parametrize(
    "data",
    [b"", b"\xc1", b"\x80\x80", msgpack.packb([1]), msgpack.packb({1: 2}), msgpack.packb({"a": "x"})[:-1], b"\x81\xa1a\xa1\xff"],
)
def test_bytes_that_are_no_map_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        StaticEncoder.from_buffers(data, memoryview(TABLE.tobytes()))


def test_a_table_cut_short_is_refused() -> None:
    with pytest.raises(FormatError, match=r"encoder\.int8 has 11 bytes"):
        StaticEncoder.from_buffers(msgpack.packb(fields_with()), memoryview(TABLE.tobytes()[:-1]))


def test_the_package_s_members_fit_in_eight_mebibytes_with_their_notice() -> None:
    assert sum(path.stat().st_size for path in member_paths()) <= 8 << 20
    assert "Apache License" in notice_path().read_text(encoding="utf-8")
    assert list(MEMBERS) == [path.name for path in member_paths()]


def test_a_damaged_table_in_the_package_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    vocabulary, table = (path.read_bytes() for path in member_paths())
    (tmp_path / MEMBERS[0]).write_bytes(vocabulary)
    (tmp_path / MEMBERS[1]).write_bytes(table[:-1] + bytes([table[-1] ^ 1]))
    monkeypatch.setattr(static, "_DATA", tmp_path)
    with pytest.raises(FormatError, match="table_sha256"):
        default_encoder()


def test_a_package_without_its_data_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(static, "_DATA", tmp_path)
    with pytest.raises(EncoderUnavailable):
        default_encoder()
    for member in MEMBERS:
        (tmp_path / member).touch()
    with pytest.raises(EncoderUnavailable):
        default_encoder()


def test_threads_that_share_an_encoder_get_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "_MAX_MEMO_WORDS", 2)
    texts, shared = ["read file", "http filename readFile", "read http", "unknown Łódź"] * 200, tiny()
    wanted = tiny().encode(texts).tobytes()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: shared.encode(texts).tobytes(), range(8)))
    assert found == [wanted] * 8


def test_the_package_s_vectors_are_the_same_bits_everywhere() -> None:
    texts = [
        "delete a directory and everything in it",
        "def rmtree(path): shutil.rmtree(path, ignore_errors=True)",
        "parseHTTPRequest Łódź naïve 東京 sha256",
        "return " * 1000 + "x",
        "()",
    ]
    assert FROZEN == hashlib.sha256(default_encoder().encode(texts).tobytes()).hexdigest()


def test_what_is_meant_is_nearer_than_what_is_not() -> None:
    query, near, far = default_encoder().encode(
        ["delete a directory and everything in it", "def rmtree(path): remove(path, recursive=True)", "class ColorPalette: pass"]
    )
    assert query @ near > query @ far + 0.1


def test_every_character_of_ascii_text_separates_words_or_is_part_of_one() -> None:
    """ASCII text is split, other text is searched, with the same result."""
    text = "".join(f"a{chr(code)}b" for code in range(128))
    assert words_in(text) == [spelling for word in static._WORD.findall(text) for spelling in spellings_of(word)]
    assert words_in(text + "é") == [*words_in(text[:-1]), "bé"]


def test_a_word_is_what_its_rule_says_of_every_character() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert re.findall(static._WORD_RULE, every) == static._WORD.findall(every)
    assert re.findall(static._WORD_RULE, " ".join(every)) == static._WORD.findall(" ".join(every))


def test_bounds_are_the_largest_numbers_of_tokens_that_weigh_at_length_1(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.array([[127, 0], [3, 4], [0, 0], [-5, 12], [100, -99]], dtype=np.int8)
    weights = np.array([0, 9, 7, 1, 0], dtype=np.uint16)
    vocabulary = OrderedTokens(packed(["[UNK]", "a", "b", "c", "d"]))
    for rows_at_once in (1, 2, 1024):
        monkeypatch.setattr(static, "_ROWS_AT_ONCE", rows_at_once)
        encoder = StaticEncoder(vocabulary=vocabulary, weights=weights, table=rows, table_sha256="", fingerprint="")
        minima, ranges = encoder.bounds
        assert [np.float32(3) / np.float32(5), np.float32(12) / np.float32(13)] == (-minima).tolist() == (ranges / 2).tolist()
        assert minima.dtype == ranges.dtype == np.float32


def test_the_package_s_bounds_are_the_same_bits_everywhere_and_hold_its_vectors() -> None:
    encoder = default_encoder()
    minima, ranges = encoder.bounds
    digest = hashlib.sha256(minima.astype("<f4").tobytes() + ranges.astype("<f4").tobytes()).hexdigest()
    assert FROZEN_BOUNDS == digest
    vectors = encoder.encode(["def open_file(path): ...", "retry with backoff", "int main(void) { return 0; }"])
    assert (vectors >= minima).all()
    assert (vectors <= minima + ranges).all()
