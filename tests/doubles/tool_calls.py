"""Calls of tools, their answers held against what the tools publish."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema

from hardtack.tools import tool_named
from hardtack.tools.catalog import Catalog
from hardtack.tools.run import Outcome, run
from hardtack.tools.schema import output_schema
from hardtack.tools.tool import Call

Ask = Callable[..., dict[str, Any]]


def outcome_of(call: Call, name: str, /, **arguments: Any) -> Outcome:
    """What came of a call; the answer of one that did not fail fits the schema of its tool."""
    tool = tool_named(name, allow_build=True)
    outcome = run(tool, call, arguments)
    if outcome.error is None and tool.result is None:
        assert outcome.is_structured or not outcome.structured
    elif outcome.error is None:
        jsonschema.validate(json.loads(json.dumps(outcome.structured)), output_schema(tool))
    return outcome


def asker(catalog: Catalog) -> Ask:
    """Gives the structured answer of a tool by its name, whose text says the same."""

    def ask(name: str, /, **arguments: Any) -> dict[str, Any]:
        outcome = outcome_of(Call(catalog=catalog), name, **arguments)
        assert json.loads(outcome.text) == outcome.structured
        return outcome.structured

    return ask
