"""Proves that a bundle gets from a repository to its users: builds, publishes, serves, pulls, verifies and searches it.

    python benchmarks/proofs/flow.py REPO [--nginx PROGRAM] [--pulls N]

A clone of REPO (twenty commits back from its HEAD, and a branch that leaves on the way) is built at three commits and published to
a folder that nginx serves over loopback, to an S3 server over loopback (moto's), and to the tests' stand-in of GitHub. Clients with
HEAD at a published commit, after it, before it, before all of them, and on the branch pull from each into caches of their own. What
was installed is verified, found offline, and searched as uid 65534 without network where every mount is read-only. Then N clients
at once (20) pull from nginx into one cache, five times over, while one loop collects garbage and two search. Last, the time of pull
and install beside that of fetching the pack with curl, taking turns; medians of seven.

Needs nginx, curl, root and util-linux, and the 'dev' and 'remote' extras. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from proof import HARDTACK, Proof, build, git, hardtack, scratch
from read_only import answers as answers_of
from read_only import inside, queries_of, why_no_mount

from hardtack import open_bundle
from hardtack.store.sources.github import WORKFLOW

_REPOSITORY = "example.org/flow/project"
_ORIGIN = f"https://{_REPOSITORY}.git"
_BUCKET = "bundles"
_ROUNDS = 5
_REPEATS = 7


def main() -> None:
    """Prove it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--nginx", default=shutil.which("nginx") or "nginx", metavar="PROGRAM")
    parser.add_argument("--pulls", type=int, default=20, metavar="N")
    arguments = parser.parse_args()
    with scratch() as root:
        prove(arguments.repository, arguments.nginx, arguments.pulls, root)


def prove(repository: Path, nginx: str, pulls: int, root: Path) -> None:
    """The whole flow, once."""
    source, commits, branch = history_of(repository, root)
    proof = Proof(f"{repository.name}: {len(commits)} commits, of which three are published, and a branch")
    packs = {place: packed(source, commit, root / f"at-{place}") for place, commit in published(commits).items()}
    www = root / "www"
    with served(nginx, www, root) as address, bucket(root) as (s3, variables), github(packs, commits) as (project, login):
        for name, target, where, own in (
            ("folder behind nginx", str(www), address, {}),
            ("S3", s3, s3, variables),
            ("GitHub", "", project, login),
        ):
            if target:
                publish_all(proof, name, target, packs, commits, own)
            else:
                publish_release(proof, name, project, packs, commits, own)
            for client, (head, expected) in clients(commits, branch).items():
                pull_one(proof, f"{name}: {client}", where, checkout(source, head, root / "clients"), expected, root, own)
        refuse(proof, address, source, commits, root)
        at_once(proof, address, checkout(source, commits[-1], root / "clients"), pulls, root)
        times(proof, address, checkout(source, commits[-1], root / "clients"), packs["newest"], root)
    read_only(proof, root / "cache-S3: newer", root)
    proof.leave()


# -- what is pulled -------------------------------------------------------------------------------------------------------------


def history_of(repository: Path, root: Path) -> tuple[Path, list[str], str]:
    """A clone, the last twenty commits of its first-parent line, oldest first, and a branch that left at the tenth."""
    source = root / "source"
    git(root, "clone", "--quiet", f"file://{repository.resolve()}", str(source))
    git(source, "remote", "set-url", "origin", _ORIGIN)
    commits = git(source, "rev-list", "--first-parent", "--max-count=20", "HEAD").split()[::-1]
    if len(commits) < 12:
        sys.exit("The repository's history is too short: twelve commits are needed.")
    git(source, "checkout", "--quiet", "-b", "diverged", commits[-6])
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(source, *who, "commit", "--quiet", "--allow-empty", "--message", "on a branch")
    branch = git(source, "rev-parse", "HEAD")
    git(source, "branch", "--force", "tip", commits[-1])
    return source, commits, branch


def published(commits: list[str]) -> dict[str, str]:
    """Which commits are: the eighth from the end, the sixth, the newest."""
    return {"oldest": commits[-8], "middle": commits[-6], "newest": commits[-1]}


def clients(commits: list[str], branch: str) -> dict[str, tuple[str, str]]:
    """Client -> its HEAD, and the commit whose bundle fits: never of a descendant."""
    return {
        "the same": (commits[-6], commits[-6]),
        "newer": (commits[-3], commits[-6]),
        "older": (commits[-7], commits[-8]),
        "older than all": (commits[-10], ""),
        "diverged": (branch, commits[-6]),
    }


def packed(source: Path, commit: str, place: Path) -> Path:
    """Check the commit out, build its bundle, pack it."""
    git(source, "checkout", "--quiet", commit)
    build(source, place / "bundle")
    done = hardtack("pack", place / "bundle", "-o", place / "bundle.hardtack")
    if done.returncode:
        sys.exit(done.stderr)
    return place / "bundle.hardtack"


def checkout(source: Path, head: str, place: Path) -> Path:
    """A client's clone, once for each HEAD."""
    mine = place / head[:12]
    if not mine.exists():
        place.mkdir(exist_ok=True)
        git(place, "clone", "--quiet", "--no-checkout", f"file://{source}", str(mine))
        git(mine, "checkout", "--quiet", head)
        git(mine, "remote", "set-url", "origin", _ORIGIN)
    return mine


# -- servers --------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def served(nginx: str, www: Path, root: Path) -> Iterator[str]:
    """Nginx over loopback, serving a folder; its address."""
    www.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = root / "nginx"
    own.mkdir()
    paths = "".join(f"{kind}_temp_path {own}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (own / "conf").write_text(
        f"daemon off; pid {own}/pid; error_log {own}/errors; user root; worker_processes 2; events {{}}"
        f" http {{ access_log off; {paths} sendfile on; server {{ listen 127.0.0.1:{port}; root {www}; }} }}"
    )
    process = subprocess.Popen([nginx, "-p", str(own), "-c", str(own / "conf")])
    try:
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            time.sleep(0.05)
        else:
            sys.exit("nginx does not answer.")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def bucket(root: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Moto's S3 server over loopback, in a process of its own; a place in a bucket, and the variables that lead there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = "import sys; from moto.server import main; main(['-H', '127.0.0.1', '-p', sys.argv[1]])"
    with (root / "moto.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-c", program, str(port)], stdout=log, stderr=log)
    variables = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "-".join(("known", "to", "nobody")),
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            time.sleep(0.1)
        make = f"import s3fs; s3fs.S3FileSystem().mkdir({_BUCKET!r})"
        subprocess.run([sys.executable, "-c", make], env=os.environ | variables, check=True)
        yield f"s3://{_BUCKET}/project", variables
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def github(packs: dict[str, Path], commits: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The stand-in of GitHub, with the packs as artifacts of runs on the default branch; an address, and who may go there."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "doubles"))
    from github import GitHub

    with GitHub() as running:
        owner, _, name = _REPOSITORY.partition("/")[2].partition("/")
        project = running.add_repository(f"{owner}/{name}", branches={"main": (commits[-1], True)})
        for place, commit in published(commits).items():
            run = running.add_run(project, commit, path=WORKFLOW)
            running.add_artifact(project, run, f"hardtack-f1-{commit}-hybrid.hardtack", packs[place].read_bytes())
        running.add_release(project, "v1", commits[-1])
        variables = {
            "GITHUB_API_URL": running.api,
            "GITHUB_SERVER_URL": f"https://{_REPOSITORY.partition('/')[0]}",
            "GITHUB_TOKEN": running.token("read", "write"),
        }
        yield f"github:{owner}/{name}", variables
        if running.faults:
            sys.exit(f"What was said to GitHub, or by it, is not as its description has it: {running.faults[:3]}")


# -- claims ---------------------------------------------------------------------------------------------------------------------


def publish_all(
    proof: Proof, name: str, target: str, packs: dict[str, Path], commits: list[str], variables: dict[str, str]
) -> None:
    """Publish the packs, oldest first, the last of them as the branch."""
    problems = []
    for place, commit in published(commits).items():
        refs = ["--ref", "main"] if place == "newest" else []
        done = hardtack("publish", packs[place], "--to", target, "--commit", commit, *refs, env=os.environ | variables)
        problems += [done.stderr] if done.returncode else []
    again = hardtack("publish", packs["newest"], "--to", target, "--json", env=os.environ | variables)
    is_same = again.returncode == 0 and json.loads(again.stdout)["was_there"]
    size = packs["newest"].stat().st_size
    proof.claim(f"{name}: published", not problems and is_same, problems[0] if problems else f"3 packs, the last of {size:,} bytes")


def publish_release(
    proof: Proof, name: str, project: str, packs: dict[str, Path], commits: list[str], variables: dict[str, str]
) -> None:
    """Publish the newest pack as a file of a release; the others are artifacts, which only a run of GitHub's can make."""
    command = ("publish", packs["newest"], "--to", project, "--commit", commits[-1], "--ref", "v1")
    done = hardtack(*command, env=os.environ | variables)
    proof.claim(f"{name}: published", done.returncode == 0, done.stderr or "1 pack as a release's file, 3 as artifacts")


def pull_one(proof: Proof, what: str, where: str, mine: Path, expected: str, root: Path, variables: dict[str, str]) -> None:
    """One client pulls into a cache of its own, and verifies what it got."""
    cache = root / f"cache-{what.replace('folder behind nginx', 'nginx')}"
    environment = os.environ | variables | {"HARDTACK_CACHE": str(cache)}
    done = hardtack("pull", "--from", where, "--checkout", mine, "--json", env=environment)
    if not expected:
        proof.claim(what, done.returncode == 1 and not done.stdout, f"exit status {done.returncode}: nothing fits")
        return
    found = json.loads(done.stdout) if done.returncode == 0 else {}
    head = git(mine, "rev-parse", "HEAD")
    distance = int(git(mine, "rev-list", "--count", f"{expected}..{head}"))
    fits = (found.get("commit"), found.get("distance")) == (expected, distance)
    verified = hardtack("verify", found.get("place", "/nowhere"), "--digest", found.get("digest", ""), env=environment)
    offline = hardtack("pull", "--offline", "--checkout", mine, "--json", env=environment)
    holds = fits and verified.returncode == 0 and offline.returncode == 0
    proof.claim(what, holds, done.stderr or verified.stderr or f"{expected[:12]}, {distance} behind; verified; found offline")


def refuse(proof: Proof, address: str, source: Path, commits: list[str], root: Path) -> None:
    """A shallow clone that cannot see far enough is told so."""
    mine = root / "clients" / "shallow"
    git(root, "clone", "--quiet", "--depth", "2", "--branch", "tip", f"file://{source}", str(mine))
    git(mine, "remote", "set-url", "origin", _ORIGIN)
    git(mine, "checkout", "--quiet", "HEAD~1")
    environment = os.environ | {"HARDTACK_CACHE": str(root / "cache-shallow")}
    done = hardtack("pull", "--from", address, "--checkout", mine, env=environment)
    said = "shallow clone" in done.stderr
    proof.claim("a shallow clone says how far it looked", (done.returncode, said) == (1, True), f"exit status {done.returncode}")


def at_once(proof: Proof, address: str, mine: Path, pulls: int, root: Path) -> None:
    """Many pull into one cache while it is collected and searched."""
    environment = os.environ | {"HARDTACK_CACHE": str(root / "cache-shared")}
    first = hardtack("pull", "--from", address, "--checkout", mine, env=environment)
    done, failures, searches, collections = threading.Event(), [first.stderr] if first.returncode else [], [0], [0]

    def loop(count: list[int], *arguments: str | Path) -> None:
        while not done.is_set():
            found = subprocess.run([*HARDTACK, *map(str, arguments)], cwd=mine, env=environment, capture_output=True, text=True)
            count[0] += 1
            if found.returncode:
                failures.append(f"{arguments[0]}: {found.stderr}")

    threads = [threading.Thread(target=loop, args=(searches, "search", "--mode", "keyword", "--json", "parse")) for _ in range(2)]
    threads.append(threading.Thread(target=loop, args=(collections, "gc")))
    for thread in threads:
        thread.start()
    fetched = 0
    for number in range(_ROUNDS):
        # Each round, half of them want another bundle, so that the name stands for one and the other in turn.
        commit = git(mine, "rev-parse", "HEAD" if number % 2 else "HEAD~5")
        running = [
            subprocess.Popen(
                [*HARDTACK, "pull", "--from", address, "--json", "--quiet", *(["--commit", commit] if each % 2 else [])],
                cwd=mine,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for each in range(pulls)
        ]
        for process in running:
            out, err = process.communicate()
            if process.returncode:
                failures.append(f"pull: {err}")
            else:
                fetched += not json.loads(out)["was_there"]
    done.set()
    for thread in threads:
        thread.join()
    detail = (
        failures[0] if failures else f"{searches[0]} searches, {collections[0]} collections, {fetched} fetched of {_ROUNDS * pulls}"
    )
    proof.claim(f"{pulls} pulls at once, {_ROUNDS} times", not failures and searches[0] > 0, detail)


def times(proof: Proof, address: str, mine: Path, pack: Path, root: Path) -> None:
    """Pull and install beside the download alone, taking turns."""
    pointer = f"{address}/f1/commit/{git(mine, 'rev-parse', 'HEAD')}.json"
    path = json.loads(subprocess.run(["curl", "-sf", pointer], check=True, capture_output=True).stdout)["path"]
    curl = ["curl", "-sf", "-o", str(root / "curled"), f"{address}/{path}"]
    spent: dict[str, list[float]] = {"curl": [], "pull": [], "again": []}
    for number in range(_REPEATS):
        environment = os.environ | {"HARDTACK_CACHE": str(root / f"cache-time-{number}")}
        pull = [*HARDTACK, "pull", "--from", address, "--quiet"]
        for name, command in (("curl", curl), ("pull", pull), ("again", pull)):
            started = time.monotonic()
            subprocess.run(command, check=True, cwd=mine, env=environment, capture_output=True)
            spent[name].append(time.monotonic() - started)
        shutil.rmtree(root / f"cache-time-{number}", ignore_errors=True)
    seconds = {name: statistics.median(each) for name, each in spent.items()}
    proof.claim(
        "time of pull and install",
        (root / "curled").read_bytes() == pack.read_bytes(),
        f"{seconds['pull']:.2f} s for {pack.stat().st_size / 1e6:.1f} MB; curl alone {seconds['curl']:.2f} s;"
        f" when it is there {seconds['again']:.2f} s",
    )


def read_only(proof: Proof, cache: Path, root: Path) -> None:
    """Search what was pulled as nobody, on a disk that nobody can write, without network."""
    if problem := why_no_mount():
        if os.environ.get("HARDTACK_TEST_NO_MOUNT") != "1":
            sys.exit(f"Mounting is not permitted here: {problem}\nSet HARDTACK_TEST_NO_MOUNT=1 to go without.")
        proof.skip("searched as uid 65534, read-only, no network", problem)
        return
    bundle = next((cache / "v1" / "bundles").iterdir())
    asked = root / "queries.json"
    for directory in (root / "mounted", root / "tmp"):
        directory.mkdir()
    with open_bundle(bundle) as searcher:
        queries = queries_of(searcher.bundle, 10)
    asked.write_text(json.dumps(queries), encoding="ascii")
    expected = answers_of(bundle, queries)
    for place in ("tmpdir", "nothing"):
        found, problem = inside(place, bundle, root, asked)
        detail = problem or f"{len(expected)} answers equal"
        proof.claim(f"searched as nobody, writable: {place}", not problem and found == expected, detail)


if __name__ == "__main__":
    main()
