"""The bundle that a job has built in, what the pull request changes out.

The base's bundle is built beside it, and both are compared. It takes over all that did not change, and is thrown away afterwards.
No fault of it ends the job.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from hardtack.build.options import BuildOptions
from hardtack.build.pipeline import build_bundle
from hardtack.bundle.packing import PackInfo
from hardtack.bundle.reader import open_bundle
from hardtack.ci.pictures import NOTHING, Picture, dependants
from hardtack.ci.pull_request import PullRequest, base_commit
from hardtack.comment.gathering import note_of
from hardtack.comment.note import Note
from hardtack.descriptors import work_directory
from hardtack.diff.comparable import scope_of
from hardtack.diff.comparison import compare
from hardtack.errors import HardtackError
from hardtack.impact.impact import impact_of_changes
from hardtack.store.history import History


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a pull request changes, or why nothing was compared."""

    note: Note | None = None
    """None where nothing was compared."""
    picture: Picture = NOTHING
    """What depends on what changed."""
    why: str = ""
    """Why nothing was compared, as the end of a sentence; empty where something was."""


def compared(checkout: Path, pull: PullRequest, history: History, bundle: Path, pack: PackInfo, options: BuildOptions) -> Compared:
    """Compare a pull request's bundle with that of the commit that it starts from.

    Args:
        checkout: the directory that was built.
        pull: as the event tells.
        history: the checkout's.
        bundle: the pull request's bundle.
        pack: the same as a pack.
        options: those that it was built with.
    """
    base = base_commit(history, pull)
    if not base:
        return Compared(why="the checkout lacks the commit that the pull request starts from; check out more (fetch-depth)")
    try:
        with work_directory() as scratch:
            build_bundle(checkout, scratch / "bundle", _of_base(options, base, bundle))
            with open_bundle(scratch / "bundle") as old, open_bundle(bundle) as new:
                note = note_of(compare(old, new), impact_of_changes(old, new), old.manifest, pack)
                return Compared(note=note, picture=dependants(new, scope_of(old, new).new))
    except HardtackError as error:
        return Compared(why=str(error).rstrip("."))


def _of_base(options: BuildOptions, commit: str, base: Path) -> BuildOptions:
    """The options for the bundle of the base: what nobody compares is left out, and secrets that it has end nothing."""
    secrets = "redact" if options.source.secrets == "fail" else options.source.secrets
    return replace(
        options, commit=commit, base=base, history=0, scip=(), max_size=None, source=replace(options.source, secrets=secrets)
    )
