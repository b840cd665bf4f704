"""A git repository with a history, and the packs of its commits: what pulls and publications are tried on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from checkouts import commit as commit_all
from checkouts import git, init

from hardtack.build.pipeline import BuildOptions, build_bundle
from hardtack.bundle.packing import PackInfo, write_pack

REPOSITORY = "example.org/team/story"
ORIGIN = f"https://{REPOSITORY}.git"


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
        git(self.root, "clone", "--quiet", *options, self.root.as_uri(), str(place))
        git(place, "checkout", "--quiet", at)
        git(place, "remote", "set-url", "origin", ORIGIN)
        return place


def tell(place: Path, built: tuple[str, ...]) -> Story:
    """Make the repository below ``place``, and the packs of the commits in ``built``."""
    root = place / "story"
    commits: dict[str, str] = {}
    packs: dict[str, PackInfo] = {}
    git(init(root), "remote", "add", "origin", ORIGIN)

    def commit(message: str, *first: str) -> None:
        for command in first:
            git(root, *command.split())
        (root / f"{message}.py").write_text(f"def {message}():\n    return {message!r}\n")
        commits[message] = commit_all(root, message, time=1_000_000_000 + 100 * len(commits))
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
