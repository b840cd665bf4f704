"""All checks together, and the rendering of their findings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from hardtack.clients.table import Places
from hardtack.doctor.examination import examine
from hardtack.doctor.findings import (
    Finding,
    Surroundings,
    exit_code_of,
    findings_to_json,
    ok,
    problem,
    render_findings,
    warning,
)
from hardtack.render.style import PLAIN, Style

NOWHERE = Surroundings(
    start=Path("/"), environment={}, roots=[], places=Places(home=Path("/h"), project=Path("/p"), platform="linux"), now=0.0
)


def test_a_check_that_fails_does_not_stop_the_others() -> None:
    def check_first(_: Surroundings) -> Iterator[Finding]:
        yield ok("first", "fine")
        raise LookupError("lost")

    def check_second(_: Surroundings) -> Iterator[Finding]:
        yield ok("second", "fine")

    first, broken, second = examine(NOWHERE, [check_first, check_second])
    assert ("first", "second") == (first.about, second.about)
    assert ("problem", "first", "this check is broken (LookupError: lost)") == (broken.status, broken.about, broken.says)
    assert 70 == broken.exit_code


def test_the_rest_is_told_where_libraries_are_missing(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update(dict.fromkeys(['faiss', 'msgpack', 'numpy', 'tantivy']));"
        "sys.argv = ['hardtack', 'doctor', '--json']; import hardtack.__main__ as program; program.main()"
    )
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (2, "") == (done.returncode, done.stderr)
    found = {finding["about"]: finding["status"] for finding in json.loads(done.stdout)["findings"]}
    assert {"python", "click", "tantivy", "extra build", "temporary directory"} < set(found)
    assert "problem" == found["bundles"]


def test_the_worst_problem_gives_the_exit_code() -> None:
    findings = [ok("a", "fine"), warning("b", "odd"), problem("c", "bad", "Mend it.")]
    assert (0, 2, 3) == (
        exit_code_of(findings[:2]),
        exit_code_of(findings),
        exit_code_of([*findings, problem("d", "bad", "Mend it.", exit_code=3)]),
    )


def test_a_finding_is_a_line_with_its_remedy_and_hostile_text_is_inert() -> None:
    findings = [ok("a", "fine"), warning("b", "odd\x1b[2J\nok       c: fine", "Look."), problem("d", "It is bad.", "Mend it.")]
    expected = "ok       a: fine\nwarning  b: odd\\u{1b}[2J\\u{a}ok       c: fine. Look.\nproblem  d: It is bad. Mend it.\n"
    assert expected == render_findings(findings, PLAIN)
    assert render_findings(findings[:1], Style(color=True)).startswith("\x1b[32mok     \x1b[0m  a: fine")


def test_json_leaves_out_what_says_nothing() -> None:
    document = findings_to_json([ok("a", "fine"), problem("d", "bad", "Mend it.")])
    expected = [
        {"about": "a", "status": "ok", "says": "fine"},
        {"about": "d", "status": "problem", "says": "bad", "remedy": "Mend it."},
    ]
    assert {"schema": "hardtack.doctor/1", "problems": 1, "findings": expected} == document
