"""Builds a bundle of every tree that queries are asked of, one process at a time; a bundle that is there already is left alone.

    python mine_bundles.py --work DIR --hardtack .venv/bin/hardtack [--profile keyword] [--into bundles]

Reads ``DIR/index.json`` as mine_queries.py writes it, and writes ``DIR/bundles/<name>`` and ``DIR/bundles/<name>-blanked``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path


def main() -> int:
    """Builds what is missing; the exit code is 1 when a build failed, after all were tried."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="the folder that mine_queries.py wrote")
    parser.add_argument("--hardtack", default="hardtack", help="the program that builds")
    parser.add_argument("--profile", choices=("hybrid", "keyword"), default="hybrid")
    parser.add_argument("--into", default="bundles", help="the folder under --work for the bundles")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories; all by default")
    parser.add_argument("--plain", action="store_true", help="leave the blanked trees out")
    arguments = parser.parse_args()
    os.nice(10)
    failed = 0
    for row in in_turns(json.loads((arguments.work / "index.json").read_text("utf-8"))):
        if arguments.only and row["name"] not in arguments.only:
            continue
        trees = {row["name"]: row["plain"]}
        if row["blanked"] and not arguments.plain:
            trees[f"{row['name']}-blanked"] = row["blanked"]
        for name, tree in trees.items():
            failed += not _build(arguments, name, Path(tree) / row["benchmark_root"])
    return 1 if failed else 0


def in_turns(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows of an index so that the languages take turns: what is built when the loop is stopped has some of each."""
    turns = Counter[str]()
    ranked = []
    for row in rows:
        ranked.append((turns[row["language"]], row["language"], row))
        turns[row["language"]] += 1
    return [row for _, _, row in sorted(ranked, key=lambda each: each[:2])]


def _build(arguments: argparse.Namespace, name: str, tree: Path) -> bool:
    """Whether the bundle of ``tree`` stands under ``name`` now."""
    bundle = arguments.work / arguments.into / name
    if (bundle / "manifest.json").exists():
        return True
    began = time.monotonic()
    options = ("--worktree", "--follow-git", "--profile", arguments.profile, "--jobs", "1", "--quiet")
    command = (arguments.hardtack, "build", str(tree), "--output", str(bundle), *options)
    done = subprocess.run(command, check=False, env=os.environ | {"OMP_NUM_THREADS": "1"})
    print(f"{name}: {'failed' if done.returncode else 'built'} in {time.monotonic() - began:.1f} s", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
