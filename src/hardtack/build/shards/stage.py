"""The shards of one tree in, its analysed files out, in path order: the map stage of a build whose map stage has run before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import merge
from pathlib import Path
from typing import Final

from hardtack.build.report import BuildReport
from hardtack.build.reuse.maker import difference, maker
from hardtack.build.shards.shard_file import ShardFile, place_of
from hardtack.build.source.limits import TreeLimits
from hardtack.build.source.part import digest_of_paths
from hardtack.build.source.secrets import path_without_secret
from hardtack.build.workers.executors import Analysed
from hardtack.errors import BuildError, IntegrityError
from hardtack.nouns.outline import Skip

TREE: Final = Path("The tree of the shards")
"""How messages name it."""
_SHARED: Final = {
    "maker": "was built by another version of Hardtack, of an engine or of Python",
    "options": "was built with other options",
    "history": "was built with another --history",
    "encoder": "has the vectors of another encoder",
    "provenance": "is of another commit or repository",
    "tree": "is of other files",
}
"""Field of :class:`head.ShardHead` that all shards of one tree share -> what is said of one that differs."""


class ShardStage:
    """The map stage of a merge."""

    def __init__(
        self, shards: Sequence[ShardFile], report: BuildReport, *, limits: TreeLimits, check: Callable[[], None] = lambda: None
    ) -> None:
        """Read nothing yet.

        Args:
            shards: all shards of one tree (:func:`require_whole`).
            report: told of skips and secrets.
            limits: how large the tree may be.
            check: called before each file is given; it raises when the build has to end.
        """
        self._shards = shards
        self._report = report
        self._limits = limits
        self._check = check
        self.path = ""
        """The file that was given last."""

    @contextmanager
    def running(self) -> Iterator[Iterator[Analysed]]:
        """As :meth:`MapStage.running`.

        Raises:
            BundleError: a shard is malformed, or the shards do not hold all paths of the tree.
            BuildError: the tree is larger than its limits.
        """
        yield self._files()

    def is_same(self, analysed: Analysed) -> bool:
        """As :meth:`MapStage.is_same`; a merge has no base."""
        return False

    def is_reused(self, path: str) -> bool:
        """As :meth:`MapStage.is_reused`."""
        return False

    def _files(self) -> Iterator[Analysed]:
        report, size = self._report, 0
        paths: list[str] = []
        sources: list[Iterable[Skip | Analysed]] = [each for shard in self._shards for each in (shard.skips(), shard.files())]
        for item in merge(*sources, key=_place_of):
            self._check()
            self.path = item.path if isinstance(item, Skip) else item.file.path
            paths.append(path_without_secret(self.path))
            self._limits.check_listing(TREE, len(paths), 0)
            report.note_secrets(item if isinstance(item, Skip) else item.file)
            if isinstance(item, Skip):
                report.skips.append(item)
                continue
            size += max(item.file.size, len(item.file.text))
            self._limits.check_source(TREE, size)
            yield item
        if digest_of_paths(paths) != self._shards[0].head.tree.paths:
            fault = "they do not hold exactly the paths of their tree"
            raise IntegrityError(f"The shards cannot be merged: {fault}.", faults=[fault], hint="Build all shards again.")


def _place_of(item: Skip | Analysed) -> bytes:
    return place_of(item.path if isinstance(item, Skip) else item.file.path)


def require_whole(shards: Sequence[ShardFile]) -> ShardFile:
    """Check that these are the shards of one tree, each once, and built by this very program; gives the first.

    Raises:
        BuildError: one is missing, given twice, of another tree or built otherwise.
    """
    by_part: defaultdict[int, list[ShardFile]] = defaultdict(list)
    first = min(shards, key=lambda shard: shard.head.part.number)
    for shard in shards:
        _require_alike(shard, first)
        by_part[shard.head.part.number].append(shard)
    of = first.head.part.of
    for number, same in by_part.items():
        if len(same) > 1:
            raise BuildError(f"{same[0].path} and {same[1].path} are both shard {number}/{of}.", hint="Name each shard once.")
    missing = [number for number in range(1, of + 1) if number not in by_part]
    if missing:
        shown = f"Shard {missing[0]}/{of} is" if len(missing) == 1 else f"Shards {_listed(missing)} of {of} are"
        hint = f"Build with: hardtack build SRC --shard {missing[0]}/{of} -o FILE"
        raise BuildError(f"{shown} missing; nothing was built.", hint=hint)
    if differs := difference(first.head.maker, maker()):
        raise BuildError(
            f"The shards were built with {differs}, which this Hardtack has.",
            hint="Merge with the version that built them, or build them again with this one.",
        )
    return first


def _require_alike(shard: ShardFile, first: ShardFile) -> None:
    one, other = shard.head, first.head
    hint = "Build all shards of a tree by one version, with the same options, from the same commit."
    if one.part.of != other.part.of:
        raise BuildError(
            f"{shard.path} is shard {one.part}, and {first.path} is shard {other.part}: they are no shards of one build.", hint=hint
        )
    for field, said in _SHARED.items():
        if getattr(one, field) != getattr(other, field):
            more = f" ({difference(one.maker, other.maker)})" if field == "maker" else ""
            raise BuildError(f"{shard.path} {said} than {first.path}{more}.", hint=hint)


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:5]))
    return shown if len(numbers) <= 5 else f"{shown} and {len(numbers) - 5} more"
