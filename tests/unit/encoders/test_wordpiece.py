"""WordPiece against the ``tokenizers`` library, and the promises that the library does not make."""

from __future__ import annotations

import random
import sysconfig
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from hardtack.encoders import wordpiece
from hardtack.encoders.static import default_vocabulary
from hardtack.encoders.wordpiece import UNKNOWN, WordPiece, placed

TINY = ["[UNK]", "[MASK]", "[", "]", "mask", "un", "##able", "##a", "a", "b", "##b", "_", "中"]


@cache
def ours() -> WordPiece:
    return WordPiece(placed(default_vocabulary()))


@cache
def oracle() -> Tokenizer:
    ids = {token: number for number, token in enumerate(default_vocabulary())}
    library = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    library.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return library


def library_ids(text: str) -> list[int]:
    ids: list[int] = oracle().encode(text, add_special_tokens=False).ids
    return ids


def test_source_code_gives_the_library_s_ids() -> None:
    chunks = []
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        chunks += ["".join(lines[start : start + 40]) for start in range(0, len(lines), 40)]
    chosen = chunks[:: max(1, len(chunks) // 2000)]
    assert len(chosen) > 1000
    assert [library_ids(chunk) for chunk in chosen] == [ours().ids_of(chunk) for chunk in chosen]


@given(st.text(max_size=40))
def test_any_text_gives_the_library_s_ids(text: str) -> None:
    assert library_ids(text) == ours().ids_of(text)


@given(
    st.text(
        alphabet="aéÉe\u0301\u0327ßİſΣσς中カが한 \u00a0\u200b\u3000-—'’[UNK]_0٣ﬁ\t\x0b\x1c\u2028\ufffd\U0001f469\u200d", max_size=30
    )
)
def test_text_of_troublesome_characters_gives_the_library_s_ids(text: str) -> None:
    assert library_ids(text) == ours().ids_of(text)


def test_every_third_character_of_the_first_two_planes_gives_the_library_s_ids() -> None:
    characters = [chr(code) for code in range(0, 0x20000, 3) if not 0xD800 <= code < 0xE000]
    texts = [
        "".join(f" a{character}b{character}" for character in characters[at : at + 64]) for at in range(0, len(characters), 64)
    ]
    assert [library_ids(text) for text in texts] == [ours().ids_of(text) for text in texts]


@pytest.mark.parametrize("length", [99, 100, 101])
def test_words_are_unknown_from_101_characters_on(length: int) -> None:
    text = "a" * length
    assert (length > 100) == (ours().ids_of(text) == [default_vocabulary().index(UNKNOWN)])
    assert library_ids(text) == ours().ids_of(text)


def test_special_tokens_in_text_are_plain_text() -> None:
    assert WordPiece(placed(TINY)).ids_of("[MASK]") == [2, 4, 3]


def test_the_longest_piece_wins_and_one_missing_piece_makes_the_word_unknown() -> None:
    tiny = WordPiece(placed(TINY))
    assert tiny.ids_of("unable") == [5, 6]
    assert tiny.ids_of("aab") == [8, 7, 10]
    assert tiny.ids_of("unables") == [0]


def test_after_many_long_words_the_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "_MOST_LONG_WORDS", 0)
    chooser = random.Random(7)
    words = ["".join(chooser.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=chooser.randint(1, 100))) for _ in range(500)]
    words += ["".join(chooser.choices(("un", "able", "token", "izer", "s", "q", "7"), k=9)) for _ in range(500)]
    word_piece = WordPiece(placed(default_vocabulary()), longest=max(map(len, default_vocabulary())))
    word_piece.ids_of("a" * 100)
    assert word_piece._memo._reaches
    assert [word_piece.ids_of(word) for word in words] == [library_ids(word) for word in words]


def test_lone_surrogates_are_dropped() -> None:
    assert WordPiece(placed(TINY)).ids_of("a\ud800b") == [8, 10]


def test_text_without_words_has_no_ids() -> None:
    assert [WordPiece(placed(TINY)).ids_of(text) for text in ("", " \n\t", "\u200b\x00")] == [[], [], []]


def test_the_memo_stays_within_its_bound_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a b ab aab 中 unable a b ab " * 3
    wanted = WordPiece(placed(TINY)).ids_of(text)
    monkeypatch.setattr(wordpiece, "MAX_MEMO_WORDS", 3)
    small = WordPiece(placed(TINY))
    assert wanted == small.ids_of(text)
    assert len(small._memo) <= 3


def test_words_too_long_for_the_vocabulary_are_not_remembered() -> None:
    tiny = WordPiece(placed(TINY))
    tiny.ids_of("a" * 1000)
    assert "a" * 1000 not in tiny._memo
