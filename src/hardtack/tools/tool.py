"""What a tool is: a name, words for a model to choose it by, typed parameters, a typed result, and one function.

The nouns of this package. A tool calls the library and says what came of it; it opens, searches and formats nothing itself, and
knows neither a protocol nor a terminal, so that the MCP server and ``hardtack tool`` give the same reply to the same arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Protocol

from msgspec import Meta, Struct

from hardtack.tools.catalog import Catalog

TOOLSETS: Final = ("search", "symbols", "files", "indexes", "build")
"""What ``--toolsets`` chooses from; ``build`` changes bundles and needs ``--allow-build`` besides."""

REPLY_BYTES: Final = 40_000
"""Of a reply, as text and in its structured form, unless its caller asked for more: some 10,000 tokens; clients refuse 25,000."""


IndexName = Annotated[str | None, Meta(description="From list_indexes; without it the first index is meant.")]
"""The parameter by which every tool is told which bundle is meant."""


class Parameters(Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """The arguments of one call; each tool's own class lists them, with their defaults and descriptions."""


def _silent(done: float, total: float | None, what: str) -> None:
    """Nobody wants to know."""


def _nobody_left() -> None:
    """Nobody can leave."""


class Builder(Protocol):
    """What builds the bundle of a directory, where the catalog finds it."""

    def __call__(self, call: Call, source: Path, *, tests: bool = True, vendor: bool = False, anew: bool = False) -> None:
        """Build it, from nothing if ``anew``; reports and checks as the call says. Raises HardtackError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a tool: what it may use, and whom it may tell."""

    catalog: Catalog
    report: Callable[[float, float | None, str], None] = _silent
    """Takes how much is done, of how much if that is known, and a sentence; for work that takes long."""
    check: Callable[[], None] = _nobody_left
    """Raises when the caller wants no answer any more; for work that takes long."""
    build: Builder | None = None
    """None where bundles are only read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a tool answers, before it is made to fit."""

    value: Any
    """JSON values of the tool's ``result``: a list, or a mapping."""
    text: str | None = None
    """What is shown instead of ``value`` as JSON: Markdown, in whole lines."""
    is_truncated: bool = False
    """There is more than was given."""
    hint: str = ""
    """What to ask next, or how to ask for less."""
    room: int = REPLY_BYTES
    """Bytes that it may take; more than the default where the caller asked for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool."""

    name: str
    toolset: str
    """One of :data:`TOOLSETS`."""
    title: str
    """For a person, a few words."""
    description: str
    """For a model to choose by: what it gives, when to use it, and when another is better. Never a word of indexed text."""
    parameters: type[Parameters]
    result: Any
    """The type of :attr:`Reply.value`: a ``TypedDict``, a dataclass, a list of one or of a union of such, or ``X | list[X]``."""
    call: Callable[[Call, Any], Reply]
    """Takes the call and an instance of ``parameters``.

    Raises:
        HardtackError: :func:`failure_of` makes it what the caller sees.
    """
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names under which a parameter is taken, and the parameter."""
    is_read_only: bool = True
    is_destructive: bool = False
