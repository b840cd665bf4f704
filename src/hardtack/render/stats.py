"""A manifest in, an account of the bundle out, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from hardtack.bundle.manifest import Manifest, NamedProject
from hardtack.model import ParseFailure
from hardtack.render.style import inert

_PROJECTS_SHOWN = 20


def stats_to_json(name: str, digest: str, manifest: Manifest, failures: Sequence[ParseFailure] = ()) -> dict[str, Any]:
    """The account as one JSON document."""
    document = {
        "schema": "hardtack.stats/1",
        "name": name,
        "digest": digest,
        "bytes": sum(member.size for member in manifest.members),
        **{key: value for key, value in asdict(manifest).items() if key not in ("options",)},
        "options": dict(manifest.options),
    }
    return {**document, "parse_failures": [asdict(failure) for failure in failures]} if failures else document


def render_stats(name: str, digest: str, manifest: Manifest, failures: Sequence[ParseFailure] = ()) -> str:
    """The account for a person."""
    provenance, counts = manifest.provenance, manifest.counts
    source = provenance.commit or "files without a commit"
    if provenance.commit and provenance.source == "files":
        source = f"the files over commit {provenance.commit}{', which they differ from' if provenance.is_dirty else ''}"
    encoder = manifest.encoder
    lines = [
        f"{name}  {digest}",
        f"  of       {' '.join(part for part in (provenance.repository, provenance.subdirectory, source) if part)}",
        f"  by       {manifest.tool}, format {manifest.format_version}",
        f"  encoder  {f'{encoder.name}, {encoder.dimension} dimensions' if encoder else 'none (keyword only)'}",
        f"  holds    {counts.files} files, {counts.symbols} symbols, {counts.chunks} chunks,"
        f" {readable_size(counts.text_bytes)} of text",
        "",
    ]
    languages = sorted(manifest.languages, key=lambda language: (-language.chunks, language.id))
    rows = [(language.id, str(language.files), str(language.chunks), str(language.lines)) for language in languages]
    lines += _table(("language", "files", "chunks", "lines"), rows)
    lines += _projects(manifest.projects)
    lines += ["", *_table(("member", "size"), [(member.name, readable_size(member.size)) for member in manifest.members])]
    for title, counted in (("parsed", manifest.parse_status), ("skipped", manifest.skipped)):
        if counted:
            lines += ["", f"  {title}: " + ", ".join(f"{count} {what}" for what, count in sorted(counted.items()))]
    lines += [f"    {inert(failure.file_path)}: {failure.error_message}" for failure in failures]
    return "\n".join(lines) + "\n"


def _projects(projects: Sequence[NamedProject]) -> list[str]:
    """The projects nearest to the root; of a tree with hundreds the rest is for programs."""
    if not projects:
        return []
    nearest = sorted(projects, key=lambda project: (project.path.count("/"), project.path))[:_PROJECTS_SHOWN]
    rest = len(projects) - len(nearest)
    return ["", "  projects:", *(f"    {_project(each)}" for each in nearest), *([f"    and {rest} more (--json)"] if rest else [])]


def _project(project: NamedProject) -> str:
    """One project on one line: ``go.mod  github.com/gin-gonic/gin  (go 1.22)``."""
    asks = f"({project.ecosystem}{' ' if project.language_version else ''}{project.language_version})"
    return inert("  ".join((project.path, " ".join(f"{project.name} {project.version}".split()), " ".join(asks.split()))))


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Columns wide enough for what is in them, numbers to the right."""
    table = [heading, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(heading))]
    return ["  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]


def readable_size(size: int) -> str:
    """Bytes in the largest unit that leaves at least one, by 1024."""
    if size < 1024:
        return f"{size} B"
    value, units = size / 1024, ["KB", "MB", "GB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return f"{value:.1f} {units[0]}"
