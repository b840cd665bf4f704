"""The unchecked content of a manifest, and functions that read it from documents with any structure.

The functions never raise: a value of the wrong type counts as missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

LONGEST_TEXT: Final = 200
"""Maximum characters of a name, version, prefix or folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredProject:
    """The project of one manifest, unchecked. The fields are those of :class:`hardtack.nouns.projects.Project`."""

    ecosystem: str
    name: str = ""
    version: str = ""
    language_version: str = ""
    prefixes: Iterable[tuple[str, str]] = ()
    """(prefix of an import, folder relative to the manifest's own); ``./``, ``..`` and a slash at the end are allowed."""


def table_at(document: object, *keys: str) -> Mapping[str, object]:
    """The table under nested ``keys``; empty if there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def text_at(document: object, *keys: str) -> str:
    """The text under nested ``keys``; empty if there is none, or it is too long."""
    value = table_at(document, *keys[:-1]).get(keys[-1])
    return value if isinstance(value, str) and len(value) <= LONGEST_TEXT else ""


def texts_at(document: object, *keys: str) -> Iterator[str]:
    """The texts of the list under nested ``keys``, or a single text in place of a list."""
    value = table_at(document, *keys[:-1]).get(keys[-1])
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str):
            yield item
