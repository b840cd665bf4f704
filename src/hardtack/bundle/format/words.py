"""A manifest in; an error out if a word in it is none of those that its field may hold.

Languages, encodings, statuses, reasons and names of programs are shown as they are, in headings and behind fences, so a manifest
may not spell sentences there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hardtack.bundle.format import layout
from hardtack.errors import FormatError
from hardtack.git import is_commit

if TYPE_CHECKING:
    from hardtack.bundle.format.manifest import Manifest

_IDENTIFIER: Final = "an identifier, as 'utf-8'"
_LABEL: Final = "a short printable text"
_REASON: Final = "a reason, as 'too large'"


def check_words(manifest: Manifest) -> None:
    """Refuse words of lists that are no identifiers, and labels with more than a line: they are shown as they are.

    Raises:
        FormatError: a word is none; ``field`` says where.
    """
    provenance, is_identifier, is_label = manifest.provenance, layout.is_identifier, layout.is_label
    _require(is_label(manifest.tool), "tool", _LABEL)
    _require(all(map(is_label, (*manifest.engines, *manifest.engines.values()))), "engines", _LABEL)
    _require(not provenance.commit or is_commit(provenance.commit), "provenance.commit", "a full commit id, or empty")
    _require(is_identifier(provenance.source), "provenance.source", _IDENTIFIER)
    for place, language in enumerate(manifest.languages):
        _require(is_identifier(language.id), f"languages[{place}].id", _IDENTIFIER)
        _require(all(map(is_label, (language.name, *language.aliases))), f"languages[{place}]", f"called by {_LABEL}")
    _require(all(map(layout.is_reason, manifest.skipped)), "skipped", f"filed by {_REASON}")
    _require(all(map(is_identifier, manifest.parse_status)), "parse_status", f"filed by {_IDENTIFIER}")
    for place, project in enumerate(manifest.projects):
        _require(is_identifier(project.ecosystem), f"projects[{place}].ecosystem", _IDENTIFIER)
    if manifest.secrets:
        _require(is_identifier(manifest.secrets.mode), "secrets.mode", _IDENTIFIER)
        _require(all(map(is_identifier, manifest.secrets.found)), "secrets.found", f"filed by {_IDENTIFIER}")
    for place, encoding in enumerate(manifest.encodings):
        _require(is_identifier(encoding.name), f"encodings[{place}].name", _IDENTIFIER)
    for place, indexer in enumerate(manifest.indexers):
        _require(all(map(is_label, (indexer.name, indexer.version))), f"indexers[{place}]", f"called by {_LABEL}")
    _require(manifest.history is None or is_identifier(manifest.history.end), "history.end", _IDENTIFIER)


def _require(holds: bool, path: str, what: str) -> None:
    if not holds:
        raise FormatError(f"manifest.json: {path} must be {what}.", field=path)
