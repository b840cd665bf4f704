"""The section in files that agents read: short, between its marks, idempotent, and gone again without a trace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.clients.instructions import BEGIN, END, INSTRUCTIONS, WORDS, with_section, without_section
from hardtack.clients.table import CLIENTS
from hardtack.errors import UsageError
from hardtack.tools import TOOLS

TEXTS = st.text(alphabet="ab #-`\n", max_size=60).flatmap(lambda text: st.sampled_from([text, text.replace("\n", "\r\n")]))


def test_the_section_has_at_most_250_words() -> None:
    assert len(WORDS.split()) <= 250


def test_it_names_the_tools_that_are_offered_and_no_others() -> None:
    named = {name for name in (*TOOLS["default"], *TOOLS["search"], *TOOLS["symbols"]) if f"`{name}`" in WORDS}
    assert named == set(TOOLS["default"])


def test_the_clients_that_read_a_file_are_clients() -> None:
    assert all(each.clients <= CLIENTS.keys() for each in INSTRUCTIONS)


@given(TEXTS)
def test_writing_it_twice_is_writing_it_once_and_nothing_outside_is_changed(text: str) -> None:
    once = with_section(text, WORDS)
    assert with_section(once, WORDS) == once
    assert once.startswith(text)
    assert once.count(BEGIN) == once.count(END) == 1


@given(TEXTS, TEXTS)
def test_a_newer_section_takes_the_place_of_the_older_one(before: str, after: str) -> None:
    ending = "\r\n" if "\r\n" in before else "\n"
    old = with_section(before, "old") + after.replace("\r\n", "\n").replace("\n", ending)
    new = with_section(old, "new")
    assert new.replace("new", "old") == old


@given(TEXTS)
def test_removed_it_leaves_the_text_as_it_was_but_for_the_last_line_s_end(text: str) -> None:
    ending = "\r\n" if "\r\n" in text else "\n"
    assert without_section(with_section(text, WORDS)) in (text, text + ending)
    assert without_section(text) == text


@pytest.mark.parametrize("text", [BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}{BEGIN}{END}{END}"])
def test_marks_that_do_not_match_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="marks"):
        with_section(text, WORDS)


def test_line_ends_around_the_section_stay_as_they_are() -> None:
    mixed = f"a\r\nb\n{BEGIN}\nold\n{END}\nc\n"
    assert with_section(mixed, "new").startswith(f"a\r\nb\n{BEGIN}\r\n")
