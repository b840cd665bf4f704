"""What a build did: collected while it runs, shown at its end, written by ``--report``. Never part of the bundle."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

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
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0

    @property
    def skipped(self) -> dict[str, int]:
        """Reason to number of paths, most frequent first."""
        return dict(sorted(Counter(skip.reason.value for skip in self.skips).items(), key=lambda pair: (-pair[1], pair[0])))

    def finish(self, destination: str, digest: str, manifest: Manifest) -> None:
        """Note how it ended."""
        self.destination, self.digest, self.manifest = destination, digest, manifest
        self.seconds = time.perf_counter() - self.started

    def to_json(self) -> dict[str, Any]:
        """The report as ``--report`` writes it."""
        assert self.manifest is not None
        counts = self.manifest.counts
        return {
            "schema": "hardtack.build/1",
            "bundle": self.destination,
            "digest": self.digest,
            "commit": self.manifest.provenance.commit,
            "files_indexed": counts.files,
            "files_skipped": len(self.skips),
            "files_failed": len(self.failures),
            "symbols": counts.symbols,
            "chunks": counts.chunks,
            "text_bytes": counts.text_bytes,
            "bundle_bytes": sum(member.size for member in self.manifest.members),
            "seconds": round(self.seconds, 3),
            "peak_memory_bytes": peak_memory(),
            "languages": {language.id: language.files for language in self.manifest.languages},
            "parse_status": dict(self.manifest.parse_status),
            "skipped": self.skipped,
            "skips": [{"path": skip.path, "reason": skip.reason.value, "detail": skip.detail} for skip in self.skips],
            "failures": [{"path": path, "error": error} for path, error in self.failures],
            "notes": list(self.notes),
        }


def peak_memory() -> int:
    """Bytes of the largest resident set this process has had plus the largest of any one of its workers."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
