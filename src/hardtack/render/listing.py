"""Bundles at hand in, a list of them out, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hardtack.bundle.format.manifest import Manifest
from hardtack.nouns.statistics import Staleness, created_at
from hardtack.render.markdown import code, prose, table
from hardtack.render.stats import readable_size
from hardtack.render.style import inert_line

_DIGEST_SHOWN: Final = len("sha256:") + 12
_COMMIT_SHOWN: Final = 12
_HEADING: Final = ("name", "digest", "commit", "age", "size", "place")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedBundle:
    """A bundle, or a place whose bundle cannot be read."""

    name: str
    place: str
    """Its directory."""
    digest: str = ""
    manifest: Manifest | None = None
    """None when it cannot be read."""
    staleness: Staleness | None = None
    trouble: str = ""
    """Why it cannot be read."""
    installed: Mapping[str, Any] = field(default_factory=dict)
    """The record of a bundle in the user's cache: its full ``name``, its ``source`` and more; empty for any other bundle."""


def list_to_json(bundles: Sequence[ListedBundle]) -> dict[str, Any]:
    """All bundles as one JSON document."""
    return {"schema": "hardtack.list/1", "bundles": [_to_json(bundle) for bundle in bundles]}


def render_list(bundles: Sequence[ListedBundle]) -> str:
    """A line for each bundle, and one more with the reason beneath a bundle that cannot be read."""
    shows_sources = any(bundle.installed for bundle in bundles)
    heading = (*_HEADING[:-1], "from", _HEADING[-1]) if shows_sources else _HEADING
    rows = [heading, *(_row(bundle, shows_sources) for bundle in bundles)]
    lines = []
    for line, bundle in zip(padded(rows), (None, *bundles), strict=True):
        lines.append(line)
        if bundle and bundle.trouble:
            lines.append(f"  {inert_line(bundle.trouble)}")
    return "\n".join(lines) + "\n"


def list_to_markdown(bundles: Sequence[ListedBundle]) -> str:
    """The same as a Markdown table, and the reasons beneath it."""
    shows_sources = any(bundle.installed for bundle in bundles)
    heading = (*_HEADING[:-1], "from", _HEADING[-1]) if shows_sources else _HEADING
    rows = [
        tuple(prose(cell) if cell == "-" or " " in cell else code(cell) for cell in _row(each, shows_sources)) for each in bundles
    ]
    troubles = "".join(f"- {code(each.name)}: {prose(each.trouble)}\n" for each in bundles if each.trouble)
    return table(heading, rows) + (f"\n{troubles}" if troubles else "")


def padded(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """The rows as lines whose columns begin below each other; there is at least one row."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(bundle: ListedBundle, shows_source: bool) -> tuple[str, ...]:
    source = [inert_line(bundle.installed.get("source", "-"))] if shows_source else []
    if bundle.manifest is None or bundle.staleness is None:
        return (bundle.name, "-", "-", "-", "-", *source, inert_line(bundle.place))
    size = sum(member.size for member in bundle.manifest.members)
    return (
        bundle.name,
        bundle.digest[:_DIGEST_SHOWN],
        inert_line(bundle.manifest.provenance.commit[:_COMMIT_SHOWN]) or "-",
        age(bundle.staleness.days),
        readable_size(size),
        *source,
        inert_line(bundle.place),
    )


def age(days: int) -> str:
    """``3 days``; a hyphen for -1, which means unknown."""
    return "-" if days < 0 else "1 day" if days == 1 else f"{days} days"


def _to_json(bundle: ListedBundle) -> dict[str, Any]:
    document: dict[str, Any] = {"name": bundle.name, "place": bundle.place}
    if bundle.installed:
        document["installed"] = dict(bundle.installed)
    if bundle.manifest is None or bundle.staleness is None:
        return {**document, "trouble": bundle.trouble}
    provenance = bundle.manifest.provenance
    document["digest"] = bundle.digest
    document |= {key: value for key, value in (("repository", provenance.repository), ("commit", provenance.commit)) if value}
    if made := created_at(provenance):
        document["created_at"] = made
    document |= {"is_stale": bundle.staleness.is_stale, "staleness_days": bundle.staleness.days}
    document["bytes"] = sum(member.size for member in bundle.manifest.members)
    document["files"] = bundle.manifest.counts.files
    return document
