"""A regular expression that is compiled at its first use is any other from then on."""

from __future__ import annotations

import re

import pytest

from hardtack.regex import lazily


def test_it_finds_what_the_expression_finds() -> None:
    pattern, compiled = lazily(r"(\w+)-(\w)"), re.compile(r"(\w+)-(\w)")
    for _ in range(2):
        assert compiled.findall("ab-c d-e") == pattern.findall("ab-c d-e")
        assert compiled.sub("x", "ab-c!") == pattern.sub("x", "ab-c!")
        assert pattern.fullmatch("ab-cd") is None
    assert compiled.pattern == pattern.pattern
    assert 2 == pattern.groups


def test_a_mistake_is_found_when_it_is_used() -> None:
    pattern = lazily("(")
    with pytest.raises(re.error):
        pattern.search("(")
