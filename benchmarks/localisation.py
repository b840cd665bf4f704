"""Measures whether the files and functions that had to change come first for real issues, each asked whole.

    LOCALISATION_DIR=DATA LOCALISATION_MIRRORS=MIRRORS python benchmarks/localisation.py --bundles DIR [--every K] [--tools ...]

What the two directories hold is said in ``localisation_issues.py``, what each tool does in ``localisation_tools.py``. The whole
tree of each issue's base commit is indexed with default settings; bundles stay in ``--bundles``, by the issue's id. Columns:

- *code@k*: all gold files are among the first k, source files that are no tests alone (Acc@k of published tables);
- *any@5*, *MRR*: of the same files, whether one gold file is among the first five, and 1 / the rank of the first;
- *all@k*: all gold files are among the first k of all files;
- *functions@k*: all gold functions are among the first k functions, over issues of Python with at least one. A hit shows a function
  if the lines that they share are half of either. The functions of hits, best hit first, in a hit by line, each once, are the list.
  Gold are functions and methods that the fix changed and that were there before, as in SweRank's and LocAgent's tables
  (arXiv 2505.07849); of k + 1 and more, k in the first k are enough, as there;
- *lines at N*: share of the gold lines (:func:`localisation_issues.gold_lines`) in the first N tokens of what the tool prints;
- *p50 s*: seconds of a query, of a tool that has just answered another.

An issue over which a tool failed counts as a miss in every column, and is named. ``--out DIR`` gets ``results.jsonl``, and
``misses-TOOL.txt``: of each issue where a gold file is not among the first five, the rank of each and what stood above.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hardtack.errors import HardtackError
from localisation_issues import (
    Function,
    Issue,
    Lines,
    Mirrors,
    Shelf,
    functions_of,
    gold_functions,
    gold_lines,
    is_code,
    read_issues,
    some_of,
    write_tree,
)
from localisation_tools import BUDGETS, NAMES, Found, Tool, Tree, tools_named
from measure import table

CODE, ALL, FUNCTIONS = (1, 3, 5, 10), (1, 3, 5, 10), (5, 10)
FAULTS = (HardtackError, OSError, ValueError, SystemExit, subprocess.SubprocessError)
"""What a tool raises that fails over an issue."""
JUDGED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How one tool did over one issue."""

    issue: Issue
    tool: str
    fault: str = ""
    """Why there is no answer; else empty."""
    files: Sequence[str] = ()
    functions: tuple[int, Sequence[bool]] | None = None
    """How many gold functions there are, and of each function of the list whether it is one; None without a gold function, or of a
    tool that finds files alone."""
    lines: Mapping[int, float] | None = None
    """Of each budget the share of the gold lines; None likewise."""
    seconds: float | None = None

    @property
    def code_files(self) -> list[str]:
        """The files that are source and no tests."""
        return list(filter(is_code, self.files))


def are_all_in(gold: Iterable[str], ranked: Sequence[str], k: int) -> bool:
    """Whether all gold files are among the first k."""
    return {*gold} <= {*ranked[:k]}


def first_rank(gold: Iterable[str], ranked: Sequence[str]) -> int:
    """The rank of the first gold file; 0 if none is there."""
    wanted = {*gold}
    return next((rank for rank, path in enumerate(ranked, 1) if path in wanted), 0)


def shown_functions(places: Iterable[Lines], functions: Mapping[str, Sequence[Function]]) -> list[tuple[str, str]]:
    """Path and name of each function that the hits show, in order, each once."""
    found: dict[tuple[str, str], None] = {}
    for path, first, last in places:
        for function in functions.get(path, ()):
            low, high = function.lines.first, function.lines.last
            shared = min(last, high) - max(first, low) + 1
            if 2 * shared >= min(last - first, high - low) + 1:
                found[path, function.name] = None
    return list(found)


def score(issue: Issue, tool: Tool, tree: Tree) -> Score:
    """Ask the tool, and judge its answer."""
    functions = parsed(issue, tree)
    gold, lines = gold_functions(issue, functions), gold_lines(issue, functions)
    try:
        found: Found = tool.find(tree, issue.text)
    except FAULTS as error:
        nothing = dict.fromkeys(BUDGETS, 0.0) if lines else None
        fault = f"{type(error).__name__}: {error}"
        return Score(issue=issue, tool=tool.name, fault=fault, functions=(len(gold), []) if gold else None, lines=nothing)
    ranked = None
    if gold and found.places is not None:
        functions = {**functions, **parsed(issue, tree, {place.path for place in found.places})}
        ranked = len(gold), [each in gold for each in shown_functions(found.places, functions)]
    shares = {n: len(lines & shown) / len(lines) for n, shown in found.shown.items()} if lines and found.shown is not None else None
    return Score(issue=issue, tool=tool.name, files=found.files, functions=ranked, lines=shares, seconds=found.seconds)


def parsed(issue: Issue, tree: Tree, paths: Iterable[str] | None = None) -> dict[str, list[Function]]:
    """The functions of the Python files of those paths, or else of those with gold names; of a file that cannot be parsed none."""
    found = {}
    for path in issue.gold_names if paths is None else paths:
        if path.endswith(".py"):
            try:
                found[path] = functions_of(path, tree.texts.get(path, ""))
            except SyntaxError:
                found[path] = []
    return found


def mean(values: Iterable[float]) -> str:
    """Three digits; a dash for no value."""
    each = list(values)
    return f"{statistics.mean(each):.3f}" if each else "-"


FILES_HEAD = ["tool", "n", "failed", *(f"code@{k}" for k in CODE), f"any@{JUDGED}", "MRR", *(f"all@{k}" for k in ALL)]
LINES_HEAD = ["tool", "n", *(f"functions@{k}" for k in FUNCTIONS), "n", *(f"lines at {n}" for n in BUDGETS), "p50 s"]


def files_row(scores: Sequence[Score]) -> list[str]:
    """What ``FILES_HEAD`` names after the tool. Issues without a gold file that is source count in the last columns alone."""
    judged = [each for each in scores if each.issue.gold_code]
    ranks = [first_rank(each.issue.gold_code, each.code_files) for each in judged]
    cells = [str(len(scores)), str(sum(bool(each.fault) for each in scores))]
    cells += [mean(are_all_in(each.issue.gold_code, each.code_files, k) for each in judged) for k in CODE]
    cells += [mean(0 < rank <= JUDGED for rank in ranks), mean(1 / rank if rank else 0.0 for rank in ranks)]
    return [*cells, *(mean(are_all_in(each.issue.gold, each.files, k) for each in scores) for k in ALL)]


def lines_row(scores: Sequence[Score]) -> list[str]:
    """What ``LINES_HEAD`` names after the tool."""
    judged = [each.functions for each in scores if each.functions is not None]
    cells = [str(len(judged)), *(mean(sum(hits[:k]) >= min(count, k) for count, hits in judged) for k in FUNCTIONS)]
    shares = [each.lines for each in scores if each.lines is not None]
    cells += [str(len(shares)), *(mean(share[n] for share in shares) for n in BUDGETS)]
    times = [each.seconds for each in scores if each.seconds is not None]
    return [*cells, f"{statistics.median(times):.3f}" if times else "-"]


def report(scores: Sequence[Score], title: str, groups_of: Callable[[Score], Iterable[str]]) -> str:
    """Two tables, each with a row for each group and tool."""
    groups: dict[tuple[str, str], list[Score]] = defaultdict(list)
    order = list(dict.fromkeys(each.tool for each in scores))
    for each in scores:
        for group in groups_of(each):
            groups[group, each.tool].append(each)
    keys = sorted(groups, key=lambda key: (key[0], order.index(key[1])))
    files = table([title, *FILES_HEAD], [[*key, *files_row(groups[key])] for key in keys])
    return f"{files}\n{table([title, *LINES_HEAD], [[*key, *lines_row(groups[key])] for key in keys])}"


def missed(each: Score) -> str:
    """The gold files of an issue with their ranks and what stood above the last of them; empty if all are among the first five."""
    gold, ranked = (each.issue.gold_code, each.code_files) if each.issue.gold_code else (each.issue.gold, list(each.files))
    if are_all_in(gold, ranked, JUDGED):
        return ""
    ranks = {path: first_rank([path], ranked) for path in gold}
    worst = max(ranks.values()) if all(ranks.values()) else 2 * JUDGED
    lines = [f"{each.issue.id}: {each.fault or each.issue.text.splitlines()[0][:100]}"]
    lines += [f"  gold {path}: {f'rank {rank}' if rank else 'not found'}" for path, rank in ranks.items()]
    lines += [f"  {rank} {path}" for rank, path in enumerate(ranked[: min(worst, 2 * JUDGED)], 1) if path not in ranks]
    return "\n".join(lines) + "\n"


class Kept:
    """The answers in ``DIR/results.jsonl``, written as they come; nothing of it without a folder."""

    def __init__(self, folder: Path | None, *, resume: bool) -> None:
        self._folder = folder
        self._told: dict[tuple[str, str], dict[str, Any]] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            place = folder / "results.jsonl"
            rows = map(json.loads, place.read_text(encoding="utf-8").splitlines()) if resume and place.exists() else ()
            self._told = {(row["instance_id"], row["tool"]): row for row in rows if not row["fault"]}
            place.write_text("".join(json.dumps(row) + "\n" for row in self._told.values()), encoding="utf-8")

    def score(self, issue: Issue, tool: Tool, tree: Tree) -> Score:
        """The answer that is there, or a new one."""
        if row := self._told.get((issue.id, tool.name)):
            answer = {key: row[key] for key in ("tool", "files", "functions", "seconds")}
            lines = row["lines"] and {int(budget): share for budget, share in row["lines"].items()}
            return Score(issue=issue, lines=lines, **answer)
        found = score(issue, tool, tree)
        if self._folder is not None:
            about = {"instance_id": issue.id, "sets": issue.sets, "repo": issue.repository, "gold": issue.gold, "tool": tool.name}
            answer = {name: getattr(found, name) for name in ("fault", "files", "functions", "lines", "seconds")}
            with (self._folder / "results.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps({**about, **answer}) + "\n")
        return found

    def tell_misses(self, scores: Sequence[Score]) -> None:
        """Write ``misses-TOOL.txt`` of each tool."""
        for tool in {each.tool for each in scores} if self._folder is not None else ():
            told = [missed(each) for each in scores if each.tool == tool]
            Path(self._folder or "", f"misses-{tool}.txt").write_text("\n".join(filter(None, told)), encoding="utf-8")


def directory_of(variable: str, what: str) -> Path:
    """The directory in a variable of the environment. Ends the program with 2 and a sentence where there is none."""
    if not os.environ.get(variable) or not Path(os.environ[variable]).is_dir():
        print(f"Set {variable} to the directory of {what}.", file=sys.stderr)
        raise SystemExit(2)
    return Path(os.environ[variable])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bundles", type=Path, help="where bundles are kept from run to run")
    parser.add_argument("--built", action="store_true", help="only issues whose bundle is there")
    parser.add_argument(
        "--set", action="append", default=[], dest="sets", metavar="NAME", help="a file of the data, without .jsonl [all]"
    )
    parser.add_argument("--repo", action="append", default=[], metavar="OWNER/NAME", help="[all]")
    parser.add_argument(
        "--every", type=int, default=1, metavar="K", help="of each repository every K-th issue in the order of time"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="issues of a repository at most")
    parser.add_argument("--tools", nargs="+", choices=NAMES, default=["hardtack", "bm25", "grep"], help="[hardtack bm25 grep]")
    parser.add_argument("--semble", metavar="PYTHON", help="the Python of semble's environment")
    parser.add_argument("--out", type=Path, help="where the answers and the misses are kept")
    parser.add_argument("--resume", action="store_true", help="take the answers that are kept there, unless a tool failed")
    parser.add_argument("--check", action="store_true", help="only see whether everything is there")
    asked = parser.parse_args()
    data = directory_of("LOCALISATION_DIR", "the issues, *.jsonl")
    mirrors = Mirrors(directory_of("LOCALISATION_MIRRORS", "the projects' git repositories"))
    if asked.check:
        return 0
    issues, faults = read_issues(data, mirrors, asked.sets, asked.repo)
    print("".join(f"Left out: {fault}\n" for fault in faults), end="", file=sys.stderr)
    tools = tools_named(asked.tools, asked.semble)
    scores: list[Score] = []
    kept = Kept(asked.out, resume=asked.resume)
    with tempfile.TemporaryDirectory() as scratch:
        shelf = Shelf(asked.bundles or Path(scratch, "bundles"), mirrors, Path(scratch))
        chosen = [issue for issue in some_of(issues, asked.every, asked.limit) if not asked.built or shelf.has(issue)]
        for number, issue in enumerate(chosen, 1):
            mirror = mirrors.of(issue.repository)
            assert mirror is not None
            tree = Tree(shelf.bundle(issue, issues), partial(write_tree, mirror, issue.commit))
            scores += [kept.score(issue, tool, tree) for tool in tools]
            said = ", ".join(f"{each.tool} {first_rank(each.issue.gold, each.files)}" for each in scores[-len(tools) :])
            print(f"{number} of {len(chosen)}: {issue.id}: first gold file at {said}", file=sys.stderr, flush=True)
    kept.tell_misses(scores)
    print(f"{len(chosen)} issues.\n\n{report(scores, 'set', lambda each: (*each.issue.sets, 'all'))}")
    print(report(scores, "project", lambda each: [each.issue.repository]))
    print("".join(f"{each.tool} failed over {each.issue.id}: {each.fault}\n" for each in scores if each.fault), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
