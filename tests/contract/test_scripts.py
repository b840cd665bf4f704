"""Every script of ``benchmarks/``, ``training/`` and ``docs/`` starts, and every module beside them can be imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
EVERY = sorted(path for folder in ("benchmarks", "training", "docs") for path in (ROOT / folder).rglob("*.py"))
SCRIPTS = [path for path in EVERY if '__name__ == "__main__"' in path.read_text(encoding="utf-8")]
OTHERS = [path for path in EVERY if path not in SCRIPTS]

# Starts every script in a process of its own, forked from one that has loaded what most of them import: fifty interpreters that
# load numpy, the build and the MCP SDK anew take 24 s of a processor, this takes 5. Paths come as arguments: scripts, an empty one,
# then modules to import. Gives a line of JSON each: path, exit status, what was printed.
STARTER = """
import importlib, json, os, runpy, sys, tempfile

for name in ("numpy", "scipy.optimize", "hardtack.build.pipeline", "hardtack.query.searcher", "hardtack.tools", "mcp"):
    importlib.import_module(name)

def start(path, is_script):
    sys.path[0] = os.path.dirname(path)
    sys.argv = [path, "--help"]
    if is_script:
        runpy.run_path(path, run_name="__main__")
    else:
        importlib.import_module(os.path.basename(path).removesuffix(".py"))

paths = sys.argv[1:]
for number, path in enumerate(paths):
    if not path:
        continue
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if not child:
            os.dup2(printed.fileno(), 1)
            os.dup2(printed.fileno(), 2)
            code = 1
            try:
                start(path, number < paths.index(""))
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException as fault:
                print(f"{type(fault).__name__}: {fault}", file=sys.stderr)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        printed.seek(0)
        print(json.dumps([path, code, printed.read().decode()]), flush=True)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="starts scripts by forking")


class Started(NamedTuple):
    """How a process ended."""

    code: int
    printed: str


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Started]:
    """Every script asked for help, and every other module imported, by path; in an empty directory."""
    arguments = [*map(str, SCRIPTS), "", *map(str, OTHERS)]
    directory = tmp_path_factory.mktemp("scripts")
    done = subprocess.run([sys.executable, "-c", STARTER, *arguments], cwd=directory, capture_output=True, text=True, check=True)
    assert [] == list(directory.iterdir()), "asking for help leaves something behind"
    return {path: Started(code, printed) for path, code, printed in map(json.loads, done.stdout.splitlines())}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SCRIPTS, ids=_name)
def test_a_script_says_how_it_is_used(path: Path, started: Mapping[str, Started]) -> None:
    code, printed = started[str(path)]
    assert (code, printed[:6]) == (0, "usage:"), printed


@pytest.mark.parametrize("path", OTHERS, ids=_name)
def test_a_module_beside_the_scripts_can_be_imported(path: Path, started: Mapping[str, Started]) -> None:
    code, printed = started[str(path)]
    assert (code, printed) == (0, "")


def test_there_are_scripts_and_modules() -> None:
    assert SCRIPTS
    assert OTHERS
