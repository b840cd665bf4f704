"""Compare our reading of ``.gitignore`` with git's, on checkouts given as arguments.

    python benchmarks/ignore_oracle.py DIR...

For each DIR, the paths our walk finds are compared with ``git ls-files --cached --others --exclude-standard``. Prints one line for
each checkout and each difference; exits 1 when there is any. To make it say something, put untracked files and build outputs
into the checkout first: what git does not list, the walk must not find.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hardtack.build.source.git import find_repository, list_tracked
from hardtack.build.source.paths import is_housekeeping
from hardtack.build.source.walk import scope_of_checkout, walk
from hardtack.nouns.outline import SkipReason


def paths_of_git(root: Path) -> set[bytes]:
    """Files and links below ``root`` that git tracks or would offer to add, as far as they are on the disk."""
    # The user's own global ignore file is left out: the walk does not read it, on purpose.
    question = ["git", "-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false", "ls-files"]
    listing = subprocess.run(
        [*question, "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True
    ).stdout
    found = {path for path in listing.split(b"\0") if path and not path.endswith(b"/") and not is_housekeeping(path)}
    return {path for path in found if _is_reachable(root, path)}


def paths_of_walk(root: Path) -> set[bytes]:
    """The same as our walk sees it."""
    repository = find_repository(root)
    assert repository is not None, f"{root} is no checkout"
    scope = scope_of_checkout(repository, None)
    return {found.path for found in walk(scope) if found.reason in {None, SkipReason.SYMLINK}}


def _is_reachable(root: Path, path: bytes) -> bool:
    """Whether ``path`` is a file or a link on the disk and none of the directories above it is a link."""
    relative = Path(os.fsdecode(path))
    if any((root / parent).is_symlink() for parent in relative.parents):
        return False
    return (root / relative).is_symlink() or (root / relative).is_file()


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare each root; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", type=Path, nargs="+", metavar="DIR")
    differences = 0
    for root in parser.parse_args(arguments).roots:
        git, ours = paths_of_git(root), paths_of_walk(root)
        repository = find_repository(root)
        assert repository is not None
        tracked = sum(1 for _ in list_tracked(repository))
        total = sum(len(files) for _, _, files in os.walk(root))
        print(f"{root}: {total} files on disk, {tracked} tracked, git lists {len(git)}, the walk finds {len(ours)}")
        for path in sorted(git ^ ours):
            print(f"  only {'git' if path in git else 'the walk'}: {path!r}")
        differences += len(git ^ ours)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
