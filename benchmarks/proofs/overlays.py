"""Proves that what answers for an edited working tree is the bundle that a build of that tree would make.

    python benchmarks/proofs/overlays.py REPO... [--scripts N] [--seed N]

Of each repository a clone is indexed once. Each script begins at that commit and does one to six things: edits of ``edits.py``,
staging, moving a directory, a commit, a branch of an earlier commit, a rebase. After each, the bundle that answers for the tree
(``hardtack.overlay``) is held against one that ``hardtack build --worktree`` makes from nothing, by digest, so that every answer
is the same; and what is marked as changed against the files that differ between the two. Exits 1 at a difference, and says which
script led to it.

Then the time: some files of the clone are edited, and the first answer, the next, and the look at a tree without edits are timed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from edits import Checkout
from proof import Proof, clone, git, scratch

from hardtack.build.options import NO_BASE, BuildOptions
from hardtack.build.pipeline import build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.overlay.working_tree import Overlays
from hardtack.query.checkout import head
from hardtack.store.cache import BundleCache

_TOLD_EVERY = 10
_EDITED_FILES = 20
_LOOKS = 9
_LIMITS = ("more than ", "what differs has more than ")
"""How the reasons begin for which a tree may be left to the bundle."""
_MORE_OFTEN = 0.3
"""The chance that a thing is done with git or to a directory, and not to a file."""
_AS = ("-c", "user.name=N", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null")


def stage(checkout: Checkout, chance: random.Random) -> str:
    """Everything into git's index."""
    git(checkout.root, "add", "--all")
    return "stage"


def move_directory(checkout: Checkout, chance: random.Random) -> str:
    """A directory under another name."""
    folders = sorted({str(Path(path).parent) for path in checkout.files()} - {"."})
    if not folders:
        return "move no directory"
    folder = chance.choice(folders)
    (checkout.root / folder).rename(checkout.root / f"{folder}_moved")
    return f"move the directory {folder}"


def commit(checkout: Checkout, chance: random.Random) -> str:
    """What was edited, committed."""
    checkout.commit("edits")
    return "commit"


def branch(checkout: Checkout, chance: random.Random) -> str:
    """Another branch, of a commit a little earlier."""
    checkout.commit("before the branch")
    back = min(chance.randrange(1, 4), int(git(checkout.root, "rev-list", "--first-parent", "--count", "HEAD")) - 1)
    git(checkout.root, "checkout", "--quiet", "--detach", f"HEAD~{back}")
    return f"a branch {back} commits back"


def rebase(checkout: Checkout, chance: random.Random) -> str:
    """A commit on an earlier one, rebased onto where it was."""
    checkout.commit("before the rebase")
    onto = git(checkout.root, "rev-parse", "HEAD")
    with suppress(subprocess.CalledProcessError):
        git(checkout.root, "checkout", "--quiet", "--detach", "HEAD~1")
        done = checkout.edit()
        checkout.commit("side")
        git(checkout.root, *_AS, "rebase", "--quiet", onto)
        return f"{done}, rebased"
    with suppress(subprocess.CalledProcessError):
        git(checkout.root, "rebase", "--abort")
    return "a rebase that failed"


_MORE: Sequence[Callable[[Checkout, random.Random], str]] = (stage, move_directory, commit, branch, rebase)


def script(checkout: Checkout, chance: random.Random) -> str:
    """One script; what it did."""
    some = (
        chance.choice(_MORE)(checkout, chance) if chance.random() < 0.3 else checkout.edit() for _ in range(chance.randint(1, 6))
    )
    return "; ".join(some)


def reset(root: Path, commit_id: str) -> None:
    """The clone as it was indexed."""
    with suppress(subprocess.CalledProcessError):
        git(root, "rebase", "--abort")
    git(root, "checkout", "--quiet", "--force", "--detach", commit_id)
    git(root, "clean", "--quiet", "-ffdx")


def difference(base: Bundle, root: Path, whole: Path, overlays: Overlays, tally: Counter[str]) -> str:
    """What is wrong with what answers for the tree at ``root``; empty where nothing is."""
    path, moved = overlays.over(base, head.Checkout(root))
    build_bundle(root, whole, BuildOptions(worktree=True, base=NO_BASE))
    with open_bundle(whole) as expected:
        before = {file.path: file.blob_id for file in base.files}
        after = {file.path: file.blob_id for file in expected.files}
        differ = {file for file in before | after if before.get(file) != after.get(file)}
        if path is None:
            reason = moved.reason if moved else ""
            tally["over the limits" if reason else "the same as the bundle"] += 1
            is_told = reason.startswith(_LIMITS) if reason else not differ
            return "" if is_told else f"the bundle answers where {len(differ)} files differ: {reason}"
        tally["files that differ"] += len(differ)
        with open_bundle(path) as over:
            if over.digest != expected.digest:
                return f"{over.digest} is not {expected.digest}"
    # Rules of an ignore file that changed leave out files that did not, and bring some back.
    marked = {*moved.changed_paths} if moved else set()
    unmarked = {file for file in differ - marked if file in before and file in after}
    wrong = {file for file in marked & before.keys() & after.keys() if before[file] == after[file]}
    return f"marked wrongly: {sorted(wrong)[:3]}, not marked: {sorted(unmarked)[:3]}" if wrong or unmarked else ""


def times(base: Bundle, root: Path, overlays: Overlays, chance: random.Random) -> str:
    """Seconds of the first answer's reading of an edited tree, milliseconds of the next and of a tree without edits."""

    def looked() -> float:
        started = time.perf_counter()
        overlays.over(base, head.Checkout(root))
        return time.perf_counter() - started

    unchanged = statistics.median(looked() for _ in range(_LOOKS))
    files = [file.path for file in base.files if file.content == "code"]
    for path in chance.sample(files, min(_EDITED_FILES, len(files))):
        with (root / path).open("ab") as file:
            file.write(b"\n\n")
    first = looked()
    after = statistics.median(looked() for _ in range(_LOOKS))
    lines = sum(file.line_count for file in base.files)
    return (
        f"{base.manifest.counts.files} files, {lines} lines: no edits {unchanged * 1e3:.1f} ms; "
        f"{_EDITED_FILES} files edited: first {first:.2f} s, next {after * 1e3:.1f} ms"
    )


def main() -> None:
    """Edit, ask, build, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--scripts", type=int, default=200, metavar="N", help="over all repositories")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    proof = Proof(f"working trees over bundles of {', '.join(path.name for path in arguments.repositories)}")
    for number, repository in enumerate(arguments.repositories):
        share = len(range(number, arguments.scripts, len(arguments.repositories)))
        chance = random.Random(f"{arguments.seed} {repository.name}")
        with scratch() as place:
            root, tally, found, done = clone(repository, place / "source"), Counter[str](), "", ""
            git(root, "remote", "remove", "origin")
            indexed = git(root, "rev-parse", "HEAD")
            build_bundle(root, place / "bundle")
            cache, checkout = BundleCache(place / "cache"), Checkout(root, chance)
            overlays = Overlays(lambda cache=cache: cache)  # type: ignore[misc]
            with open_bundle(place / "bundle") as base:
                for _ in range(share):
                    reset(root, indexed)
                    done = script(checkout, chance)
                    tally["scripts"] += 1
                    if found := difference(base, root, place / "whole", overlays, tally):
                        break
                    if tally["scripts"] % _TOLD_EVERY == 0:
                        print(f"        {repository.name}: {tally['scripts']} scripts the same so far", flush=True)
                reset(root, indexed)
                detail = ", ".join(f"{count} {what}" for what, count in tally.items() if count)
                proof.claim(f"{repository.name}: the bundle of the tree", not found, f"{found} after {done}" if found else detail)
                print(f"        {times(base, root, overlays, chance)}", flush=True)
    proof.leave()


if __name__ == "__main__":
    main()
