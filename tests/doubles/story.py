"""A git repository with a history, and the packs of its commits: what pulls and publications are tried on."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.packing import PackInfo, write_pack

REPOSITORY = "example.org/team/story"
ORIGIN = f"https://{REPOSITORY}.git"

_WHO = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **{f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "A"), ("EMAIL", "a@e.org"))},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass
class Story:
    """A repository whose ``main`` is ``one - two - three - four``, with ``side`` leaving at ``two``: ``left - right``.

    ``right`` is a merge of ``three`` into ``left``.
    """

    root: Path
    commits: dict[str, str]
    """Message -> commit."""
    packs: dict[str, PackInfo]
    """Message -> pack of it, for those that were built."""

    def clone(self, place: Path, at: str = "main", *options: str) -> Path:
        """A checkout of the repository, as a user has it."""
        git(self.root, "clone", "--quiet", *options, self.root.as_uri(), str(place))
        git(place, "checkout", "--quiet", at)
        git(place, "remote", "set-url", "origin", ORIGIN)
        return place


def tell(place: Path, built: tuple[str, ...]) -> Story:
    """Make the repository below ``place``, and the packs of the commits in ``built``."""
    root = place / "story"
    commits: dict[str, str] = {}
    packs: dict[str, PackInfo] = {}
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "remote", "add", "origin", ORIGIN)

    def commit(message: str, *first: str) -> None:
        for command in first:
            git(root, *command.split())
        (root / f"{message}.py").write_text(f"def {message}():\n    return {message!r}\n")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--allow-empty", "--message", message, time=1_000_000_000 + 100 * len(commits))
        commits[message] = git(root, "rev-parse", "HEAD")
        if message in built:
            bundle = place / "bundles" / message
            bundle.parent.mkdir(exist_ok=True)
            build_bundle(root, bundle, BuildOptions(jobs=1, profile="keyword"))
            packs[message] = write_pack(bundle, place / f"{message}.hardtack")

    commit("one")
    commit("two")
    commit("left", "checkout --quiet -b side")
    commit("three", "checkout --quiet main")
    commit("right", "checkout --quiet side", "merge --quiet --no-commit --no-ff main")
    commit("four", "checkout --quiet main")
    return Story(root, commits, packs)


def git(root: Path, *arguments: str, time: int = 1_000_000_000) -> str:
    """What git prints, with nobody's configuration."""
    when = {"GIT_AUTHOR_DATE": f"@{time} +0000", "GIT_COMMITTER_DATE": f"@{time} +0000"}
    done = subprocess.run(["git", *arguments], cwd=root, env=_WHO | when, check=True, capture_output=True, text=True)
    return done.stdout.strip()
