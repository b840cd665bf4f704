"""Fuzz everything that strangers' bytes reach, and count whatever ends in neither an answer nor a typed error.

    python tests/fuzz/fuzz.py --seconds 3600 --seed 1            all targets, an hour together
    python tests/fuzz/fuzz.py git ignore --seconds 60 --keep DIR  two of them; what is found is made small and kept in DIR
    python tests/fuzz/fuzz.py --list                              the targets

Seeded: the same seed tries the same cases in the same order. A finding that is kept in ``tests/fuzz/kept/<target>/`` is tried by
the suite from then on; what is awaited (``awaited.py``) is counted and not told again. ``superlinear.py`` looks for time that grows
faster than the input.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported; a thread would not survive a fork
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "format"))
sys.path.insert(0, str(Path(__file__).parents[1] / "doubles"))

from awaited import AWAITED
from driver import Finding, Tally, Target, hunt, kept_name, reduced
from targets import TARGETS


def row(name: str, tally: Tally) -> str:
    """A line of the table."""
    endings = ", ".join(f"{count} {ending}" for ending, count in tally.endings.most_common(4))
    rate = tally.executions / max(tally.seconds, 0.001)
    return f"{name:12} {tally.executions:>10} {rate:>9.0f} {tally.slowest:>8.2f} {len(tally.findings):>8}  {endings}"


def keep(directory: Path, target: Target, finding: Finding) -> Path:
    """Write a finding's case, made small, and its account beside it."""
    small = reduced(target, finding)
    place = directory / target.name
    place.mkdir(parents=True, exist_ok=True)
    path = place / kept_name(small)
    path.write_bytes(small.case)
    path.with_name(path.name + ".txt").write_text(f"{small.what}\n", encoding="utf-8")
    return path


def run(targets: Sequence[Target], *, seconds: float, seed: int, most: int, directory: Path | None, log: Path | None) -> int:
    """Fuzz targets one after another, each for its share of the time; 1 if anything was found."""
    shares = sum(target.share for target in targets)
    sys.stdout.write(f"{'target':12} {'executions':>10} {'a second':>9} {'slowest':>8} {'findings':>8}  endings\n")
    found: list[tuple[Target, Finding]] = []
    awaited = {what for found_before in AWAITED.values() for what in found_before}
    total = 0
    for target in targets:
        tally = hunt(target, seconds=seconds * target.share / shares, seed=seed, most=most)
        total += tally.executions
        found += [(target, finding) for finding in tally.findings.values() if finding.what not in awaited | target.stopped]
        sys.stdout.write(row(target.name, tally) + "\n")
        sys.stdout.flush()
        if log:
            told = {"target": target.name, "seed": seed, "executions": tally.executions, "findings": sorted(tally.findings)}
            with log.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({**told, "seconds": round(tally.seconds, 1), "endings": tally.endings}) + "\n")
    sys.stdout.write(f"{total} executions; {len(found)} findings\n")
    for target, finding in found:
        kept = f", kept as {keep(directory, target, finding)}" if directory else ""
        sys.stdout.write(f"\n{target.name}: {finding.what}{kept}\n{finding.case[:200]!r}\n{finding.account}")
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutate what strangers write, and see that nothing but typed errors come.")
    parser.add_argument("target", nargs="*", help="all of them, if none is named")
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--count", type=int, default=sys.maxsize, help="executions of each target at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a directory for what is found")
    parser.add_argument("--log", type=Path, help="a file that gets a line of JSON for each target")
    parser.add_argument("--list", action="store_true", help="name the targets")
    arguments = parser.parse_args()
    known = {target.name: target for target in TARGETS}
    if arguments.list or not known.keys() >= set(arguments.target):
        sys.stdout.write("\n".join(known) + "\n")
        return 0 if arguments.list else 2
    targets = [known[name] for name in arguments.target or known]
    return run(
        targets,
        seconds=arguments.seconds,
        seed=arguments.seed,
        most=arguments.count,
        directory=arguments.keep,
        log=arguments.log,
    )


if __name__ == "__main__":
    sys.exit(main())
