"""Every fuzz target. A target is a name, seeds, a way to change one, and a way to use what comes out."""

from __future__ import annotations

from typing import Final

from driver import Target

from targets import bundles, engines, git_output, ignore_rules, members, pipeline, protocol, queries, readers, sources

TARGETS: Final[tuple[Target, ...]] = (
    *bundles.TARGETS,
    *members.TARGETS,
    *engines.TARGETS,
    *git_output.TARGETS,
    *ignore_rules.TARGETS,
    *sources.TARGETS,
    *readers.TARGETS,
    *pipeline.TARGETS,
    *queries.TARGETS,
    *protocol.TARGETS,
)
