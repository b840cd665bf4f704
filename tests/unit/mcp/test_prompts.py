"""Prompts say which tools to use, and no others than there are."""

from __future__ import annotations

import re

import pytest
from mcp_servers import text_of
from mcp_types import Prompt

from hardtack.errors import UsageError
from hardtack.mcp.prompts import INSTRUCTIONS, PROMPTS, filled
from hardtack.tools import TOOLS

NAMES = {name for names in TOOLS.values() for name in names}
GIVEN = {"goal": "make it faster", "name": "Shelf.put", "package": "pantry.shelf", "language": "python", "index_name": "pantry"}


def _text(name: str, arguments: dict[str, str]) -> str:
    (message,) = filled(name, arguments).messages
    assert message.role == "user"
    return text_of(message.content)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_every_argument_of_a_prompt_is_in_its_words(prompt: Prompt) -> None:
    names = [argument.name for argument in prompt.arguments or ()]
    needed = {argument.name: GIVEN[argument.name] for argument in prompt.arguments or () if argument.required}
    assert all(GIVEN[name] in _text(prompt.name, {**needed, name: GIVEN[name]}) for name in names)
    assert "index_name" not in _text(prompt.name, needed)


@pytest.mark.parametrize(
    "words", [INSTRUCTIONS, *(_text(prompt.name, {k.name: GIVEN[k.name] for k in prompt.arguments or ()}) for prompt in PROMPTS)]
)
def test_only_tools_that_there_are_are_named(words: str) -> None:
    named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", words)) - {"index_name", "pantry_shelf"}
    assert named <= NAMES
    assert "search_code" in named


@pytest.mark.parametrize(
    ("name", "arguments", "param"),
    [
        ("nothing", {}, "name"),
        ("where_to_change", {}, "goal"),
        ("where_to_change", {"goal": "  "}, "goal"),
        ("explain_symbol", {"name": "x", "colour": "red"}, "colour"),
        ("explain_symbol", {"name": "x" * 10_001}, "name"),
    ],
)
def test_a_prompt_that_cannot_be_filled_is_refused(name: str, arguments: dict[str, str], param: str) -> None:
    with pytest.raises(UsageError) as refused:
        filled(name, arguments)
    assert refused.value.code == "INVALID_REQUEST"
    assert refused.value.details == {"param": param}
