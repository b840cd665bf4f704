"""What differs between two bundles of one repository: symbols, relations and projects, and what of it breaks callers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hardtack.nouns.relations import Certainty


class ChangeKind(StrEnum):
    """One way in which a symbol differs. A symbol that is in both bundles may differ in several."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    """It is in another file, or a member of another type."""
    RENAMED = "renamed"
    """It has another name, and the same body."""
    SIGNATURE = "signature"
    VISIBILITY = "visibility"
    DOCUMENTATION = "documentation"
    BODY = "body"
    """The text of its definition, without that of symbols inside it; or the value of a constant, variable or field."""


class Verdict(StrEnum):
    """How certain it is that a change breaks code that uses the symbol."""

    BREAKS = "breaks"
    """Some use that was correct is not any more."""
    MAY_BREAK = "may break"
    """It depends on what the syntax does not tell: a type's members, how the symbol is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakage:
    """One reason why a change breaks callers."""

    rule: str
    """Id of a row of :data:`hardtack.diff.rules.RULES`."""
    verdict: Verdict
    sentence: str
    """What breaks, without a full stop; names stand between backticks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolState:
    """A symbol in one of the two bundles."""

    kind: str
    name: str
    """Qualified."""
    path: str
    line: int
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolChange:
    """A symbol that differs."""

    language: str
    kinds: tuple[ChangeKind, ...]
    old: SymbolState | None
    """None if it was added."""
    new: SymbolState | None
    """None if it was removed."""
    is_exported: bool
    """Whether code outside of the repository could name it before or can do so now."""
    breakages: tuple[Breakage, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        """The most certain of its breakages; None if nothing breaks."""
        return min((each.verdict for each in self.breakages), key=list(Verdict).index, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationChange:
    """What a file of both bundles states in one of them: an import, a supertype, or a call in a function whose body differs."""

    is_gained: bool
    relation: str
    """``imports``, ``inherits``, ``implements``, ``embeds``, ``uses`` or ``calls``."""
    path: str
    line: int
    source: str
    """Qualified name of the type or function; empty for an import."""
    target: str
    """As written; of a call the qualified name of what it means."""
    certainty: Certainty
    """How certain it is what the target means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectChange:
    """A field of a package manager's manifest that differs; a project in one bundle alone has the field ``project``."""

    path: str
    field: str
    """``project``, ``name``, ``version`` or ``language_version``."""
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBundle:
    """One of the two bundles."""

    name: str
    digest: str
    repository: str
    commit: str
    is_working_tree: bool
    """It is of a working tree that differs from its commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two bundles, compared. Everything is in order of path and line."""

    old: ComparedBundle
    new: ComparedBundle
    files_changed: int
    """Files of code whose content differs, or that only one of the bundles has."""
    symbols: tuple[SymbolChange, ...]
    relations: tuple[RelationChange, ...]
    projects: tuple[ProjectChange, ...]
    notes: tuple[str, ...]
    """What could not be compared, one sentence each, without a full stop."""
