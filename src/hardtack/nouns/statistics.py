"""What is told of a bundle as a whole: what it holds, how well that parsed, which searches work, how far it is from a checkout.

Values, and the words for them; they are found out in :mod:`hardtack.query`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NotRequired, TypedDict

from hardtack.nouns.model import Provenance

STALE_DAYS: Final = 7
"""Days since its commit from which on a bundle is called stale (CONTRACTS 1D)."""

_SHORT: Final = 12
"""Digits of a commit's id that a person is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseCounts:
    """Files of one language by how far their grammar got."""

    files: int
    ok: int
    partial: int
    error: int
    no_grammar: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseHealth:
    """How well a bundle's source code parsed."""

    by_language: Mapping[str, ParseCounts]
    """By language id, in the order of those."""

    @property
    def total_files(self) -> int:
        """Files that were counted."""
        return sum(counts.files for counts in self.by_language.values())

    @property
    def total_ok(self) -> int:
        """Those without an error."""
        return sum(counts.ok for counts in self.by_language.values())

    @property
    def percent(self) -> float:
        """Share of files without an error, to one place; 100.0 of none."""
        return round(100 * self.total_ok / self.total_files, 1) if self.total_files else 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a bundle holds."""

    symbols: Mapping[str, int]
    """Kind to how many symbols are of it, most first; a kind without any is not there."""
    health: ParseHealth


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """What a bundle can be asked."""

    is_intact: bool
    """No member was written to or cut since it was checked."""
    has_encoder: bool
    """Queries can be made vectors of, with the encoder that made the bundle's."""
    has_terms: bool
    """The index of terms can be searched."""
    troubles: tuple[str, ...]
    """Why not, one sentence for each; may name paths of this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where a checkout stands."""

    commit: str
    """Full id."""
    branch: str
    """``main``; empty when HEAD is detached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How HEAD lies to a commit."""

    behind: int
    """Commits that HEAD has and the commit has not."""
    ahead: int
    """Commits that the commit has and HEAD has not, itself among them."""

    @property
    def is_diverged(self) -> bool:
        """Whether HEAD does not contain the commit: another branch, or a history that was written anew."""
        return self.ahead > 0


class StalenessNote(TypedDict):
    """What an answer says at its end of the bundle's age, or of its commit; only what is known is there."""

    type: str
    """``staleness_warning`` or ``branch_staleness_warning``."""
    warning: str
    """A few words."""
    message: str
    """What it means and what to do."""
    staleness_days: NotRequired[int]
    indexed_commit: NotRequired[str]
    current_commit: NotRequired[str]
    current_branch: NotRequired[str]
    commits_behind: NotRequired[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """How far a bundle may be from what its repository is now."""

    days: int
    """Whole days since its commit; -1 when it was built without one."""
    is_stale: bool
    """:data:`STALE_DAYS` or more have passed."""
    commit: str
    """Of the bundle; empty when it was built without one."""
    head: Head | None = None
    """Where the checkout stands; None without one."""
    distance: Distance | None = None
    """From its commit to HEAD; None when that is not known."""

    @property
    def warnings(self) -> list[str]:
        """One sentence for each thing to know, without full stops, as ``index_stats`` gives them; none for a bundle of HEAD."""
        return [*self._of_age(), *self._of_commits()]

    @property
    def notes(self) -> list[StalenessNote]:
        """The same as the last entries of a search's answer."""
        notes: list[StalenessNote] = []
        for said in self._of_age():
            message = f"{said}. Build the bundle again to have it search what is there now."
            notes.append(
                {"type": "staleness_warning", "warning": "Index is stale", "message": message, "staleness_days": self.days}
            )
        for said in self._of_commits():
            assert self.head
            note: StalenessNote = {
                "type": "branch_staleness_warning",
                "warning": "Index is of another commit",
                "message": f"{said}. Read files that matter in the checkout, or build the bundle again.",
                "indexed_commit": self.commit,
                "current_commit": self.head.commit,
            }
            if self.head.branch:
                note["current_branch"] = self.head.branch
            if self.distance:
                note["commits_behind"] = self.distance.behind
            notes.append(note)
        return notes

    def _of_age(self) -> Iterator[str]:
        if self.is_stale:
            yield f"Index is stale ({self.days} days since last update)"

    def _of_commits(self) -> Iterator[str]:
        if self.head is None or self.commit in ("", self.head.commit):
            return
        here = f"HEAD ({self.head.commit[:_SHORT]}{f' on {self.head.branch}' if self.head.branch else ''})"
        indexed = f"Index is of commit {self.commit[:_SHORT]}"
        if self.distance is None:
            yield f"{indexed}, not of the checkout's {here}"
        elif self.distance.is_diverged:
            yield f"{indexed}, which the checkout's {here} does not contain"
        else:
            yield f"{indexed}, {_commits(self.distance.behind)} behind the checkout's {here}"


def created_at(provenance: Provenance) -> str | None:
    """When the bundle's commit was made, as ``2026-01-15T10:30:00Z``; None without one, or in a year beyond 9999."""
    if provenance.commit_time is None:
        return None
    try:
        moment = datetime.fromtimestamp(provenance.commit_time, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _commits(count: int) -> str:
    return "1 commit" if count == 1 else f"{count} commits"


Contents = Mapping[str, bytes]
"""Path -> git's id of what the file there holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How many files came, went, or are not what they were."""

    added: int = 0
    removed: int = 0
    updated: int = 0
    moved: int = 0
    """How many of those that came hold what one that went held."""


def changes_between(before: Contents, after: Contents) -> Changes:
    """What became of the files."""
    came, went = after.keys() - before.keys(), before.keys() - after.keys()
    held = Counter(before[path] for path in went)
    return Changes(
        added=len(came),
        removed=len(went),
        updated=sum(before[path] != after[path] for path in before.keys() & after.keys()),
        moved=(held & Counter(after[path] for path in came)).total(),
    )
