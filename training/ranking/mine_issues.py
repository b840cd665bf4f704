"""Issues of our own making: the messages of commits that mend something, answered by the one to three files they changed.

    python mine_issues.py --mirrors DIR --work DIR
    python mine_bundles.py --work DIR --hardtack .venv/bin/hardtack --plain

Reads ``issue_repositories.toml`` and the git mirrors of its repositories (``<owner>+<name>/repo``), and writes the checkouts,
``DIR/issues.jsonl`` and the ``DIR/index.json`` that ``mine_bundles.py`` reads. A message of a title and some paragraphs is the
nearest thing to an issue that a history has: it says what went wrong, with names, errors and code, though its author knew the
cause. None of the repositories is one of a localisation benchmark's.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mine_repositories import Repository, check_out, git, is_test, listed_repositories

LISTED = Path(__file__).with_name("issue_repositories.toml")

HISTORY = 12_000
"""Commits read back from the pinned revision."""
LEAST_WORDS = 25
"""Of the message below its subject."""
MOST_ANSWERS = 3
MOST_TOUCHED = 15
"""Files of any kind in one commit."""
MOST_OF_ONE_FILE = 5
MOST_OF_REPOSITORY = 150

_CODE = re.compile(
    r"\.(?:py|pyx|c|h|cc|cpp|cxx|hpp|hh|go|java|kt|js|jsx|mjs|cjs|ts|tsx|rs|rb|php|swift|lua|scala|ex|exs|hs|cs|bash|sh)$"
)
_TELLS_OF_FAULT = re.compile(
    r"\b(?:fix|bug|issue|fails?|error|crash|wrong|incorrect|regression|exception|traceback|broken|panic)", re.IGNORECASE
)
_CLOSES = re.compile(
    r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|issue|bug)\b[^\n]{0,30}?(?:#|gh-|issues/)\d+", re.IGNORECASE
)
_TRAILER = re.compile(
    r"^(?:fixes|closes|refs?|resolves|change-id|signed-off-by|co-authored-by|reviewed-by|reviewers?|tested-by|acked-by|link|cc)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)


class Mended(NamedTuple):
    """A commit that mended something."""

    commit: str
    message: str
    files: tuple[str, ...]
    """The code that it changed, without tests."""
    closes: bool
    """It names the issue that it closes."""


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    arguments = parser.parse_args()
    rows, index = [], []
    for repository in listed_repositories(LISTED):
        checkout = check_out(repository, mirrors=arguments.mirrors, repos=arguments.work / "repos")
        mined = list(mine(repository, checkout))
        rows += mined
        place = {"plain": str(checkout), "blanked": None, "benchmark_root": ""}
        index.append({"name": repository.name, "language": repository.language, **place})
        print(f"{repository.name}: {len(mined)}", flush=True)
    (arguments.work / "issues.jsonl").write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
    (arguments.work / "index.json").write_text(json.dumps(index, indent=1) + "\n", "utf-8")
    return 0


def mine(repository: Repository, checkout: Path) -> Iterator[dict[str, object]]:
    """At most :data:`MOST_OF_REPOSITORY` issues: those that close an issue first, then by the hash of the commit."""
    present = frozenset(git(checkout, "ls-tree", "-r", "--name-only", repository.revision).splitlines())
    mended = sorted(mended_by(checkout, repository.revision), key=lambda each: (not each.closes, _hash(each.commit)))
    asked = Counter[str]()
    count = 0
    for each in mended:
        if count == MOST_OF_REPOSITORY:
            return
        if present.issuperset(each.files) and all(asked[path] < MOST_OF_ONE_FILE for path in each.files):
            asked.update(each.files)
            count += 1
            fields = {"name": repository.name, "language": repository.language, "commit": each.commit}
            yield {**fields, "query": each.message, "relevant": list(each.files)}


def mended_by(checkout: Path, revision: str) -> Iterator[Mended]:
    """The commits of a history that say at some length what they mended, newest first."""
    options = ("--no-merges", "--raw", "--no-abbrev", "--no-renames", "--format=%x01%H%x02%B%x02")
    log = git(checkout, "log", f"-n{HISTORY}", *options, revision)
    for entry in log.split("\x01")[1:]:
        commit, message, rows = entry.split("\x02")[:3]
        paths = [row.split("\t")[-1] for row in rows.splitlines() if row.startswith(":")]
        files = tuple(path for path in paths if _CODE.search(path) and not is_test(path))
        subject, _, body = message.strip().partition("\n")
        body = _TRAILER.sub("", body).strip()
        is_told = len(body.split()) >= LEAST_WORDS and _TELLS_OF_FAULT.search(message)
        if is_told and 1 <= len(files) <= MOST_ANSWERS and len(paths) <= MOST_TOUCHED:
            yield Mended(commit, f"{subject}\n\n{body}", files, _CLOSES.search(message) is not None)


def _hash(commit: str) -> bytes:
    return hashlib.sha256(commit.encode()).digest()


if __name__ == "__main__":
    sys.exit(main())
