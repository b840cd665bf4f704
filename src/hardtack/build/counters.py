"""Indexed files in, one by one, the manifest's counts out."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from hardtack.build.languages.registry import languages
from hardtack.build.options import TOOL, BuildOptions, engines, recorded
from hardtack.build.report import BuildReport
from hardtack.build.source.tree import SourceTree
from hardtack.bundle.format import layout
from hardtack.bundle.format.digest import canonical_json
from hardtack.bundle.format.manifest import (
    EncoderIdentity,
    EncodingCount,
    HistoryExtent,
    Indexer,
    LanguageCount,
    Manifest,
    NamedProject,
    Secrets,
)
from hardtack.bundle.writer import BundleWriter, IndexedFile
from hardtack.nouns.model import EncodingBasis
from hardtack.nouns.outline import SourceFile
from hardtack.nouns.projects import Project
from hardtack.nouns.roles import Role, is_own_code
from hardtack.text import fingerprint

_PROJECTS_BYTES = layout.MANIFEST_LIMIT // 2
"""Maximum bytes of the manifest's list of projects."""


@dataclass(slots=True)
class FileCounters:
    """Counts of files, chunks, lines and bytes of code by language, of files by parse status; the projects that files declare."""

    files: Counter[str] = field(default_factory=Counter)
    chunks: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    code_bytes: Counter[str] = field(default_factory=Counter)
    parse_status: Counter[str] = field(default_factory=Counter)
    encodings: Counter[tuple[str, EncodingBasis]] = field(default_factory=Counter)
    projects: list[Project] = field(default_factory=list)
    """In path order."""
    _code: list[tuple[str, str, int]] = field(default_factory=list)
    """(language, content, bytes) of each file, in order."""

    def add(self, file: SourceFile, indexed: IndexedFile) -> None:
        """Count one file."""
        language = file.language
        self.encodings[file.encoding, file.encoding_basis] += 1
        self.files[language] += 1
        self.chunks[language] += len(indexed.chunks)
        self.lines[language] += indexed.line_count
        self._code.append((language, file.content, file.size))
        self.parse_status[indexed.parse_status] += 1

    def count_code(self, roles: Sequence[Role]) -> None:
        """Count the bytes of code that people wrote for the project itself; once, with the role of each file, in order."""
        for (language, content, size), role in zip(self._code, roles, strict=True):
            self.code_bytes[language] += size * is_own_code(content, role)

    def encoding_counts(self) -> tuple[EncodingCount, ...]:
        """The encodings present, by name."""
        return tuple(
            EncodingCount(
                name=name,
                files=sum(self.encodings[name, basis] for basis in EncodingBasis),
                declared=self.encodings[name, EncodingBasis.DECLARED],
                guessed=self.encodings[name, EncodingBasis.GUESSED],
            )
            for name in sorted({name for name, _ in self.encodings})
        )

    def languages(self) -> tuple[LanguageCount, ...]:
        """The languages present, by id."""
        table = languages()
        return tuple(
            LanguageCount(
                id=id,
                name=table[id].name,
                aliases=table[id].aliases,
                files=self.files[id],
                chunks=self.chunks[id],
                lines=self.lines[id],
                code_bytes=self.code_bytes[id],
            )
            for id in sorted(self.files)
        )


def manifest_of(
    tree: SourceTree,
    options: BuildOptions,
    encoder: EncoderIdentity | None,
    writer: BundleWriter,
    counters: FileCounters,
    report: BuildReport,
    indexers: tuple[Indexer, ...],
    history: HistoryExtent | None = None,
) -> Manifest:
    """The manifest without its members, which the writer lists."""
    return Manifest(
        format_version=layout.FORMAT_VERSION,
        tool=TOOL,
        engines=engines(),
        terms_fingerprint=fingerprint(),
        encoder=encoder,
        provenance=tree.provenance,
        options=recorded(options),
        counts=writer.counts,
        languages=counters.languages(),
        skipped=dict(sorted(report.skipped.items())),
        parse_status=dict(sorted(counters.parse_status.items())),
        projects=_listed(counters.projects),
        members=(),
        secrets=Secrets(mode=options.source.secrets, found=report.secrets_by_rule),
        encodings=counters.encoding_counts(),
        indexers=indexers,
        history=history,
    )


def _listed(projects: Sequence[Project]) -> tuple[NamedProject, ...]:
    """The projects that the manifest lists: those with a name; if they are too many, those nearest to the root."""
    named = sorted((project for project in projects if project.name), key=lambda project: (project.path.count("/"), project.path))
    entries = [
        NamedProject(
            path=project.path,
            ecosystem=project.ecosystem,
            name=project.name,
            version=project.version,
            language_version=project.language_version,
        )
        for project in named
    ]
    sizes = accumulate(len(canonical_json(entry._asdict())) for entry in entries)
    count = bisect_right(list(sizes), _PROJECTS_BYTES)
    return tuple(sorted(entries[: min(count, layout.PROJECT_COUNT_LIMIT)], key=lambda entry: entry.path))
