"""The arguments that runners are given: pytest's run as they are, those of the others as their manuals say; odd names stay out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from bundles import built

from hardtack.bundle.reader import open_bundle
from hardtack.impact.impact import impact_of_names
from hardtack.impact.runners import RUNNERS, Arguments, arguments

PYTHON = {
    "jar.py": "def fill(what):\n    return what\n",
    "tests/test_pantry.py": (
        "from jar import fill\n\n\ndef test_fill():\n    assert fill(1)\n\n\n"
        "class TestFill:\n    def test_twice(self):\n        assert fill(2)\n\n\ndef test_other():\n    pass\n"
    ),
}
GO = {
    "go.mod": "module example.org/jar\n",
    "jar.go": "package jar\n\nfunc Fill(n int) int { return n }\n",
    "pantry_test.go": (
        'package jar\n\nimport "testing"\n\nfunc TestFill(t *testing.T) { Fill(1) }\n\nfunc TestOther(t *testing.T) {}\n'
    ),
    "tin/tin.go": 'package tin\n\nimport "example.org/jar"\n\nfunc Make() int { return jar.Fill(2) }\n',
    "tin/shelf_test.go": 'package tin\n\nimport "testing"\n\nfunc TestMake(t *testing.T) { Make() }\n\nfunc help() {}\n',
}
SCRIPT = {
    "src/jar.ts": "export function fill(n: number) { return n }\n",
    "src/pantry.test.ts": 'import { fill } from "./jar"\n\nit("fills", () => { fill(1) })\n',
    "src/tin.test.ts": 'it("is empty", () => {})\n',
}
JAVA = {
    "src/main/java/org/shop/Jar.java": (
        "package org.shop;\n\npublic class Jar {\n  public static int fill(int n) { return n; }\n}\n"
    ),
    "src/test/java/org/shop/PantryTest.java": (
        "package org.shop;\n\nclass PantryTest {\n  @Test\n  void fills() { Jar.fill(1); }\n\n  @Test\n  void other() {}\n"
        "\n  @Test\n  void fillsAgain() { Jar.fill(2); }\n}\n"
    ),
}
RUST = {
    "Cargo.toml": '[package]\nname = "jar"\nversion = "1.0.0"\n',
    "src/lib.rs": (
        "pub fn fill(n: u8) -> u8 { n }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
        "    #[test]\n    fn fills() { fill(1); }\n\n    #[test]\n    fn other() {}\n}\n"
    ),
}


def _arguments(place: Path, files: Mapping[str, str], name: str, runner: str) -> Arguments:
    with open_bundle(built(place, files)) as bundle:
        return arguments(bundle, impact_of_names(bundle, [name]).tests, runner)


def test_pytest_runs_what_it_is_given_and_nothing_else(tmp_path: Path) -> None:
    given = _arguments(tmp_path, PYTHON, "fill", "pytest").arguments
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "-v", *given]
    ran = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": "."}, capture_output=True, text=True, check=False)
    assert "2 passed" in ran.stdout, ran.stdout
    assert "test_other" not in ran.stdout


def test_go_is_given_one_pattern_and_the_packages(tmp_path: Path) -> None:
    given = _arguments(tmp_path, GO, "Fill", "go").arguments
    assert ("-run", "^(TestFill|TestMake)$", ".", "./tin") == given


def test_jest_is_given_paths(tmp_path: Path) -> None:
    assert ("src/pantry.test.ts",) == _arguments(tmp_path, SCRIPT, "fill", "jest").arguments


@pytest.mark.parametrize(
    ("build_file", "expected"),
    [
        ("pom.xml", ("-Dtest=org.shop.PantryTest#fills+fillsAgain",)),
        ("build.gradle", ("--tests", "org.shop.PantryTest.fills", "--tests", "org.shop.PantryTest.fillsAgain")),
    ],
)
def test_junit_is_given_as_its_build_takes_it(tmp_path: Path, build_file: str, expected: tuple[str, ...]) -> None:
    given = _arguments(
        tmp_path, {**JAVA, build_file: "<project/>\n" if build_file == "pom.xml" else "plugins {}\n"}, "fill", "junit"
    )
    assert expected == given.arguments


def test_cargo_is_given_the_crate_and_the_names(tmp_path: Path) -> None:
    assert ("-p", "jar", "--", "tests::fills") == _arguments(tmp_path, RUST, "fill", "cargo").arguments


def test_what_a_runner_does_not_run_is_counted(tmp_path: Path) -> None:
    assert Arguments((), 2) == _arguments(tmp_path, PYTHON, "fill", "cargo")


def test_a_path_that_a_runner_could_take_for_an_option_stays_out(tmp_path: Path) -> None:
    files = {"jar.py": PYTHON["jar.py"], "--pdb;x/test_pantry.py": PYTHON["tests/test_pantry.py"]}
    assert Arguments((), 2) == _arguments(tmp_path, files, "fill", "pytest")


def test_every_runner_has_languages() -> None:
    assert all(RUNNERS.values())
