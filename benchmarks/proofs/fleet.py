"""Proves that a fleet loses nothing and does nothing twice: kills workers and whole fleets in the middle, and runs them again.

    python benchmarks/proofs/fleet.py TREE... [--repositories N] [--workers N] [--keep DIR]

The tracked files of each TREE are dealt out to repositories, N in all, each with one commit; three more are broken: one is not
there, one has no commit, one has nothing to index. Over a Dask cluster of N worker processes of their own, on loopback: a fleet is
started and, after a third of it, ended with SIGKILL; it is started again, and one worker is ended with SIGKILL in its middle; it is
started a third time, on this machine. Then every repository must lie at the shelf once, with the digest that ``hardtack build`` of
a checkout of it gives, and the broken three must have been told, each in a sentence, in every run. Another fleet is killed and run
again on this machine alone, and must leave the same. A worker of another version must keep a fleet from starting. No process and no
temporary directory may be left. It prints how fast it went. Exits 1 on any failure. ``--keep`` keeps repositories and shelves.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proof import HARDTACK, Proof, build, environment, git, scratch, verified_digest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "doubles"))

from clusters import Cluster, another_version, cluster

_SECONDS = 3600
_BROKEN = (
    ("absent.git", "is not found"),
    ("empty.git", "has no commit at its HEAD"),
    ("nothing.git", "holds nothing to index"),
)
_LARGEST_FILE = 200_000
"""Bytes of a file that is dealt out; larger ones are data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """The list of repositories, and where everything lies."""

    root: Path
    list: Path
    repositories: Sequence[Path]
    """Those that can be built, as checkouts with their own names."""
    variables: Mapping[str, str]

    def start(self, shelf: Path, *flags: str) -> subprocess.Popen[str]:
        """Begin a run of the fleet."""
        command = [*HARDTACK, "fleet", str(self.list), "--to", str(shelf), "--json", *flags]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=dict(self.variables), cwd=self.root)

    def account(self, process: subprocess.Popen[str]) -> tuple[int, dict[str, Any]]:
        """(exit status, account) of a run that comes to its end."""
        out, err = process.communicate(timeout=_SECONDS)
        if not out.startswith("{"):
            sys.exit(f"the fleet left no account, exit status {process.returncode}:\n{err}")
        return process.returncode, json.loads(out)


def heard(process: subprocess.Popen[str], count: int) -> list[str]:
    """The lines of a run until so many repositories were done."""
    assert process.stderr
    lines: list[str] = []
    for line in process.stderr:
        lines.append(line)
        if sum(": done: " in each for each in lines) >= count:
            break
    return lines


# -- repositories -----------------------------------------------------------------------------------------------------------------


def fleet_of(trees: Sequence[Path], count: int, root: Path, variables: Mapping[str, str]) -> Fleet:
    """So many repositories of the trees' files, three broken ones, and the list of all of them."""
    files = [(tree, path) for tree in trees for path in git(tree, "ls-files").splitlines() if _is_dealt(tree / path)]
    made = [_repository(root / "repositories" / f"r{number:04}", files[number::count], number) for number in range(count)]
    git(_made(root / "repositories" / "empty.git"), "init", "--quiet", "--bare")
    nothing = _made(root / "repositories" / "nothing.git")
    (nothing / "picture.png").write_bytes(bytes(range(256)))
    _commit(nothing, "nothing")
    broken = [f"{root}/repositories/{name} - git.example.org/broken/{name.removesuffix('.git')}" for name, _ in _BROKEN]
    lines = [*(str(path) for path in made), *broken]
    (root / "list.txt").write_text("# made for a proof\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return Fleet(root=root, list=root / "list.txt", repositories=made, variables=variables)


def _is_dealt(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST_FILE


def _repository(place: Path, files: Sequence[tuple[Path, str]], number: int) -> Path:
    _made(place)
    (place / "README.md").write_text(f"# Repository {number}\n\nOne of a fleet.\n", encoding="utf-8")
    for tree, path in files:
        copy = place / tree.name / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / path, copy)
    _commit(place, place.name)
    return place


def _made(place: Path) -> Path:
    place.mkdir(parents=True)
    return place


def _commit(place: Path, name: str) -> None:
    """One commit of all that lies there, and an ``origin`` that names the repository."""
    git(place, "init", "--quiet", "--initial-branch=main")
    git(place, "add", "--all", "--force")
    someone = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(place, *someone, "commit", "--quiet", "--allow-empty", "--message", "state")
    git(place, "remote", "add", "origin", f"https://git.example.org/team/{name}.git")


# -- claims -----------------------------------------------------------------------------------------------------------------------


def on_shelf(shelf: Path) -> dict[str, str]:
    """Repository -> bundle digest, of the pointers by commit at a shelf."""
    pointers = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((shelf / "f1" / "commit").glob("*.json"))]
    return {pointer["repository"]: pointer["bundle_digest"] for pointer in pointers}


def claim_account(proof: Proof, fleet: Fleet, what: str, code: int, account: Mapping[str, Any], *, there: int = 0) -> None:
    """A run that came to its end has told of every repository, and why three of them failed."""
    good = len(fleet.repositories)
    counts = {state: account[state] for state in ("done", "unchanged", "failed")}
    proof.claim(f"{what}: all told, three failed, exit status 4", (code, counts["failed"]) == (4, len(_BROKEN)), str(counts))
    held = counts["done"] + counts["unchanged"] == good and counts["unchanged"] >= there
    proof.claim(f"{what}: what was there is not built again", held, f"{there} were there")
    said = {each["address"]: each["failure"]["message"] for each in account["repositories"] if each["state"] == "failed"}
    as_expected = all(words in said.get(f"{fleet.root}/repositories/{name}", "") for name, words in _BROKEN)
    proof.claim(f"{what}: each broken one has its sentence", as_expected, "" if as_expected else str(said))


def claim_shelf(proof: Proof, fleet: Fleet, what: str, shelf: Path, expected: Mapping[str, str]) -> None:
    """Every repository lies there once, and is what ``hardtack build`` makes of it."""
    found = on_shelf(shelf)
    good = len(fleet.repositories)
    counts = [len(list((shelf / place).iterdir())) for place in ("f1/commit", "f1/bundle", "packs")]
    proof.claim(f"{what}: all are there, none twice", counts == [good] * 3 and len(found) == good, f"{counts} of {good}")
    catalogue = json.loads((shelf / "f1" / "catalogue.json").read_text(encoding="utf-8"))["bundles"]
    named = {each["repository"]: each["bundle_digest"] for each in catalogue}
    proof.claim(f"{what}: the catalogue names each once", named == found and len(catalogue) == good, f"{len(catalogue)} named")
    differing = sorted(name for name in expected if found.get(name) != expected[name])
    proof.claim(f"{what}: digests are those of hardtack build", not differing, ", ".join(differing[:5]))


def claim_nothing_left(proof: Proof, what: str, temporary: Path) -> None:
    """No process of a fleet runs, and no temporary directory of one is left, once a killed one's have had the time to go."""
    until = time.monotonic() + 30
    while (processes := _processes(temporary)) and time.monotonic() < until:
        time.sleep(0.5)
    proof.claim(f"{what}: no process is left", not processes, " ".join(processes))
    left = [path.name for path in temporary.iterdir() if path.name.startswith("hardtack-work-")]
    proof.claim(f"{what}: no temporary directory is left", not left, " ".join(left))


def _processes(temporary: Path) -> list[str]:
    """Processes with this temporary directory that build for a fleet."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"TMPDIR={temporary}".encode() in (process / "environ").read_bytes().split(b"\0")
            if is_ours and b"hardtack.cli.fleet_process" in (process / "cmdline").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


def over_a_cluster(proof: Proof, fleet: Fleet, at: Cluster, shelf: Path) -> None:
    """Kill the fleet, run it again and kill a worker, then run it where the cluster is not."""
    good = len(fleet.repositories)
    first = fleet.start(shelf, "--cluster", at.address)
    heard(first, max(1, good // 3))
    first.kill()
    first.wait()
    there = len(on_shelf(shelf))
    proof.claim("cluster: killed in the middle", 0 < there < good, f"{there} of {good} were at the shelf")
    second = fleet.start(shelf, "--cluster", at.address)
    heard(second, max(1, good // 4))
    victim = at.workers.pop()
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    code, account = fleet.account(second)
    claim_account(proof, fleet, "cluster, a worker killed", code, account, there=there)
    print_rates("cluster, the second run", account)
    code, account = fleet.account(fleet.start(shelf))
    claim_account(proof, fleet, "cluster, then here", code, account, there=good)
    print(f"        looking at {len(account['repositories'])} that are unchanged: {account['seconds']:.1f} s")


def other_version(proof: Proof, fleet: Fleet, at: Cluster, shelf: Path) -> None:
    """A worker of another version keeps the fleet from starting."""
    at.add_worker({**another_version(fleet.root / "other"), "TMPDIR": fleet.variables["TMPDIR"]})
    at.wait(len(at.workers))
    done = fleet.start(shelf, "--cluster", at.address)
    _, err = done.communicate(timeout=_SECONDS)
    says = "has hardtack 99.9 (" in err and "nothing was started" in err
    proof.claim("a worker of another version: refused", done.returncode == 4 and says, err.strip()[:100])
    proof.claim("a worker of another version: nothing done", not shelf.exists())


def on_this_machine(proof: Proof, fleet: Fleet, shelf: Path, jobs: int) -> None:
    """Kill the fleet, and run it again, without any cluster."""
    good = len(fleet.repositories)
    first = fleet.start(shelf, "--jobs", str(jobs))
    heard(first, max(1, good // 2))
    first.kill()
    first.wait()
    there = len(on_shelf(shelf))
    proof.claim("here: killed in the middle", 0 < there < good, f"{there} of {good} were at the shelf")
    code, account = fleet.account(fleet.start(shelf, "--jobs", str(jobs)))
    claim_account(proof, fleet, "here", code, account, there=there)
    print_rates("here, the second run", account)


def print_rates(what: str, account: Mapping[str, Any]) -> None:
    """How fast a run went."""
    done, seconds = account["done"], account["seconds"]
    if done:
        print(
            f"        {what}: {done} in {seconds:.1f} s, {60 * done / seconds:.1f} a minute; {account['lines']} lines, "
            f"{account['lines'] / seconds:.0f} a second; {account['process_seconds']:.1f} seconds of processes, "
            f"{account['cpu_seconds']:.1f} of processors; "
            f"{account['pack_bytes']} bytes of packs, {account['fetched_bytes']} fetched"
        )


def main() -> None:
    """Run the proof."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--repositories", type=int, default=60)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    proof = Proof(f"fleet: {options.repositories} repositories, {options.workers} workers")
    with scratch() as temporary:
        root = options.keep.absolute() if options.keep else temporary
        (root / "tmp").mkdir(parents=True)
        variables = environment(TMPDIR=str(root / "tmp"), HARDTACK_CACHE=str(root / "cache"))
        os.environ["TMPDIR"] = str(root / "tmp")  # of the cluster's processes
        fleet = fleet_of([tree.resolve() for tree in options.trees], options.repositories, root, variables)
        with cluster(root / "cluster", options.workers) as at:
            over_a_cluster(proof, fleet, at, root / "shelf")
            other_version(proof, fleet, at, root / "refused")
        on_this_machine(proof, fleet, root / "here", options.workers)
        expected = {}
        for place in fleet.repositories:
            build(place, root / "plain", "--base", "none")
            expected[f"git.example.org/team/{place.name}"] = verified_digest(root / "plain")
        for what, shelf in (("cluster", root / "shelf"), ("here", root / "here")):
            claim_shelf(proof, fleet, what, shelf, expected)
        claim_nothing_left(proof, "at the end", root / "tmp")
    proof.leave()


if __name__ == "__main__":
    main()
