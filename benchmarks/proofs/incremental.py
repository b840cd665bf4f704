"""Proves that an incremental build gives the bytes of a full one: builds both ways after edits, and compares.

    python benchmarks/proofs/incremental.py REPO... [--scripts N] [--commits N] [--seed N] [--profile keyword]

``--scripts`` edits a clone of each repository in rounds of one to six edits (``edits.py``: add, delete, move, rename, copy, edit
inside functions, call things otherwise, change bases and ignore rules), commits them, or in every fifth round leaves them in the
working tree; ``--commits`` walks through as many consecutive commits of the first parent's line instead. After each, the bundle of
the round before is replaced by one built with ``--base auto``, and ``diff -r`` holds it against one of ``--base none``. Says at the
end what was taken over. Exits 1 at a difference, and says which edits led to it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from edits import Checkout
from proof import Proof, clone, git, scratch

from hardtack.build.pipeline import NO_BASE, BuildOptions, build_bundle
from hardtack.errors import NothingIndexed
from hardtack.store.built import BuiltHere
from hardtack.store.cache import BundleCache

_WORKTREE_EVERY = 5
_TOLD_EVERY = 25


def rounds_of_edits(source: Path, count: int, chance: random.Random) -> Iterator[tuple[str, bool]]:
    """What was done in each round, and whether it is to be read from the working tree."""
    checkout = Checkout(source, chance)
    for number in range(count):
        done = "; ".join(checkout.edit() for _ in range(chance.randint(1, 6)))
        if is_committed := number % _WORKTREE_EVERY != _WORKTREE_EVERY - 1:
            checkout.commit(done)
        yield done, not is_committed


def rounds_of_commits(source: Path, count: int) -> Iterator[tuple[str, bool]]:
    """Each of the last commits in turn, checked out."""
    for commit in reversed(git(source, "rev-list", "--first-parent", f"--max-count={count}", "HEAD").split()):
        git(source, "checkout", "--quiet", "--force", commit)
        yield commit, False


def difference(source: Path, place: Path, whole: Path, profile: str, *, worktree: bool, tally: Counter[str]) -> str:
    """What ``diff -r`` says of the bundle built onto that at ``place`` and one built from nothing; empty if both are the same."""
    shutil.rmtree(whole, ignore_errors=True)
    try:
        own = BuiltHere(lambda: BundleCache(place.parent / "notes"))
        report = build_bundle(source, place, BuildOptions(worktree=worktree, profile=profile, jobs=1), own=own)
    except NothingIndexed:
        tally["nothing to index"] += 1
        return ""
    build_bundle(source, whole, BuildOptions(worktree=worktree, profile=profile, jobs=1, base=NO_BASE))
    changes = report.changes
    tally += Counter(
        {
            "builds": 1,
            "unchanged": report.is_unchanged,
            "without a base": report.before is None and not report.is_unchanged,
            "files": report.manifest.counts.files if report.manifest else 0,
            "taken over": report.taken_over,
            "added": changes.added,
            "removed": changes.removed,
            "updated": changes.updated,
            "moved": changes.moved,
        }
    )
    done = subprocess.run(["diff", "-r", str(whole), str(place)], capture_output=True, text=True)
    return "; ".join(done.stdout.splitlines()[:6]) if done.returncode else ""


def main() -> None:
    """Edit, build twice, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--scripts", type=int, default=500, metavar="N", help="rounds of edits, over all repositories")
    parser.add_argument("--commits", type=int, default=0, metavar="N", help="consecutive commits of each, instead")
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--profile", choices=["hybrid", "keyword"], default="hybrid")
    arguments = parser.parse_args()
    proof = Proof(f"incremental builds of {', '.join(path.name for path in arguments.repositories)}")
    for number, repository in enumerate(arguments.repositories):
        share = len(range(number, arguments.scripts, len(arguments.repositories)))
        with scratch() as root:
            source, tally, found, last = clone(repository, root / "source"), Counter[str](), "", ""
            chance = random.Random(f"{arguments.seed} {repository.name}")
            rounds = rounds_of_commits(source, arguments.commits) if arguments.commits else rounds_of_edits(source, share, chance)
            build_bundle(source, root / "bundle", BuildOptions(profile=arguments.profile, jobs=1))
            for done, worktree in rounds:
                found = difference(source, root / "bundle", root / "whole", arguments.profile, worktree=worktree, tally=tally)
                last = done
                if found:
                    break
                if tally["builds"] % _TOLD_EVERY == 0:
                    print(f"        {repository.name}: {tally['builds']} rounds the same so far", flush=True)
            detail = ", ".join(f"{count} {what}" for what, count in tally.items() if count)
            proof.claim(f"{repository.name}: both ways the same", not found, f"{found} after {last}" if found else detail)
    proof.leave()


if __name__ == "__main__":
    main()
