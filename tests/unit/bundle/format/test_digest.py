from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from hardtack.bundle.format.digest import canonical_json, digest_of, digest_of_descriptor, is_digest


def test_a_digest_is_sha256_and_64_hex_digits() -> None:
    assert "sha256:" + hashlib.sha256(b"abc").hexdigest() == digest_of(b"abc")
    assert is_digest(digest_of(b""))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sha256:",
        "sha256:" + "0" * 63,
        "sha256:" + "0" * 65,
        "sha256:" + "A" * 64,
        "sha512:" + "0" * 64,
        "sha256:" + "0" * 64 + "\n",
    ],
)
def test_nothing_else_is_a_digest(text: str) -> None:
    assert not is_digest(text)


def test_a_descriptor_is_hashed_from_its_start_and_left_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 3_000_000)
    descriptor = os.open(path, os.O_RDONLY)
    os.lseek(descriptor, 7, os.SEEK_SET)
    assert digest_of(b"x" * 3_000_000) == digest_of_descriptor(descriptor)
    assert 7 == os.lseek(descriptor, 0, os.SEEK_CUR)
    os.close(descriptor)


def test_canonical_json_sorts_keys_and_escapes_and_ends_in_a_newline() -> None:
    assert b'{"a":[1,true,null],"b":"\\u00e9\\ud83e\\udd80"}\n' == canonical_json({"b": "é\U0001f980", "a": [1, True, None]})


@pytest.mark.parametrize(
    "value", [1.0, float("nan"), 1 << 63, -(1 << 63) - 1, "\ud800", b"bytes", {1, 2}, {1: "key"}, {"\udfff": 1}]
)
def test_what_two_writers_would_spell_differently_has_no_canonical_json(value: Any) -> None:
    with pytest.raises(ValueError):
        canonical_json({"key": value})
