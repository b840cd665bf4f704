"""How this repository releases itself: built once, and those very files published by jobs that run nothing of the project."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from runner import read_yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = read_yaml(ROOT / ".github" / "workflows" / "release.yml")
JOBS: dict[str, Any] = WORKFLOW["jobs"]
SHA = "ab" * 20

GH = r"""#!/usr/bin/env bash
# Stands in for GitHub's command line: tells the tags that there are, and notes what is written.
for argument in "$@"; do
  case "$argument" in *matching-refs*) printf '%s\n' $TAGS; exit 0 ;; esac
done
echo "$*" >> "$NOTED"
case "$*" in *PATCH*) exit "$MISSING" ;; esac
"""


def _needed(name: str) -> set[str]:
    """The jobs that must have gone well before this one."""
    needs = JOBS[name].get("needs", [])
    direct = {needs} if isinstance(needs, str) else set(needs)
    return direct.union(*(_needed(each) for each in direct)) if direct else direct


def _scripts(job: str) -> str:
    return "\n".join(step.get("run", "") for step in JOBS[job].get("steps", []))


def test_a_release_begins_with_a_version_s_tag_and_not_with_the_major_tag_that_it_moves() -> None:
    (pattern,) = WORKFLOW["on"]["push"]["tags"]
    assert ["push"] == [*WORKFLOW["on"]]
    matched = re.compile(pattern.replace(".", "[.]").replace("[[.]]", "[.]"))
    assert [True, True, False, False, False] == [
        bool(matched.fullmatch(tag)) for tag in ("v0.1.0", "v1.12.3", "v0", "v1", "v1.0.0rc1")
    ]


def test_nothing_is_published_before_the_tests_passed_and_the_pack_is_in_the_release() -> None:
    assert {"tests", "build", "sbom"} == _needed("draft")
    assert {"tests", "build", "sbom", "draft", "index"} == _needed("pypi")
    assert {"pypi"} == _needed("publish") - _needed("pypi")
    assert {*JOBS} - {"major-tag"} == _needed("major-tag")
    assert ("$/.github/workflows/ci.yml", "$/.github/workflows/bundle.yml") == (JOBS["tests"]["uses"], JOBS["index"]["uses"])


def test_the_package_is_built_once_and_all_jobs_have_the_same_files() -> None:
    assert ["build"] == [name for name in JOBS if "-m build" in _scripts(name)]
    steps = [*JOBS["build"]["steps"], *JOBS["sbom"]["steps"]]
    assert ["dist", "sbom"] == [step["with"]["name"] for step in steps if "upload-artifact" in step.get("uses", "")]
    for name in ("draft", "pypi"):
        taken = [step["with"] for step in JOBS[name]["steps"] if "download-artifact" in step.get("uses", "")]
        assert [{"name": "dist", "path": "dist"}, {"name": "sbom", "path": "sbom"}] == taken


def test_a_release_has_a_bill_of_materials_that_is_attested_and_not_given_to_pypi() -> None:
    assert "make sbom SBOM=sbom/" in _scripts("sbom")
    assert "--clobber dist/* sbom/*" in _scripts("draft")
    uploads = [line for line in _scripts("pypi").splitlines() if "twine upload" in line or "pypi_attestations sign" in line]
    assert 2 == len(uploads)
    assert [] == [line for line in uploads if "sbom" in line]


def test_who_may_write_installs_nothing_but_the_lock_and_checks_out_no_code() -> None:
    for name in ("draft", "pypi", "publish", "major-tag"):
        checkouts = [step["with"] for step in JOBS[name]["steps"] if "checkout" in step.get("uses", "")]
        assert [] == [each for each in checkouts if each.get("sparse-checkout") != "requirements"]
        for line in _scripts(name).splitlines():
            assert "pip install" not in line or "--require-hashes -r requirements/release.txt" in line


def test_only_the_job_that_uploads_to_pypi_has_its_environment_and_it_logs_in_with_no_secret() -> None:
    assert {"pypi": "pypi"} == {name: job["environment"]["name"] for name, job in JOBS.items() if "environment" in job}
    assert "secrets." not in str(JOBS)
    assert ["pypi"] == [name for name in JOBS if "twine upload" in _scripts(name)]
    (attested,) = (step["with"] for step in JOBS["pypi"]["steps"] if "actions/attest" in step.get("uses", ""))
    assert ["dist/*", "sbom/*"] == attested["subject-path"].split()


@pytest.mark.parametrize(
    ("released", "tags", "moved"),
    [
        ("v0.1.0", ["v0.1.0"], "v0"),
        ("v0.10.0", ["v0.1.0", "v0.9.0", "v0.10.0"], "v0"),
        ("v1.0.1", ["v1.0.0", "v1.0.1", "v1.0.1-rc1", "v1.0.2a1"], "v1"),
        ("v0.9.1", ["v0.9.0", "v0.9.1", "v0.10.0"], ""),
    ],
)
@pytest.mark.parametrize("is_there", [True, False])
def test_the_major_tag_moves_to_the_latest_release_of_its_version_and_never_back(
    tmp_path: Path, released: str, tags: list[str], moved: str, is_there: bool
) -> None:
    program, noted = tmp_path / "gh", tmp_path / "noted"
    program.write_text(GH, encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    noted.touch()
    (step,) = JOBS["major-tag"]["steps"]
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "GITHUB_REF_NAME": released,
        "GITHUB_REF": f"refs/tags/{released}",
        "GITHUB_SHA": SHA,
        "GH_REPO": "some/hardtack",
        "TAGS": " ".join(f"refs/tags/{tag}" for tag in tags),
        "NOTED": str(noted),
        "MISSING": "0" if is_there else "1",
    }
    subprocess.run(["bash", "-e", "-c", step["run"]], env=environment, check=True, capture_output=True)
    patched = f"api --silent --method PATCH repos/some/hardtack/git/refs/tags/{moved} -f sha={SHA} -F force=true"
    made = f"api --silent --method POST repos/some/hardtack/git/refs -f ref=refs/tags/{moved} -f sha={SHA}"
    expected = ([patched] if is_there else [patched, made]) if moved else []
    assert expected == noted.read_text(encoding="utf-8").splitlines()
