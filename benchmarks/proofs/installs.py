"""Proves that an install is never half done: kills installs at each step, and runs many at once beside a collector and readers.

    python benchmarks/proofs/installs.py REPO [--kills N] [--installs N] [--rounds N] [--grace SECONDS]

Killed: ``hardtack install`` is ended with SIGKILL at each step of its writing, ``HARDTACK_KILL_AT`` counting every link, write,
fsync and rename, by turns onto a name that stands for another bundle and onto one that stands for nothing. After each kill the name
must stand for what it stood for or for the new bundle, every byte of which is hashed. At the end a collector that grants no grace
must leave nothing behind but what is installed.

At once: in each round ``--installs`` processes install three bundles under one name that readers search without a pause, and under
names of their own, while a collector runs in a loop; its grace is ``--grace`` seconds instead of a day. Between rounds the other
names are taken away, so that bundles lose their names, are collected, and are installed again. No search may fail, and the
collector must have had something to collect. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path

from proof import HARDTACK, Proof, build, environment, scratch, spread, verified_digest

from hardtack.bundle.format.digest import digest_of
from hardtack.bundle.packing import write_pack
from hardtack.bundle.reader import open_bundle
from hardtack.errors import HardtackError
from hardtack.query.searcher import Searcher
from hardtack.store.cache import BundleCache
from hardtack.store.collect import collect, uninstall
from hardtack.store.install import install_pack
from hardtack.store.locate import locate, open_located

_NAME = "example.org/proof/project"
_PROFILES = (("--profile", "hybrid"), ("--profile", "keyword"), ("--profile", "keyword", "--text", "none"))
_READERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A pack, and the digest of its bundle."""

    path: Path
    digest: str


def packs_of(repository: Path, root: Path) -> list[Packed]:
    """Three bundles of one repository, packed; they have many members in common."""
    packs = []
    for number, flags in enumerate(_PROFILES):
        build(repository, root / f"bundle{number}", *flags)
        info = write_pack(root / f"bundle{number}", root / f"pack{number}.hardtack")
        packs.append(Packed(path=info.path, digest=info.bundle_digest))
    return packs


# -- killed ---------------------------------------------------------------------------------------------------------------------


def steps_of(root: Path, old: Packed, new: Packed, *, onto_bundle: bool) -> list[str]:
    """The steps of installing the new one where the old one is, or where nothing is."""
    cache, steps = BundleCache(root / f"steps-{onto_bundle}"), list[str]()
    if onto_bundle:
        install_pack(cache, old.path, name=_NAME)
    install_pack(cache, new.path, name=_NAME, step=steps.append)
    return steps


def found(cache: BundleCache, old: Packed, new: Packed) -> str:
    """What the name stands for: nothing, old, new, or what is wrong with it. Every byte is hashed."""
    installed = cache.named(_NAME)
    if installed is None:
        return "nothing" if not any(cache.refs.glob("*project*")) else "a record of a bundle that is not there"
    try:
        digest = verified_digest(installed.path)
    except HardtackError as error:
        return f"a damaged bundle: {error}"
    if digest != installed.digest:
        return f"a bundle of another digest: {digest}"
    return {old.digest: "old", new.digest: "new"}.get(digest, f"a bundle nobody built: {digest}")


def kill_at(cache: BundleCache, step: int, old: Packed, new: Packed, *, onto_bundle: bool) -> tuple[str, bool]:
    """Install and kill; what is found afterwards, and whether the kill came."""
    for digest in (old.digest, new.digest):
        if installed := cache.find(digest):
            uninstall(installed)
    collect(cache, grace=0)
    if onto_bundle:
        install_pack(cache, old.path, name=_NAME)
    command = [*HARDTACK, "install", str(new.path), "--as", _NAME]
    variables = environment(HARDTACK_CACHE=str(cache.root), HARDTACK_KILL_AT=str(step))
    done = subprocess.run(command, env=variables, capture_output=True, check=False, timeout=600)
    return found(cache, old, new), done.returncode == -signal.SIGKILL


def prove_kills(proof: Proof, root: Path, packs: Sequence[Packed], count: int) -> None:
    """``count`` killed installs, spread over all steps of both kinds."""
    new, old = packs[0], packs[1]
    cache = BundleCache(root / "killed")
    steps = {onto: steps_of(root, old, new, onto_bundle=onto) for onto in (True, False)}
    both_ways = [(step, onto) for onto in (True, False) for step in range(len(steps[onto]), 0, -1)]
    both_ways.sort(key=lambda each: each[0] - len(steps[each[1]]))
    last = [each for each in both_ways if each[0] > len(steps[each[1]]) - 3]  # around what puts a bundle in place and records it
    others = both_ways[: len(both_ways) - len(last)]
    planned = [*last, *(others[index] for index in spread(max(0, count - len(last)), len(others)))]
    outcomes: Counter[str] = Counter()
    for step, onto in planned:
        what, was_killed = kill_at(cache, step, old, new, onto_bundle=onto)
        outcomes[f"{'killed' if was_killed else 'not killed'}, onto {'a bundle' if onto else 'nothing'}, found {what}"] += 1
        if what not in ({"old", "new"} if onto else {"nothing", "new"}) or not was_killed:
            proof.claim(f"step {step} ({steps[onto][step - 1]})", False, what)
    for outcome, number in sorted(outcomes.items()):
        is_well = outcome.startswith("killed") and outcome.rpartition("found ")[2] in ("old", "new", "nothing")
        proof.claim(outcome, is_well, f"{number} installs")
    distinct = len({(step, onto) for step, onto in planned})
    proof.claim("installs were killed at different steps", True, f"{distinct} of {len(both_ways)}")
    install_pack(cache, new.path, name=_NAME)
    collect(cache, grace=0)
    proof.claim("the next install and a collector leave no litter", not litter(cache), f"{litter(cache)[:3] or 'nothing'}")


def litter(cache: BundleCache) -> list[str]:
    """What is in the cache and belongs to nothing that is installed, or is not what it is called."""
    entries = cache.entries()
    left = [str(path) for path in cache.tmp.iterdir()]
    left += [str(path) for path in cache.refs.iterdir() if path not in {each.ref for each in entries}]
    left += [str(path) for path in cache.bundles.iterdir() if path not in {each.path for each in entries}]
    for path in cache.members.iterdir():
        if path.stat().st_nlink < 2 or digest_of(path.read_bytes()) != path.name.replace("-", ":", 1):
            left.append(str(path))
    return left


# -- at once --------------------------------------------------------------------------------------------------------------------


def read(root: Path, queries: Sequence[str], stop: Event, told: Connection) -> None:
    """Search the bundle of the name, opened anew each time, until told to stop; tells how often, which bundles, and what failed."""
    cache, count, digests, failures = BundleCache(root), 0, Counter[str](), list[str]()
    while not stop.is_set():
        try:
            opened = open_located(lambda: locate(_NAME, [], root.parent, lambda: cache))
            with Searcher(opened) as searcher:
                hits = searcher.search(queries[count % len(queries)], mode="keyword").hits
                digests[opened.digest] += 1
            if not hits:
                failures.append("no hit")
        except HardtackError as error:
            failures.append(f"{type(error).__name__}: {error}")
        count += 1
    told.send((count, digests, failures))


def gather(root: Path, grace: float, stop: Event, told: Connection) -> None:
    """Collect in a loop until told to stop; tells how often, and how much was removed."""
    cache, runs, bundles, members, failures = BundleCache(root), 0, 0, 0, list[str]()
    while not stop.is_set():
        try:
            done = collect(cache, grace=grace)
            runs, bundles, members = runs + 1, bundles + done.bundles, members + done.members
        except HardtackError as error:
            failures.append(f"{type(error).__name__}: {error}")
        time.sleep(0.02)
    told.send((runs, bundles, members, failures))


def names_in(bundle: Path) -> list[str]:
    """Names of symbols, spread over the bundle."""
    with open_bundle(bundle) as opened:
        names = {opened.symbol_name(ordinal).name for ordinal in range(opened.manifest.counts.symbols)}
    longer = sorted(name for name in names if len(name) > 4 and name.isidentifier())
    return [longer[index] for index in spread(min(20, len(longer)), len(longer))]


def install_all(root: Path, packs: Sequence[Packed], count: int, turn: int) -> list[str]:
    """Start ``count`` installs at once, half of them under the one name; what was wrong with any."""
    variables = environment(HARDTACK_CACHE=str(root))
    started = []
    for number in range(count):
        name = _NAME if number % 2 == 0 else f"example.org/proof/other{number}"
        command = [*HARDTACK, "install", str(packs[(number // 2 + turn) % len(packs)].path), "--as", name]
        started.append(subprocess.Popen(command, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
    wrong = []
    for process in started:
        _, said = process.communicate(timeout=600)
        if process.returncode:
            wrong.append(f"exit status {process.returncode}: {said.strip()}")
    return wrong


def prove_at_once(proof: Proof, root: Path, packs: Sequence[Packed], installs: int, rounds: int, grace: float) -> None:
    """Rounds of installs at once, beside readers and a collector."""
    place = root / "at-once" / "cache"
    cache = BundleCache(place)
    queries = names_in(install_pack(cache, packs[0].path, name=_NAME).path)
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    told = [context.Pipe(duplex=False) for _ in range(_READERS + 1)]
    workers = [context.Process(target=read, args=(place, queries, stop, told[number][1])) for number in range(_READERS)]
    workers.append(context.Process(target=gather, args=(place, grace, stop, told[-1][1])))
    for worker in workers:
        worker.start()
    wrong: list[str] = []
    for turn in range(rounds):
        wrong += install_all(place, packs, installs, turn)
        for entry in cache.entries():
            if entry.name != _NAME:
                entry.ref.unlink()  # not what 'clear' does, which leaves nothing to collect
        time.sleep(grace * 1.5)  # until what has lost its name can be collected
    stop.set()
    answers = [connection.recv() for connection, _ in told]
    for worker in workers:
        worker.join()
    *readers, (runs, bundles, members, failures) = answers
    searches, failed = sum(reader[0] for reader in readers), [failure for reader in readers for failure in reader[2]]
    seen = {digest for reader in readers for digest in reader[1]}
    proof.claim("no search failed", not failed, f"{searches} searches of {len(seen)} bundles; {failed[:3] or 'none failed'}")
    proof.claim("no install failed", not wrong, f"{rounds * installs} installs, {installs} at once; {wrong[:3] or 'none failed'}")
    said = f"{runs} runs removed {bundles} bundles and {members} members; {failures[:3] or 'none failed'}"
    proof.claim("the collector collected meanwhile", bundles > 0 and not failures, said)
    with suppress(HardtackError):
        collect(cache, grace=0)
    last = cache.named(_NAME)
    is_whole = last is not None and verified_digest(last.path) == last.digest
    proof.claim("what is left is whole, and nothing besides", is_whole and not litter(cache), f"{litter(cache)[:3] or 'no litter'}")


def main() -> None:
    """Build, kill, crowd, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--kills", type=int, default=200, metavar="N")
    parser.add_argument("--installs", type=int, default=20, metavar="N", help="at once")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--grace", type=float, default=5.0, metavar="SECONDS", help="that the collector grants")
    arguments = parser.parse_args()
    os.environ.pop("HARDTACK_KILL_AT", None)
    with scratch() as root:
        packs = packs_of(arguments.repository, root)
        proof = Proof(f"Installs of three bundles of {arguments.repository.name}")
        prove_kills(proof, root, packs, arguments.kills)
        prove_at_once(proof, root, packs, arguments.installs, arguments.rounds, arguments.grace)
        proof.leave()


if __name__ == "__main__":
    main()
