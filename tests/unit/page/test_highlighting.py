"""Highlighting never loses a letter, and no text can hold a page up."""

from __future__ import annotations

import os
import signal
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardtack.page import highlighting
from hardtack.page.highlighting import Highlighters, Part, Text, parts_of


@given(st.sampled_from(["python", "go", "typescript", "html", "yaml", "no such", "c"]), st.text(max_size=200))
def test_the_parts_tile_the_text(language: str, text: str) -> None:
    parts = parts_of(Text(language, "some/where", text))
    assert len(text) == sum(part.length for part in parts)
    assert all(part.length for part in parts) or not text


def test_a_language_that_is_known_by_the_name_of_the_file_alone_is_coloured() -> None:
    assert {"k", "s"} <= {part.colour for part in parts_of(Text("unknown", "a/b.rs", 'pub fn jar() { "x"; }'))}


def test_texts_come_back_in_order_from_several_processes() -> None:
    texts = [Text("python", f"{number}.py", f"jar{number} = 'x' * {number}\n") for number in range(20)]
    with Highlighters(3) as highlighters:
        found = list(highlighters.highlighted(texts))
    assert [(text, parts_of(text)) for text in texts] == found
    assert [] == highlighters.late


def test_a_text_that_takes_too_long_is_left_without_colours_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Text("python", "slow.py", "jar = 'x' + \"y\" # z\n" * 24_000)
    quick = Text("python", "quick.py", "jar = 1\n")
    with Highlighters(1) as highlighters:
        assert parts_of(quick) == next(iter(highlighters.highlighted([quick])))[1]  # it has started
        monkeypatch.setattr(highlighting, "_SECONDS", 0.05)
        start = time.monotonic()
        (_, parts), *_ = highlighters.highlighted([slow])
        assert time.monotonic() - start < 5
        assert [Part("", len(slow.text))] == parts
        monkeypatch.setattr(highlighting, "_SECONDS", 20)
        assert [(quick, parts_of(quick))] == list(highlighters.highlighted([quick]))
    assert ["slow.py"] == highlighters.late


def test_a_process_that_dies_costs_its_own_text_alone() -> None:
    text = Text("python", "jar.py", "jar = 1\n")
    with Highlighters(1) as highlighters:
        list(highlighters.highlighted([text]))
        (process,) = highlighters._processes
        assert process
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert [Part("", 8)] == next(iter(highlighters.highlighted([text])))[1]
        assert parts_of(text) == next(iter(highlighters.highlighted([text])))[1]
    assert ["jar.py"] == highlighters.late
