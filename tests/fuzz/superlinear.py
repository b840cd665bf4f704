"""Look for inputs that take time that grows faster than they do, and report them: nothing fails.

    python tests/fuzz/superlinear.py --seconds 600 --seed 1
    python tests/fuzz/superlinear.py languages secrets

The part of a case that is repeated is a piece of a mutated one. It is executed at one, two and four times a length; a case is told
if the time grew more than threefold at both steps and is worth telling. Processor time of one process, the least of two runs.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1] / "format"))
sys.path.insert(0, str(Path(__file__).parents[1] / "doubles"))

from driver import Generator, Hang, Target
from targets import TARGETS

from hardtack.errors import HardtackError

REPEATED = {
    "languages": b"\n",
    "docblocks": b"\n",
    "secrets": b"",
    "decode": b"\0",
    "ignore": b"",
    "queries": b"\n",
    "encodings": b"",
    "readers": b"\0",
}
"""Target -> what stands between the head of a case, which stays, and what is repeated; empty where there is no head."""
LENGTH = 8_000
"""Bytes of the shortest of the three."""
GROWTH = 3.0
WORTH_TELLING = 0.4
"""Processor seconds of the longest; a linear one of that length takes less."""


def seconds_of(target: Target, case: bytes) -> float:
    """The processor time of one execution, the least of two."""
    found = []
    for _ in range(2):
        started = time.process_time()
        with contextlib.suppress(HardtackError, AssertionError, ValueError, Hang):
            target.execute(case)
        found.append(time.process_time() - started)
        if found[0] > 5:
            break
    return min(found)


def grows(target: Target, head: bytes, piece: bytes) -> tuple[float, float, float] | None:
    """The three times of a piece that takes more than its share; None of one that does not."""
    times: list[float] = []
    for factor in (1, 2, 4):
        times.append(seconds_of(target, head + piece * (factor * LENGTH // len(piece) + 1)))
        if times[-1] < WORTH_TELLING / GROWTH ** (2 - len(times) + 1) or (len(times) > 1 and times[-1] < GROWTH * times[-2]):
            return None
    return times[0], times[1], times[2]


def search(target: Target, seconds: float, seed: int) -> tuple[int, list[str]]:
    """Try pieces for so long: how many, and a line for each that takes more than its share."""
    between, found, tried = REPEATED[target.name], list[str](), 0
    seeds, deadline = target.seeds(), time.monotonic() + seconds
    while time.monotonic() < deadline:
        generator = Generator(seed << 40 | tried)
        case = target.mutate(generator, generator.choice(seeds))
        head, middle, body = case.partition(between) if between else (b"", b"", case)
        size = generator.choice((1, 2, 3, 8, 40, 200))
        at = generator.randrange(max(len(body) - size, 0) + 1)
        piece = body[at : at + size]
        tried += 1
        if piece and (times := grows(target, head + middle, piece)):
            found.append(f"{target.name}: {times[0]:.2f}, {times[1]:.2f}, {times[2]:.2f} s for {head!r} and {piece!r} repeated")
    return tried, found


def main() -> int:
    parser = argparse.ArgumentParser(description="Look for time that grows faster than the input, and report it.")
    parser.add_argument("target", nargs="*", choices=[*REPEATED, []])
    parser.add_argument("--seconds", type=float, default=60, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    targets = [target for target in TARGETS if target.name in (arguments.target or REPEATED)]
    for target in targets:
        tried, found = search(target, arguments.seconds / len(targets), arguments.seed)
        sys.stdout.write(f"{target.name}: {tried} pieces tried, {len(found)} grow faster than they should\n")
        sys.stdout.write("".join(f"  {line}\n" for line in found))
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
