"""``hardtack doctor``: the verb; the checks have tests of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run


@pytest.fixture
def lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, without configuration."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_installation_without_a_bundle_has_no_problem(lost: Path) -> None:
    result = run("doctor")
    assert (0, "") == (result.return_value, result.stderr)
    lines = result.stdout.splitlines()
    assert lines[0].startswith("ok       python: CPython 3.")
    nowhere = f"there is none in or above {lost}, nor below HARDTACK_BUNDLE_PATH, nor installed"
    assert f"warning  bundle: {nowhere}. Run: hardtack build" in lines
    assert {"ok", "warning"} == {line.split()[0] for line in lines}


def test_a_bad_bundle_is_a_problem_with_its_exit_code(lost: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (lost / "bad").mkdir()
    (lost / "bad" / "manifest.json").write_text("{}")
    monkeypatch.setenv("HARDTACK_BUNDLE", "bad")
    result = run("doctor", "--json")
    document = json.loads(result.stdout)
    assert (3, "hardtack.doctor/1", 1) == (result.return_value, document["schema"], document["problems"])
    (problem,) = (finding for finding in document["findings"] if finding["status"] == "problem")
    assert ("bundle bad", True) == (problem["about"], problem["says"].startswith("named by HARDTACK_BUNDLE; "))
    assert problem["remedy"]
