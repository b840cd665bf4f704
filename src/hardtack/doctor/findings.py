"""What a check found, and how it is told."""

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
"""The exit code of an installation that something is missing from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where one stands: all that a check may look at besides the installation itself."""

    start: Path
    """The directory one stands in."""
    environment: Mapping[str, str]
    roots: Sequence[Path]
    """Read-only roots of installed bundles."""
    places: Places
    now: float
    """Seconds since 1970."""
    cache: Callable[[], BundleCache | None] = lambda: None
    """Gives the user's installed bundles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at."""

    about: str
    status: Literal["ok", "warning", "problem"]
    says: str
    remedy: str = ""
    exit_code: int = 0
    """Of a problem: as the error has it that it leads to."""


def ok(about: str, says: str) -> Finding:
    """As it should be."""
    return Finding(about=about, status="ok", says=says)


def warning(about: str, says: str, remedy: str = "") -> Finding:
    """Something that still works is not as it should be."""
    return Finding(about=about, status="warning", says=says, remedy=remedy)


def problem(about: str, says: str, remedy: str, *, exit_code: int = _USAGE) -> Finding:
    """Something does not work."""
    return Finding(about=about, status="problem", says=says, remedy=remedy, exit_code=exit_code)


def exit_code_of(findings: Sequence[Finding]) -> int:
    """0 without a problem, else that of the worst."""
    return max((finding.exit_code for finding in findings), default=0)


def findings_to_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings as one JSON document."""
    fields = ("about", "status", "says", "remedy")
    rows = [{field: value for field in fields if (value := getattr(finding, field))} for finding in findings]
    return {"schema": SCHEMA, "problems": sum(finding.status == "problem" for finding in findings), "findings": rows}


def render_findings(findings: Sequence[Finding], style: Style) -> str:
    """The findings for a person, one a line, each with its remedy."""
    return "".join(
        f"{style.paint(f'{finding.status:<7}', _COLOURS[finding.status])}  {_on_one_line(_told(finding))}\n" for finding in findings
    )


def _told(finding: Finding) -> str:
    return f"{finding.about}: {finding.says}{'.' if finding.remedy and finding.says[-1:] != '.' else ''} {finding.remedy}".rstrip()


def _on_one_line(text: str) -> str:
    return inert(text).replace("\n", "\\u{a}")
