"""What a release brings with it: every part and its licence are known, and the same tree gives the same wheel."""

from __future__ import annotations

import fnmatch
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "hardtack"
SHIPPED: dict[str, Any] = tomllib.loads((ROOT / "release" / "shipped.toml").read_text(encoding="utf-8"))
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "release" / f"{name}.py")
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _pinned(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([^ \\]+)", (ROOT / "requirements" / lock).read_text(encoding="utf-8"), re.MULTILINE))


def test_the_lock_of_what_users_install_has_the_versions_that_the_tests_run_with() -> None:
    tested = _pinned("dev.txt")
    assert {} == {name: version for name, version in _pinned("runtime.txt").items() if tested.get(name) != version}


def test_the_licence_of_every_dependency_is_known_and_allowed() -> None:
    assert [*_pinned("runtime.txt")] == sorted(SHIPPED["distributions"])
    allowed = {*SHIPPED["allowed"]}
    for name, licence in SHIPPED["distributions"].items():
        assert any(set(re.split(" AND ", choice)) <= allowed for choice in licence.split(" OR ")), name


@pytest.mark.parametrize("name", SHIPPED["distributions"])
def test_a_distribution_itself_says_the_licence_that_is_known_of_it(name: str) -> None:
    """In the field for SPDX expressions, or, where a distribution is older than that, in the words before it."""
    try:
        said = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        assert "backports-zstd" == name, "every other one is installed where the tests run"  # part of Python from 3.14 on
        return
    licence = SHIPPED["distributions"][name]
    if expression := (said.get_all("License-Expression") or [""])[0]:
        assert licence == expression
        return
    classifiers = [each for each in said.get_all("Classifier") or [] if each.startswith("License ::")]
    words = " ".join([*(said.get_all("License") or []), *classifiers])
    for part in re.split(" AND | OR ", licence):
        assert re.search(rf"\b{part.partition('-')[0]}\b", words), words


def test_every_file_of_the_wheel_that_is_no_code_is_in_one_table_with_its_licence() -> None:
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    names = sorted(path.relative_to(PACKAGE).as_posix() for path in files)
    told = {name: [row["name"] for row in SHIPPED["files"] if _is_in(name, row)] for name in names}
    assert {} == {name: rows for name, rows in told.items() if len(rows) > 1}
    assert [] == [name for name, rows in told.items() if not rows and not name.endswith(".py")]
    assert {row["name"] for row in SHIPPED["files"]} == {row for rows in told.values() for row in rows}
    assert set() == {row["licence"] for row in SHIPPED["files"]} - {*SHIPPED["allowed"]}


def _is_in(name: str, row: dict[str, Any]) -> bool:
    return any(fnmatch.fnmatchcase(name, each) for each in row["paths"])


def test_the_notice_names_the_origin_of_every_file_that_is_somebody_else_s() -> None:
    foreign = [row for row in SHIPPED["files"] if row["origin"]]
    assert foreign
    assert [] == [row["name"] for row in foreign if row["origin"] not in NOTICE]
    licences = {"Apache-2.0": "Apache License 2.0", "MIT": "MIT License", "BSD-3-Clause": "BSD-3-Clause License"}
    for row in foreign:
        (paragraphs,) = [NOTICE[NOTICE.index(row["origin"]) :].split("\n\nThe ")[0]]
        assert licences[row["licence"]] in " ".join(paragraphs.split()), row["name"]


def test_the_lock_says_who_needs_whom() -> None:
    needed_by = _sbom().needed_by()
    assert {*_pinned("runtime.txt")} == {*needed_by}
    assert "hardtack" in needed_by["tantivy"]
    assert {"s3fs"} == needed_by["aiobotocore"]


def _sbom() -> ModuleType:
    if importlib.util.find_spec("cyclonedx") is None:  # in an environment of its own; what is tested here does without
        for name in ("cyclonedx", "cyclonedx.schema", "cyclonedx.validation", "cyclonedx.validation.json"):
            stand_in = sys.modules.setdefault(name, ModuleType(name))
            stand_in.__dict__.update(SchemaVersion=None, JsonStrictValidator=None)
    return _script("sbom")


def test_the_wheel_is_the_same_wherever_and_whenever_it_is_built() -> None:
    done = subprocess.run([sys.executable, ROOT / "release" / "wheel_twice.py"], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr


def test_two_wheels_that_differ_in_one_byte_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    script = _script("wheel_twice")
    copied = shutil.copyfile

    def changed(source: Path, copy: Path) -> None:
        copied(source, copy)
        if copy.name == "py.typed" and script.THERE.directory in copy.as_posix():
            copy.write_bytes(b"x")

    monkeypatch.setattr(shutil, "copyfile", changed)
    with pytest.raises(SystemExit, match=r"^The two wheels differ: hardtack-.*/RECORD, hardtack/py\.typed\.$"):
        script.main()


SOUND = {"name": "click", "version": "8", "vulns": []}
SKIPPED = {"name": "click", "skip_reason": "Dependency not found on PyPI"}
FLAWED = {"name": "click", "version": "8", "vulns": [{"id": "PYSEC-1", "fix_versions": ["9"]}]}


@pytest.mark.parametrize(
    ("dependencies", "fault", "status", "words"),
    [
        ([SOUND], "", 0, "no known vulnerability"),
        ([SOUND, FLAWED], "", 1, "click 8 has PYSEC-1, mended in 9"),
        ([SKIPPED, FLAWED], "", 1, "PYSEC-1"),
        (
            [SOUND, SKIPPED],
            "",
            2,
            "not audited, as the index gives no answer about 1 of 2 distributions (click: Dependency not found on PyPI)",
        ),
        ([], "no route to host", 2, "not audited, as no route to host. Run `make audit` where https://pypi.org can be reached."),
        ([], "", 2, "not audited"),
    ],
)
def test_an_audit_that_could_not_ask_is_none_that_found_nothing(
    dependencies: list[dict[str, Any]], fault: str, status: int, words: str
) -> None:
    found, lines = _script("audit").findings(ROOT / "requirements" / "action.txt", dependencies, fault)
    assert (status, True) == (found, words in "\n".join(lines)), lines


def test_every_lock_is_audited_but_torch_s() -> None:
    assert {path.name for path in (ROOT / "requirements").glob("*.txt")} - {"torch.txt"} == {
        path.name for path in _script("audit").locks()
    }
