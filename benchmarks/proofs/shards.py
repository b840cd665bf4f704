"""Proves that shards, merged, have the bytes of a build of the whole tree, and says what they cost beside it.

    python benchmarks/proofs/shards.py REPO... [--of N] [--quick]

Of each repository a clone is built whole and in N shards (4), each in a process of its own; the merge of them is compared with the
whole build by ``diff -r``, and both reports with one another. So is a clone with the last 100 commits, the files of the clone
without git, another encoder, a build without text, one shard, and a directory with fewer files than shards. Before each merge the
clone is renamed, so that none can read it. ``--quick`` keeps to the first and the last. Exits 1 on any difference.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from proof import Proof, clone, hardtack, scratch

_OF_THE_BUILD = ("bundle", "seconds", "peak_memory_bytes", "files_taken_over", "notes")
"""Fields of a report that differ between two builds of one tree."""


class Cost(NamedTuple):
    """Seconds that processes took."""

    wall: float
    cpu: float


def run(*arguments: str | Path) -> Cost:
    """Run the command line; one that fails ends the proof."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = hardtack(*arguments, "--quiet", timeout=3600)
    if done.returncode:
        sys.exit(f"hardtack {' '.join(map(str, arguments))} left with {done.returncode}:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def compared(proof: Proof, what: str, source: Path, root: Path, of: int, flags: Iterable[str] = ()) -> None:
    """Build ``source`` whole and in shards, below an empty directory, and compare."""
    root.mkdir()
    whole, merged, shards = root / "whole", root / "merged", [root / f"shard-{number}" for number in range(1, of + 1)]
    reports = [root / "whole.json", root / "merged.json"]
    base = run("build", source, "-o", whole, "--report", reports[0], *flags)
    parts = [run("build", source, "--shard", f"{number}/{of}", "-o", shard, *flags) for number, shard in enumerate(shards, 1)]
    away = source.rename(root / "away")
    last = run("merge", *shards, "-o", merged, "--report", reports[1])
    away.rename(source)
    found = subprocess.run(["diff", "-r", "--brief", whole, merged], capture_output=True, text=True).stdout.splitlines()
    one, other = (json.loads(report.read_text(encoding="utf-8")) for report in reports)
    found += [f"{name} of the report" for name in one if name not in _OF_THE_BUILD and one[name] != other[name]]
    sizes = sum(shard.stat().st_size for shard in shards) / 1e6
    cpu, longest = sum(part.cpu for part in parts), max(part.wall for part in parts)
    detail = (
        f"{one['files_indexed']} files; CPU and wall seconds: whole {base.cpu:.1f}, {base.wall:.1f}; {of} shards {cpu:.1f}, the"
        f" longest {longest:.1f}, {sizes:.1f} MB; merge {last.cpu:.1f}, {last.wall:.1f}"
    )
    proof.claim(what, not found, "; ".join([*found, detail]))
    shutil.rmtree(root)


def smallest_directory(source: Path) -> Path:
    """A directory of the tree that holds files and no other directory, and as few files as any."""
    directories = [path for path in source.rglob("*") if path.is_dir() and ".git" not in path.parts]
    plain = [path for path in directories if all(each.is_file() and each.stat().st_size for each in path.iterdir())]
    return min((path for path in plain if any(each.suffix for each in path.iterdir())), key=lambda path: len(list(path.iterdir())))


def main() -> None:
    """Build, merge, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--of", type=int, default=4, help="shards of a tree")
    parser.add_argument("--quick", action="store_true", help="a commit and a small directory alone")
    arguments = parser.parse_args()
    proof = Proof("Shards, merged, beside builds of the whole tree")
    with scratch() as root:
        for number, repository in enumerate(arguments.repositories):
            name, source = repository.name, clone(repository, root / f"{number}" / repository.name)
            compared(proof, f"{name}: a commit", source, root / "work", arguments.of)
            if not arguments.quick:
                compared(proof, f"{name}: 100 commits", source, root / "work", arguments.of, ["--history", "100"])
                compared(proof, f"{name}: another encoder", source, root / "work", arguments.of, ["--encoder", "hashing"])
                compared(proof, f"{name}: no text", source, root / "work", arguments.of, ["--text", "none", "--no-tests"])
                compared(proof, f"{name}: one shard", source, root / "work", 1)
                shutil.rmtree(source / ".git")
                compared(proof, f"{name}: files without git", source, root / "work", arguments.of)
            few = smallest_directory(source)
            kept = Path(shutil.copytree(few, root / f"{number}" / "few"))
            compared(proof, f"{name}: more shards than files", kept, root / "work", len(list(kept.iterdir())) + 3)
    proof.leave()


if __name__ == "__main__":
    main()
