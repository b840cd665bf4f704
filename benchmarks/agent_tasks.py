"""Does an agent's question about a repository it does not know lead to all the places of the answer, and for how many tokens?

    python benchmarks/agent_tasks.py --mirrors MIRRORS [--only OWNER/NAME ...] [--tools hardtack ...] [--json FILE] [--keep DIR]

Forty tasks over ten repositories stand in ``agent_tasks/``; ``agent_tasks_files.py`` says what a file has. MIRRORS holds a git
repository for each at OWNER+NAME, in which its commit is. Hardtack is asked beside codegraph, semble and ripgrep with reading, by
the rules in the docstring of ``agent_tasks_tools.py``; no model takes part. ``--keep`` writes every answer with what it was found
to show, so that a person can judge both.

A gold place is found when an answer shows it: a line of it by path and number, or its name beside its path
(``agent_tasks_places.py``). What is measured, of a task:

* the share of its gold places in the first answer, and within six calls;
* the calls used: fewer than six where the answers offer nothing more;
* tokens of four characters: every call as a model writes it and every answer, up to the first and to the last. What a server says
  before, its list of tools and its instructions, is counted once for a session, which is the tasks of one repository. What an
  agent's own tools cost there, which ripgrep stands for, is not counted.

Shares and tokens are means over tasks. A tool that fails over a repository has no figures for it; the program says so and ends
with 1.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from agent_tasks_files import FOLDER, KINDS, Malformed, Project, Task, faults_in, read_projects, write_checkout
from agent_tasks_places import PLACES, Place, found_in
from agent_tasks_ripgrep import Ripgrep
from agent_tasks_tools import Codegraph, Hardtack, Semble, Tool, Turn, turns_of
from localisation_issues import Mirrors
from measure import table

TOKEN = 4
"""Characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a tool made of one task."""

    tool: str
    task: Task
    found: tuple[int, ...]
    """Gold places found after each call, by all answers so far."""
    tokens: tuple[int, ...]
    """Of the calls and answers so far, after each call."""
    missed: tuple[Place, ...]

    @property
    def shares(self) -> tuple[float, float]:
        """Of the gold: in the first answer, in all of them."""
        return self.found[0] / len(self.task.gold), self.found[-1] / len(self.task.gold)


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What a session cost before its first question."""

    tool: str
    repository: str
    version: str
    tokens: int


def score(tool: str, task: Task, turns: Sequence[Turn]) -> Score:
    """The figures of one task, from the calls and answers."""
    places: list[Place] = []
    found, tokens, characters = [], [], 0
    for turn in turns:
        places += PLACES[tool](turn.answer)
        found.append(len(found_in(places, task.gold)))
        characters += len(turn.call.written) + len(turn.answer)
        tokens.append(round(characters / TOKEN))
    shown = found_in(places, task.gold)
    missed = tuple(each for each in task.gold if each not in shown)
    return Score(tool=tool, task=task, found=tuple(found), tokens=tuple(tokens), missed=missed)


async def ask_all(tool: Tool, project: Project, checkout: Path, scratch: Path) -> tuple[Begun, list[tuple[Task, list[Turn]]]]:
    """All tasks of a repository in one session: what that cost before, and the turns of each."""
    async with tool.session(checkout, scratch) as session:
        told = [(task, await turns_of(tool, session.ask, task.question)) for task in project.tasks]
    tokens = round(len(session.fixed) / TOKEN)
    return Begun(tool=tool.name, repository=project.repository, version=session.version, tokens=tokens), told


# -- report ---------------------------------------------------------------------------------------------------------------------

HEAD = ("tasks", "places", "first answer", "all calls", "complete", "calls", "tokens, first", "tokens, all")
OF_SESSION = ("tokens before", "tokens, session")


def figures(scores: Sequence[Score]) -> dict[str, float]:
    """What ``HEAD`` names, of the tasks of one group: ``complete`` is the share of tasks whose places were all found."""
    values = (
        len(scores),
        sum(len(each.task.gold) for each in scores),
        mean(each.shares[0] for each in scores),
        mean(each.shares[1] for each in scores),
        mean(not each.missed for each in scores),
        mean(len(each.tokens) for each in scores),
        mean(each.tokens[0] for each in scores),
        mean(each.tokens[-1] for each in scores),
    )
    return dict(zip(HEAD, values, strict=True))


def figures_of_sessions(scores: Sequence[Score], begun: Sequence[Begun]) -> dict[str, float]:
    """What ``OF_SESSION`` names, of one tool: what stands before the first question, and with it all of a repository's tasks."""
    asked: dict[str, int] = defaultdict(int)
    for each in scores:
        asked[each.task.repository] += each.tokens[-1]
    before = mean(each.tokens for each in begun)
    return dict(zip(OF_SESSION, (before, mean(each.tokens + asked[each.repository] for each in begun)), strict=True))


def grouped(scores: Iterable[Score], key: Callable[[Score], tuple[str, ...]]) -> dict[tuple[str, ...], list[Score]]:
    """The scores by their key, in the order of first occurrence."""
    groups: dict[tuple[str, ...], list[Score]] = defaultdict(list)
    for each in scores:
        groups[key(each)].append(each)
    return groups


def report(scores: Sequence[Score], begun: Sequence[Begun]) -> dict[str, Any]:
    """Everything as JSON values: the figures by tool, and by kind and tool; then the tasks one by one."""
    tools = grouped(scores, lambda each: (each.tool,))
    kinds = grouped(sorted(scores, key=lambda each: KINDS.index(each.task.kind)), lambda each: (each.task.kind, each.tool))
    sessions = {tool: [each for each in begun if each.tool == tool] for (tool,) in tools}
    return {
        "by_tool": [
            {
                "tool": tool,
                "version": ", ".join(sorted({each.version for each in sessions[tool]})),
                **figures(some),
                **figures_of_sessions(some, sessions[tool]),
            }
            for (tool,), some in tools.items()
        ],
        "by_kind": [{"kind": kind, "tool": tool, **figures(some)} for (kind, tool), some in kinds.items()],
        "tasks": [_task_json(each) for each in scores],
    }


def _task_json(each: Score) -> dict[str, Any]:
    return {
        "repository": each.task.repository,
        "number": each.task.number,
        "kind": each.task.kind,
        "tool": each.tool,
        "places": len(each.task.gold),
        "found_after": each.found,
        "tokens_after": each.tokens,
        "missed": [shown(place) for place in each.missed],
    }


def tables(told: Mapping[str, Any]) -> str:
    """The two tables of a report, as Markdown."""
    parts = []
    for key, first in (("by_tool", ("tool", "version")), ("by_kind", ("kind", "tool"))):
        head = (*first, *HEAD, *(OF_SESSION if key == "by_tool" else ()))
        parts.append(table(head, [[_cell(name, row[name]) for name in head] for row in told[key]]))
    return "\n".join(parts)


def _cell(name: str, value: Any) -> str:
    if name in ("first answer", "all calls", "complete"):
        return f"{value:.2f}"
    return f"{value:.1f}" if name == "calls" else f"{value:,.0f}" if isinstance(value, int | float) else str(value)


def shown(place: Place) -> str:
    """``path:first-last name``."""
    return f"{place.path}:{place.first}-{place.last} {place.name}"


def transcript(task: Task, turns: Sequence[Turn], scored: Score) -> str:
    """A task's calls and answers as they were, under what each gold place was first shown by."""
    lines = [f"# {task.repository}, task {task.number} ({task.kind}), {scored.tool}", "", task.question, ""]
    for each in task.gold:
        by = [number for number, turn in enumerate(turns, 1) if found_in(PLACES[scored.tool](turn.answer), [each])]
        lines.append(f"- {shown(each)}: {f'call {by[0]}' if by else 'not found'}")
    for number, turn in enumerate(turns, 1):
        so_far = f"{scored.found[number - 1]} of {len(task.gold)} places, {scored.tokens[number - 1]:,} tokens so far"
        lines += ["", f"## Call {number}: {so_far}", "", turn.call.written, "", turn.answer]
    return "\n".join(lines) + "\n"


NAMES = (Hardtack.name, Codegraph.name, Semble.name, Ripgrep.name)


def tools_named(names: Sequence[str], codegraph: str, semble: str) -> list[Tool]:
    """The tools of those names.

    Raises:
        SystemExit: one cannot be run here.
    """
    tools: dict[str, Tool] = {
        "hardtack": Hardtack(),
        "codegraph": Codegraph(codegraph),
        "semble": Semble(semble),
        "ripgrep": Ripgrep(),
    }
    for name, program, how in (
        ("codegraph", codegraph, "npm install @colbymchenry/codegraph@1.6.1, and name its command with --codegraph"),
        ("semble", semble, 'pip install "semble[mcp]" in an environment of its own, and name its command with --semble'),
        ("ripgrep", "rg", "install ripgrep"),
    ):
        if name in names and not shutil.which(program):
            raise SystemExit(f"{name} cannot be run: there is no {program}; {how}.")
    if "semble" in names and not os.environ.get("SEMBLE_MODEL_NAME"):
        raise SystemExit("semble cannot be run: set SEMBLE_MODEL_NAME to a Model2Vec folder, as semble_model.py writes one.")
    return [tools[name] for name in names]


# -- running --------------------------------------------------------------------------------------------------------------------


def measure_project(
    project: Project, tools: Sequence[Tool], mirrors: Mirrors, keep: Path | None
) -> tuple[list[Score], list[Begun], list[str]]:
    """Ask each tool all tasks of one repository: the scores, what the sessions cost, and a sentence on each failure."""
    scores: list[Score] = []
    sessions: list[Begun] = []
    with tempfile.TemporaryDirectory() as scratch:
        checkout, faults = checked_out(project, mirrors, Path(scratch))
        for tool in () if faults else tools:
            own = Path(scratch, tool.name)
            own.mkdir()
            try:
                begun, told = asyncio.run(ask_all(tool, project, checkout, own))
            except Exception as error:  # noqa: BLE001  (a failure of one tool must not cost the others' figures)
                faults.append(f"{tool.name} failed over {project.repository}: {_innermost(error)}")
                continue
            sessions.append(begun)
            for task, turns in told:
                scores.append(score(tool.name, task, turns))
                if keep is not None:
                    folder = keep / project.repository.replace("/", "-")
                    folder.mkdir(parents=True, exist_ok=True)
                    file = folder / f"{task.number}-{task.kind}-{tool.name}.md"
                    file.write_text(transcript(task, turns, scores[-1]), encoding="utf-8")
    return scores, sessions, faults


def checked_out(project: Project, mirrors: Mirrors, scratch: Path) -> tuple[Path, list[str]]:
    """The tree of a project's commit in a folder below ``scratch``, and a sentence on everything that is wrong with its gold."""
    checkout = scratch / project.repository.rpartition("/")[2]
    mirror = mirrors.of(project.repository)
    if mirror is None:
        return checkout, [f"{project.repository}: there is no mirror {project.repository.replace('/', '+')}."]
    checkout.mkdir()
    try:
        write_checkout(project, mirror, checkout)
    except OSError as error:
        return checkout, [f"{project.repository}: {error}"]
    return checkout, faults_in(project, checkout)


def _innermost(error: BaseException) -> str:
    """What is said by the first error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def main() -> int:
    """Ask and print; 1 if a tool or a task failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True, help="the directory of the projects' git repositories")
    parser.add_argument("--tasks", type=Path, default=FOLDER, help="the directory of the task files")
    parser.add_argument("--only", nargs="+", default=[], metavar="OWNER/NAME", help="these repositories [all]")
    parser.add_argument("--tools", nargs="+", choices=NAMES, default=list(NAMES), help=f"[{' '.join(NAMES)}]")
    parser.add_argument("--codegraph", default="codegraph", metavar="COMMAND", help="[codegraph]")
    parser.add_argument("--semble", default="semble", metavar="COMMAND", help="[semble]")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where all figures are written")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where every answer is written")
    parser.add_argument("--check", action="store_true", help="only see whether the gold places are in their trees")
    asked = parser.parse_args()
    try:
        projects = [each for each in read_projects(asked.tasks) if not asked.only or each.repository in asked.only]
    except Malformed as error:
        raise SystemExit(str(error)) from None
    if missing := set(asked.only) - {each.repository for each in projects}:
        raise SystemExit(f"There are no tasks for {', '.join(sorted(missing))} in {asked.tasks}.")
    tools = [] if asked.check else tools_named(asked.tools, asked.codegraph, asked.semble)
    mirrors = Mirrors(asked.mirrors)
    scores: list[Score] = []
    begun: list[Begun] = []
    faults: list[str] = []
    for number, project in enumerate(projects, 1):
        some, sessions, wrong = measure_project(project, tools, mirrors, asked.keep)
        scores, begun, faults = [*scores, *some], [*begun, *sessions], [*faults, *wrong]
        said = ", ".join(
            f"{tool} {mean(each.shares[0] for each in of):.2f}" for (tool,), of in grouped(some, lambda e: (e.tool,)).items()
        )
        print(f"{number} of {len(projects)}: {project.repository}: {said or 'checked'}", file=sys.stderr, flush=True)
        if asked.json and scores:
            asked.json.write_text(json.dumps(report(scores, begun), indent=1) + "\n", encoding="utf-8")
    print(tables(report(scores, begun)) if scores else f"{len(projects)} repositories, nothing asked.")
    print("".join(f"{fault}\n" for fault in faults), end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
