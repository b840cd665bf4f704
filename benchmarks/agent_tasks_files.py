"""The tasks of ``agent_tasks.py``: one file for each repository, and the trees that they are asked about.

``agent_tasks/OWNER-NAME.toml`` has ``repository`` (OWNER/NAME), ``commit``, ``language``, and four ``[[task]]``, each with
``kind``, ``question``, ``verified`` (how the answer was found) and ``gold``: the places that a complete answer names, each with
``path``, ``lines`` (first and last, from 1) and ``name``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_tasks_places import Place
from localisation_issues import git, write_tree

FOLDER = Path(__file__).with_name("agent_tasks")
KINDS = ("callers", "impact", "add", "trace", "explain", "tests")
TASKS = 4
"""In a file."""
REPOSITORIES = 10
LEAST, MOST = 2, 15
"""Places of a task."""
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Malformed(ValueError):
    """A task file that is not as it has to be. Its text is a sentence that names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question and the places that a complete answer names."""

    repository: str
    """OWNER/NAME."""
    number: int
    """In its file, from 1."""
    kind: str
    question: str
    gold: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A repository at a commit, and what is asked about it."""

    repository: str
    """OWNER/NAME."""
    commit: str
    language: str
    tasks: tuple[Task, ...]


def read_projects(folder: Path = FOLDER) -> list[Project]:
    """Those of all files, in the order of their names.

    Raises:
        Malformed: a file is not as it has to be.
    """
    return [read_project(file) for file in sorted(folder.glob("*.toml"))]


def read_project(file: Path) -> Project:
    """The project of one file.

    Raises:
        Malformed: the file is not as it has to be.
    """
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        repository, commit, language = (str(table[key]) for key in ("repository", "commit", "language"))
        tasks = tuple(_task(repository, number, row) for number, row in enumerate(table["task"], 1))
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise Malformed(f"{file.name}: {what}.") from error
    wrong = {
        f"its name is not that of {repository}": file.stem != repository.replace("/", "-") or repository.count("/") != 1,
        f"the commit {commit!r} is not 40 hexadecimal digits": not _COMMIT.fullmatch(commit),
        "the language is empty": not language.strip(),
        f"it has {len(tasks)} tasks instead of {TASKS}": len(tasks) != TASKS,
        "two of its questions are the same": len({task.question for task in tasks}) != len(tasks),
    }
    for what, is_so in wrong.items():
        if is_so:
            raise Malformed(f"{file.name}: {what}.")
    return Project(repository=repository, commit=commit, language=language, tasks=tasks)


def _task(repository: str, number: int, row: dict[str, Any]) -> Task:
    """One entry. Raises KeyError, TypeError or ValueError."""
    gold = tuple(_gold(number, entry) for entry in row["gold"])
    if row["kind"] not in KINDS:
        raise ValueError(f"task {number}: the kind {row['kind']!r} is none of {', '.join(KINDS)}")
    if not (row["question"].strip() and row["verified"].strip()):
        raise ValueError(f"task {number}: its question, or how it was verified, is empty")
    if not LEAST <= len(gold) <= MOST:
        raise ValueError(f"task {number} has {len(gold)} places instead of {LEAST} to {MOST}")
    if len({(each.path, each.first, each.last, each.name) for each in gold}) != len(gold):
        raise ValueError(f"task {number} has a place twice")
    return Task(repository=repository, number=number, kind=row["kind"], question=row["question"].strip(), gold=gold)


def _gold(number: int, entry: dict[str, Any]) -> Place:
    """One place. Raises KeyError, TypeError or ValueError."""
    path, (first, last), name = entry["path"], entry["lines"], entry["name"]
    if not (isinstance(first, int) and isinstance(last, int) and 1 <= first <= last):
        raise ValueError(f"task {number}: {path} has no lines {first} to {last}")
    if not path or path.startswith(("/", "./")) or ".." in path.split("/") or not name:
        raise ValueError(f"task {number}: {path!r} is no path inside the repository, or the place has no name")
    return Place(path, first, last, name)


def write_checkout(project: Project, mirror: Path, directory: Path) -> None:
    """Write the tree of the project's commit into an empty directory, as a git repository with one commit.

    Raises:
        CalledProcessError: git failed.
    """
    write_tree(mirror, project.commit, directory)
    git(directory, "init", "--quiet")
    git(directory, "add", "--all", "--force")
    git(directory, "-c", "user.name=tasks", "-c", "user.email=tasks@localhost", "commit", "--quiet", "--message", project.commit)


def faults_in(project: Project, checkout: Path) -> list[str]:
    """A sentence on each gold place that is not in the tree: no such file or line, or its name is in none of its lines."""
    faults = []
    for task in project.tasks:
        for each in task.gold:
            file = checkout / each.path
            lines = file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []
            word = re.split(r"\W+", each.name.strip())[-1]
            if len(lines) < each.last or word not in "\n".join(lines[each.first - 1 : each.last]):
                place = f"{each.path}:{each.first}-{each.last}"
                faults.append(f"{project.repository}, task {task.number}: {place} has no {each.name} at the commit.")
    return faults
