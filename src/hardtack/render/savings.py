"""What answers cost beside the files that they name in, a table or JSON out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hardtack.nouns.savings import Counted

_TOKEN: Final = 4
"""Bytes of a token, as everywhere in Hardtack."""
_EXPLAINED: Final = (
    "A token is 4 bytes. The files are those that the answers name, whole, each once an answer: what reading them all would cost.\n"
    "An agent that greps reads fewer of them, or parts; it also reads others, which nothing counts.\n"
)


def savings_to_json(since: str, counted: Sequence[Counted]) -> dict[str, Any]:
    """The sums as one JSON document."""
    return {
        "schema": "hardtack.savings/1",
        **({"since": since} if since else {}),
        "tools": [_to_json(each) for each in counted],
        "all": _to_json(total_of(counted)),
    }


def render_savings(since: str, counted: Sequence[Counted]) -> str:
    """The sums for a person."""
    if not counted:
        return "Nothing was counted yet: a server counts if it is told to (hardtack init CLIENT -- --count-answers).\n"
    rows = [("", "answers", "tokens", "of the files", "share"), *map(_row, counted), _row(total_of(counted))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join((row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))))
        for row in rows
    ]
    return "\n".join([f"Since {since}:", "", *lines, "", _EXPLAINED])


def total_of(counted: Sequence[Counted]) -> Counted:
    """The sums of all tools."""
    calls, answers = sum(each.calls for each in counted), sum(each.answer_bytes for each in counted)
    return Counted("all", calls, answers, sum(each.file_bytes for each in counted))


def _row(counted: Counted) -> tuple[str, str, str, str, str]:
    share = f"{100 * counted.answer_bytes / counted.file_bytes:.0f} %" if counted.file_bytes else "-"
    answer, files = counted.answer_bytes // _TOKEN, counted.file_bytes // _TOKEN
    return (counted.tool, f"{counted.calls:,}", f"{answer:,}", f"{files:,}", share)


def _to_json(counted: Counted) -> dict[str, Any]:
    values = {"calls": counted.calls, "answer_tokens": counted.answer_bytes // _TOKEN, "file_tokens": counted.file_bytes // _TOKEN}
    return values if counted.tool == "all" else {"tool": counted.tool, **values}
