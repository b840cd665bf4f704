"""A tool, a call and the caller's arguments in, what the caller gets out: the one way in which tools are run."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from hardtack.query.request.filter_words import well_formed
from hardtack.render.style import inert_json
from hardtack.tools.budget import sent
from hardtack.tools.failure import failure_of
from hardtack.tools.schema import arguments_of
from hardtack.tools.tool import Call, Tool

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a call."""

    structured: dict[str, Any]
    """Fits the tool's output schema; of a failure ``{"error": {"code", "message", "details", "hint"}}``."""
    text: str
    """The same for a reader of text."""
    error: Exception | None = None
    """What went wrong, for exit codes and logs."""


def run(tool: Tool, call: Call, arguments: object) -> Outcome:
    """Check the arguments, call the tool, and make its reply fit. Raises nothing but what ``call.check`` raises."""
    try:
        reply = tool.call(call, arguments_of(tool, _well_formed(arguments)))
        structured, text = sent(reply)
        return Outcome(structured=structured, text=text)
    except Exception as error:  # noqa: BLE001  (the edge of the tools: whatever is left is our bug, and the server goes on)
        return failed(error, call)


def failed(error: Exception, call: Call) -> Outcome:
    """The outcome of a call that raised ``error``."""
    failure = failure_of(error, call.catalog.places)
    if failure["error"]["code"] == "INTERNAL_ERROR":
        _log.error("a tool failed", exc_info=error)
    return Outcome(structured=failure, text=inert_json(failure), error=error)


def _well_formed(given: Any) -> Any:
    """What was given, without half characters: JSON can say them, and nothing that is sent or looked up can hold them."""
    if isinstance(given, str):
        return well_formed(given)
    if isinstance(given, list):
        return [_well_formed(each) for each in given]
    if isinstance(given, dict):
        return {_well_formed(name): _well_formed(value) for name, value in given.items()}
    return given
