"""The findings of checks, and their rendering as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from hardtack.clients.table import Places
from hardtack.render.style import Style, inert

if TYPE_CHECKING:
    from hardtack.store.cache import BundleCache

SCHEMA: Final = "hardtack.doctor/1"
_COLOURS: Final = {"ok": "32", "warning": "33", "problem": "31"}
_USAGE: Final = 2
"""The exit code of a problem with the installation, unless the check gives another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The input of all checks: everything outside the installation that they may look at."""

    start: Path
    """The current directory."""
    environment: Mapping[str, str]
    roots: Sequence[Path]
    """Read-only roots of installed bundles."""
    places: Places
    now: float
    """Seconds since 1970."""
    cache: Callable[[], BundleCache | None] = lambda: None
    """Returns the user's installed bundles; None when the user has no directory for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of looking at one thing."""

    about: str
    status: Literal["ok", "warning", "problem"]
    says: str
    remedy: str = ""
    exit_code: int = 0
    """For a problem: the exit code of the error that it leads to."""


def ok(about: str, says: str) -> Finding:
    """A finding that nothing is wrong."""
    return Finding(about=about, status="ok", says=says)


def warning(about: str, says: str, remedy: str = "") -> Finding:
    """A finding that something is wrong but still works."""
    return Finding(about=about, status="warning", says=says, remedy=remedy)


def problem(about: str, says: str, remedy: str, *, exit_code: int = _USAGE) -> Finding:
    """A finding that something does not work."""
    return Finding(about=about, status="problem", says=says, remedy=remedy, exit_code=exit_code)


def exit_code_of(findings: Sequence[Finding]) -> int:
    """The highest exit code of the problems; 0 without a problem."""
    return max((finding.exit_code for finding in findings), default=0)


def findings_to_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings as one JSON document."""
    fields = ("about", "status", "says", "remedy")
    rows = [{field: value for field in fields if (value := getattr(finding, field))} for finding in findings]
    return {"schema": SCHEMA, "problems": sum(finding.status == "problem" for finding in findings), "findings": rows}


def render_findings(findings: Sequence[Finding], style: Style) -> str:
    """The findings as text, one a line, each with its remedy."""
    return "".join(
        f"{style.paint(f'{finding.status:<7}', _COLOURS[finding.status])}  {_on_one_line(_text(finding))}\n" for finding in findings
    )


def _text(finding: Finding) -> str:
    return f"{finding.about}: {finding.says}{'.' if finding.remedy and finding.says[-1:] != '.' else ''} {finding.remedy}".rstrip()


def _on_one_line(text: str) -> str:
    return inert(text).replace("\n", "\\u{a}")
