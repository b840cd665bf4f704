"""The query half on a Python that has nothing of POSIX alone, as Windows' has not. CI runs more of it on Windows itself."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "doubles" / "windows.py"
READING = (
    *(
        ["search", "jar"],
        ["search", "--mode", "keyword", "jar"],
        ["search", "--mode", "vector", "jar"],
        ["search", "--json", "jar"],
    ),
    *(["define", "Jar"], ["references", "Jar"], ["explain", "jar"], ["grep", "jar"], ["ls"], ["cat", "README.md"]),
    *(["stats"], ["verify"], ["list"]),
)


@pytest.mark.xfail(reason="opening a member takes os.O_NOFOLLOW and os.pread, which Windows has not")
@pytest.mark.parametrize("verb", READING, ids=" ".join)
def test_what_reads_a_bundle_answers_the_same_without_posix(verb: list[str], pantry_bundle: Path) -> None:
    place = ["-b", str(pantry_bundle)] if verb != ["list"] else []
    here, there = (
        subprocess.run([sys.executable, *program, *verb, *place], capture_output=True, text=True, check=False)
        for program in (["-m", "hardtack"], [PROGRAM])
    )
    assert (0, _timeless(here.stdout)) == (there.returncode, _timeless(there.stdout)), there.stderr


def _timeless(text: str) -> str:
    return re.sub(r"[\d.]+ ms", "ms", text)
