"""Prompts say which tools to use, and no others than there are."""

from __future__ import annotations

import re

import pytest
from mcp_servers import text_of
from mcp_types import Prompt

from hardtack.errors import UsageError
from hardtack.mcp.prompts import PROMPTS, filled, instructions_for
from hardtack.tools import names_of

SURFACES = {"default": names_of(["default"]), "contract": names_of(["contract"])}
GIVEN = {"goal": "make it faster", "name": "Shelf.put", "package": "pantry.shelf", "language": "python", "index_name": "pantry"}


def _text(name: str, arguments: dict[str, str], surface: str = "default") -> str:
    (message,) = filled(name, arguments, SURFACES[surface]).messages
    assert message.role == "user"
    return text_of(message.content)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.name)
def test_every_argument_of_a_prompt_is_in_its_words(prompt: Prompt) -> None:
    names = [argument.name for argument in prompt.arguments or ()]
    needed = {argument.name: GIVEN[argument.name] for argument in prompt.arguments or () if argument.required}
    assert all(GIVEN[name] in _text(prompt.name, {**needed, name: GIVEN[name]}) for name in names)
    assert "index_name" not in _text(prompt.name, needed)


@pytest.mark.parametrize("surface", SURFACES)
def test_only_tools_that_are_offered_are_named_and_the_first_of_them_always(surface: str) -> None:
    others = set(names_of()) - set(SURFACES[surface])
    filled_in = [
        _text(prompt.name, {each.name: GIVEN[each.name] for each in prompt.arguments or ()}, surface) for prompt in PROMPTS
    ]
    for words in (instructions_for(SURFACES[surface]), *filled_in):
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", words)) - {"index_name"}
        assert named <= set(SURFACES[surface])
        assert not {name for name in others if "_" in name} & named
        assert SURFACES[surface][0] in words


@pytest.mark.parametrize("surface", SURFACES)
def test_instructions_take_at_most_400_tokens(surface: str) -> None:
    assert len(instructions_for(SURFACES[surface])) <= 4 * 400


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
        filled(name, arguments, SURFACES["default"])
    assert refused.value.code == "INVALID_REQUEST"
    assert refused.value.details == {"param": param}
