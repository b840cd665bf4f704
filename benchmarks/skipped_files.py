"""What a build would leave out of whole repositories, with reason and evidence: one line a path, and a sample to judge by hand.

    python benchmarks/skipped_files.py REPOSITORY... --list FILE [--sample N] [--seed N] [--judged FILE]

Nothing is built: the source tree of each repository (a checkout, or a bare one) is read as a build reads it. ``--list`` gets
every path left out, tab-separated: repository, path, reason, evidence. ``--judged`` gets ``--sample`` of them, with room for a
verdict before each: two thirds of those that were judged by their look (generated, minified, vendored, too large, undecodable), the
rest of the others.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hardtack.build.source.tree import open_tree
from hardtack.nouns.outline import Skip, SkipReason

JUDGED = (SkipReason.GENERATED, SkipReason.MINIFIED, SkipReason.VENDORED, SkipReason.TOO_LARGE, SkipReason.UNDECODABLE)


COUNTED = (SkipReason.TOO_LARGE, SkipReason.MINIFIED)
OF_ONE_KIND = 8
"""Paths of one repository with one reason and one evidence in a sample: 4,000 pages of one generator are one verdict."""


class LeftOut(NamedTuple):
    """A path of a repository that a build leaves out."""

    repository: str
    skip: Skip

    def __str__(self) -> str:
        return "\t".join((self.repository, self.skip.path, self.skip.reason.value, self.skip.detail))


def left_out_of(repository: Path) -> list[LeftOut]:
    """Every path that a build of ``repository`` leaves out, in order of paths."""
    name = repository.parent.name if repository.name == "repo" else repository.name
    return [LeftOut(name, item) for item in open_tree(repository).files() if isinstance(item, Skip)]


def grouped(places: Sequence[int], found: Sequence[LeftOut]) -> list[tuple[object, list[int]]]:
    """The places of paths that one repository left out for the same reason and evidence, digits aside."""
    groups: dict[object, list[int]] = {}
    for place in places:
        each = found[place]
        evidence = "" if each.skip.reason in COUNTED else re.sub(r"\d+", "0", each.skip.detail)
        groups.setdefault((each.repository, each.skip.reason, evidence), []).append(place)
    return list(groups.items())


def sample(found: Sequence[LeftOut], size: int, seed: int) -> list[LeftOut]:
    """``size`` of ``found``, two thirds of them judged by their look, in the order of ``found``."""
    chance = random.Random(seed)
    judged = [place for place, each in enumerate(found) if each.skip.reason in JUDGED]
    judged = [place for _, places in grouped(judged, found) for place in chance.sample(places, min(len(places), OF_ONE_KIND))]
    others = [place for place, each in enumerate(found) if each.skip.reason not in JUDGED]
    first = chance.sample(judged, min(len(judged), size * 2 // 3))
    rest = chance.sample(others, min(len(others), size - len(first)))
    return [found[place] for place in sorted((*first, *rest))]


def main() -> None:
    """Read every repository, and write the list and the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPOSITORY")
    parser.add_argument("--list", type=Path, required=True, metavar="FILE")
    parser.add_argument("--sample", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--judged", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    found: list[LeftOut] = []
    for repository in arguments.repositories:
        own = left_out_of(repository)
        counts = ", ".join(f"{count} {reason}" for reason, count in Counter(each.skip.reason.value for each in own).most_common())
        print(f"{repository}: {len(own)} left out ({counts})", flush=True)
        found += own
    arguments.list.write_text("".join(f"{each}\n" for each in found), encoding="utf-8")
    if arguments.judged:
        chosen = sample(found, arguments.sample, arguments.seed)
        arguments.judged.write_text("".join(f"\t{each}\n" for each in chosen), encoding="utf-8")


if __name__ == "__main__":
    main()
