"""A job's result in, its summary out: a page of Markdown for the person who looks at the run.

First what a pull request changes, as its comment has it, with a picture of what depends on that; then what was built, in at most 30
lines, and a picture of its languages.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hardtack.build.report import BuildReport
from hardtack.build.source.secrets import path_without_secret
from hardtack.bundle.packing import PackInfo
from hardtack.ci.compared import Compared
from hardtack.ci.earlier import EarlierPack
from hardtack.ci.pictures import languages
from hardtack.comment.note import Note
from hardtack.comment.rendering import lines_of
from hardtack.comment.words import code
from hardtack.render.stats import history_of, readable_size

MOST_LINES: Final = 30
"""Of what was built, without pictures and what a pull request changes."""
_LANGUAGES, _MEMBERS, _RULES, _SKIPS, _NOTES = 8, 6, 10, 8, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """The result of a CI job."""

    report: BuildReport
    pack: PackInfo
    base: EarlierPack
    is_reproducible: bool | None
    """Whether a second build gave the same bundle; None when there was no second build."""
    address: str
    """The project's address as a source; empty when it is not known."""
    compared: Compared | None = None
    """What the pull request changes; None where the run is of none."""

    @property
    def note(self) -> Note | None:
        """What a comment says; None where nothing was compared."""
        return self.compared.note if self.compared else None

    @property
    def pull(self) -> str:
        """The shell command that pulls exactly this bundle."""
        provenance = self.pack.manifest.provenance
        place = ["--from", self.address] if self.address else []
        repository = ["--repository", provenance.repository] if provenance.repository else []
        return shlex.join(["hardtack", "pull", *place, *repository, "--commit", provenance.commit])

    def to_json(self) -> dict[str, Any]:
        """The content of ``build.json``, a file for programs beside the pack."""
        return {
            "schema": "hardtack.ci/1",
            "pack": self.pack.path.name,
            "pack_digest": self.pack.digest,
            "pack_bytes": self.pack.size,
            "bundle_digest": self.pack.bundle_digest,
            "base": self.base.commit,
            "base_note": self.base.note,
            "is_reproducible": self.is_reproducible,
            "pull": self.pull,
            "build": self.report.to_json(),
        }


def render_summary(result: JobResult) -> str:
    """The summary as Markdown."""
    changes = list(_changes(result.compared)) if result.compared else []
    picture = languages(result.pack.manifest)
    return "\n".join([*changes, *_built(result), *(["", *picture] if picture else [])]) + "\n"


def _changes(compared: Compared) -> Iterator[str]:
    """What a pull request changes."""
    yield "### What this pull request changes"
    yield ""
    if compared.note is None:
        yield f"Not compared with its base: {code(compared.why)}"
    else:
        yield from lines_of(compared.note)
    if compared.picture.lines:
        yield from ("", "What imports what changed (with a bold border), and how often:", "", *compared.picture.lines)
        if compared.picture.left_out:
            yield f"and {compared.picture.left_out} more that are not drawn"
    yield ""


def _built(result: JobResult) -> list[str]:
    """What was built."""
    lines = ["### Code index", "", "| | |", "|---|---|"]
    lines += [f"| {title} | {text} |" for title, text in _rows(result)]
    skips = result.report.skips[:_SKIPS]
    lines += ["", *(f"- skipped {code(path_without_secret(skip.path))}: {skip.reason.value}" for skip in skips)] if skips else []
    lines += ["", *(f"- {code(note)}" for note in result.report.notes[:_NOTES])] if result.report.notes else []
    lines += ["", f"Get it: {code(result.pull)}"]
    assert len(lines) <= MOST_LINES
    return lines


def _rows(result: JobResult) -> Iterator[tuple[str, str]]:
    manifest = result.pack.manifest
    provenance, counts = manifest.provenance, manifest.counts
    directory = f", directory {code(provenance.subdirectory)}" if provenance.subdirectory else ""
    yield "commit", code(f"{provenance.repository} {provenance.commit}".strip()) + directory
    yield "bundle", code(result.pack.bundle_digest)
    yield "pack", f"{code(result.pack.digest)}, {readable_size(result.pack.size)}"
    yield (
        "holds",
        f"{counts.files} files, {counts.symbols} symbols, {counts.chunks} chunks"
        + (f"; history of {known}" if (known := history_of(manifest)) else ""),
    )
    yield "languages", _listed({each.name: each.files for each in manifest.languages}, _LANGUAGES)
    yield "largest members", _listed({member.name: member.size for member in manifest.members}, _MEMBERS, as_size=True)
    if manifest.skipped:
        yield "skipped", _listed(manifest.skipped, len(manifest.skipped))
    if result.report.secrets_by_rule:
        kept = manifest.secrets and manifest.secrets.mode == "warn"
        found = result.report.secrets_by_rule
        yield "secrets **kept**" if kept else "secrets taken out", _listed(found, _RULES)
    taken = f"{code(result.base.commit[:12])}, {result.report.taken_over} files taken over"
    yield "base", taken if result.base.pack else f"none: {code(result.base.note)}"
    yield (
        "reproducible",
        {True: "yes: a second build gave the same bundle", False: "**no**", None: "not checked"}[result.is_reproducible],
    )


def _listed(counts: Mapping[str, int], most: int, *, as_size: bool = False) -> str:
    """The ``most`` largest of the counts, largest first, and how many more there are."""
    largest = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [f"{code(name)} {readable_size(count) if as_size else count}" for name, count in largest[:most]]
    return ", ".join(shown) + (f" and {len(largest) - most} more" if len(largest) > most else "")
