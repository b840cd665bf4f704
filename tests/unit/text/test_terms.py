"""How texts are split, example by example; what holds for all of them is in ``tests/property/test_terms.py``."""

from __future__ import annotations

import pytest

from hardtack.text import terms
from hardtack.text.terms import fingerprint, parts_of, terms_of, whole_name


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
        ("größeÄndern", ["größeändern"]),
        ("größe_ändern", ["größe_ändern", "größe", "ändern"]),
        ("日本語 текст", ["日本語", "текст"]),
        ("x" * 150, ["x" * 100]),
    ],
)
def test_a_text_gives_its_words_and_the_parts_of_compound_ones(text: str, expected: list[str]) -> None:
    assert expected == terms_of(text)


def test_the_parts_of_a_plain_word_are_the_word() -> None:
    assert ["shelf"] == parts_of("Shelf")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Getting Started", "getting_started"), ("  Jar\t", "jar"), ("Shelf.put", "shelf.put"), (" ", ""), ("N" * 120, "n" * 100)],
)
def test_a_whole_name_is_one_term_in_lower_case(name: str, expected: str) -> None:
    assert expected == whole_name(name)


def test_the_memory_of_words_is_bounded() -> None:
    memo = terms._Memo({str(number): "" for number in range(1_000_000)})
    assert "jar" == memo["jar"]
    assert 1 == len(memo)


def test_the_fingerprint_is_pinned_since_changing_it_makes_every_bundle_unreadable() -> None:
    assert "sha256:" == fingerprint()[:7]
    assert "d419ce735d7e9bf7" == fingerprint()[7:23]


def test_the_fingerprint_changes_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()
    monkeypatch.setattr(terms, "MAX_TERM_CHARACTERS", 99)
    assert before != fingerprint()
