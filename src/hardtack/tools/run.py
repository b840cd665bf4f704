"""A tool and a caller's arguments in, structured result and text out. The MCP server and ``hardtack tool`` both run tools here."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hardtack.nouns.model import MovedOn
from hardtack.render.style import inert_json
from hardtack.tools.arguments import arguments_of
from hardtack.tools.budget import cut_to_budget
from hardtack.tools.failure import failure_of, without_places
from hardtack.tools.tool import Call, Tool

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a call, or its failure."""

    structured: dict[str, Any]
    """Fits the tool's output schema; of a failure ``{"error": {"code", "message", "details", "hint"}}``."""
    text: str
    """The same as text."""
    is_structured: bool = False
    """The caller asked for JSON, and the text says no more than that."""
    has_schema: bool = False
    """The tool has a schema of results, which ``structured`` fits; else ``structured`` may lack what the text says."""
    error: Exception | None = None
    """The exception of a failed call, for exit codes and logs."""


def run(tool: Tool, call: Call, arguments: object) -> Outcome:
    """Check the arguments, call the tool, and cut its reply to its budget; every :class:`Exception` becomes a failure.

    A cancellation, which ``call.check`` raises as a ``BaseException``, passes through.
    """
    try:
        given = arguments_of(tool, arguments)
        with call.catalog.noting() as noted:
            reply = tool.call(call, given)
        structured, text = cut_to_budget(reply, note="" if tool.says_commits else _note(noted.values(), call))
        has_schema = tool.result is not None
        is_structured = not has_schema and reply.text is None
        return Outcome(structured=structured, text=text, is_structured=is_structured, has_schema=has_schema)
    except Exception as error:  # noqa: BLE001  (the edge of the tools: whatever is left is our bug, and the server goes on)
        return failed(error, call)


def _note(moved: Iterable[MovedOn], call: Call) -> str:
    """What a reader has to know of the working trees that were asked."""
    return "\n".join(f"Note: {without_places(each.sentence, call.catalog.places)}." for each in moved)


def failed(error: Exception, call: Call) -> Outcome:
    """The outcome of a call that raised ``error``."""
    failure = failure_of(error, call.catalog.places)
    if failure["error"]["code"] == "INTERNAL_ERROR":
        _log.error("a tool failed", exc_info=error)
    return Outcome(structured=failure, text=inert_json(failure), error=error)
