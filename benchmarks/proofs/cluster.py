"""Proves that a build on a Dask cluster has the bytes of a build on one machine, whatever becomes of workers and scheduler.

    python benchmarks/proofs/cluster.py REPO... [--workers N]

Each REPO is built here, then on a cluster of N worker processes of their own, on loopback: undisturbed; with one worker ended by
SIGKILL in the middle, while it had files; and with the scheduler ended by SIGKILL in the middle, which must be told in one sentence
and leave nothing but the journal, from which a build here goes on. Every bundle must have the same digest. Then a worker of another
version must keep a build from starting. No worker process of a build may be left, and no temporary directory. It prints how much
time the building process took, beside that of a build here. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from proof import HARDTACK, Proof, environment, scratch, verified_digest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "doubles"))

from clusters import Cluster, another_version, cluster

_SECONDS = 3600
_SOME_BYTES = 2_000_000
"""Of the journal of a build that is in its middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds one repository, again and again."""

    repository: Path
    root: Path
    variables: Mapping[str, str]

    def start(self, name: str, *flags: str) -> subprocess.Popen[str]:
        """Begin a build of the bundle of that name."""
        place, report = self.root / name / "bundle", self.root / f"{name}.json"
        command = [*HARDTACK, "build", str(self.repository), "-o", str(place), "--report", str(report), "--quiet", *flags]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(self.variables))

    def finish(self, process: subprocess.Popen[str], name: str) -> tuple[str, float]:
        """(digest, seconds of processor time of it and its worker processes here) of a build that must succeed."""
        before = _seconds_of_children()
        _, err = process.communicate(timeout=_SECONDS)
        if process.returncode:
            sys.exit(f"hardtack build failed with exit status {process.returncode}:\n{err}")
        return verified_digest(self.root / name / "bundle"), _seconds_of_children() - before

    def is_in_the_middle(self, process: subprocess.Popen[str], name: str) -> bool:
        """Wait until the build has kept some analysed files; False if it ends before that."""
        journal = self.root / name / ".hardtack-journal-bundle"
        while process.poll() is None:
            if journal.exists() and journal.stat().st_size > _SOME_BYTES:
                return True
            time.sleep(0.02)
        return False

    def report(self, name: str) -> dict[str, object]:
        """The report of a build."""
        found: dict[str, object] = json.loads((self.root / f"{name}.json").read_text(encoding="utf-8"))
        return found


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _worker_processes(temporary: Path) -> dict[int, int]:
    """Process -> parent, of the worker processes of builds with this temporary directory."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"TMPDIR={temporary}".encode() in (process / "environ").read_bytes().split(b"\0")
            if is_ours and b"hardtack.build.workers.worker" in (process / "cmdline").read_bytes():
                status = (process / "status").read_text(encoding="utf-8")
                found[int(process.name)] = int(status.partition("PPid:")[2].split()[0])
        except OSError:
            continue
    return found


def _has_files(worker: int, temporary: Path) -> bool:
    """Whether a worker of the cluster has a fork server that has a worker process."""
    parents = _worker_processes(temporary)
    return any(parents.get(server) == worker for server in parents.values())


def on_a_cluster(proof: Proof, builder: Builder, at: Cluster, temporary: Path) -> None:
    """One repository, built here and on the cluster."""
    name = builder.repository.name
    started = time.monotonic()
    expected, here = builder.finish(builder.start("here"), "here")
    whole = time.monotonic() - started
    started = time.monotonic()
    digest, there = builder.finish(builder.start("there", "--cluster", at.address), "there")
    seconds = time.monotonic() - started
    proof.claim(f"{name}: the same bytes", digest == expected, digest)
    print(
        f"        here {whole:.1f} s, {here:.1f} of processors; on the cluster {seconds:.1f} s, {there:.1f} of the building process"
    )
    killed = builder.start("killed", "--cluster", at.address)
    victim = at.workers.pop()
    is_middle = builder.is_in_the_middle(killed, "killed") and _has_files(victim.pid, temporary)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    digest, _ = builder.finish(killed, "killed")
    proof.claim(f"{name}: a worker was killed in the middle", is_middle)
    proof.claim(f"{name}: the same bytes without it", digest == expected, digest)
    at.add_worker()
    at.wait(len(at.workers))


def without_a_scheduler(proof: Proof, builder: Builder, root: Path, workers: int) -> None:
    """Lose the scheduler in the middle, then go on here."""
    name = builder.repository.name
    with cluster(root, workers) as at:
        lost = builder.start("lost", "--cluster", at.address)
        proof.claim(f"{name}: the scheduler was killed in the middle", builder.is_in_the_middle(lost, "lost"))
        at.scheduler.kill()
        _, err = lost.communicate(timeout=_SECONDS)
    lines = err.splitlines()
    says = len(lines) == 2 and "was lost before it was done." in lines[0]
    proof.claim(f"{name}: a lost scheduler is one sentence", (lost.returncode, says) == (4, True), lines[0] if lines else "")
    left = sorted(path.name for path in (builder.root / "lost").iterdir())
    proof.claim(f"{name}: it leaves the journal alone", left == [".hardtack-journal-bundle"], " ".join(left))
    digest, _ = builder.finish(builder.start("lost"), "lost")
    resumed = builder.report("lost")["files_resumed"]
    proof.claim(f"{name}: a build here goes on from it", bool(resumed), f"{resumed} files")
    proof.claim(f"{name}: the same bytes", digest == verified_digest(builder.root / "here" / "bundle"))


def other_version(proof: Proof, builder: Builder, at: Cluster, root: Path) -> None:
    """A worker of another version keeps a build from starting."""
    at.add_worker({**another_version(root), "TMPDIR": builder.variables["TMPDIR"]})
    at.wait(len(at.workers))
    refused = builder.start("refused", "--cluster", at.address)
    _, err = refused.communicate(timeout=_SECONDS)
    says = "has hardtack 99.9 (" in err and "nothing was started" in err
    proof.claim("a worker of another version: refused", refused.returncode == 4 and says, err.strip()[:100])
    proof.claim("a worker of another version: nothing made", not (builder.root / "refused").exists())


def claim_nothing_left(proof: Proof, temporary: Path) -> None:
    """No worker process of a build runs, though workers of the cluster do, and nothing temporary is left."""
    until = time.monotonic() + 10
    while (left := _worker_processes(temporary)) and time.monotonic() < until:
        time.sleep(0.1)
    proof.claim("no worker process is left", not left, " ".join(map(str, left)))
    files = [path.name for path in temporary.iterdir() if path.name.startswith("hardtack-")]
    proof.claim("no temporary directory is left", not files, " ".join(files))


def main() -> None:
    """Run the proof."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    proof = Proof(f"cluster: {options.workers} workers")
    with scratch() as root:
        temporary = root / "tmp"
        temporary.mkdir()
        variables = environment(TMPDIR=str(temporary), HARDTACK_CACHE=str(root / "cache"))
        os.environ["TMPDIR"] = str(temporary)  # of the cluster's processes
        with cluster(root / "cluster", options.workers) as at:
            for number, repository in enumerate(options.repositories):
                builder = Builder(repository=repository.resolve(), root=root / f"{number}", variables=variables)
                builder.root.mkdir()
                on_a_cluster(proof, builder, at, temporary)
            claim_nothing_left(proof, temporary)
            other_version(proof, builder, at, root / "other")
        without_a_scheduler(proof, builder, root / "lost", options.workers)
        claim_nothing_left(proof, temporary)
    proof.leave()


if __name__ == "__main__":
    main()
