"""Which libraries are installed, in which version, and whether they work."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import hardtack
from hardtack.clients.table import Places
from hardtack.doctor import engines
from hardtack.doctor.engines import EXTRAS, TRIALS, Requirement, lies_in, parse_requirement
from hardtack.doctor.findings import Finding, Surroundings

PACKAGE = Path(hardtack.__file__).parent
PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def surroundings(tmp_path: Path) -> Surroundings:
    places = Places(home=tmp_path, project=tmp_path, platform="linux")
    return Surroundings(start=tmp_path, environment={}, roots=[], places=places, now=0.0)


def test_what_all_of_hardtack_needs_is_tried_and_nothing_else() -> None:
    lines = filter(engines._is_for_this_python, PROJECT["dependencies"])
    assert {parse_requirement(line).name for line in lines} == set(TRIALS)


def test_a_requirement_of_older_pythons_alone_is_left_out() -> None:
    assert engines._is_for_this_python("numpy>=1.26")
    assert engines._is_for_this_python("some; python_version < '4.0'")
    assert not engines._is_for_this_python('some>=1; python_version < "3.11"')


def test_every_extra_has_its_purpose() -> None:
    assert set(PROJECT["optional-dependencies"]) - {"dev"} == set(EXTRAS)


def test_every_extra_brings_a_library_that_the_code_imports() -> None:
    lines = [line.split() for path in PACKAGE.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    imported = {words[1].partition(".")[0] for words in lines if words[:1] in (["import"], ["from"]) and len(words) > 1}
    module_names = {"google-re2": "re2", "protobuf": "google"}
    for extra in EXTRAS:
        wanted = [parse_requirement(line).name for line in PROJECT["optional-dependencies"][extra]]
        assert imported & {module_names.get(name, name.replace("-", "_")) for name in wanted}, extra


@pytest.mark.parametrize("name", TRIALS)
def test_a_trial_passes_here_and_fails_where_the_library_is_missing(name: str) -> None:
    assert "" == engines._failure(name)
    without = subprocess.run([sys.executable, "-S", "-P", "-c", TRIALS[name]], capture_output=True, text=True, check=False)
    assert without.stderr.splitlines()[-1].startswith("ModuleNotFoundError: ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("numpy>=1.26", Requirement("numpy", ">=1.26", "")),
        ("tantivy<0.28,>=0.24", Requirement("tantivy", ">=0.24,<0.28", "")),
        ('mcp<3,>=2.3; extra == "mcp"', Requirement("mcp", ">=2.3,<3", "mcp")),
        ("fsspec (>=2025.9) ; extra == 'gcs'", Requirement("fsspec", ">=2025.9", "gcs")),
        ("msgpack", Requirement("msgpack", "", "")),
    ],
)
def test_a_requirement_is_read_as_metadata_writes_it(line: str, expected: Requirement) -> None:
    assert expected == parse_requirement(line)


@pytest.mark.parametrize(
    ("version", "bounds", "expected"),
    [
        ("1.26.0", ">=1.26", True),
        ("1.26", ">=1.26.0", True),
        ("1.9", ">=1.26", False),
        ("2.0.0rc1", "<2", False),
        ("1.11.post1", ">=1.11,<2", True),
        ("0.28", ">=0.24,<0.28", False),
        ("0.27.9+local", ">=0.24,<0.28", True),
        ("3", "", True),
        ("3", "!=3", False),
    ],
)
def test_a_version_lies_in_a_range_or_not(version: str, bounds: str, expected: bool) -> None:
    assert expected == lies_in(version, bounds)


def test_here_every_engine_works(surroundings: Surroundings) -> None:
    findings = list(engines.check_engines(surroundings))
    assert sorted((name, "ok") for name in TRIALS) == sorted((finding.about, finding.status) for finding in findings)


def _engines(monkeypatch: pytest.MonkeyPatch, surroundings: Surroundings, requirement: str) -> Finding:
    monkeypatch.setattr(engines, "requirements", lambda: [parse_requirement(requirement)])
    (finding,) = engines.check_engines(surroundings)
    return finding


def test_a_library_that_is_missing_too_old_or_broken_is_a_problem(
    surroundings: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = _engines(monkeypatch, surroundings, "no-such-distribution>=1")
    assert ("problem", "is not installed", "Run: pip install hardtack") == (missing.status, missing.says, missing.remedy)
    click = metadata.version("click")
    old = _engines(monkeypatch, surroundings, "click>=999")
    assert ("problem", f"{click} is not supported, >=999 is", "Run: pip install 'click>=999'") == (old.status, old.says, old.remedy)
    monkeypatch.setattr(engines, "TRIALS", {"click": "raise ImportError('no symbol x')"})
    assert f"{click} does not work: ImportError: no symbol x" == _engines(monkeypatch, surroundings, "click").says
    monkeypatch.setattr(engines, "TRIALS", {"click": "import os; os.kill(os.getpid(), 4)"})
    assert f"{click} does not work: it was ended by SIGILL" == _engines(monkeypatch, surroundings, "click").says
    monkeypatch.setattr(engines, "TRIALS", {"click": "import time; time.sleep(60)"})
    monkeypatch.setattr(engines, "_SECONDS", 0.2)
    assert f"{click} does not work: no answer in 0.2 seconds" == _engines(monkeypatch, surroundings, "click").says


def test_a_file_in_the_directory_is_not_taken_for_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgpack.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert "" == engines._failure("msgpack")


def test_extras_are_told_with_how_to_get_them(surroundings: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ['click>=8; extra == "build"', 'no-such>=1; extra == "mcp"', 'click>=999; extra == "gcs"']
    monkeypatch.setattr(engines, "requirements", lambda: [parse_requirement(line) for line in lines])
    monkeypatch.setattr(engines, "EXTRAS", {name: EXTRAS[name] for name in ("build", "mcp", "gcs")})
    build, mcp, gcs = engines.check_extras(surroundings)
    assert ("ok", "installed; it builds bundles") == (build.status, build.says)
    assert ("ok", "not installed; it serves them to agents (pip install 'hardtack[mcp]')") == (mcp.status, mcp.says)
    assert ("warning", "Run: pip install 'hardtack[gcs]'") == (gcs.status, gcs.remedy)


def test_a_hardtack_that_was_not_installed_says_so(surroundings: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> list[Requirement]:
        raise metadata.PackageNotFoundError("hardtack")

    monkeypatch.setattr(engines, "requirements", lost)
    first, *others = engines.check_engines(surroundings)
    assert ("engines", "warning", len(TRIALS)) == (first.about, first.status, len(others))
    assert [] == list(engines.check_extras(surroundings))
