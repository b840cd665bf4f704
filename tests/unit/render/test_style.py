"""Indexed text is data: no character in it controls a terminal or hides from a reader."""

from __future__ import annotations

import unicodedata

import pytest

from hardtack.render.style import Style, columns_of, inert
from hardtack.render.text import _clipped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", r"\u{1b}[31mred\u{1b}[0m"),
        ("\x9b31m", r"\u{9b}31m"),
        ("a\rb\x08c\x00d\x7f", r"a\u{d}b\u{8}c\u{0}d\u{7f}"),
        ("\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c", r"\u{202e}evil\u{202c} \u{2066}x\u{2069} \u{200e}\u{200f}\u{61c}"),
        ("\U000e0041\U000e007f", r"\u{e0041}\u{e007f}"),
        ("plain\ttext\nnaïve 日本 \U0001f980 👩‍🍳", "plain\ttext\nnaïve 日本 \U0001f980 👩‍🍳"),
        ("", ""),
    ],
)
def test_what_would_be_obeyed_is_shown(text: str, expected: str) -> None:
    assert expected == inert(text)


@pytest.mark.parametrize(
    ("text", "columns"), [("jar", 3), ("設定", 4), ("ﾃｽﾄ", 3), ("ＡＢ", 4), ("cafe\u0301", 4), ("ที่", 1), ("한a", 3)]
)
def test_a_text_takes_the_columns_that_a_terminal_gives_it(text: str, columns: int) -> None:
    assert columns == columns_of(text)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("設定を読む", "設定を読む"),
        ("設定を読むべき", "設定を読…"),
        ("a設定を読むべき", "a設定を読…"),
        ("0123456789", "0123456789"),
        ("0123456789a", "012345678…"),
    ],
)
def test_a_line_is_cut_where_the_terminal_ends(line: str, shown: str) -> None:
    assert shown == _clipped(line, Style(columns=10))
    assert columns_of(shown) <= 10


def test_no_control_bidirectional_or_tag_character_gets_through() -> None:
    bidirectional = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for point in range(0x110000):
        letter = chr(point)
        is_control = unicodedata.category(letter) == "Cc" and letter not in "\t\n"
        is_mark = unicodedata.bidirectional(letter) in bidirectional or letter in "\u061c\u200e\u200f"
        if is_control or is_mark or 0xE0000 <= point <= 0xE007F:
            assert letter not in inert(letter)


def test_paint_adds_nothing_without_colour_and_nothing_to_nothing() -> None:
    assert ("x", "\x1b[35mx\x1b[0m", "") == (
        *(Style().paint("x", "35"), Style(color=True).paint("x", "35")),
        Style(color=True).paint("", "35"),
    )
