"""Outcomes in, the account of a fleet out: as text for a person, as JSON for a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hardtack.build.options import TOOL
from hardtack.fleet.outcome import DONE, FAILED, STATES, UNCHANGED, Outcome
from hardtack.render.stats import readable_size
from hardtack.render.style import inert_line


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetReport:
    """The account of one run of a fleet."""

    shelf: str
    cluster: str
    """Address of the scheduler; empty for this machine."""
    seconds: float
    outcomes: Sequence[Outcome]
    """In the order of the list."""

    @property
    def counts(self) -> dict[str, int]:
        """State -> number of repositories."""
        found = Counter(outcome.state for outcome in self.outcomes)
        return {state: found[state] for state in STATES}

    def to_json(self) -> dict[str, Any]:
        """The account as a JSON object."""
        done = [outcome for outcome in self.outcomes if outcome.state == DONE]
        return {
            "schema": "hardtack.fleet/1",
            "tool": TOOL,
            "shelf": self.shelf,
            "cluster": self.cluster,
            **self.counts,
            "seconds": round(self.seconds, 3),
            "process_seconds": round(sum(outcome.seconds for outcome in self.outcomes), 3),
            "cpu_seconds": round(sum(outcome.cpu_seconds for outcome in self.outcomes), 3),
            "files": sum(outcome.files for outcome in done),
            "lines": sum(outcome.lines for outcome in done),
            "text_bytes": sum(outcome.text_bytes for outcome in done),
            "fetched_bytes": sum(outcome.fetched_bytes for outcome in done),
            "pack_bytes": sum(outcome.pack_bytes for outcome in done),
            "repositories": [replace(outcome, entry="").to_json() for outcome in self.outcomes],
        }


def render_outcome(outcome: Outcome, number: int, total: int) -> str:
    """One line about a repository that has just come to its end, the ``number``-th of ``total``."""
    name = inert_line(outcome.repository or outcome.address)
    at = f" at {outcome.commit[:12]}" if outcome.commit else ""
    what = {
        DONE: f"{outcome.files} files, {readable_size(outcome.pack_bytes)} in {outcome.seconds:.1f} s",
        UNCHANGED: "is there already",
        FAILED: inert_line(outcome.failure.message) if outcome.failure else "",
    }[outcome.state]
    return f"[{number}/{total}] {name}{at}: {outcome.state}: {what}"


def render_fleet(report: FleetReport) -> str:
    """The account as text: one line of sums, then each failure with its remedy."""
    document = report.to_json()
    sums = ", ".join(f"{document[state]} {state}" for state in STATES)
    lines = [
        f"{inert_line(report.shelf)}: {sums} of {len(report.outcomes)} repositories in {report.seconds:.1f} s; "
        f"{document['lines']} lines, {readable_size(document['fetched_bytes'])} fetched, "
        f"{readable_size(document['pack_bytes'])} published"
    ]
    for outcome in report.outcomes:
        if outcome.failure:
            lines.append(f"  failed: {inert_line(outcome.failure.message)}")
            lines += [f"    {inert_line(outcome.failure.hint)}"] if outcome.failure.hint else []
    return "\n".join(lines)
