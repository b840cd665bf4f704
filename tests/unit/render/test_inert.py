"""JSON output has no control or bidirectional characters."""

from __future__ import annotations

import json
import unicodedata

import pytest

from hardtack.render.style import inert_json

OBEYED = [
    *(character for character in map(chr, range(0xA0)) if unicodedata.category(character) == "Cc"),
    *("\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))),
    *map(chr, range(0xE0000, 0xE0080)),
]


@pytest.mark.parametrize("around", ["{}", "plain {} text", "größer {} als", "a\u00a0{}"])
def test_each_such_character_is_escaped_and_read_again_as_it_was(around: str) -> None:
    for character in OBEYED:
        text = around.format(character)
        sent = inert_json({"text": text})
        assert character not in sent
        assert {"text": text} == json.loads(sent)


@pytest.mark.parametrize("text", ["plain", "größer", "日本語", "a\u00a0b", "\U0001f600", "tab\tand\nline"])
def test_what_is_not_obeyed_is_sent_as_json_has_it(text: str) -> None:
    assert json.dumps([text], ensure_ascii=False) == inert_json([text])
