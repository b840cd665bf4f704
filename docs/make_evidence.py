"""Write docs/evidence.md: for every promise and every kind of hostile input its tests, the number of cases run, and the outcome.

What is promised stands in SECURITY.md, which kinds of input there are in docs/evidence.toml; the outcomes are those of a test run.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("evidence.md")
TABLE = Path(__file__).with_name("evidence.toml")
POLICY = ROOT / "SECURITY.md"

Outcome = Literal["passed", "failed", "skipped"]

_PROMISED, _THREATS = "What is promised", "Threat model"
_NAMES_A_TEST = re.compile(r"`((?:tests/[\w./*-]+|(?:[\w./-]*/)?test_\w+\.py)(?:::[\w*]+(?:\[[^`]*\])?)?)`")
_LEAD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)

_HEAD = """# Evidence

For every promise of [SECURITY.md](../SECURITY.md) and every kind of hostile input: the tests, the number of cases that were
run, and the outcome. A case is one parameter set of a test, one example of a property, or one input of a fuzzer. What was
skipped, or is not there, shows nothing, and is not said to hold. `make evidence` ran the tests and wrote this page, at commit
{commit}, with {python} on {system}.
"""


class Group(NamedTuple):
    """A promise, a sentence of the threat model, or a kind of hostile input."""

    section: str
    name: str
    tests: tuple[str, ...]
    """Patterns: ``tests/unit/x/test_y.py``, ``tests/unit/x/test_y.py::test_z``, either with ``*``."""


class Case(NamedTuple):
    """A test that was run, with one of its parameter sets."""

    test: str
    """``tests/unit/x/test_y.py::test_z``."""
    outcome: Outcome
    why: str
    """Of one that was skipped."""
    tried: int
    """How many inputs it tried."""


def table() -> dict[str, Any]:
    """docs/evidence.toml."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def groups() -> list[Group]:
    """All groups of the page, in its order."""
    policy, more = POLICY.read_text(encoding="utf-8"), table()["promises"]
    promised = [
        Group("Promises", name, (*named, *(test for test in more.get(name, ()) if test not in named)))
        for name, named in statements(policy, _PROMISED)
    ]
    threats = [Group("Threat model", *statement) for statement in statements(policy, _THREATS)]
    hostile = [Group("Hostile inputs", row["inputs"], tuple(row["tests"])) for row in table()["hostile"]]
    return [*promised, *threats, *hostile]


def statements(policy: str, heading: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(name, the tests it names) of each list item and each row of a table below a heading, but for parts headed "Not ..."."""
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", policy, re.MULTILINE | re.DOTALL)
    text = re.sub(r"^### (?:What is n|N)ot .*?(?=^### |\Z)", "", found[1] if found else "", flags=re.MULTILINE | re.DOTALL)
    for item in re.finditer(r"^- (?P<item>.*(?:\n  .*)*)|(?<=\|\n)\|(?P<row>.*)\|$", text, re.MULTILINE):
        words = item["item"] or item["row"].strip().replace(" | ", ": ", 1)
        if not re.fullmatch(r"[-|: ]+", words):
            yield _name_of(words), tuple(tests_named_in(words))


def _name_of(statement: str) -> str:
    """What is in bold at its start, or else its words up to the first test."""
    lead = _LEAD.match(statement)
    words = " ".join((lead[1] if lead else _NAMES_A_TEST.split(statement)[0]).split()).rstrip(".:;,(| ")
    return words if len(words) <= 140 else f"{words[:140].rpartition(' ')[0]} ..."


def tests_named_in(policy: str) -> list[str]:
    """Every test that stands in backticks anywhere in a document."""
    return [in_full(name) for name in _NAMES_A_TEST.findall(policy)]


def in_full(name: str) -> str:
    """``tests/unit/store/test_pull.py::test_x`` of ``test_pull.py::test_x``, without parameters; an unknown file stays."""
    path, colons, function = name.partition("[")[0].partition("::")
    places = [place.relative_to(ROOT).as_posix() for place in (ROOT / "tests").rglob(Path(path).name)]
    found = [place for place in places if place == path or place.endswith(f"/{path}")]
    return f"{found[0] if len(found) == 1 else path}{colons}{function}"


def known_tests() -> set[str]:
    """``path::function`` of every test that there is, read and not run."""
    return {
        f"{path.relative_to(ROOT).as_posix()}::{node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def fits(pattern: str, test: str) -> bool:
    """Whether a pattern of a group means a test."""
    return fnmatch.fnmatchcase(test if "::" in pattern else test.partition("::")[0], pattern)


def run_tests(paths: Sequence[str], results: Path) -> None:
    """Run test files; what comes of it is written to ``results`` as JUnit's XML."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", "-o", "junit_family=xunit1"]
    subprocess.run([*command, f"--junitxml={results}", *paths], cwd=ROOT, check=False)  # a failure is an outcome
    if not results.exists():
        sys.exit("pytest could not be run, so there is nothing to report.")


def read_cases(results: Path) -> list[Case]:
    """The cases of a test run.

    Raises:
        ElementTree.ParseError: the file is no XML.
    """
    return [_case_of(element) for element in ElementTree.parse(results).iter("testcase")]


def _case_of(element: ElementTree.Element) -> Case:
    path = element.get("file") or element.get("classname", "").replace(".", "/") + ".py"
    test = f"{path}::{element.get('name', '').partition('[')[0]}"
    counts = [int(each.get("value", "1")) for each in element.iter("property") if each.get("name") == "cases"]
    if element.find("failure") is not None or element.find("error") is not None:
        return Case(test, "failed", "", sum(counts) or 1)
    if (skipped := element.find("skipped")) is not None:
        return Case(test, "skipped", skipped.get("message", ""), 0)
    return Case(test, "passed", "", sum(counts) or 1)


def outcome_of(group: Group, cases: Sequence[Case]) -> tuple[int, str]:
    """(number of cases run, what came of them) of a group: "holds" only if each pattern has tests and all of them passed."""
    of_pattern = {pattern: [case for case in cases if fits(pattern, case.test)] for pattern in group.tests}
    own = {id(case): case for found in of_pattern.values() for case in found}.values()
    count = sum(case.tried for case in own)
    failed = sorted({case.test.rpartition("::")[2] for case in own if case.outcome == "failed"})
    skipped = sorted({case.why for case in own if case.outcome == "skipped"})
    missing = [pattern for pattern, found in of_pattern.items() if not found]
    if failed:
        return count, f"**does not hold:** {', '.join(f'`{name}`' for name in failed)}"
    if missing or not group.tests:
        return count, f"**not shown:** no test was run of {', '.join(f'`{name}`' for name in missing) or 'it'}"
    if skipped:
        return count, f"**not shown in full:** skipped, as {'; '.join(skipped)}"
    return count, "holds"


def page(all_groups: Sequence[Group], cases: Sequence[Case], commit: str) -> str:
    """The page."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    lines = [_HEAD.format(commit=commit, python=python, system=f"{platform.system()} {platform.machine()}")]
    for section in dict.fromkeys(group.section for group in all_groups):
        lines += [f"## {section}", "", "| what | tests | cases | outcome |", "|---|---|---:|---|"]
        for group in all_groups:
            if group.section == section:
                count, outcome = outcome_of(group, cases)
                tests = ", ".join(f"`{test.removeprefix('tests/')}`" for test in group.tests) or "none"
                lines.append(f"| {_cell(group.name)} | {_cell(tests)} | {count:,} | {_cell(outcome)} |")
        lines.append("")
    total = {id(case): case for group in all_groups for case in cases if any(fits(pattern, case.test) for pattern in group.tests)}
    lines.append(f"In all: {len(total):,} tests, {sum(case.tried for case in total.values()):,} cases.")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> None:
    """Run the tests of all groups, or read the results of a run, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, help="JUnit XML of a test run of all groups' tests, instead of running them now")
    arguments = parser.parse_args()
    all_groups = groups()
    patterns = {pattern for group in all_groups for pattern in group.tests}
    paths = sorted({test.partition("::")[0] for test in known_tests() if any(fits(pattern, test) for pattern in patterns)})
    with tempfile.TemporaryDirectory() as scratch:
        results = arguments.results or Path(scratch) / "results.xml"
        if not arguments.results:
            run_tests(paths, results)
        cases = read_cases(results)
    described = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    PAGE.write_text(page(all_groups, cases, described.stdout.strip()), encoding="utf-8")
    unshown = [group.name for group in all_groups if outcome_of(group, cases)[1] != "holds"]
    sys.exit(f"Not shown to hold: {'; '.join(unshown)}. {PAGE} says why." if unshown else 0)


if __name__ == "__main__":
    main()
