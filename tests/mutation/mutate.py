"""Change the code in small ways, one at a time, and see whether tests notice: ``make mutation ROOMS="secrets format"``.

mutmut makes the mutants and runs each in a fork of its own. A room's mutants are drawn by lot, the same ones for the same seed, and
tried against the room's own tests alone (rooms.toml). A fork has all modules loaded, so a change to what only loading them runs
does not show there; a mutant that survived is tried once more in a process that loads them. Everything happens in a copy of the
tree. Survivors are printed with their change.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ROOMS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("rooms.toml").read_text(encoding="utf-8"))
COPIED = ("src", "tests", "fixtures", "publish", "pyproject.toml", "LICENSE", "NOTICE", "README.md")
ENDINGS = {
    0: "survived",
    1: "killed",
    3: "killed",
    5: "no test",
    33: "no test",
    36: "timeout",
    -24: "timeout",
    24: "timeout",
    152: "timeout",
}
"""Exit status of a mutant's tests -> what that means; any other is a crash, which a test run notices as well."""
UNNOTICED = (0, 5, 33)
SECONDS = 600
"""Time limit of all tests of a room, which take less than a minute."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

_SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = {modules}
also_copy = ["fixtures", "publish", "LICENSE", "NOTICE", "README.md"]
pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "no:xdist", "--bundles", {bundles}, {apart}]
pytest_add_cli_args_test_selection = {tests}
process_isolation = "forkserver"
use_git_change_detection = false
track_dependencies = false
"""


def prepare(work: Path, room: str) -> None:
    """Copy the tree, if it is not there, and set mutmut up for a room."""
    for name in COPIED:
        if not (work / name).exists():
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, work / name)
    settings = _SETTINGS.format(
        modules=json.dumps([f"src/hardtack/{module}" for row in ROOMS.values() for module in row["modules"]]),
        tests=json.dumps([f"tests/{test}" for test in ROOMS[room]["tests"]]),
        bundles=json.dumps(str(work / "bundles")),
        apart=json.dumps(apart_of(room))[1:-1],
    )
    (work / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf-8") + settings, encoding="utf-8")
    (work / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)  # which test reaches which function: of another room's tests


def apart_of(room: str) -> list[str]:
    """Arguments of pytest that leave out the tests of a room that look at a process of their own."""
    return [f"--deselect=tests/{test}" for test in ROOMS[room].get("apart", ())]


def mutmut(work: Path, *arguments: str) -> str:
    """What mutmut prints, run over the copy."""
    command = [str(Path(sys.executable).with_name("mutmut")), *arguments]
    environment = {
        **os.environ,
        **ONE_THREAD,
        "PYTHONPATH": str(work / "mutants" / "src"),
    }  # before what is installed, for processes
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def mutants_of(work: Path, room: str) -> dict[str, int | None]:
    """Every mutant of a room and the exit status of its tests; None before it was tried."""
    found: dict[str, int | None] = {}
    top = work / "mutants" / "src" / "hardtack"
    for path in sorted(top.rglob("*.py.meta")):
        module = path.relative_to(top).as_posix().removesuffix(".meta")
        folder = module.rpartition("/")[0]
        if any(fnmatch.fnmatchcase(module, each) and folder == each.rpartition("/")[0] for each in ROOMS[room]["modules"]):
            found |= json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def survives(work: Path, room: str, name: str) -> bool:
    """Whether a room's tests pass with a mutant in a process of their own."""
    mutants = work / "mutants"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", f"--bundles={work}/bundles"]
    tests = [f"tests/{test}" for test in ROOMS[room]["tests"]]
    tests += apart_of(room)
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(mutants / "src"), "MUTANT_UNDER_TEST": name}
    try:
        done = subprocess.run([*command, *tests], cwd=mutants, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def try_room(work: Path, room: str, count: int, seed: int) -> Counter[str]:
    """Try so many of a room's mutants, print the survivors, and give the number of each ending."""
    prepare(work, room)
    if not mutants_of(work, room):
        mutmut(work, "run", "--max-children", "1", "none*")  # makes the mutants of all rooms, and tries none
    names = sorted(mutants_of(work, room))
    drawn = random.Random(f"{seed} {room}").sample(names, min(count, len(names)))
    told = mutmut(work, "run", "--max-children", "1", *drawn)
    endings = {name: status for name, status in mutants_of(work, room).items() if name in set(drawn)}
    if None in endings.values():
        print(re.sub(r"[\u2800-\u28ff] .*\n?", "", told)[-2000:], file=sys.stderr)  # without mutmut's signs of life
    for name in [name for name, status in endings.items() if status in UNNOTICED]:
        if not survives(work, room, name):
            endings[name] = 1
    counted = Counter("not tried" if status is None else ENDINGS.get(status, "killed") for status in endings.values())
    print(f"{room}: {len(drawn)} of {len(names)} mutants: {_told(counted)}", flush=True)
    for name in sorted(name for name, status in endings.items() if status in UNNOTICED):
        print(f"\n{name}\n{mutmut(work, 'show', name)}", flush=True)
    return counted


def _told(counted: Counter[str]) -> str:
    tried = sum(counted.values()) - counted["not tried"]
    killed = counted["killed"] + counted["timeout"]
    share = f", {100 * killed / tried:.0f} % killed" if tried else ""
    return ", ".join(f"{number} {ending}" for ending, number in sorted(counted.items())) + share


def main(arguments: Sequence[str] | None = None) -> None:
    """Try the rooms that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all of them by default")
    parser.add_argument("--work", type=Path, required=True, help="where the copy is made, outside the tree; kept for the next run")
    parser.add_argument("--times", type=float, default=1, help="so many times the share of each room (rooms.toml)")
    parser.add_argument("--seed", type=int, default=32, help="another one draws other mutants")
    asked = parser.parse_args(arguments)
    work = asked.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    for room in asked.rooms or ROOMS:
        total += try_room(work, room, round(ROOMS[room]["share"] * asked.times), asked.seed)
    print(f"\nin all: {_told(total)}")


if __name__ == "__main__":
    main()
