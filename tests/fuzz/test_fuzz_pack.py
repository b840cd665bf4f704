"""A few seconds of the fuzzer on every run; ``python tests/fuzz/fuzz_pack.py --count 50000`` for more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_no_change_to_a_pack_is_accepted_and_all_end_in_typed_errors() -> None:
    fuzzer = Path(__file__).parent / "fuzz_pack.py"
    done = subprocess.run([sys.executable, str(fuzzer), "--count", "600"], capture_output=True, text=True, check=False)
    assert "; 0 findings\n" in done.stdout, done.stdout + done.stderr
    assert done.stdout.startswith("600 mutations: {")
    assert all(ending in done.stdout for ending in ("IntegrityError", "FormatError", "UnsupportedFormat", "accepted"))
