"""The role that a file plays in its repository."""

from enum import StrEnum
from typing import Final

from hardtack.nouns.model import Content


class Role(StrEnum):
    """What a file is in its repository. Stored by its place in this list, which only grows at its end.

    A file has one role, the first that fits in the order of :data:`PRECEDENCE`.
    """

    SOURCE = "source"
    """What the project is made of: none of the following."""
    TEST = "test"
    BENCHMARK = "benchmark"
    EXAMPLE = "example"
    """A sample or demonstration of how the project is used."""
    DOCUMENTATION = "documentation"
    """Prose, and code that stands in documents: tutorials, the sources of a website or manual."""
    FIXTURE = "fixture"
    """What tests read."""
    TEMPLATE = "template"
    """What is filled in or copied to begin another file or project."""
    TRANSLATION = "translation"
    """Messages or documents in another language than the project's own."""
    TOOL = "tool"
    """A script that builds, checks or releases the project."""
    CONFIGURATION = "configuration"
    GENERATED = "generated"
    """A program wrote it, and the project keeps it."""
    LISTING = "listing"
    """A list of a library's public names that a program wrote, to notice changes."""
    AMALGAMATION = "amalgamation"
    """It holds the definitions of several other files of the repository."""
    SUPERSEDED = "superseded"
    """An older version of what stands beside it."""
    VENDORED = "vendored"
    """Other people's code."""


PRECEDENCE: Final = (
    *(Role.VENDORED, Role.GENERATED, Role.LISTING, Role.AMALGAMATION, Role.FIXTURE, Role.TEST, Role.BENCHMARK, Role.SUPERSEDED),
    *(Role.TRANSLATION, Role.TEMPLATE, Role.EXAMPLE, Role.DOCUMENTATION, Role.TOOL, Role.CONFIGURATION, Role.SOURCE),
)
"""Every role; where several fit a file, the first is its role."""


def is_own_code(content: str, role: str) -> bool:
    """Whether a file of that content and role is code that people wrote for the project itself, and no test, example or copy."""
    return content == Content.CODE and role in _OF_ITSELF


_OF_ITSELF: Final = frozenset({Role.SOURCE, Role.TOOL})
