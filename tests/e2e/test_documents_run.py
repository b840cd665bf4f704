"""Commands of the documents are run: each block that is marked as shell and has nothing but ``hardtack``, in a real checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkouts import commit, init, write
from processes import Run

_PROJECT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```sh\n((?:hardtack [^\n]*\n)+)```$", re.MULTILINE)
_BLOCKS = [
    pytest.param(block, id=f"{path.stem}-{number}")
    for path in sorted((_PROJECT / "docs").glob("*.md"))
    for number, block in enumerate(_BLOCK.findall(path.read_text(encoding="utf-8")), start=1)
]
_ISSUE = "The oldest jar is not the first that is taken\n\nWe take a jar off the shelf, and it is not the oldest one.\n"


@pytest.fixture(scope="module")
def checkout(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built checkout of four commits with what the documents speak of beside it: packs of two of them, and an issue."""
    root = Path(shutil.copytree(_PROJECT / "fixtures" / "repos" / "pantry", tmp_path_factory.mktemp("documents") / "pantry"))
    commit(init(root), "first")
    for number in range(2):
        write(root, {f"notes/{number}.md": "# Jars\n"})
        commit(root, f"note {number}")
    for pack in ("v1", "v2", "click"):
        if pack == "v2":
            write(root, {"src/pantry/lid.py": "def open_lid(lid):\n    return lid\n"})
            commit(root, "second")
        for verb in (("build", root), ("pack", root, "-o", root / f"{pack}.hardtack")):
            done = run(*verb)
            assert 0 == done.returncode, done.stderr
    (root / "issue.md").write_text(_ISSUE, encoding="utf-8")
    return root


def test_documents_have_blocks_to_run() -> None:
    assert 8 <= len(_BLOCKS)


@pytest.mark.skipif(os.name != "posix", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("block", _BLOCKS)
def test_each_command_of_a_block_does_what_it_is_shown_for(block: str, checkout: Path, tmp_path: Path) -> None:
    """It ends with 0, or with 1, which says that nothing was found or that something breaks."""
    for place in ("/tmp", "/srv"):
        block = block.replace(f" {place}/", f" {tmp_path}{place}/")
    (tmp_path / "tmp" / "shards").mkdir(parents=True)
    (tmp_path / "srv").mkdir()
    program = f'hardtack() {{ "{sys.executable}" -P -m hardtack "$@"; }}\n'
    for command in block.splitlines():
        typed = ["sh", "-c", program + command]
        done = subprocess.run(typed, cwd=checkout, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode in (0, 1), (command, done.stderr)
