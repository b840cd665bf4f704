"""Measures how much longer a warm search for an issue of many words takes than one for its title.

    LOCALISATION_DIR=DATA LOCALISATION_MIRRORS=MIRRORS python benchmarks/issue_speed.py --bundles DIR [--words N] [--limit N]

The directories are those of ``localisation.py``, and only issues count whose bundle it has built in ``--bundles``. An issue's text
is cut after ``--words`` words; a shorter one goes on with the text of the project's next issues, so that all are as long. Title and
issue take turns on one searcher, each answer printed as JSON. Times are CPU milliseconds of this process, medians of each issue's
rounds. Exits with 1 when the median of the ratios is above 5.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hardtack import Searcher
from hardtack.bundle.reader import open_bundle
from hardtack.render import RENDERERS, Style
from localisation import directory_of
from localisation_issues import Issue, Mirrors, Shelf, read_issues, some_of
from measure import in_turns, spread, table

ROUNDS, MOST = 7, 5.0


def text_of(issue: Issue, issues: Sequence[Issue], words: int) -> str:
    """The issue's text and, until there are so many words, that of the issues after it in its project, then of those before it."""
    place = issues.index(issue)
    others = [each for each in (*issues[place:], *issues[:place]) if each.repository == issue.repository]
    text = "\n".join(each.text for each in others)
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[min(words, len(ends)) - 1]]


def spent(searcher: Searcher, query: str) -> float:
    """Seconds of CPU for one search with its answer printed as JSON."""
    start = time.process_time()
    RENDERERS["json"](searcher.search(query), Style())
    return time.process_time() - start


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bundles", type=Path, required=True, help="the bundles of localisation.py")
    parser.add_argument("--words", type=int, default=1000, metavar="N", help="[1000]")
    parser.add_argument("--limit", type=int, metavar="N", help="issues of a repository at most")
    asked = parser.parse_args()
    mirrors = Mirrors(directory_of("LOCALISATION_MIRRORS", "the projects' git repositories"))
    issues, _ = read_issues(directory_of("LOCALISATION_DIR", "the issues, *.jsonl"), mirrors, [], [])
    shelf = Shelf(asked.bundles, mirrors, asked.bundles)
    rows: dict[str, list[tuple[float, float]]] = {}
    for issue in some_of([each for each in issues if shelf.has(each)], 1, asked.limit):
        with Searcher(open_bundle(shelf.bundle(issue, ()), check="sizes"), kept_answers=0) as searcher:
            queries = {"title": issue.text.strip().splitlines()[0], "issue": text_of(issue, issues, asked.words)}
            times = in_turns({name: partial(spent, searcher, query) for name, query in queries.items()}, ROUNDS)
        rows.setdefault(issue.repository, []).append((statistics.median(times["title"]), statistics.median(times["issue"])))
    if not rows:
        parser.error("no issue has a bundle there; localisation.py builds them.")
    rows["all"] = [each for group in rows.values() for each in group]
    told = [
        [
            name,
            len(pairs),
            *(spread(column, 1000, 1) for column in zip(*pairs, strict=True)),
            spread([b / a for a, b in pairs], 1, 2),
        ]
        for name, pairs in rows.items()
    ]
    print(table(["project", "issues", "title, ms", f"{asked.words:,} words, ms", "ratio"], told))
    return 0 if statistics.median(b / a for a, b in rows["all"]) <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
