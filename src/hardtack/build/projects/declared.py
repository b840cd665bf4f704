"""What a manifest says, before it is made fit to be stored, and how to get at it in documents that may hold anything.

The functions here never raise for a value of another type than hoped for: what has the wrong type was not said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

LONGEST_TEXT: Final = 200
"""Characters of a name, version, prefix or folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One manifest's own words. Fields as in :class:`hardtack.nouns.projects.Project`."""

    ecosystem: str
    name: str = ""
    version: str = ""
    language_version: str = ""
    prefixes: Iterable[tuple[str, str]] = ()
    """(prefix of an import, folder relative to the manifest's own); ``./``, ``..`` and a slash at the end do no harm."""


def table_at(document: object, *keys: str) -> Mapping[str, object]:
    """The table under ``keys``, one inside the other; empty when there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def text_at(document: object, *keys: str) -> str:
    """The text under ``keys``; empty when there is none, or one that is too long for anything a manifest has to say."""
    value = table_at(document, *keys[:-1]).get(keys[-1])
    return value if isinstance(value, str) and len(value) <= LONGEST_TEXT else ""


def texts_at(document: object, *keys: str) -> Iterator[str]:
    """The texts of the list under ``keys``, or the one text that stands there instead of a list."""
    value = table_at(document, *keys[:-1]).get(keys[-1])
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            yield item
