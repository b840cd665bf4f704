"""Checks by content that no mined repository carries a copy of a benchmark repository's code.

    python mine_exclusions.py --work DIR --benchmark DIR [DIR ...] [--most 0.02]

``--benchmark`` names checkouts of the benchmark's repositories, or git directories, of which the newest commit is read. A stretch
of six telling lines in a row, blanks and indentation aside, is a copy when it stands in both. Prints every repository's share of
copied stretches and the files that have most; the exit code is 1 when a share is above ``--most``.
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from mine_repositories import SUFFIXES, Blobs, files_of, git, listed_repositories

if TYPE_CHECKING:
    from collections.abc import Iterator

STRETCH = 6
SHORTEST_LINE = 12
"""Shorter lines, closing brackets and the like, tell nothing and are left out."""
_CODE = tuple(sorted({suffix for suffixes in SUFFIXES.values() for suffix in suffixes}))
_NOTICES = tuple(
    b"copyright licen warrant permission software merchantab liab damages portions http:// https:// import #include using".split()
)
"""Lines that stand in many projects without one being copied from another."""


def main() -> int:
    """Prints shares; says by its exit code whether all are small."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="the folder that mine_queries.py wrote")
    parser.add_argument("--benchmark", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=float, default=0.02, help="the largest share that is no copy")
    arguments = parser.parse_args()
    known: set[bytes] = set()
    for folder in arguments.benchmark:
        before = len(known)
        for text in _texts(folder):
            known.update(stretches(text))
        print(f"{folder}: {len(known) - before} new stretches", flush=True)
    shares = {}
    for repository in listed_repositories():
        checkout = arguments.work / "repos" / repository.name
        copied, total, files = 0, 0, []
        for path in files_of(repository, checkout):
            here = stretches((checkout / path).read_bytes()) if (checkout / path).is_file() else set()
            same = len(here & known)
            copied, total = copied + same, total + len(here)
            files.append((same, path))
        shares[repository.name] = copied / max(total, 1)
        worst = [f"{path} {same}" for same, path in sorted(files, reverse=True)[:3] if same]
        print(f"{repository.name}: {copied} of {total} ({shares[repository.name]:.2%}) {'; '.join(worst)}", flush=True)
    print(json.dumps({name: share for name, share in shares.items() if share > arguments.most}, indent=1))
    return 1 if any(share > arguments.most for share in shares.values()) else 0


def stretches(text: bytes) -> set[bytes]:
    """A digest of every six telling lines in a row."""
    lines = [b" ".join(line.split()) for line in text.splitlines()]
    telling = [line for line in lines if len(line) >= SHORTEST_LINE and not any(word in line.lower() for word in _NOTICES)]
    windows = (b"\n".join(telling[start : start + STRETCH]) for start in range(len(telling) - STRETCH + 1))
    return {blake2b(window, digest_size=8).digest() for window in windows}


def _texts(folder: Path) -> Iterator[bytes]:
    """Every code file of a checkout, or of the newest commit of a git directory."""
    if not (folder / "HEAD").exists():
        for path in sorted(folder.rglob("*")):
            if path.suffix in _CODE and path.is_file() and not path.is_symlink():
                yield path.read_bytes()
        return
    with Blobs(folder) as read:
        for row in git(folder, "ls-tree", "-r", "HEAD").splitlines():
            fields, _, name = row.partition("\t")
            if name.endswith(_CODE) and fields.startswith("100"):
                yield read(fields.split(" ")[2])


if __name__ == "__main__":
    sys.exit(main())
