"""What people expect at the top of a repository: locks, hooks, updates and what CI runs agree with each other."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from runner import read_yaml

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "requirements"
CI: dict[str, Any] = read_yaml(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]
USERS = [
    ROOT / "Makefile",
    ROOT / "action.yml",
    ROOT / "publish" / "action.yml",
    ROOT / "comment" / "action.yml",
    *(ROOT / ".github" / "workflows").glob("*.yml"),
]
"""Files that install from locks."""


def _recipe(*targets: str) -> list[str]:
    """The commands that make would run for these, were everything old."""
    command = ["make", "--no-print-directory", "--dry-run", "--always-make", *targets]  # the tests may be run by make themselves
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def test_every_lock_that_is_named_is_there_and_every_one_that_is_there_is_named() -> None:
    named = {name for path in USERS for name in re.findall(r"requirements/([\w.-]+\.(?:txt|in))", path.read_text(encoding="utf-8"))}
    assert {path.name for path in REQUIREMENTS.iterdir()} == named


@pytest.mark.parametrize("path", sorted(REQUIREMENTS.glob("*.txt")), ids=lambda path: path.name)
def test_a_lock_pins_each_package_with_its_hashes_and_names_no_index(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    assert [] == [
        entry
        for entry in entries
        if not re.match(r"[\w.-]+(\[[\w,-]+\])?==\S+(?: ;[^-]+)?(?: +--hash=sha256:[0-9a-f]{64})+ *$", entry)
    ]


def test_make_lock_writes_every_lock_but_the_one_whose_build_no_index_has() -> None:
    written = {match for line in _recipe("lock") for match in re.findall(r"--output-file requirements/(\S+)", line)}
    assert {path.name for path in REQUIREMENTS.glob("*.txt")} - {"torch.txt"} == written


def test_dependabot_looks_where_there_is_something_to_update() -> None:
    read = {"pip": ("*.txt", "*.in"), "github-actions": ("action.yml", ".github/workflows/*.yml")}
    for update in read_yaml(ROOT / ".github" / "dependabot.yml")["updates"]:
        for directory in update.get("directories") or [update["directory"]]:
            place = ROOT / directory.removeprefix("/")
            assert [path for pattern in read[update["package-ecosystem"]] for path in place.glob(pattern)], directory


def test_hooks_run_what_make_runs_from_the_same_environment() -> None:
    hooks = [hook for repository in read_yaml(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repository["hooks"]]
    run = {tuple(word for word in hook["entry"].split() if not word.startswith("--")) for hook in hooks}
    checks = {".venv/bin/ruff", ".venv/bin/mypy", ".venv/bin/lint-imports"}
    made = [line.split() for line in _recipe("lint", "types") if line.split()[0] in checks]
    assert {tuple(word for word in line if not word.startswith("--") and word != ".") for line in made} == run


def test_ci_runs_all_that_a_developer_is_asked_to_run() -> None:
    asked = re.findall(r"^make (\S+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    ran = {
        target
        for job in CI.values()
        for step in job["steps"]
        for target in re.findall(r"^make (\S+)", step.get("run", ""), re.MULTILINE)
    }
    assert {"test", "test-transformers"} == {*asked}
    assert set() == {*_recipe(*asked)} - {*_recipe(*(ran - {".venv/.installed"}))}


def test_ci_tests_every_python_that_the_package_says_it_supports() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    said = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    assert said == CI["tests"]["strategy"]["matrix"]["python"]
    assert f'requires-python = ">={said[0]}"' in project


def test_the_query_half_is_tested_without_the_build_half_on_each_system_with_bundles_of_another() -> None:
    systems = CI["query"]["strategy"]["matrix"]["system"]
    assert {"ubuntu", "macos", "windows"} == {system.partition("-")[0] for system in systems}
    install, test = (step["run"] for step in CI["query"]["steps"] if "run" in step)
    theirs = _recipe("test-query")
    assert "build" not in re.findall(r"\[([\w,]+)\]", install)[0].split(",")
    assert any(line.endswith(install.partition(" --disable-pip-version-check ")[2]) for line in theirs)
    asked, made = (re.sub(r"--bundles \S+", "", line).partition("python ")[2] for line in (test, theirs[-1]))
    assert asked == made
    assert "bundles" == CI["query"]["needs"]


def test_a_vulnerability_is_reported_in_private() -> None:
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for heading in ("How to report", "Supported versions", "What is promised", "What is not promised"):
        assert f"## {heading}" in policy
    assert "SECURITY.md" in (ROOT / ".github" / "ISSUE_TEMPLATE" / "bug.yml").read_text(encoding="utf-8")
