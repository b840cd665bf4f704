"""Ordered tokens: the binary search finds what a dictionary would find."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.encoders import wordpiece
from hardtack.encoders.static import default_vocabulary
from hardtack.encoders.wordpiece import MOST_TOKENS, OrderedTokens, packed

TOKENS = st.sets(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=5), min_size=1).map(
    lambda found: sorted(found, key=str.encode)
)


@given(TOKENS, st.lists(st.text(max_size=5)))
def test_every_token_is_found_in_its_place_and_nothing_else_is(known: list[str], others: list[str]) -> None:
    wanted = {token: place for place, token in enumerate(known)}
    found = OrderedTokens(packed(known))
    found.check()
    assert [*found] == known
    assert len(found) == len(known)
    assert found.longest == max(len(token.encode()) for token in known)
    for word in (*known, *others, "\ud800", "a\nb", "\n"):
        assert found.get(word) == wanted.get(word)
        assert (word in found) == (word in wanted)


def test_who_asks_for_many_gets_the_same_from_a_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "_SEARCHES", 3)
    found = OrderedTokens(packed(["a", "b", "é"]))
    assert [found.get(word) for word in 3 * ["é", "a", "c", "", "\ud800"]] == 3 * [2, 0, None, None, None]
    assert found.get.__self__ == {"a": 0, "b": 1, "é": 2}  # type: ignore[attr-defined]


@pytest.mark.parametrize("data", [b"", b"a", b"a\nb", b"\xff\n"])
def test_what_is_no_list_of_tokens_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"line feed|decode"):
        OrderedTokens(data)


@pytest.mark.parametrize("unordered", [["b", "a"], ["a", "a"], ["\uffff", "\U00010000", "\ue000"]])
def test_tokens_out_of_order_are_seen_by_the_check(unordered: list[str]) -> None:
    with pytest.raises(ValueError, match="order"):
        OrderedTokens(packed(unordered)).check()


def test_the_package_s_tokens_are_all_found() -> None:
    known = default_vocabulary()
    found = OrderedTokens(packed(known))
    found.check()
    assert all(found._place_of(token.encode()) == place for place, token in enumerate(known))


def test_more_tokens_than_a_vocabulary_may_have_are_refused_before_they_are_listed() -> None:
    with pytest.raises(ValueError, match="has more than"):
        OrderedTokens(b"\n" * (MOST_TOKENS + 1))
