"""The entries of a catalogue in, a list of them out, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hardtack.nouns.catalogue import CatalogueEntry
from hardtack.render.listing import padded
from hardtack.render.markdown import prose, table
from hardtack.render.stats import readable_size
from hardtack.render.style import inert_line

_COMMIT_SHOWN: Final = 12
_LANGUAGES_SHOWN: Final = 3
_WORDS_SHOWN: Final = 8
_HEADING: Final = ("repository", "commit", "size", "files", "languages", "telling words")


def catalogue_to_json(entries: Sequence[CatalogueEntry]) -> dict[str, Any]:
    """All entries as one JSON document."""
    return {"schema": "hardtack.catalogue/1", "bundles": [_to_json(entry) for entry in entries]}


def render_catalogue(entries: Sequence[CatalogueEntry]) -> str:
    """A table with one line for each entry."""
    return "\n".join(padded([_HEADING, *map(_row, entries)])) + "\n"


def catalogue_to_markdown(entries: Sequence[CatalogueEntry]) -> str:
    """The same as a Markdown table."""
    return table(_HEADING, [tuple(map(prose, _row(entry))) for entry in entries])


def _to_json(entry: CatalogueEntry) -> dict[str, Any]:
    fields = entry._asdict()
    telling = fields.pop("telling")
    return {**fields, **telling._asdict()}


def _row(entry: CatalogueEntry) -> tuple[str, ...]:
    cells = (
        "/".join(filter(None, (entry.repository, entry.root))),
        entry.commit[:_COMMIT_SHOWN],
        readable_size(entry.size),
        str(entry.files),
        " ".join(entry.languages[:_LANGUAGES_SHOWN]),
        " ".join(entry.telling.words[:_WORDS_SHOWN]),
    )
    return tuple(inert_line(cell) or "-" for cell in cells)
