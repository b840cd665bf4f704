"""What a build did: collected while it runs, shown at its end, written by ``--report``. Never part of the bundle."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hardtack.account import Changes, Contents, changes_between
from hardtack.bundle.manifest import Manifest
from hardtack.model import Skip


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
        self.contents.clear()
        self.before, self.taken_over, self.resumed = None, 0, 0
        self.notes.append(note)

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
            "failures": [{"path": path, "error": error} for path, error in self.failures],
            "notes": list(self.notes),
        }


def peak_memory() -> int:
    """Bytes of the largest resident set this process has had plus the largest of any one of its workers."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
