"""What an answer of several bundles says besides what any answer says: which bundles answered, and which of them each thing is of.

Values only, and in every other respect what :mod:`hardtack.model` has: who asks for no bundle sees hits and places as always.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardtack.model import Answer, Hit, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedHit(Hit):
    """A hit of one of several bundles."""

    index_name: str
    """What that bundle is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPlace(Place):
    """A place in one of several bundles."""

    index_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """One of the bundles that were asked."""

    index_name: str
    digest: str
    commit: str
    """Empty when it was built without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedAnswer(Answer):
    """The hits of several bundles, best first. No one bundle's name, commit and digest are its own: those are empty."""

    bundles: tuple[Answering, ...]
    """All that were asked, in the order in which they were named."""
