"""Queries with known answers, of which the ranking is learned: the benchmark's own, those mined, and issues.

All are asked of whole checkouts, as people index them. What tells of a change is asked twice where the bundle has a history: with
the :data:`HISTORY` first-parent commits before the change, and without any.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardtack.bundle.reader import Bundle

HISTORY = 200
"""Commits that a query may know of, which is what ``hardtack ci`` puts into a bundle."""


@dataclass(frozen=True, slots=True)
class Task:
    """One query and its answers."""

    repository: str
    language: str
    sort: str
    """What kind of query it is: semantic, architecture, symbol, commit, doc, heading, issue."""
    query: str
    relevant: tuple[str, ...]
    """Paths within the bundle, and those that no bundle has: they count as not found."""
    bundle: Path
    commit: str = ""
    """That the query tells of; empty for none."""
    checkout: Path | None = None
    """Whose git history has the commit."""


def benchmark_tasks(benchmark: Path, bundles: Path, checkouts: Path) -> Iterator[Task]:
    """The development half over whole checkouts. The benchmark's labels are relative to the checkout or to the root inside it."""
    commits = json.loads((benchmark / "commits.json").read_text("utf-8"))
    for spec in json.loads((benchmark / "repos.json").read_text("utf-8")):
        name, root = spec["name"], (spec["benchmark_root"] or "").strip("/")
        checkout = checkouts / name

        def within(path: str, checkout: Path = checkout, root: str = root) -> str:
            is_rooted = not root or path.startswith(f"{root}/")
            return path if is_rooted or ((checkout / path).exists() and not (checkout / root / path).exists()) else f"{root}/{path}"

        for entry in json.loads((benchmark / "annotations" / f"{name}.json").read_text("utf-8")):
            named = (*entry["relevant"], *entry.get("secondary", []))
            targets = [each if isinstance(each, str) else each["path"] for each in named]
            relevant = tuple(dict.fromkeys(map(within, targets)))
            yield Task(name, spec["language"], entry["category"], entry["query"], relevant, bundles / name)
        for entry in commits.get(name, []):
            relevant = tuple(dict.fromkeys(map(within, entry["relevant"])))
            yield Task(name, spec["language"], "commit", entry["query"], relevant, bundles / name, entry["commit"], checkout)


def mined_tasks(mined: Path) -> Iterator[Task]:
    """What mine_queries.py found: commits, symbols and headings ask the plain tree, documentation the blanked one."""
    for row in json.loads((mined / "index.json").read_text("utf-8")):
        root = (row["benchmark_root"] or "").strip("/")
        for entry in json.loads((mined / "queries" / f"{row['name']}.json").read_text("utf-8")):
            bundle = mined / "bundles" / (row["name"] if entry["tree"] == "plain" else f"{row['name']}-blanked")
            relevant = tuple(path.removeprefix(f"{root}/") if root else path for path in entry["relevant"])
            if (bundle / "manifest.json").exists():
                yield Task(row["name"], row["language"], entry["kind"], entry["query"], relevant, bundle)


def issue_tasks(issues: Path, bundles: Path) -> Iterator[Task]:
    """What mine_issues.py found, asked of the bundles of whole checkouts."""
    for line in issues.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Task(row["name"], row["language"], "issue", row["query"], tuple(row["relevant"]), bundles / row["name"])


class Windows:
    """Which commits of one bundle's history are older than a change."""

    def __init__(self, bundle: Bundle) -> None:
        history = bundle.history
        self._ordinals = {history.commit(ordinal).id.hex(): ordinal for ordinal in range(len(history))} if history else {}

    def before(self, task: Task) -> range:
        """The last :data:`HISTORY` commits before the one that brought in the task's change; none if it is not in the history."""
        if not self._ordinals or not task.commit:
            return range(0)
        ordinal = self._ordinals.get(task.commit)
        if ordinal is None:
            command = ("rev-list", "--first-parent", "--ancestry-path", f"{task.commit}..HEAD")
            found = subprocess.run(("git", "-C", str(task.checkout), *command), check=False, capture_output=True, text=True)
            ordinal = self._ordinals.get((found.stdout.split() or [""])[-1])
        return range(0) if ordinal is None else range(ordinal + 1, ordinal + 1 + HISTORY)
