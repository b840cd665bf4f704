"""Statistics and state of a bundle as a whole: its content, parse health, readiness and distance from a checkout.

These are the values, and their sentences for users. :mod:`hardtack.query` computes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NotRequired, TypedDict

from hardtack.nouns.model import Provenance

_SHORT: Final = 12
"""Digits of a commit's id that users are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseCounts:
    """Files of one language by parse status."""

    files: int
    ok: int
    partial: int
    error: int
    no_grammar: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseHealth:
    """How well a bundle's source code parsed."""

    by_language: Mapping[str, ParseCounts]
    """By language id, sorted."""

    @property
    def total_files(self) -> int:
        """Files of all languages."""
        return sum(counts.files for counts in self.by_language.values())

    @property
    def total_ok(self) -> int:
        """Files that parsed without an error."""
        return sum(counts.ok for counts in self.by_language.values())

    @property
    def percent(self) -> float:
        """Percentage of files without an error, to one decimal place; 100.0 if there are no files."""
        return round(100 * self.total_ok / self.total_files, 1) if self.total_files else 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a bundle holds."""

    symbols: Mapping[str, int]
    """Kind to number of symbols, the largest first, without zeros."""
    roles: Mapping[str, int]
    """Role of a file in its repository to number of files, most first, without zeros."""
    health: ParseHealth


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Which searches a bundle can answer."""

    is_intact: bool
    """Whether no member was written to or cut since it was checked."""
    has_encoder: bool
    """Whether the encoder that made the bundle's vectors can encode queries."""
    has_terms: bool
    """Whether the lexical index can be searched."""
    troubles: tuple[str, ...]
    """A sentence for each of these that is False; may have paths of this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The commit and branch that a checkout is at."""

    commit: str
    """Full id."""
    branch: str
    """Its name; empty if HEAD is detached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """The distance of a commit from HEAD."""

    behind: int
    """Commits that are reachable from HEAD and not from the commit."""
    ahead: int
    """Commits that are reachable from the commit and not from HEAD; the commit itself counts."""

    @property
    def is_diverged(self) -> bool:
        """Whether HEAD does not contain the commit: it is of another branch, or history was rewritten."""
        return self.ahead > 0


class StalenessNote(TypedDict):
    """The last entries of an answer, about the bundle's commit; unknown fields are absent."""

    type: str
    """``branch_staleness_warning``."""
    warning: str
    """A short title."""
    message: str
    """What it means, and what to do."""
    staleness_days: NotRequired[int]
    indexed_commit: NotRequired[str]
    current_commit: NotRequired[str]
    current_branch: NotRequired[str]
    commits_behind: NotRequired[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """The age of a bundle, and its distance from the checkout."""

    days: int
    """Whole days since its commit; -1 if it was built without one."""
    commit: str
    """The bundle's commit; empty if it was built without one."""
    head: Head | None = None
    """The checkout's HEAD; None without a checkout."""
    distance: Distance | None = None
    """Of its commit from HEAD; None if unknown."""
    files_changed: int | None = None
    """Files that differ between its commit and HEAD; None if unknown."""

    @property
    def is_stale(self) -> bool:
        """Whether the checkout has moved on from the bundle's commit. A bundle of HEAD is not stale, however old its commit is."""
        return self.head is not None and self.commit not in ("", self.head.commit)

    @property
    def warnings(self) -> list[str]:
        """Sentences without full stops, as ``index_stats`` returns them; none unless it is stale."""
        return [*self._of_commits()]

    @property
    def notes(self) -> list[StalenessNote]:
        """The same warnings as the last entries of a search's answer."""
        notes: list[StalenessNote] = []
        for warning in self._of_commits():
            assert self.head
            note: StalenessNote = {
                "type": "branch_staleness_warning",
                "warning": "Index is of another commit",
                "message": f"{warning}. Read files that matter in the checkout, or build the bundle again.",
                "indexed_commit": self.commit,
                "current_commit": self.head.commit,
            }
            if self.head.branch:
                note["current_branch"] = self.head.branch
            if self.distance:
                note["commits_behind"] = self.distance.behind
            if self.days >= 0:
                note["staleness_days"] = self.days
            notes.append(note)
        return notes

    def _of_commits(self) -> Iterator[str]:
        if self.head is None or not self.is_stale:
            return
        here = f"HEAD ({self.head.commit[:_SHORT]}{f' on {self.head.branch}' if self.head.branch else ''})"
        indexed = f"Index is of commit {self.commit[:_SHORT]}"
        changed = "" if self.files_changed is None else f"; {_counted(self.files_changed, 'file')} changed"
        if self.distance is None:
            yield f"{indexed}, not of the checkout's {here}{changed}"
        elif self.distance.is_diverged:
            yield f"{indexed}, which the checkout's {here} does not contain{changed}"
        else:
            yield f"{indexed}, {_counted(self.distance.behind, 'commit')} behind the checkout's {here}{changed}"


def created_at(provenance: Provenance) -> str | None:
    """The time of the bundle's commit, as ``2026-01-15T10:30:00Z``; None without a commit, or for a year after 9999."""
    return None if provenance.commit_time is None else moment_of(provenance.commit_time)


def moment_of(time: int) -> str | None:
    """A time in seconds since 1970 UTC, as ``2026-01-15T10:30:00Z``; None for a year after 9999."""
    try:
        moment = datetime.fromtimestamp(time, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


Contents = Mapping[str, bytes]
"""Path to git's id of the file's content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Numbers of files that were added, removed or changed."""

    added: int = 0
    removed: int = 0
    updated: int = 0
    moved: int = 0
    """How many of the added files have the content of a removed one."""


def changes_between(before: Contents, after: Contents) -> Changes:
    """The changes from ``before`` to ``after``."""
    came, went = after.keys() - before.keys(), before.keys() - after.keys()
    held = Counter(before[path] for path in went)
    return Changes(
        added=len(came),
        removed=len(went),
        updated=sum(before[path] != after[path] for path in before.keys() & after.keys()),
        moved=(held & Counter(after[path] for path in came)).total(),
    )
