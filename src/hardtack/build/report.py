"""What a build did: collected while it runs, shown at its end, written by ``--report``. Never part of the bundle."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hardtack.build.source.secrets import path_without_secret
from hardtack.bundle.format.manifest import Manifest
from hardtack.errors import PolicyError
from hardtack.nouns.outline import Skip, SkipReason, SourceFile
from hardtack.nouns.statistics import Changes, Contents, changes_between

_NAMED_SECRETS = 10
"""How many of the secrets for which a build is refused are named in the sentence that says so."""


class FoundSecret(NamedTuple):
    """Where a secret is; what it is, nobody says."""

    path: str
    """Without what is secret in it."""
    line: int
    """0 where it is the name, or the file as a whole."""
    rule: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place} ({self.rule})"


@dataclass(slots=True, kw_only=True)
class BuildReport:
    """The account of one build."""

    destination: str = ""
    digest: str = ""
    manifest: Manifest | None = None
    skips: list[Skip] = field(default_factory=list)
    """Every path that was seen and not indexed, in path order."""
    failures: list[tuple[str, str]] = field(default_factory=list)
    """(path, how its parser ended): indexed by line windows all the same, unless the path is among the skips too."""
    secrets: list[FoundSecret] = field(default_factory=list)
    """In path order."""
    notes: list[str] = field(default_factory=list)
    """Remarks for the user, one sentence each."""
    before: Contents | None = None
    """Path -> git's id of the content, of the base's files; None where nothing was taken over."""
    contents: dict[str, bytes] = field(default_factory=dict)
    """The same of the bundle's files."""
    taken_over: int = 0
    """Files that came from the base."""
    resumed: int = 0
    """Files that an interrupted build had analysed."""
    is_unchanged: bool = False
    """The bundle was there already, and nothing was written."""
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0

    @property
    def skipped(self) -> dict[str, int]:
        """Reason to number of paths, most frequent first."""
        return dict(sorted(Counter(skip.reason.value for skip in self.skips).items(), key=lambda pair: (-pair[1], pair[0])))

    @property
    def changes(self) -> Changes:
        """What became of the files since the base was built; without one all are new."""
        if self.is_unchanged:
            return Changes()
        return changes_between(self.before or {}, self.contents)

    def begin_again(self, note: str) -> None:
        """Forget what came of an attempt with a base, and say why there is another without."""
        self.skips.clear()
        self.failures.clear()
        self.secrets.clear()
        self.contents.clear()
        self.before, self.taken_over, self.resumed = None, 0, 0
        self.notes.append(note)

    def note_secrets(self, item: SourceFile | Skip) -> None:
        """Note the secrets of a file that was read, or that was skipped because it is one."""
        if isinstance(item, Skip):
            if item.reason is SkipReason.SECRET:
                self.secrets.append(FoundSecret(item.path, 0, item.detail))
        elif item.secrets:
            path = path_without_secret(item.path)
            self.secrets += [FoundSecret(path, line, rule) for rule, line in item.secrets]

    @property
    def secrets_by_rule(self) -> dict[str, int]:
        """Rule to number of secrets, by rule; of a bundle that was there already, what it says itself."""
        if self.is_unchanged and self.manifest and self.manifest.secrets:
            return dict(self.manifest.secrets.found)
        return dict(sorted(Counter(secret.rule for secret in self.secrets).items()))

    def refuse_secrets(self) -> None:
        """Refuse a build that was told to.

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
        """Note how it ended."""
        self.is_unchanged = is_unchanged
        if is_unchanged:
            self.taken_over = manifest.counts.files
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
            "skipped": dict(self.manifest.skipped) if self.is_unchanged else self.skipped,
            "skips": [{"path": skip.path, "reason": skip.reason.value, "detail": skip.detail} for skip in self.skips],
            "secrets": {
                "mode": self.manifest.secrets.mode if self.manifest.secrets else "",
                "found": self.secrets_by_rule,
                "places": [secret._asdict() for secret in self.secrets],
            },
            "failures": [{"path": path, "error": error} for path, error in self.failures],
            "notes": list(self.notes),
        }


def peak_memory() -> int:
    """Bytes of the largest resident set this process has had plus the largest of any one of its workers."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
