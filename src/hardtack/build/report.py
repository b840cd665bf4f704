"""The report of a build: filled while it runs, shown at its end, written by ``--report``. It is not part of the bundle."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardtack.build.source.secrets import path_without_secret
from hardtack.bundle.format.manifest import Manifest
from hardtack.errors import PolicyError
from hardtack.nouns.outline import Skip, SkipReason, SourceFile
from hardtack.nouns.statistics import Changes, Contents, changes_between

_NAMED_SECRETS = 10
"""Secrets that the message of a refused build names; it counts the others."""


class FoundSecret(NamedTuple):
    """Where a secret is; never the secret itself."""

    path: str
    """The path, redacted."""
    line: int
    """From 1; 0 if the path or the whole file is the secret."""
    rule: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place} ({self.rule})"


@dataclass(slots=True, kw_only=True)
class BuildReport:
    """The report of one build."""

    destination: str = ""
    digest: str = ""
    manifest: Manifest | None = None
    skips: list[Skip] = field(default_factory=list)
    """Every path that was found and not indexed, in path order."""
    failures: list[tuple[str, str]] = field(default_factory=list)
    """(path, how its parser ended). The file is indexed by line windows, unless the path is among the skips too."""
    secrets: list[FoundSecret] = field(default_factory=list)
    """In path order."""
    notes: list[str] = field(default_factory=list)
    """Remarks for the user, one sentence each."""
    before: Contents | None = None
    """Path -> git's id of the content, for the base's files; None without a base."""
    contents: dict[str, bytes] = field(default_factory=dict)
    """Path -> git's id of the content, for the bundle's files."""
    taken_over: int = 0
    """Files reused from the base."""
    resumed: int = 0
    """Files reused from an interrupted build."""
    is_unchanged: bool = False
    """The existing bundle is up to date, and nothing was written."""
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0

    @property
    def skipped(self) -> dict[str, int]:
        """Reason -> number of paths, most frequent first."""
        return dict(sorted(Counter(skip.reason.value for skip in self.skips).items(), key=lambda pair: (-pair[1], pair[0])))

    @property
    def changes(self) -> Changes:
        """The files that changed since the base was built; without a base all are new."""
        if self.is_unchanged:
            return Changes()
        return changes_between(self.before or {}, self.contents)

    def begin_again(self, note: str) -> None:
        """Clear what a failed attempt reported, and add a note that says why there is another attempt."""
        self.skips.clear()
        self.failures.clear()
        self.secrets.clear()
        self.contents.clear()
        self.before, self.taken_over, self.resumed = None, 0, 0
        self.notes.append(note)

    def add_notes(self, notes: Iterable[str]) -> None:
        """Add remarks; one that an attempt before has made is not repeated."""
        self.notes += [note for note in notes if note not in self.notes]

    def note_secrets(self, item: SourceFile | Skip) -> None:
        """Report the secrets of a file that was read, or that was skipped because it is a secret itself."""
        if isinstance(item, Skip):
            if item.reason is SkipReason.SECRET:
                self.secrets.append(FoundSecret(item.path, 0, item.detail))
        elif item.secrets:
            path = path_without_secret(item.path)
            self.secrets += [FoundSecret(path, line, rule) for rule, line in item.secrets]

    @property
    def secrets_by_rule(self) -> dict[str, int]:
        """Rule -> number of secrets, in order of the rules; those of the manifest if the existing bundle is up to date."""
        if self.is_unchanged and self.manifest and self.manifest.secrets:
            return dict(self.manifest.secrets.found)
        return dict(sorted(Counter(secret.rule for secret in self.secrets).items()))

    def refuse_secrets(self) -> None:
        """Refuse the build if any secret was reported.

        Raises:
            PolicyError: there are secrets.
        """
        if not self.secrets:
            return
        count = len(self.secrets)
        named = ", ".join(str(secret) for secret in self.secrets[:_NAMED_SECRETS])
        more = f" and {count - _NAMED_SECRETS} more" if count > _NAMED_SECRETS else ""
        raise PolicyError(
            f"The source tree holds {'a secret' if count == 1 else f'{count} secrets'}: {named}{more}; nothing was built.",
            hint="Revoke what was published and take it out, or build with --secrets redact.",
            details={"secrets": [secret._asdict() for secret in self.secrets]},
        )

    def finish(self, destination: str, digest: str, manifest: Manifest, *, is_unchanged: bool = False) -> None:
        """Complete the report."""
        self.is_unchanged = is_unchanged
        if is_unchanged:
            self.taken_over = manifest.counts.files
        self.skips.sort(key=lambda skip: skip.path.encode("utf-8", "surrogatepass"))  # a parser that fails comes after its file
        self.destination, self.digest, self.manifest = destination, digest, manifest
        self.seconds = time.perf_counter() - self.started

    def to_json(self) -> dict[str, Any]:
        """The report as ``--report`` writes it."""
        assert self.manifest is not None
        counts, changes = self.manifest.counts, self.changes
        return {
            "schema": "hardtack.build/1",
            "bundle": self.destination,
            "digest": self.digest,
            "commit": self.manifest.provenance.commit,
            "files_indexed": counts.files,
            "files_skipped": sum(self.manifest.skipped.values()),
            "files_failed": len(self.failures),
            "files_added": changes.added,
            "files_removed": changes.removed,
            "files_updated": changes.updated,
            "files_moved": changes.moved,
            "files_taken_over": self.taken_over,
            "files_resumed": self.resumed,
            "is_unchanged": self.is_unchanged,
            "symbols": counts.symbols,
            "chunks": counts.chunks,
            "text_bytes": counts.text_bytes,
            "bundle_bytes": sum(member.size for member in self.manifest.members),
            "seconds": round(self.seconds, 3),
            "peak_memory_bytes": peak_memory(),
            "languages": {language.id: language.files for language in self.manifest.languages},
            "parse_status": dict(self.manifest.parse_status),
            "encodings": [each._asdict() for each in self.manifest.encodings],
            "skipped": dict(self.manifest.skipped) if self.is_unchanged else self.skipped,
            "skips": [{"path": skip.path, "reason": skip.reason.value, "detail": skip.detail} for skip in self.skips],
            "secrets": {
                "mode": self.manifest.secrets.mode if self.manifest.secrets else "",
                "found": self.secrets_by_rule,
                "places": [secret._asdict() for secret in self.secrets],
            },
            "failures": [{"path": path, "error": error} for path, error in self.failures],
            "notes": list(self.notes),
            **({"history": self.manifest.history._asdict()} if self.manifest.history else {}),
        }


def peak_memory() -> int:
    """Bytes: this process's largest resident set plus that of its largest worker."""
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in KiB, on macOS in bytes
    return unit * sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
