"""The manifest and the statistics of a bundle in, a report on it out, as text or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hardtack.bundle.format.manifest import Manifest, NamedProject, manifest_to_json
from hardtack.nouns.model import Provenance
from hardtack.nouns.outline import ParseFailure
from hardtack.nouns.statistics import ParseHealth, Statistics, created_at, moment_of
from hardtack.render.markdown import code, prose, table
from hardtack.render.style import inert_line

_PROJECTS_SHOWN = 20
"""Projects that the text lists at most."""
_LANGUAGES = ("language", "files", "chunks", "lines")
_MEMBERS = ("member", "size")


def stats_to_json(
    name: str, digest: str, manifest: Manifest, statistics: Statistics, failures: Sequence[ParseFailure] = ()
) -> dict[str, Any]:
    """The report as one JSON document."""
    made = created_at(manifest.provenance)
    document = {
        "schema": "hardtack.stats/1",
        "name": name,
        "digest": digest,
        "bytes": sum(member.size for member in manifest.members),
        **({"created_at": made} if made else {}),
        **{key: value for key, value in manifest_to_json(manifest).items() if key not in ("options",)},
        "options": dict(manifest.options),
        "symbols": dict(statistics.symbols),
        "roles": dict(statistics.roles),
        "parse_stats": parse_stats_to_json(statistics.health),
    }
    return {**document, "parse_failures": [asdict(failure) for failure in failures]} if failures else document


def parse_stats_to_json(health: ParseHealth) -> dict[str, Any]:
    """How well source code parsed, as ``stats --json`` and ``index_stats`` give it."""
    return {
        "parse_health_pct": health.percent,
        "total_files": health.total_files,
        "total_ok": health.total_ok,
        "by_language": {language: asdict(counts) for language, counts in health.by_language.items()},
    }


def render_stats(name: str, digest: str, manifest: Manifest, statistics: Statistics, failures: Sequence[ParseFailure] = ()) -> str:
    """The report for a person."""
    lines = [f"{name}  {digest}", *(f"  {label.ljust(7)}  {said}" for label, said in _facts(manifest)), ""]
    lines += _table(_LANGUAGES, _languages(manifest))
    lines += _projects(manifest.projects)
    lines += ["", *_table(_MEMBERS, _members(manifest))]
    if statistics.symbols:
        lines += ["", f"  symbols: {', '.join(f'{kind} {count}' for kind, count in statistics.symbols.items())}"]
    if statistics.roles:
        lines += ["", f"  files by role: {', '.join(f'{role} {count}' for role, count in statistics.roles.items())}"]
    lines += _parsed(statistics.health, failures)
    if said := encodings_of(manifest):
        lines += ["", f"  {said}"]
    if manifest.skipped:
        lines += [
            "",
            "  skipped: " + ", ".join(f"{count} {inert_line(reason)}" for reason, count in sorted(manifest.skipped.items())),
        ]
    return "\n".join(lines) + "\n"


def stats_to_markdown(
    name: str, digest: str, manifest: Manifest, statistics: Statistics, failures: Sequence[ParseFailure] = ()
) -> str:
    """The report as Markdown."""
    nearest, rest = _nearest(manifest.projects)
    counted = (
        ("Symbols", statistics.symbols),
        ("Files by role", statistics.roles),
        ("Skipped", dict(sorted(manifest.skipped.items()))),
    )
    health = statistics.health
    parts = [
        f"# {code(name)}\n\n{code(digest)}\n",
        "".join(f"- **{label}**: {prose(said)}\n" for label, said in _facts(manifest)),
        "## Languages\n\n" + table(_LANGUAGES, _languages(manifest), numbers=3),
        "## Projects\n\n" + "".join(f"- {code(_project(each))}\n" for each in nearest) + (f"- and {rest} more\n" if rest else "")
        if nearest
        else "",
        "## Members\n\n" + table(_MEMBERS, [(code(member), size) for member, size in _members(manifest)], numbers=1),
        *(f"## {title}\n\n" + table(("", ""), _counts(counts), numbers=1) for title, counts in counted if counts),
        f"Parsed: {health.percent}% of {health.total_files} source files without an error.\n" if health.total_files else "",
        "".join(f"- {code(failure.file_path)}: {prose(failure.error_message)}\n" for failure in failures),
        f"{prose(said)}\n" if (said := encodings_of(manifest)) else "",
    ]
    return "\n".join(filter(None, parts))


def _facts(manifest: Manifest) -> list[tuple[str, str]]:
    """What a bundle is, as (label, sentence)."""
    counts, encoder = manifest.counts, manifest.encoder
    facts = [
        ("of", source_of(manifest.provenance)),
        ("by", f"{manifest.tool}, format {manifest.format_version}"),
        ("encoder", f"{inert_line(encoder.name)}, {encoder.dimension} dimensions" if encoder else "none (keyword only)"),
        (
            "holds",
            f"{counts.files} files, {counts.symbols} symbols, {counts.chunks} chunks, {readable_size(counts.text_bytes)} of text",
        ),
        ("history", history_of(manifest)),
    ]
    return [(label, said) for label, said in facts if said]


def _languages(manifest: Manifest) -> list[tuple[str, ...]]:
    """A row for each language, those of most chunks first."""
    languages = sorted(manifest.languages, key=lambda language: (-language.chunks, language.id))
    return [(language.id, str(language.files), str(language.chunks), str(language.lines)) for language in languages]


def _members(manifest: Manifest) -> list[tuple[str, ...]]:
    return [(member.name, readable_size(member.size)) for member in manifest.members]


def _counts(counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    return [(prose(what), str(count)) for what, count in counts.items()]


def encodings_of(manifest: Manifest) -> str:
    """Which files are not in UTF-8: ``encodings: 12 files read as cp1252, 3 of them guessed``; empty if all are."""
    parts = []
    for each in manifest.encodings:
        if each.name not in ("utf-8", "notebook"):
            guessed = ", guessed" if each.guessed == each.files else f", {each.guessed} of them guessed" if each.guessed else ""
            parts.append(f"{each.files} file{'s' if each.files > 1 else ''} read as {inert_line(each.name)}{guessed}")
    return f"encodings: {'; '.join(parts)}" if parts else ""


def history_of(manifest: Manifest) -> str:
    """Which commits the bundle knows: ``200 commits, since 2026-01-15``, and why no more; empty if it knows none."""
    extent = manifest.history
    if extent is None:
        return ""
    why = {"root": "all there are", "shallow": "the clone had no more", "missing": "the clone lacked objects", "limit": "a limit"}
    reason = inert_line(why.get(extent.end, extent.end))
    asked = f" of {extent.asked} that were asked for ({reason})" if extent.commits < extent.asked else ""
    since = moment_of(extent.oldest_time)
    return f"{extent.commits} commits{asked}{f', since {since[:10]}' if since else ''}"


def source_of(provenance: Provenance) -> str:
    """What a bundle was built from, for a person."""
    source = provenance.commit or "files without a commit"
    if provenance.commit and provenance.source == "files":
        source = f"the files over commit {provenance.commit}{', which they differ from' if provenance.is_dirty else ''}"
    return inert_line(" ".join(part for part in (provenance.repository, provenance.subdirectory, source) if part))


def _parsed(health: ParseHealth, failures: Sequence[ParseFailure]) -> list[str]:
    """How well source code parsed, and the files that did not."""
    if not health.total_files:
        return []
    lines = ["", f"  parsed: {health.percent}% of {health.total_files} source files without an error"]
    return lines + [f"    {inert_line(failure.file_path)}: {inert_line(failure.error_message)}" for failure in failures]


def _projects(projects: Sequence[NamedProject]) -> list[str]:
    """The projects nearest to the root; ``--json`` has all of them."""
    if not projects:
        return []
    nearest, rest = _nearest(projects)
    return ["", "  projects:", *(f"    {_project(each)}" for each in nearest), *([f"    and {rest} more (--json)"] if rest else [])]


def _nearest(projects: Sequence[NamedProject]) -> tuple[list[NamedProject], int]:
    """The projects that are shown, and how many more there are."""
    nearest = sorted(projects, key=lambda project: (project.path.count("/"), project.path))[:_PROJECTS_SHOWN]
    return nearest, len(projects) - len(nearest)


def _project(project: NamedProject) -> str:
    """One project on one line: ``go.mod  github.com/gin-gonic/gin  (go 1.22)``."""
    ecosystem = f"({project.ecosystem}{' ' if project.language_version else ''}{project.language_version})"
    return inert_line("  ".join((project.path, " ".join(f"{project.name} {project.version}".split()), " ".join(ecosystem.split()))))


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows in columns, the first aligned to the left and the others to the right."""
    table = [heading, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(heading))]
    return ["  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]


def readable_size(size: int) -> str:
    """A number of bytes in the largest unit (of 1024) of which there is at least one, to one decimal place."""
    if size < 1024:
        return f"{size} B"
    value, units = size / 1024, ["KB", "MB", "GB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return f"{value:.1f} {units[0]}"
