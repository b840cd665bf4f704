"""A minute of all fuzz targets together on every run; ``fuzz.py --seconds 3600`` and ``fuzz_sizes.py --count 20000`` for more."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from awaited import AWAITED
from targets import TARGETS

SECONDS = 50


def test_what_strangers_write_ends_in_an_answer_or_a_typed_error() -> None:
    command = [sys.executable, str(Path(__file__).parent / "fuzz.py"), "--seconds", str(SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "; 0 findings\n" in done.stdout, done.stdout + done.stderr
    executions = {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+) ", done.stdout, re.MULTILINE)}
    assert {target.name for target in TARGETS} <= executions.keys()
    assert all(executions[target.name] > 0 for target in TARGETS), done.stdout


def test_no_call_takes_memory_for_what_a_forged_bundle_claims() -> None:
    command = [sys.executable, str(Path(__file__).parent / "fuzz_sizes.py"), "--count", "8", "--seed", "7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "; 0 findings\n" in done.stdout, done.stdout + done.stderr
    assert "8 bundles, " in done.stdout


def test_the_same_seed_tries_the_same_cases() -> None:
    command = [sys.executable, str(Path(__file__).parent / "fuzz.py"), "manifest", "pack", "docblocks", "--count", "150"]
    told = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    one, other = ([line.split()[:2] + line.split()[5:] for line in each.splitlines()] for each in told)
    assert one == other
    assert "150" in one[1]
    assert AWAITED.keys() <= {target.name for target in TARGETS}
