"""Every attack, each in a process of its own: ``python tests/format/shelf.py`` prints how each ended, as JSON, one a line.

A process is forked for each attack from one that has everything loaded, opens the hostile bundle as a user would (open, verify,
search in every mode) and reports; a signal, a panic, an endless loop or a swollen memory is seen from outside.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import attacks_on_engines
import attacks_on_history
import attacks_on_manifest
import attacks_on_packs
import attacks_on_postings
import attacks_on_records
import attacks_on_relations
import attacks_on_runs
import attacks_on_sizes
import faiss
from forge import Attack
from forge_pack import PackAttack, PackedAttack

from hardtack.bundle.reader import Bundle
from hardtack.errors import HardtackError
from hardtack.nouns.model import Mode
from hardtack.query.files.grep import grep
from hardtack.query.opening import open_bundle
from hardtack.query.searcher import Searcher

Hostile = Attack | PackAttack | PackedAttack
ON_BUNDLES = [
    *attacks_on_manifest.ATTACKS,
    *attacks_on_records.ATTACKS,
    *attacks_on_relations.ATTACKS,
    *attacks_on_postings.ATTACKS,
    *attacks_on_history.ATTACKS,
    *attacks_on_runs.ATTACKS,
    *attacks_on_sizes.ATTACKS,
    *attacks_on_engines.ATTACKS,
]
ATTACKS: list[Hostile] = [*ON_BUNDLES, *attacks_on_packs.ATTACKS, *attacks_on_packs.packed(ON_BUNDLES)]
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
SECONDS = 20
MEMORY = 8 << 30
"""Address space: FAISS alone maps one."""


def use(place: Path) -> None:
    with open_bundle(place) as searcher:
        with contextlib.suppress(HardtackError):  # verifying says better what is wrong; but nobody has to
            searcher.search("stock must_ration", mode="keyword")
            look_through(searcher.bundle)
        follow(searcher.bundle)
        searcher.bundle.check_records()
        search(searcher)


def look_through(bundle: Bundle) -> None:
    """For texts and a pattern, in all files and in some."""
    if bundle.has_text:
        for words in ("stock", "(", "e", "no such text"):
            grep(bundle, words, limit=10)
            grep(bundle, words, files=[3, 1], limit=1000)
        grep(bundle, "s.*k$", limit=1000, regex=True)


def search(searcher: Searcher) -> None:
    modes = ("keyword", "vector", "hybrid") if searcher.bundle.has_vectors else ("keyword",)
    for mode in modes:
        for words in ("portions", "HandleStock", "stock must_ration"):
            answer = searcher.search(words, mode=Mode(mode))
            json.dumps([hit.score for hit in answer.hits], allow_nan=False)


def follow(bundle: Bundle) -> None:
    for symbol in range(bundle.manifest.counts.symbols):
        bundle.related.relations_from(symbol)
        bundle.related.relations_to(symbol)
        bundle.related.facts_of(symbol)
        bundle.tags_of(symbol)
    for file in range(bundle.manifest.counts.files):
        bundle.related.relations_of_file(file)
    bundle.related.references_of("Crate")
    if bundle.history:
        for file in range(bundle.manifest.counts.files):
            for commit in bundle.history.of_file(file).tolist():
                bundle.history.commit(commit)
        bundle.history.words.postings(["stock", "ration"])


def ending_of(attack: Hostile, directory: Path) -> dict[str, Any]:
    """Forge, use, and say how it ended."""
    try:
        place = attack.forged().save(directory)
    except BaseException:  # noqa: BLE001  (the shelf's own fault, and to be told as one)
        return {"error": "not forged", "sentence": traceback.format_exc(), "seconds": 0, "megabytes": 0}
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    try:
        use(place)
    except HardtackError as error:
        ending = {"error": type(error).__name__, "sentence": str(error), "field": getattr(error, "field", None)}
    except BaseException:  # noqa: BLE001  (a panic is no Exception; anything that gets here is a finding)
        ending = {"error": "a crash", "sentence": traceback.format_exc()}
    else:
        ending = {"error": "", "sentence": ""}
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {**ending, "seconds": round(time.monotonic() - started, 3), "megabytes": grown // 1024}


def silence() -> None:
    """A panic prints its own account; it is told from outside."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def run(attack: Hostile, scratch: Path) -> dict[str, Any]:
    """The ending of one attack, seen from outside."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            silence()
            os.write(writer, json.dumps(ending_of(attack, scratch)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    if not data:
        return {"error": f"status {status}", "sentence": "the process did not survive", "seconds": SECONDS, "megabytes": 0}
    ending: dict[str, Any] = json.loads(data)
    return ending


def write_all(directory: Path) -> None:
    """Write every hostile bundle below ``directory``, each in a folder of its number, for other readers to be tried on."""
    for number, attack in enumerate(ATTACKS):
        attack.forged().save(directory / f"{number:03}")
        (directory / f"{number:03}.txt").write_text(f"{attack.name}\n{attack.error or 'refused, or accepted'}\n", encoding="utf-8")


def main() -> None:
    """Run the attacks whose names contain the argument, or all; or write them out."""
    if sys.argv[1:2] == ["--write"]:
        write_all(Path(sys.argv[2]))
        return
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":  # read when numpy is imported; a thread would not survive the fork
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})
    faiss.omp_set_num_threads(1)
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as scratch:
        for number, attack in enumerate(attack for attack in ATTACKS if wanted in attack.name):
            sys.stdout.write(json.dumps({"name": attack.name, **run(attack, Path(scratch) / str(number))}) + "\n")


if __name__ == "__main__":
    main()
