"""How texts are split and words stemmed, by example; what holds for all of them is in ``tests/property/test_terms.py``."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack import text as terms
from hardtack.text import LONGEST_ENDING, fingerprint, parts_of, query_terms, stem_of, terms_of, unspaced_words, whole_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("parseHTTPRequest", ["parsehttprequest", "parse", "http", "request"]),
        ("max_retry_count", ["max_retry_count", "max", "retry", "count"]),
        ("MAX_SIZE", ["max_size", "max", "size"]),
        ("Shelf", ["shelf"]),
        ("utf8", ["utf8", "utf", "8"]),
        ("v2Client", ["v2client", "v", "2", "client"]),
        ("__init__", ["init"]),
        ("_", ["_"]),
        ("a.b->c::d", ["a", "b", "c", "d"]),
        ("the shelf, the jar", ["the", "shelf", "the", "jar"]),
        ("größeÄndern", ["grosseandern", "grosse", "andern", "größeändern"]),
        ("größe_ändern", ["grosse_andern", "grosse", "andern", "größe_ändern"]),
        ("日本語 текст", ["日", "本", "語", "日本", "本語", "текст"]),
        ("バージョンv2を", ["バ", "ー", "ジ", "ョ", "ン", "バー", "ージ", "ジョ", "ョン", "v2", "v", "2", "を"]),
        ("取得_totalCount", ["取", "得", "取得", "totalcount", "total", "count"]),
        ("一", ["一"]),
        ("ＨＴＴＰ ﾃｽﾄ", ["http", "テ", "ス", "ト", "テス", "スト"]),
        ("한글", ["한", "글", "한글"]),
        ("พิษ", ["พ", "ิ", "ษ", "พิ", "ิษ"]),
        ("नमस्ते", ["नमस्ते"]),
        ("İSTANBUL ısı", ["istanbul", "i̇stanbul", "isi", "ısı"]),
        ("Łódź, smørrebrød; œuvre – Straße", ["lodz", "łódź", "smorrebrod", "smørrebrød", "oeuvre", "œuvre", "strasse", "straße"]),
        ("ёж йод їжак ўвесь", ["еж", "ёж", "йод", "їжак", "ўвесь"]),
        ("ΛΌΓΟΣ λόγος", ["λογοσ", "λόγοσ", "λογοσ", "λόγοσ"]),
        ("co\u00adop zero\u200bwidth", ["coop", "zerowidth"]),
        ("שָׁלוֹם مُحَمَّد", ["שלום", "שָׁלוֹם", "محمد", "مُحَمَّد"]),
        ("x" * 150, ["x" * 100]),
    ],
)
def test_a_text_gives_its_words_and_the_parts_of_compound_ones(text: str, expected: list[str]) -> None:
    assert expected == terms_of(text)


def test_a_query_of_one_character_asks_for_it_and_a_longer_one_for_pairs() -> None:
    assert ["駅"] == query_terms("駅")
    assert ["東京", "京駅", "exit", "a"] == query_terms("東京駅 exit A")
    assert [["東京", "京駅"], ["口"]] == unspaced_words("東京駅 exit 口")


def test_very_many_marks_on_one_letter_take_no_longer_than_as_many_letters() -> None:
    marks = "\u0e49\u0e38" * 200_000  # sorting all of them at once takes minutes
    assert 2 * 200_000 < len(terms_of(f"ก{marks}")) + len(terms_of("ﾞ\u0300" * 200_000))


def test_the_parts_of_a_plain_word_are_the_word() -> None:
    assert ["shelf"] == parts_of("Shelf")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Getting Started", "getting_started"), ("  Jar\t", "jar"), ("Shelf.put", "shelf.put"), (" ", ""), ("N" * 120, "n" * 100)],
)
def test_a_whole_name_is_one_term_in_lower_case(name: str, expected: str) -> None:
    assert expected == whole_name(name)


def test_the_memory_of_words_is_bounded() -> None:
    memo = terms._TermsByWord({str(number): "" for number in range(1_000_000)})
    assert "jar" == memo["jar"]
    assert 1 == len(memo)


def test_the_fingerprint_is_pinned_since_changing_it_makes_every_bundle_unreadable() -> None:
    assert "sha256:" == fingerprint()[:7]
    assert "e055aa85af78fbe8" == fingerprint()[7:23]


def test_the_fingerprint_changes_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()
    monkeypatch.setattr(terms, "MAX_TERM_CHARACTERS", 99)
    assert before != fingerprint()


@pytest.mark.parametrize(
    "family",
    [
        "cache caches cached caching",
        "retry retries retried retrying",
        "match matches matched matching",
        "class classes",
        "process processes processed processing",
        "stop stops stopped stopping",
        "box boxes boxing boxed",
        "alias aliases",
        "parse parses parsed parsing",
        "fill fills filled filling",
        "status",
    ],
)
def test_the_words_of_a_family_have_one_stem(family: str) -> None:
    assert 1 == len({stem_of(word) for word in family.split()})


@pytest.mark.parametrize(
    "word", ["string", "speed", "this", "his", "bus", "need", "thing", "king", "red", "http2", "max_size", "ünder", "oled", "id"]
)
def test_a_word_that_only_looks_inflected_is_its_own_stem(word: str) -> None:
    assert word == stem_of(word)


def test_what_a_word_is_made_of_is_not_cut() -> None:
    assert stem_of("encoder") != stem_of("encode")
    assert stem_of("connection") != stem_of("connect")


ROOTS = "cach retr match al tr stop box fil miss fizz ag sh b y quer se re e stat ser"
ENDINGS = "- e s es ed ing ies ied ees eed ss us is ias aes oes aies eies ping pped lling zzed ying"


@given(
    st.text("abeginsuyd", max_size=5), st.lists(st.sampled_from(["ing", "ed", "s", "es", "ies", "ied", "tt", "e", "y"]), max_size=4)
)
def test_a_term_begins_as_its_stem_does_and_is_not_much_longer(root: str, endings: list[str]) -> None:
    term = root + "".join(endings)
    stem = stem_of(term)
    assert term.startswith(stem[:-1])
    assert 0 <= len(term) - len(stem) <= LONGEST_ENDING


def test_the_longest_ending_is_as_long_as_that() -> None:
    assert LONGEST_ENDING == len("settings") - len(stem_of("settings"))


def test_the_stems_are_pinned_since_bundles_store_them() -> None:
    stems = [stem_of(f"{root}{ending.strip('-')}") for root in ROOTS.split() for ending in ENDINGS.split()]
    assert (
        "7de2064e2c37f863" == hashlib.sha256(" ".join(stems).encode()).hexdigest()[:16]
    )  # another digest, another terms.TERMS_VERSION
