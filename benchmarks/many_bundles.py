"""Measures a search over many bundles as one: the first answer, the next ones, memory, and whether the right bundle is opened.

    python benchmarks/many_bundles.py SHELF [--make N --from CHECKOUT ...] [--queries 200]

SHELF is a directory of bundles. ``--make`` fills it first: each directory of the checkouts that has 5 to 120 files of code, and
is in no other such directory, becomes a bundle of its own, up to N of them in the order of a hash of their paths.

- *First*: ``hardtack search`` from its start to its end: with nothing remembered of any bundle, and then again.
- *Warm*: one process asks all queries; milliseconds of each, and what the process wrote to memory and cannot share.
- *Opened*: each query is drawn from one bundle, a symbol's name or the first words of its documentation, in turn. Told is how often
  that bundle is among those that were opened, and how often the first hit is from it. Another bundle may answer as well.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import statistics
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from hardtack import BuildOptions, build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.errors import NothingIndexed
from hardtack.shelf.places import Shelved, gathered
from hardtack.shelf.shelf import Shelf
from measure import Command, spend, table

SCRIPT = str(Path(sysconfig.get_path("scripts"), "hardtack"))
CODE = frozenset(
    {".py", ".go", ".js", ".ts", ".tsx", ".rs", ".java", ".cs", ".rb", ".php", ".c", ".h", ".cc", ".cpp", ".kt", ".swift"}
)
FEWEST, MOST = 5, 120
WORDS = 8
"""Words of a query from documentation."""


def parts(checkout: Path) -> Iterator[Path]:
    """The directories of a checkout that become bundles."""
    counts: Counter[PurePosixPath] = Counter()
    for path in checkout.rglob("*"):
        if path.suffix in CODE and path.is_file():
            counts.update(PurePosixPath(path.relative_to(checkout).as_posix()).parents)
    taken: set[PurePosixPath] = set()
    for directory, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
        if FEWEST <= count <= MOST and taken.isdisjoint(directory.parents):
            taken.add(directory)
            yield checkout / directory


def make(shelf: Path, checkouts: Sequence[Path], count: int) -> None:
    """Build bundles until the shelf has ``count``, or there are no more directories."""
    found = [(checkout, part) for checkout in checkouts for part in parts(checkout)]
    found.sort(key=lambda each: hashlib.sha256(str(each[1].relative_to(each[0].parent)).encode()).digest())
    for number, (checkout, part) in enumerate(found[:count], start=1):
        place = shelf / "-".join(part.relative_to(checkout.parent).parts)[:200]
        if not place.exists():
            with tempfile.TemporaryDirectory() as copied:
                source = shutil.copytree(part, Path(copied, "source"), symlinks=True)
                try:
                    build_bundle(source, place, BuildOptions(jobs=1))
                except NothingIndexed:
                    continue
        if number % 50 == 0:
            print(f"{number} of {min(count, len(found))} built", file=sys.stderr)


def query_of(bundle: Bundle, rng: random.Random, *, is_name: bool) -> str:
    """A symbol's name, or the first words of a symbol's documentation; a name where nothing is documented."""
    ordinals = rng.sample(range(bundle.manifest.counts.symbols), min(200, bundle.manifest.counts.symbols))
    symbols = [bundle.symbol(each) for each in ordinals]
    docs = [words for each in symbols if len(words := each.doc.split()) >= WORDS]
    if docs and not is_name:
        return " ".join(docs[0][:WORDS])
    return symbols[0].name if symbols else "main"


def ask(bundles: Sequence[Shelved], count: int) -> None:
    """Ask warm queries, and print their times, the memory, and how often the bundle of a query was opened."""
    rng = random.Random(7)
    queries: list[tuple[str, str]] = []
    for number, shelved in enumerate(rng.choices(bundles, k=count)):
        with open_bundle(shelved.located.path, check="sizes") as bundle:
            queries.append((shelved.name, query_of(bundle, rng, is_name=number % 2 == 0)))
    start = time.perf_counter()
    with Shelf(bundles) as shelf:
        ready = time.perf_counter() - start
        times: list[float] = []
        opened = {"names": [0, 0, 0], "words": [0, 0, 0]}
        for number, (name, query) in enumerate(queries):
            start = time.perf_counter()
            answer = shelf.search(query)
            times.append(1000 * (time.perf_counter() - start))
            counted = opened["words" if number % 2 else "names"]
            counted[0] += 1
            counted[1] += name in {each.index_name for each in answer.bundles}
            counted[2] += bool(answer.hits) and answer.hits[0].index_name == name
        lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
        written = sum(int(line.split()[1]) for line in lines if "Private_Dirty" in line)
    times.sort()
    rows = [
        ["the catalogue is read, s", f"{ready:.2f}"],
        ["answer, p50, ms", f"{statistics.median(times):.0f}"],
        ["answer, p95, ms", f"{times[int(0.95 * len(times))]:.0f}"],
        ["memory that it wrote, MB", f"{written / 1024:.0f}"],
    ]
    for kind, (asked, right, first) in opened.items():
        rows.append([f"{kind}: the bundle was opened", f"{right} of {asked}"])
        rows.append([f"{kind}: the first hit is from it", f"{first} of {asked}"])
    print(table([f"{len(bundles)} bundles", "warm"], rows))


def main() -> None:
    """Make, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shelf", type=Path)
    parser.add_argument("--make", type=int, default=0, metavar="N")
    parser.add_argument("--from", dest="checkouts", type=Path, nargs="+", default=[], metavar="CHECKOUT")
    parser.add_argument("--queries", type=int, default=200)
    asked = parser.parse_args()
    asked.shelf.mkdir(parents=True, exist_ok=True)
    if asked.make:
        make(asked.shelf, asked.checkouts, asked.make)
    with tempfile.TemporaryDirectory() as cache:
        command = Command(
            arguments=[SCRIPT, "search", "connect to the server with a timeout", "-b", str(asked.shelf)],
            environment={"HARDTACK_CACHE": cache},
            exit_codes=(0, 1),
        )
        rows = []
        for label in ("nothing is remembered", "bundles are remembered", "the same again"):
            spent = spend(command)
            rows.append([label, f"{spent.seconds:.2f}", f"{spent.cpu_seconds:.2f}"])
        print(table(["first answer", "s", "CPU s"], rows))
        print()
        os.environ["HARDTACK_CACHE"] = cache
        from hardtack.store.cache import BundleCache

        bundles, _ = gathered([asked.shelf], lambda: BundleCache(Path(cache)), lambda _: None)
        ask(bundles, asked.queries)


if __name__ == "__main__":
    main()
