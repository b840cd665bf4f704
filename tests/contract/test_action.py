"""What others call by name in their workflows: the actions' inputs and outputs, what they pin, and that nothing is unsafe."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from runner import read_yaml

from hardtack.ci.inputs import PREFIX, Inputs, variable_of

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
ACTIONS = [ROOT / "action.yml", ROOT / "publish" / "action.yml", ROOT / "comment" / "action.yml"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DEPENDABOT = ROOT / ".github" / "dependabot.yml"
ISSUE_FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if path.name != "config.yml"]
CALLED = ("index.yml", "index-release.yml")
"""Workflows that others call."""
OF_THE_RUNNER = {"upload-artifact", "artifact-retention-days", "github-token"}
"""Inputs that are not for ``hardtack ci`` by that name."""


def _steps(path: Path) -> list[dict[str, Any]]:
    document = read_yaml(path)
    jobs = [document["runs"]] if "runs" in document else document["jobs"].values()
    return [step for job in jobs for step in job.get("steps", [])]


def test_nothing_in_actions_and_workflows_is_unsafe() -> None:
    command: list[str | Path] = [
        BIN / "zizmor",
        "--offline",
        "--no-progress",
        "--persona",
        "pedantic",
        *ACTIONS,
        *WORKFLOWS,
        DEPENDABOT,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("github-actions", ACTIONS),
        ("github-workflows", WORKFLOWS),
        ("dependabot", [DEPENDABOT]),
        ("github-issue-forms", ISSUE_FORMS),
        ("github-issue-config", [ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"]),
    ],
)
def test_what_github_reads_is_valid(schema: str, paths: list[Path]) -> None:
    command: list[str | Path] = [BIN / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout


def test_each_input_reaches_the_job_by_its_variable_and_has_the_same_default() -> None:
    inputs = read_yaml(ACTIONS[0])["inputs"]
    names = {field.name.replace("_", "-") for field in fields(Inputs)}
    assert set(inputs) == names | OF_THE_RUNNER
    (step,) = (step for step in _steps(ACTIONS[0]) if step.get("id") == "build")
    handed = {name: value for name, value in step["env"].items() if name.startswith(PREFIX)}
    assert {variable_of(name): f"${{{{ inputs.{name} }}}}" for name in names} == handed
    given = {variable_of(name): inputs[name]["default"] for name in names}
    assert Inputs.from_environment({}) == Inputs.from_environment(given)
    assert all(given.values())


def test_what_a_user_gives_never_becomes_part_of_a_script() -> None:
    for path in (*ACTIONS, *WORKFLOWS):
        assert [] == [step["run"] for step in _steps(path) if "${{" in step.get("run", "")]


def test_every_action_is_pinned_by_one_commit_everywhere() -> None:
    pins: dict[str, set[str]] = {}
    for path in (*ACTIONS, *WORKFLOWS):
        for step in _steps(path):
            name, _, pin = step.get("uses", "").partition("@")
            if name and not name.startswith("$/"):
                assert re.fullmatch("[0-9a-f]{40}", pin), name
                pins.setdefault(re.sub("/(?:publish|comment)$", "", name), set()).add(pin)
    assert {} == {name: found for name, found in pins.items() if len(found) > 1}


def test_no_job_may_write_but_those_that_publish() -> None:
    found = {}
    for path in WORKFLOWS:
        document = read_yaml(path)
        assert {} == document["permissions"]
        for name, job in document["jobs"].items():
            writes = {scope for scope, level in job["permissions"].items() if level != "read"}
            if writes:
                found[path.name, name] = writes
    attests = {"contents", "id-token", "attestations"}
    assert {
        ("bundle.yml", "publish"): attests,
        ("comment.yml", "comment"): {"pull-requests"},
        ("index-release.yml", "publish"): attests,
        ("release.yml", "draft"): {"contents"},
        ("release.yml", "index"): attests,  # what bundle.yml asks for
        ("release.yml", "pypi"): {"id-token", "attestations"},
        ("release.yml", "publish"): {"contents"},
        ("release.yml", "major-tag"): {"contents"},
    } == found


def test_what_a_caller_must_grant_is_what_his_target_needs() -> None:
    """GitHub holds what every job of a called workflow asks for against its caller's rights, before any condition is looked at."""
    asked = {
        name: {
            right
            for job in read_yaml(ROOT / ".github" / "workflows" / name)["jobs"].values()
            for right in job["permissions"].items()
        }
        for name in CALLED
    }
    writes = {("contents", "write"), ("id-token", "write"), ("attestations", "write")}
    assert {"index.yml": {("contents", "read")}, "index-release.yml": {("contents", "read"), *writes}} == asked


def test_the_job_that_publishes_checks_out_nothing_and_builds_nothing() -> None:
    for name in ("index.yml", "index-release.yml", "bundle.yml"):
        used = [step.get("uses", "") for step in read_yaml(ROOT / ".github" / "workflows" / name)["jobs"]["publish"]["steps"]]
        attested = ["actions/attest"] if name != "index.yml" else []
        assert ["actions/download-artifact", *attested, "publish"] == [re.sub(r"@.*|(?:.*(?=publish))", "", use) for use in used]


def test_both_reusable_workflows_build_alike() -> None:
    index, release = (read_yaml(ROOT / ".github" / "workflows" / name)["jobs"]["build"] for name in CALLED)
    for job in (index, release):
        job["steps"][-1]["with"].pop("base")
    assert index == release


def test_this_repository_builds_and_publishes_its_own_index_as_it_has_others_do() -> None:
    theirs, ours = (read_yaml(ROOT / ".github" / "workflows" / name)["jobs"] for name in ("index-release.yml", "bundle.yml"))
    for job in ("build", "publish"):
        for key in ("runs-on", "permissions"):
            assert theirs[job][key] == ours[job][key]
    for job in ("build", "publish"):
        shown = [
            [re.sub(r"^OWNER/hardtack", "$", each["uses"].partition("@")[0]) for each in jobs[job]["steps"]]
            for jobs in (theirs, ours)
        ]
        assert shown[0] == [use if use != "$/" else "$" for use in shown[1]]


def test_a_release_is_filled_in_where_the_reusable_workflows_name_the_action(tmp_path: Path) -> None:
    workflows = [tmp_path / ".github" / "workflows" / name for name in CALLED]
    workflows[0].parent.mkdir(parents=True)
    for workflow in workflows:
        workflow.write_bytes((ROOT / ".github" / "workflows" / workflow.name).read_bytes())
    for sha in ("ab" * 20, "cd" * 20):  # the second release replaces the first
        given = ["REPOSITORY=some/hardtack", f"SHA={sha}", "VERSION=v1.2.0"]
        subprocess.run(["make", "-f", ROOT / "Makefile", "pins", *given], cwd=tmp_path, check=True, capture_output=True)
        for workflow in workflows:
            used = [step["uses"] for step in _steps(workflow) if "hardtack" in step.get("uses", "")]
            assert [f"some/hardtack@{sha}", f"some/hardtack/publish@{sha}"] == used
    assert 0 != subprocess.run(["make", "-f", ROOT / "Makefile", "pins", "SHA=main"], cwd=tmp_path, capture_output=True).returncode


def test_what_the_actions_install_is_what_the_tests_ran_with() -> None:
    def pinned(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))

    tested = pinned("requirements/dev.txt")
    locks = {"action": "tree-sitter", "publish": "s3fs", "comment": "msgspec"}
    for name, needed in ((f"requirements/{lock}.txt", needed) for lock, needed in locks.items()):
        found = pinned(name)
        assert {"numpy", "tantivy", "faiss-cpu", "urllib3", "hatchling", needed} <= set(found)
        assert {} == {package: version for package, version in found.items() if tested.get(package) != version}


def _of_the_documents(place: Path) -> list[Path]:
    """The whole workflows of docs/github.md, with a commit where a reader puts that of a release."""
    blocks = re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "docs" / "github.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    workflows = [block.replace("FULLSHA", "0" * 40) for block in blocks if block.startswith("name:")]
    for number, workflow in enumerate(workflows):
        (place / f"{number}.yml").write_text(workflow, encoding="utf-8")
    return sorted(place.glob("*.yml"))


def test_the_workflows_that_the_documents_give_are_valid_safe_and_this_repositorys_own(tmp_path: Path) -> None:
    index, comment = _of_the_documents(tmp_path)
    commands: list[list[str | Path]] = [
        [BIN / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", index, comment],
        [BIN / "zizmor", "--offline", "--no-progress", index, comment],
    ]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert 0 == done.returncode, done.stdout
    ours = read_yaml(ROOT / ".github" / "workflows" / "comment.yml")
    theirs = read_yaml(comment)
    theirs["jobs"]["comment"]["steps"] = [{"uses": "$/comment"}]
    assert ours == theirs


def test_the_workflow_that_comments_checks_out_nothing_and_waits_for_the_one_that_builds(tmp_path: Path) -> None:
    index, comment = map(read_yaml, _of_the_documents(tmp_path))
    started = comment[True if True in comment else "on"]["workflow_run"]["workflows"]
    assert [index["name"]] == started == [read_yaml(ROOT / ".github" / "workflows" / "bundle.yml")["name"]]
    for path in (ROOT / "comment" / "action.yml", ROOT / ".github" / "workflows" / "comment.yml"):
        used = [step["uses"].partition("@")[0] for step in _steps(path) if "uses" in step]
        assert {"actions/setup-python", "$/comment"} >= set(used)


def test_every_input_output_and_permission_is_documented() -> None:
    text = (ROOT / "docs" / "github.md").read_text(encoding="utf-8")
    for path in ACTIONS:
        document = read_yaml(path)
        assert [] == [name for group in ("inputs", "outputs") for name in document.get(group, {}) if f"`{name}`" not in text]
    for name in CALLED:
        called = read_yaml(ROOT / ".github" / "workflows" / name)
        assert f"`{name}`" in text
        for group in ("inputs", "secrets"):
            assert [] == [each for each in called["on"]["workflow_call"].get(group, {}) if f"`{each}`" not in text]
        assert [] == [scope for job in called["jobs"].values() for scope in job["permissions"] if f"`{scope}" not in text]
