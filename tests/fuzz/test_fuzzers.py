"""A few seconds of each fuzzer on every run.

``fuzz_bundle.py --seconds 600``, ``fuzz_pack.py --count 50000`` and ``fuzz_sizes.py --count 20000 --jobs 2`` for more.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def _told(fuzzer: str, *arguments: str) -> str:
    """What a fuzzer prints, when it finds nothing."""
    command = [sys.executable, str(Path(__file__).parent / fuzzer), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "; 0 findings\n" in done.stdout, done.stdout + done.stderr
    return done.stdout


def test_mutated_bundles_end_in_typed_errors_or_are_sound() -> None:
    assert 100 < int(_told("fuzz_bundle.py", "--seconds", "4").split()[0])


def test_no_call_takes_memory_for_what_a_forged_bundle_claims() -> None:
    assert "8 bundles, " in _told("fuzz_sizes.py", "--count", "8", "--seed", "7")


def test_no_change_to_a_pack_is_accepted_and_all_end_in_typed_errors() -> None:
    told = _told("fuzz_pack.py", "--count", "600")
    assert told.startswith("600 mutations: {")
    assert all(ending in told for ending in ("IntegrityError", "FormatError", "UnsupportedFormat", "accepted"))
