"""The tests that ``hardtack impact --diff`` names for commits, against the tests that these commits changed themselves.

    python benchmarks/affected_tests.py --work DIR [--commits 10] REPOSITORY...

Each argument is a git repository on this machine. Of its history, newest first, those commits count that change code and a file
of tests which was there before, at most eight files of code and six of tests, and whose subject says that what the code does
changes (:data:`_CHANGE`, :data:`_NO_CHANGE`): who tidies up edits tests that no change can break. The bundle before is of the
parent; the one after is of the commit with the parent's tests, so that what the commit says in its tests is hidden. Gold are
the files of tests that the commit changes. Printed are the share of them that is named (recall), and the share of all files of
tests that is named.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import Final, NamedTuple

from hardtack.bundle.reader import open_bundle
from hardtack.impact.impact import impact_of_changes
from hardtack.impact.kinship import Kin
from hardtack.nouns.impact import Impact

_TEST: Final = re.compile(
    r"(?:^|/)(?:tests?|spec|__tests__|src/\w*[tT]est)/|(?:^|/)test_[^/]*\.py$|_test\.(?:go|py|rb|exs)$|\.(?:test|spec)\.[cm]?[jt]sx?$|"
    r"(?:Tests?|IT|Spec)\.(?:java|kt|cs|php|scala|groovy)$|_spec\.rb$"
)
_CODE: Final = re.compile(r"\.(?:py|go|rb|[cm]?[jt]sx?|java|kt|cs|php|rs|c|cc|cpp|h|hpp|swift|scala|ex|exs|dart)$")
_NO_CHANGE: Final = re.compile(
    r"(?i)chore|lint|format|style|typo|pre-commit|bump|merge|deprecat|refactor|rename|clean|upgrade|revert|release|copyright|licen[cs]e"
)
_CHANGE: Final = re.compile(
    r"(?i)\b(?:fix|add|support|allow|handle|implement|feat|bug|prevent|avoid|correct|ensure|improve|make|remove|drop|raise|reject|accept)"
)
_MOST_CODE, _MOST_TESTS, _LOOKED_AT = 8, 6, 3000


class Commit(NamedTuple):
    """A commit that counts."""

    id: str
    subject: str
    changed: tuple[tuple[str, str], ...]
    """(git's status, path) of each file."""

    @property
    def tests(self) -> list[str]:
        """Files of tests that it changes and that were there before."""
        return [path for status, path in self.changed if status == "M" and _TEST.search(path) and _CODE.search(path)]


class Row(NamedTuple):
    """What is known of one commit."""

    commit: Commit
    gold: frozenset[str]
    named: frozenset[str]
    files: int
    """Files of tests in the bundle."""
    seconds: float

    @property
    def recall(self) -> float:
        """The share of the gold that is named."""
        return len(self.gold & self.named) / len(self.gold)

    @property
    def share(self) -> float:
        """The share of all files of tests that is named."""
        return len(self.named) / self.files


def main() -> None:
    """Print a row for each commit, and a line for each repository and for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--json", type=Path, help="write the rows there")
    given = parser.parse_args()
    every: list[Row] = []
    for repository in given.repositories:
        rows: list[Row] = []
        tree = given.work / "-".join(repository.parts[-2:])
        if not tree.exists():
            subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(repository), str(tree)], check=True)
        for commit in _commits(tree):
            if len(rows) == given.commits:
                break
            if row := _row(tree, commit, given.work):
                rows.append(row)
                missed = f"  missed {', '.join(sorted(row.gold - row.named))}" if row.gold - row.named else ""
                figures = f"{row.recall:.2f} {len(row.named):4}/{row.files:<4} {row.seconds:5.1f} s"
                print(f"{commit.id[:8]} {figures}  {commit.subject[:60]}{missed}")
                sys.stdout.flush()
        _tell(tree.name, rows)
        every += rows
    _tell("all", every)
    if given.json:
        named = [
            {"commit": row.commit.id, "gold": sorted(row.gold), "named": sorted(row.named), "files": row.files} for row in every
        ]
        given.json.write_text(json.dumps(named, indent=1))


def _tell(name: str, rows: list[Row]) -> None:
    if rows:
        recall, share = mean(row.recall for row in rows), median(row.share for row in rows)
        print(f"{name}: {len(rows)} commits, recall {recall:.3f}, files of tests named: median {share:.1%}")


def _commits(tree: Path) -> Iterator[Commit]:
    for line in _git(tree, "log", "--format=%H %s", "--no-merges", f"-n{_LOOKED_AT}", "origin/HEAD").splitlines():
        id_, _, subject = line.partition(" ")
        if _NO_CHANGE.search(subject) or not _CHANGE.search(subject):
            continue
        listed = _git(tree, "show", "--format=", "--name-status", "--no-renames", id_).splitlines()
        changed = tuple((each.split("\t")[0], each.split("\t")[1]) for each in listed if "\t" in each)
        tests = [path for _, path in changed if _TEST.search(path)]
        code = [path for _, path in changed if _CODE.search(path) and not _TEST.search(path)]
        commit = Commit(id_, subject, changed)
        if commit.tests and 0 < len(code) <= _MOST_CODE and len(tests) <= _MOST_TESTS:
            yield commit


def _row(tree: Path, commit: Commit, work: Path) -> Row | None:
    _git(tree, "checkout", "-qf", f"{commit.id}^")
    _git(tree, "clean", "-qfdx")
    _build(tree, work / "old")
    _git(tree, "checkout", "-qf", commit.id)
    for status, path in commit.changed:
        if _TEST.search(path):
            _git(tree, "rm", "-qf", "--", path) if status == "A" else _git(tree, "checkout", "-q", f"{commit.id}^", "--", path)
    _git(
        tree,
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@localhost",
        "commit",
        "-q",
        "--allow-empty",
        "-am",
        "as it was tested",
    )
    _build(tree, work / "new")
    with open_bundle(work / "old") as old, open_bundle(work / "new") as new:
        files = frozenset(new.file(number).path for number in Kin(new).files)
        gold = files.intersection(commit.tests)
        if not gold:
            return None  # what it changes are helpers of tests
        start = time.perf_counter()
        found: Impact = impact_of_changes(old, new)
        seconds = time.perf_counter() - start
    return Row(commit, gold, frozenset(each.path for each in found.tests), len(files), seconds)


def _build(tree: Path, place: Path) -> None:
    subprocess.run([sys.executable, "-m", "hardtack", "build", str(tree), "-o", str(place)], check=True, capture_output=True)


def _git(tree: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", "-C", str(tree), *arguments], check=True, capture_output=True, text=True, errors="replace")
    return ran.stdout


if __name__ == "__main__":
    main()
