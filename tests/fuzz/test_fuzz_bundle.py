"""A few seconds of the fuzzer on every run; ``python tests/fuzz/fuzz_bundle.py --seconds 600`` for more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_mutated_bundles_end_in_typed_errors_or_are_sound() -> None:
    fuzzer = Path(__file__).parent / "fuzz_bundle.py"
    done = subprocess.run([sys.executable, str(fuzzer), "--seconds", "4"], capture_output=True, text=True, check=False)
    assert "; 0 findings\n" in done.stdout, done.stdout + done.stderr
    assert 100 < int(done.stdout.split()[0])
