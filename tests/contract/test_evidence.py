"""docs/evidence.md tells what the tests of each promise and each kind of hostile input showed; tests that are named exist."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
POLICY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_evidence", ROOT / "docs" / "make_evidence.py")
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EVIDENCE = _load()
KNOWN = EVIDENCE.known_tests()


def _unknown(patterns: list[str]) -> list[str]:
    """Those that mean no test that there is."""
    return [pattern for pattern in patterns if not any(EVIDENCE.fits(pattern, test) for test in KNOWN)]


def test_the_page_has_exactly_the_groups_that_there_are() -> None:
    shown: list[tuple[str, str]] = []
    section = ""
    for line in EVIDENCE.PAGE.read_text(encoding="utf-8").splitlines():
        section = line.removeprefix("## ") if line.startswith("## ") else section
        if line.startswith("| ") and not line.startswith("| what |"):
            shown.append((section, re.split(r"(?<!\\) \|", line)[0].removeprefix("| ").replace("\\|", "|")))
    expected = [(group.section, group.name) for group in EVIDENCE.groups()]
    assert expected == shown, "run `make evidence`"
    assert len(expected) == len(set(expected))


def test_every_group_names_tests_that_exist() -> None:
    groups = EVIDENCE.groups()
    assert [] == [group.name for group in groups if not group.tests]
    assert {} == {group.name: missing for group in groups if (missing := _unknown([*group.tests]))}


def test_every_test_that_the_security_policy_names_exists() -> None:
    assert [] == _unknown(EVIDENCE.tests_named_in(POLICY))


def test_the_table_has_no_promise_that_the_security_policy_does_not_make() -> None:
    promised = {name for name, _ in EVIDENCE.statements(POLICY, "What is promised")}
    assert promised
    assert set() == set(EVIDENCE.table()["promises"]) - promised


def test_a_sentence_s_tests_are_found_by_file_and_by_name_and_a_name_that_is_none_is_noticed() -> None:
    policy = (
        "## What is promised\n\n- **A thing holds.** It does, whatever\n  happens (`tests/contract/test_evidence.py`).\n"
        "- Another: `test_evidence.py::test_every_group_names_tests_that_exist[x-1]`, and `no/test_such.py`.\n\n"
        "## Threat model\n\n| who | may try | test |\n|---|---|---|\n| a mirror | lies | `test_evidence.py::test_none` |\n\n"
        "### Not defended\n\n- The moon.\n\n## Else\n\n- nothing\n"
    )
    promised = [*EVIDENCE.statements(policy, "What is promised")]
    own = "tests/contract/test_evidence.py"
    assert promised == [
        ("A thing holds", (own,)),
        ("Another", (f"{own}::test_every_group_names_tests_that_exist", "no/test_such.py")),
    ]
    assert [*EVIDENCE.statements(policy, "Threat model")] == [("a mirror: lies", (f"{own}::test_none",))]
    assert ["no/test_such.py", f"{own}::test_none"] == _unknown(EVIDENCE.tests_named_in(policy))


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ({"a": ["passed", "passed"], "b": ["passed"]}, "holds"),
        ({"a": ["passed", "failed"], "b": ["passed"]}, "**does not hold:** `test_a`"),
        ({"a": ["passed", "skipped"], "b": ["passed"]}, "**not shown in full:** skipped, as no disk"),
        ({"a": ["passed"]}, "**not shown:** no test was run of `tests/test_x.py::test_b*`"),
        ({}, "**not shown:** no test was run of `tests/test_x.py::test_a`, `tests/test_x.py::test_b*`"),
    ],
)
def test_what_failed_was_skipped_or_was_not_run_is_never_shown_to_hold(outcomes: dict[str, list[str]], expected: str) -> None:
    group = EVIDENCE.Group("Promises", "a promise", ("tests/test_x.py::test_a", "tests/test_x.py::test_b*"))
    cases = [
        EVIDENCE.Case(f"tests/test_x.py::test_{name}", outcome, "no disk" if outcome == "skipped" else "", 1)
        for name, found in outcomes.items()
        for outcome in found
    ]
    assert expected == EVIDENCE.outcome_of(group, cases)[1]
    assert f"| {expected} |" in EVIDENCE.page([group], cases, "abc")


def test_cases_are_counted_as_the_results_of_a_run_tell_them(tmp_path: Path) -> None:
    results = tmp_path / "results.xml"
    results.write_text(
        '<testsuites><testsuite><testcase classname="tests.x" name="test_a[1]" file="tests/x.py"/>'
        '<testcase classname="tests.x" name="test_p" file="tests/x.py">'
        '<properties><property name="cases" value="100"/></properties></testcase>'
        '<testcase name="test_s" file="tests/x.py"><skipped message="no disk"/></testcase>'
        '<testcase name="test_f" file="tests/x.py"><failure message="m"/></testcase></testsuite></testsuites>'
    )
    cases = EVIDENCE.read_cases(results)
    assert [("test_a", "passed", 1), ("test_p", "passed", 100), ("test_s", "skipped", 0), ("test_f", "failed", 1)] == [
        (case.test.removeprefix("tests/x.py::"), case.outcome, case.tried) for case in cases
    ]
