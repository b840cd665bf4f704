"""Proves that a killed build leaves the old bundle, the new one, or nothing: kills builds with SIGKILL and looks.

    python benchmarks/proofs/kills.py REPO [--builds N] [--seed N]

Half of the builds are killed at moments drawn uniformly from a build's measured duration; the other half at the steps of writing,
``HARDTACK_KILL_AT`` counting every write, fsync and rename. They build onto a bundle of another commit and onto nothing, by turns.
Only the building process is killed: its workers must end by themselves. After each kill, what is in the output place must pass
``verify`` and be one of the two bundles; now and then and at the end, a build that nobody kills must clear away what the killed
ones left. The source tree must not change at all. Exits 1 when any of this fails.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proof import HARDTACK, Proof, build, clone, content_of, environment, git, scratch, spread, verified_digest

from hardtack.build.pipeline import NO_BASE, BuildOptions, build_bundle
from hardtack.errors import HardtackError

_MARK = "HARDTACK_PROOF_MARK"  # in the environment of a build and of all that it starts
_SECONDS_TO_END = 5.0
_TIDY_EVERY = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """One build that will not end by itself."""

    moment: float | None = None
    """Seconds after its start."""
    step: int | None = None
    """Of writing, from 1."""
    onto_bundle: bool

    def __str__(self) -> str:
        when = f"step {self.step}" if self.step else f"{self.moment:.3f} s"
        return f"{when}, onto {'a bundle' if self.onto_bundle else 'nothing'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where the killing happens."""

    source: Path
    place: Path
    """The output place; nothing else is in its directory."""
    old: Path
    """A bundle of another commit, kept safe."""
    old_digest: str
    new_digest: str
    steps: tuple[str, ...]
    """What a build's steps of writing are, in order."""

    def found(self) -> str:
        """What is in the output place: nothing, old, new, or what is wrong with it."""
        if not os.path.lexists(self.place):
            return "nothing"
        try:
            digest = verified_digest(self.place)
        except HardtackError as error:
            return f"a damaged bundle: {error}"
        return {self.old_digest: "old", self.new_digest: "new"}.get(digest, f"a bundle nobody built: {digest}")

    def litter(self) -> list[str]:
        """Names of what lies beside the output place."""
        return sorted(path.name for path in self.place.parent.iterdir() if path != self.place)

    def allowed(self, kill: Kill) -> set[str]:
        """What may be there after a kill."""
        before, last = ("old" if kill.onto_bundle else "nothing"), len(self.steps)
        if kill.step is None:
            return {before, "new"}
        return {"new"} if kill.step == last else {before}  # the last step makes durable what the one before it put in place


def prepare(repository: Path, root: Path) -> tuple[Ground, float]:
    """Two bundles, the steps of a build, and how long one takes in seconds."""
    source = clone(repository, root / "source")
    old = root / "old"
    commits = git(source, "rev-list", "--max-count=2", "HEAD").split()
    if len(commits) == 2:
        git(source, "checkout", "--quiet", commits[1])
        build(source, old)
        git(source, "checkout", "--quiet", commits[0])
    else:
        build(source, old, "--text", "none")
    new, started = root / "new", time.monotonic()
    build(source, new)
    duration = time.monotonic() - started
    steps: list[str] = []
    build_bundle(source, new, BuildOptions(base=NO_BASE), step=steps.append)
    place = root / "site" / "bundle"
    place.parent.mkdir()
    ground = Ground(
        source=source,
        place=place,
        old=old,
        old_digest=verified_digest(old),
        new_digest=verified_digest(new),
        steps=tuple(steps),
    )
    return ground, duration


def kills(count: int, duration: float, steps: int, chance: random.Random) -> list[Kill]:
    """``count`` kills, half by moment and half by step, shuffled.

    Every step both ways where ``count`` is large enough; the two that put a bundle in place always, the others spread evenly.
    """
    both_ways = [(step, onto) for step in range(steps, 0, -1) for onto in (True, False)]
    by_step = both_ways[:4] + [both_ways[4 + index] for index in spread(max(0, count // 2 - 4), len(both_ways) - 4)]
    planned = [Kill(step=step, onto_bundle=onto) for step, onto in by_step]
    planned += [Kill(moment=chance.uniform(0, duration), onto_bundle=number % 2 == 0) for number in range(count - len(planned))]
    chance.shuffle(planned)
    return planned


def run(ground: Ground, kill: Kill) -> tuple[str, int]:
    """Build and kill; what is wrong afterwards (empty: nothing), and whether the kill came in time."""
    if ground.place.exists():
        shutil.rmtree(ground.place)
    if kill.onto_bundle:
        shutil.copytree(ground.old, ground.place)
    mark = uuid.uuid4().hex
    variables = environment(**{_MARK: mark, "HARDTACK_KILL_AT": str(kill.step) if kill.step else None})
    command = [*HARDTACK, "build", str(ground.source), "-o", str(ground.place), "--quiet"]
    process = subprocess.Popen(command, env=variables, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if kill.moment is not None:
        time.sleep(kill.moment)
        process.kill()
    _, said = process.communicate(timeout=600)
    problems = []
    found = ground.found()
    if found not in ground.allowed(kill):
        problems.append(f"found {found}")
    if left := _outliving(mark):
        problems.append(f"still running after {_SECONDS_TO_END} s: {left}")
    was_killed = process.returncode == -signal.SIGKILL
    if not was_killed and (kill.step or process.returncode):
        problems.append(f"exit status {process.returncode}: {said.decode(errors='replace')}")
    return "; ".join(problems), was_killed


def _outliving(mark: str) -> list[str]:
    """Processes of one build that do not end in time."""
    deadline = time.monotonic() + _SECONDS_TO_END
    while (left := list(_marked(mark))) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _marked(mark: str) -> Iterator[str]:
    wanted = f"{_MARK}={mark}".encode()
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                if wanted in (process / "environ").read_bytes():
                    yield (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue  # it is gone, or another user's


def left_by_tidying(ground: Ground) -> list[str]:
    """What is wrong after a build that was let be: anything beside the output place, anything but the new bundle in it."""
    build(ground.source, ground.place)
    found = ground.found()
    return [*ground.litter(), *([] if found == "new" else [f"the place holds {found}"])]


def main() -> None:
    """Kill, look, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--builds", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    with scratch() as root:
        ground, duration = prepare(arguments.repository, root)
        source = content_of(ground.source)
        steps = len(ground.steps)
        proof = Proof(
            f"{arguments.builds} killed builds of {arguments.repository.name}: {duration:.2f} s, {steps} steps of writing each"
        )
        outcomes: Counter[str] = Counter()
        abandoned: set[str] = set()
        left: list[str] = []
        for number, kill in enumerate(kills(arguments.builds, duration, steps, random.Random(arguments.seed)), start=1):
            wrong, was_killed = run(ground, kill)
            outcomes[f"{'killed' if was_killed else 'had ended'}, found {ground.found()}"] += 1
            if wrong:
                proof.claim(str(kill) + (f" ({ground.steps[kill.step - 1]})" if kill.step else ""), False, wrong)
            abandoned.update(ground.litter())
            if number % _TIDY_EVERY == 0 or number == arguments.builds:
                left += left_by_tidying(ground)
        for outcome, count in sorted(outcomes.items()):
            proof.claim(outcome, "damaged" not in outcome and "nobody" not in outcome, f"{count} builds")
        tidy = f"{len(abandoned)} abandoned, {len(left)} left {left or ''}"
        proof.claim("the next build clears abandoned directories", bool(abandoned) and not left, tidy)
        proof.claim("the source tree is untouched", content_of(ground.source) == source, f"{len(source)} paths")
        proof.leave()


if __name__ == "__main__":
    main()
