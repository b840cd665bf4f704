"""Measures cold commands: how long a search and a look-up take as whole processes, for each of the five ways to name a bundle.

    python benchmarks/cold.py BUNDLE [--python PYTHON] [--turns 15] [--query WORDS] [--define NAME]

PYTHON is an interpreter in whose environment Hardtack is installed; without it, this project is installed from its wheel into a
fresh virtual environment, with its base dependencies from the package registry. Its packages are compiled first.

The doors: standing in a checkout that has ``.hardtack/bundle``; ``-b`` with a directory, with the name of an installed bundle and
with a pack; and a root in ``HARDTACK_BUNDLE_PATH``. Through each, a search in two modes and a look-up (``define``) take turns with
``python -c "import numpy, faiss, tantivy"`` of the same interpreter; ratios are taken turn by turn. A bundle that was never
installed is hashed whenever it is opened. What that takes is measured in the same turns, in a process of its own, as opening it
with hashes less opening it without, and the last columns are without it.

Prints medians with quartiles, and how many modules a search loads. Exits with 1 when a ratio without hashing is above its limit.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from hardtack.bundle.integrity import read_manifest
from hardtack.bundle.reader import Bundle, Check, open_bundle
from hardtack.nouns.model import TYPES
from hardtack.store.built import BuiltHere
from hardtack.store.cache import BundleCache
from measure import Command, Spent, ratios, spend, spread, table

PROJECT = Path(__file__).resolve().parents[1]
IMPORTS = "import numpy, faiss, tantivy"
LIMITS = {"search, hybrid": 0.85, "search, keyword": 0.85, "define": 0.55}
"""Of the imports, by the clock, hashing left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """A way to a bundle."""

    name: str
    flags: Sequence[str] = ()
    environment: Mapping[str, str]
    directory: Path
    hashed: Path | None = None
    """What is hashed whenever it is opened; None when that was done at installation."""

    def command(self, program: Sequence[str], arguments: Sequence[str]) -> Command:
        """A whole process that comes in by this door."""
        line = [*program, arguments[0], *self.flags, *arguments[1:]]
        return Command(arguments=line, environment=self.environment, directory=self.directory, exit_codes=(0, 1))


def installed(place: Path) -> Path:
    """The interpreter of a new virtual environment at ``place`` in which this project is installed from its wheel."""
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PROJECT], check=True)
    return python


def compiled(python: Path) -> None:
    """Compile everything that is installed there, as an installation does that may write."""
    found = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], check=True, capture_output=True
    )
    subprocess.run([python, "-m", "compileall", "-q", found.stdout.decode().strip()], check=False)  # some packages carry templates


def doors(bundle: Path, program: Sequence[str], scratch: Path) -> list[Door]:
    """All five, made of one bundle."""
    checkout, elsewhere = scratch / "checkout", scratch / "elsewhere"
    pack, root, cache, empty = scratch / "bench.hardtack", scratch / "root", scratch / "cache", scratch / "no-cache"
    noted = scratch / "noted"
    for directory in (checkout, elsewhere):
        directory.mkdir()
    subprocess.run(["git", "init", "-q", checkout], check=True)
    place = Path(shutil.copytree(bundle, checkout / ".hardtack" / "bundle"))
    BuiltHere(lambda: BundleCache(noted)).add(place.resolve(), read_manifest(place)[1])
    none = {"HARDTACK_CACHE": str(empty)}
    own = {"HARDTACK_CACHE": str(cache)}
    for environment, arguments in (
        (none, ["pack", "-b", str(bundle), "-o", str(pack)]),
        (none, ["install", str(pack), "--into", str(root), "--as", "bench"]),
        (own, ["install", str(pack), "--as", "bench"]),
    ):
        spend(Command(arguments=[*program, *arguments], environment=environment, directory=elsewhere))
    return [
        Door(name="a checkout", environment={"HARDTACK_CACHE": str(noted)}, directory=checkout, hashed=bundle),
        Door(name="-b DIR", flags=["-b", str(bundle)], environment=none, directory=elsewhere, hashed=bundle),
        Door(name="-b NAME", flags=["-b", "bench"], environment=own, directory=elsewhere),
        Door(name="-b PACK", flags=["-b", str(pack)], environment=none, directory=elsewhere, hashed=pack),
        Door(name="HARDTACK_BUNDLE_PATH", environment={**none, "HARDTACK_BUNDLE_PATH": str(root)}, directory=elsewhere),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What opening a bundle takes that was never installed, seconds by the clock and of the processor."""

    hashing: float = 0.0
    hashing_cpu: float = 0.0
    unpacking: float = 0.0
    """Opening a pack without hashing what is stored: its tables are unpacked into memory, and hashed there."""


def opening(place: Path) -> Opening:
    """What opening takes in this process, which has loaded nothing else."""

    def opened(check: Check) -> Spent:
        start, cpu = time.perf_counter(), time.process_time()
        with open_bundle(place, check=check):
            return Spent(seconds=time.perf_counter() - start, cpu_seconds=time.process_time() - cpu)

    opened("sizes")  # loads what both need
    is_pack = place.is_file()
    pairs = [(opened("hashes"), opened("sizes")) for _ in range(3 if is_pack else 1)]  # unpacking a pack's tables adds noise
    return Opening(
        hashing=statistics.median(hashed.seconds - bare.seconds for hashed, bare in pairs),
        hashing_cpu=statistics.median(hashed.cpu_seconds - bare.cpu_seconds for hashed, bare in pairs),
        unpacking=statistics.median(bare.seconds for _, bare in pairs) if is_pack else 0.0,
    )


def told_opening(python: Path, place: Path) -> Opening:
    """The same, told by a fresh process."""
    done = subprocess.run([python, __file__, "--opening", place], check=True, capture_output=True, text=True)
    return Opening(**json.loads(done.stdout))


def loaded(command: Command) -> tuple[int, int]:
    """How many modules of Hardtack a command loads, and how many in all."""
    python, *rest = command.arguments
    traced = Command(
        arguments=[python, "-X", "importtime", *rest],
        environment=command.environment,
        directory=command.directory,
        exit_codes=command.exit_codes,
    )
    process = traced.start(stderr=subprocess.PIPE)
    _, messages = process.communicate()
    traced.check(process.returncode)
    names = {line.rpartition("|")[2].strip() for line in messages.decode().splitlines() if line.startswith("import time:")}
    return sum(name.partition(".")[0] == "hardtack" for name in names), len(names) - 1  # less the heading


def a_type(bundle: Bundle) -> str:
    """The name of a type that is defined once."""
    symbols = (bundle.symbol_name(ordinal) for ordinal in range(bundle.manifest.counts.symbols))
    names = [symbol.name for symbol in symbols if symbol.kind in TYPES]
    once = sorted(name for name in set(names) if names.count(name) == 1)
    if not once:
        raise SystemExit("No type is defined once there: say --define NAME.")
    return random.Random(3).choice(once)


def measured(
    commands: Mapping[str, Command], python: Path, opened: Sequence[Path], turns: int
) -> tuple[dict[str, list[Spent]], dict[Path, list[Opening]]]:
    """Each command and each opening once a turn, every other turn backwards, after one turn that is thrown away."""
    spent: dict[str, list[Spent]] = {name: [] for name in commands}
    openings: dict[Path, list[Opening]] = {place: [] for place in opened}
    for turn in range(turns + 1):
        for name in list(commands)[:: 1 if turn % 2 else -1]:
            one = spend(commands[name])
            if turn:
                spent[name].append(one)
        for place in openings:
            told = told_opening(python, place)
            if turn:
                openings[place].append(told)
    return spent, openings


def report(python: Path, entries: Sequence[Door], asked: Mapping[str, Sequence[str]], turns: int) -> bool:
    """Measure and print; whether every limit is kept."""
    program = [str(python), str(python.with_name("hardtack"))]
    commands = {"imports": Command(arguments=[str(python), "-c", IMPORTS], environment={})}
    commands |= {f"{door.name}\t{what}": door.command(program, asked[what]) for door in entries for what in asked}
    spent, openings = measured(commands, python, [*{door.hashed: None for door in entries if door.hashed}], turns)
    walls = {name: [one.seconds for one in found] for name, found in spent.items()}
    cpus = {name: [one.cpu_seconds for one in found] for name, found in spent.items()}
    rows: list[list[object]] = []
    is_kept = True
    for door in entries:
        of_door = openings[door.hashed] if door.hashed else [Opening()] * turns
        for what in asked:
            wall, cpu = walls[f"{door.name}\t{what}"], cpus[f"{door.name}\t{what}"]
            without = [mine - one.hashing for mine, one in zip(wall, of_door, strict=True)]
            cpu_without = [mine - one.hashing_cpu for mine, one in zip(cpu, of_door, strict=True)]
            relative = ratios(without, walls["imports"])
            is_kept = is_kept and statistics.median(relative) <= LIMITS[what]
            whole = [spread(wall, 1000), spread(cpu, 1000), spread(ratios(wall, walls["imports"]), 1, 2)]
            apart = [spread(relative, 1, 2), spread(ratios(cpu_without, cpus["imports"]), 1, 2)]
            rows.append([door.name, what, *whole, *apart, LIMITS[what]])
    print(
        f"`{IMPORTS}`: {spread(walls['imports'], 1000)} ms by the clock, {spread(cpus['imports'], 1000)} ms of CPU; {turns} turns\n"
    )
    print(table(["door", "command", "ms", "CPU ms", "ratio", "ratio without hashing", "CPU ratio without", "limit"], rows))
    parts = [
        [place.name, spread([one.hashing for one in told], 1000), spread([one.unpacking for one in told], 1000)]
        for place, told in openings.items()
    ]
    print(table(["opened whenever asked", "hashing ms", "unpacking tables ms, not left out above"], parts))
    counts = [[door.name, *loaded(commands[f"{door.name}\tsearch, hybrid"])] for door in entries]
    print(table(["a default search by", "modules of Hardtack", "modules in all"], counts))
    return is_kept


def main() -> int:
    """Make the doors, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=Path)
    parser.add_argument(
        "--python", type=Path, help="an interpreter with Hardtack installed  [a new one, from this project's wheel]"
    )
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--query", default="where is the connection closed after a timeout")
    parser.add_argument("--define", metavar="NAME", help="the type to look up  [one that is defined once]")
    parser.add_argument("--opening", action="store_true", help=argparse.SUPPRESS)  # how this script asks itself
    given = parser.parse_args()
    if given.opening:
        print(json.dumps(asdict(opening(given.bundle))))
        return 0
    bundle = given.bundle.resolve()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        python = given.python.absolute() if given.python else installed(scratch / "venv")
        compiled(python)
        with open_bundle(bundle, check="sizes") as opened:
            print(f"{opened.manifest.counts.chunks:,} chunks in {opened.manifest.counts.files:,} files\n")
            defined = given.define or a_type(opened)
        asked = {
            "search, hybrid": ["search", "--", given.query],
            "search, keyword": ["search", "--mode", "keyword", "--", given.query],
            "define": ["define", "--", defined],
        }
        program = [str(python), str(python.with_name("hardtack"))]
        return 0 if report(python, doors(bundle, program, scratch), asked, given.turns) else 1


if __name__ == "__main__":
    sys.exit(main())
