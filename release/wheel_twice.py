"""Build the wheel twice, from copies of the tree that differ in all that must not matter: ``make wheel-twice``.

Exit 0: one wheel; 1: two, with the names of the members that differ.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Surroundings(NamedTuple):
    """What a wheel must not depend on."""

    directory: str
    umask: int
    mtime: int
    """Seconds since 1970, of every file."""
    variables: dict[str, str]


HERE = Surroundings("a", 0o022, 1_000_000_000, {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"})
THERE = Surroundings("another/deep place", 0o077, 1_700_000_001, {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"})


def tracked_files() -> list[str]:
    """Every file that git tracks, as it stands in the tree.

    Raises:
        subprocess.CalledProcessError: the tree is no checkout.
    """
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [name for name in told.decode().split("\0") if name and (ROOT / name).is_file()]


def wheel_of(scratch: Path, around: Surroundings, names: list[str]) -> Path:
    """The wheel of a copy of the tree, built in such surroundings, with nothing from the network."""
    tree, output = scratch / around.directory, scratch / f"wheel {around.mtime}"
    environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"} | around.variables
    for name in names:
        copy = tree / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy)
        copy.chmod(0o666 & ~around.umask)
        os.utime(copy, (around.mtime, around.mtime))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", output, tree], cwd=scratch, env=environment, umask=around.umask, check=True)
    (wheel,) = output.glob("*.whl")
    return wheel


def members_of(wheel: Path) -> dict[str, tuple[object, ...]]:
    """Name to time, mode and digest of each member."""
    with zipfile.ZipFile(wheel) as opened:
        return {
            each.filename: (each.date_time, oct(each.external_attr), hashlib.sha256(opened.read(each)).hexdigest())
            for each in opened.infolist()
        }


def main() -> None:
    """Build both and compare."""
    names = tracked_files()
    with tempfile.TemporaryDirectory() as scratch:
        one, two = (wheel_of(Path(scratch), around, names) for around in (HERE, THERE))
        digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in (one, two)]
        first, second = members_of(one), members_of(two)
    for digest in digests:
        print(f"{digest}  {one.name}")
    if digests[0] != digests[1]:
        differing = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
        sys.exit(f"The two wheels differ: {', '.join(differing[:10]) or 'in the order of their members'}.")


if __name__ == "__main__":
    main()
