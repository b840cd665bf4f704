"""What is sent of a reply that is longer than its budget."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.tools.budget import cut_to_budget
from hardtack.tools.tool import REPLY_BYTES, ToolReply

_NOTES = 200
"""Bytes that a hint and a flag may take beyond the room."""

texts = st.text(max_size=3000) | st.integers(1, 3000).map("\x00".__mul__)
hits = st.fixed_dictionaries({"path": st.text(max_size=10), "line": st.integers(1, 10**6), "text": texts})
replies = st.lists(hits, max_size=20) | st.fixed_dictionaries(
    {"name": st.text(max_size=10), "code": st.text(), "hits": st.lists(hits)}
)


def _bytes(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def test_a_reply_that_fits_is_sent_as_it_is() -> None:
    assert ({"result": [{"a": 1}]}, '[{"a":1}]') == cut_to_budget(ToolReply(value=[{"a": 1}]))
    assert ({"a": 1}, '{"a":1}') == cut_to_budget(ToolReply(value={"a": 1}))
    assert ({"a": 1}, "# One\n") == cut_to_budget(ToolReply(value={"a": 1}, text="# One\n"))


def test_a_list_loses_its_last_entries_and_says_so() -> None:
    structured, text = cut_to_budget(ToolReply(value=[{"line": number, "text": "x" * 90} for number in range(2000)]))
    lines = [entry["line"] for entry in structured["result"]]
    assert [*range(len(lines))] == lines
    assert 100 < len(lines) < 2000
    assert structured["truncated"] is True
    assert "narrower" in structured["hint"]
    assert {"type": "hint", "message": structured["hint"]} == json.loads(text)[-1]


def test_a_caller_who_asked_for_more_gets_more() -> None:
    value = [{"text": "x" * 90} for _ in range(2000)]
    assert {"result": value} == cut_to_budget(ToolReply(value=value, room=400_000))[0]


def test_what_is_small_is_never_cut_for_what_is_large() -> None:
    structured, _ = cut_to_budget(ToolReply(value={"path": "src/jar.py", "line": 7, "code": "call()\n" * 20_000}))
    assert ("src/jar.py", 7) == (structured["path"], structured["line"])
    assert structured["code"].endswith("[cut here]\n")
    assert REPLY_BYTES // 2 < len(structured["code"]) < REPLY_BYTES


def test_one_huge_entry_leaves_room_for_the_others() -> None:
    structured, _ = cut_to_budget(ToolReply(value=[{"text": "y" * 10**6}, {"text": "next"}]))
    assert 1 <= len(structured["result"]) <= 2
    assert structured["result"][0]["text"].endswith("[cut here]")


def test_markdown_is_cut_between_lines_and_its_code_block_closed() -> None:
    _, text = cut_to_budget(ToolReply(value={}, text="# Title\n\n````python\n" + "call()\n" * 20_000 + "````\n"))
    assert text.count("````") == 2
    assert "call()\n````\n[cut here]\n" in text
    assert len(text.encode()) <= REPLY_BYTES + _NOTES


def test_a_reply_with_a_meta_says_there_whether_it_is_all() -> None:
    structured, _ = cut_to_budget(
        ToolReply(value={"result": ["x"], "meta": {"repo": "code", "truncated": False}}, is_truncated=True, hint="More.")
    )
    assert {"result": ["x"], "meta": {"repo": "code", "truncated": True, "hint": "More."}} == structured


def test_nothing_found_comes_with_a_hint() -> None:
    structured, text = cut_to_budget(ToolReply(value=[], hint="Try other words."))
    assert {"result": [], "hint": "Try other words."} == structured
    assert [{"type": "hint", "message": "Try other words."}] == json.loads(text)


def test_text_cannot_steer_a_terminal_and_is_still_the_same_text() -> None:
    value = [{"text": "\x1b[31m \u202e \U000e0041 \x7f é"}]
    _, text = cut_to_budget(ToolReply(value=value))
    assert not {"\x1b", "\u202e", "\U000e0041", "\x7f"} & set(text)
    assert "é" in text
    assert value == json.loads(text)


@given(replies, st.integers(100, 5000))
def test_nothing_is_longer_than_its_room(value: Any, room: int) -> None:
    assert _bytes(cut_to_budget(ToolReply(value=value, room=room))[0]) <= room + _NOTES


def test_what_is_escaped_counts_as_it_is_sent() -> None:
    _, text = cut_to_budget(ToolReply(value=[{"text": "\u202e" * 500} for _ in range(50)]))
    assert len(text.encode()) <= REPLY_BYTES + _NOTES


@pytest.mark.parametrize("room", [10, 100, 1000])
def test_a_cut_list_is_the_beginning_of_the_whole(room: int) -> None:
    value = [{"n": number} for number in range(300)]
    kept = cut_to_budget(ToolReply(value=value, room=room))[0]["result"]
    assert value[: len(kept)] == kept
