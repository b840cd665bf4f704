"""What a change reaches: symbols by distance, entry points among them, and tests, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hardtack.nouns.exploration import ExploredSymbol
from hardtack.nouns.relations import Certainty


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactTarget:
    """A symbol whose reach is asked for."""

    kind: str
    name: str
    """Qualified; of a file whose top level changed, empty."""
    path: str
    line: int
    changes: tuple[str, ...] = ()
    """How it differs from the earlier bundle (``body``, ``signature``, ``removed``, ...); none where it was asked for by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedSymbol:
    """A symbol that leads to a target."""

    symbol: ExploredSymbol
    """Without a name where the place is at the top of a file."""
    line: int
    """Of the place that makes the next step."""
    column: int
    """Of the name there, in characters from 1; 0 if unknown."""
    code: str
    """That line, shortened if it is long; empty in a bundle without text."""
    distance: int
    """Steps to the nearest target, from 1."""
    certainty: Certainty
    """Of the least certain step on the way."""
    next: str
    """Qualified name of what is stepped to."""
    through: str = ""
    """The method of a supertype that the place calls, where which one runs is decided at run time."""
    entry: str = ""
    """Why it is an entry point: ``main``, ``route``, ``command``, ...; empty if it is none."""


class Reason(StrEnum):
    """Why a test is taken for affected; the strongest first."""

    CHANGED = "changed"
    """The test itself differs."""
    REFERENCES = "references"
    """It calls or names the target, itself or through others."""
    NAMING = "naming"
    """Its file is named after the target's file, or after a type in it."""
    IMPORTS = "imports"
    """It imports the target's file, and uses its name where nothing tells what that means."""
    LOCATION = "location"
    """It lies where tests of the target's file lie; told only where nothing else is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedTest:
    """A test that a change may break; the whole file where its tests have no names."""

    path: str
    language: str
    line: int
    name: str
    """Qualified; empty for all tests of the file."""
    reason: Reason
    target: str
    """Qualified name of the target, or its path where the target is a file."""
    distance: int = 0
    """Steps to the target, of REFERENCES; else 0."""
    certainty: Certainty = Certainty.LIKELY


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """What some symbols, or the changes from another bundle, reach."""

    bundle: str
    digest: str
    targets: tuple[ImpactTarget, ...]
    reached: tuple[ReachedSymbol, ...]
    """Tests aside, nearest first, then by path and line."""
    tests: tuple[AffectedTest, ...]
    """By path and line, each test once, with its strongest reason."""
    test_files: int
    """Files of the bundle that hold tests."""
    unresolved: int
    """Uses of the targets' names that nothing ties to a symbol."""
    levels: int
    """Steps to which all was looked at."""
    is_whole: bool
    """Whether the search came to its end."""
    notes: tuple[str, ...] = ()
    """What was left out or could not be told, one sentence each, without a full stop."""
