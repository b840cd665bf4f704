"""The types of this package: a tool, its parameters, a call of it, and its reply.

A tool calls the library and returns the result as a reply. It knows neither a protocol nor a terminal, so the MCP server and
``hardtack tool`` give the same reply to the same arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Protocol

from msgspec import Meta, Struct

from hardtack.tools.catalog import Catalog

TOOLSETS: Final = ("default", "search", "symbols", "files", "history", "changes", "indexes", "build")
"""The toolsets that ``--toolsets`` chooses from; ``build`` changes bundles and also needs ``--allow-build``."""

REPLY_BYTES: Final = 40_000
"""Bytes of a reply at most, as text and in its structured form alike, unless its caller asked for more.

At 4 bytes a token this is 10,000 tokens; clients refuse replies of 25,000.
"""

FILE: Final = "hardtack.file"
"""Key of ``Meta.extra`` of a parameter that is a file's or a directory's path in a bundle, or several."""
DIRECTORY: Final = "hardtack.directory"
"""The same of a directory of this machine."""
COMMA: Final = "hardtack.comma"
"""The same of one text that holds several values, separated by commas."""

IndexName = Annotated[str | None, Meta(description="From list_indexes; default: the first.")]
"""The parameter that names the bundle to answer from."""


class Parameters(Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The arguments of one call; each tool's own class lists them, with their defaults and descriptions."""


def _no_progress(done: float, total: float | None, what: str) -> None:
    """Drop a report: the caller did not ask for progress."""


def _no_cancellation() -> None:
    """Return: the caller cannot cancel."""


class Builder(Protocol):
    """Builds the bundle of a directory at the place where the catalog finds it."""

    def __call__(self, call: Call, source: Path, *, tests: bool = True, vendor: bool = False, anew: bool = False) -> None:
        """Build it, from nothing if ``anew``; uses ``call.report`` and ``call.check``. Raises HardtackError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a tool: the bundles it reads, and how it reports progress and learns that it was cancelled."""

    catalog: Catalog
    report: Callable[[float, float | None, str], None] = _no_progress
    """Takes the amount of work done, the total if it is known, and a sentence. Long work calls it as it goes on."""
    check: Callable[[], None] = _no_cancellation
    """Raises if the caller has cancelled the call. Long work calls it several times a second."""
    build: Builder | None = None
    """None where bundles are only read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReply:
    """The answer of a tool, before it is cut to its budget."""

    value: Any
    """JSON values that fit the tool's ``result`` type: a list, or a mapping."""
    text: str | None = None
    """Markdown in whole lines, shown instead of ``value`` as JSON."""
    is_truncated: bool = False
    """There is more than was given."""
    hint: str = ""
    """What to ask next, or how to ask for less."""
    room: int = REPLY_BYTES
    """Bytes that the reply may take; more than the default where the caller asked for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool."""

    name: str
    toolset: str
    """One of :data:`TOOLSETS`."""
    title: str
    """For a person, a few words."""
    description: str
    """Tells a model what the tool gives, when to use it, and when another tool is better. Holds no indexed text."""
    parameters: type[Parameters]
    result: Any
    """The type of a reply's ``value``: a ``TypedDict``, a dataclass, a list of one or of a union of such, or ``X | list[X]``.
    None of a tool that replies with Markdown, and with structured content only where its parameter ``format`` is json."""
    call: Callable[[Call, Any], ToolReply]
    """Takes the call and an instance of ``parameters``.

    Raises:
        HardtackError: :func:`failure_of` turns it into what the caller sees.
    """
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other accepted name of a parameter -> the parameter."""
    says_commits: bool = False
    """Its reply itself says of which commit its index is, so that no note has to say that the checkout has moved on."""
    is_read_only: bool = True
    is_destructive: bool = False
