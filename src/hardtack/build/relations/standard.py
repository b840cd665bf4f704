"""A language family in, the members that types of its standard libraries have out."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_

from hardtack.build.languages.members import NO_MEMBERS, Members
from hardtack.build.languages.registry import languages


@cache
def standard_members(family: str) -> Members:
    """The members of all languages of a family: Kotlin calls those of Java."""
    return reduce(or_, (each.members for each in languages().values() if each.family == family), NO_MEMBERS)
