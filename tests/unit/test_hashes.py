"""Hashes are hashlib's, however little there is to hash."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack import hashes


@given(data=st.binary(max_size=300), size=st.integers(1, 64))
def test_a_little_is_hashed_as_hashlib_does(data: bytes, size: int) -> None:
    assert hashlib.sha256(data).hexdigest() == hashes.sha256_of(data) == hashes.sha256_of(memoryview(bytearray(data)))
    assert hashlib.blake2b(data, digest_size=size).hexdigest() == hashes.blake2b_of(data, size=size)


def test_much_is_hashed_as_hashlib_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(hashes, "sha256")  # not by the interpreter's own, which is slow
    data = bytes(range(256)) * 4096
    assert hashlib.sha256(data).hexdigest() == hashes.sha256_of(data)


@pytest.mark.parametrize(
    ("text", "expected"), [("", True), ("09af", True), ("0g", False), ("AF", False), ("a\n", False), ("٣", False)]
)
def test_digits_are_those_of_a_hash(text: str, *, expected: bool) -> None:
    assert expected is hashes.is_hex(text)
