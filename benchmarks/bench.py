"""Measures builds, increments, warm searches, memory and bytes of several trees, beside semble and raw parsing.

    make bench TREES="small=DIR medium=DIR large=DIR" ARGS="--semble PYTHON"
    python benchmarks/bench.py NAME=DIR ... [--rounds 5] [--semble PYTHON] [--only build ...]

Prints a table for each tree and section. PYTHON is that of an environment with semble 0.7.0, which wants ``SEMBLE_MODEL_NAME``, a
folder with a Model2Vec model; without it semble is left out.

Everything that is compared takes turns on the same files in one run (``measure.py``). semble's index time is what it says itself,
imports and model loaded before; ours is that of the whole process. Both may use every core.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hardtack import BuildOptions, Searcher, build_bundle, open_bundle
from hardtack.bundle.format import layout
from measure import ONE_THREAD, Command, in_turns, peak_memory, ratios, spend, spread, table
from retrieval_adapter import whole
from retrieval_process import Process
from speed import QUERIES, RAW_PARSING, SCRIPT, WARM_UP, parsed_files, queries_of

HERE = Path(__file__).parent
EDITED = 10
"""Files that an increment finds changed."""

GIT = (
    "git",
    "-c",
    "advice.detachedHead=false",
    "-c",
    "user.name=bench",
    "-c",
    "user.email=bench@example.org",
    "-c",
    "core.hooksPath=/dev/null",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One comparison over one tree: values that were taken in turns, so that the n-th of each belong together."""

    title: str
    unit: str
    values: Mapping[str, Sequence[float]]
    """Label to its values; more is worse."""
    against: tuple[str, ...] = ()
    """The labels that the others are held against; those that were not measured are left out."""
    digits: int = 2

    @property
    def references(self) -> list[str]:
        """Those of :attr:`against` that were measured."""
        return [label for label in self.against if label in self.values]

    def markdown(self) -> str:
        """Medians with quartiles, and the ratios, taken turn by turn."""
        head = ["", self.unit, *(f"to {label}" for label in self.references)]
        rows = [
            [label, _shown(values, self.digits), *(_shown(self.ratios(label, other), 2) for other in self.references)]
            for label, values in self.values.items()
        ]
        return f"**{self.title}**\n\n{table(head, rows)}"

    def ratios(self, label: str, other: str) -> list[float]:
        """Of one label's values to another's: turn by turn, or of the medians where there are not as many of both."""
        mine, theirs = self.values[label], self.values[other]
        return ratios(mine, theirs) if len(mine) == len(theirs) else [statistics.median(mine) / statistics.median(theirs)]


def _shown(values: Sequence[float], digits: int) -> str:
    """The median with its quartiles, or the one value there is."""
    return spread(values, 1, digits) if len(values) > 1 else f"{values[0]:.{digits}f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One source tree and its bundle, installed so that a search checks sizes alone."""

    name: str
    source: Path
    """A checkout of our own, which may be edited."""
    bundle: Path
    scratch: Path
    rounds: int
    semble: str

    def build(self, place: str, *options: str) -> Command:
        """A whole ``hardtack build`` to a place in the scratch directory."""
        arguments = [SCRIPT, "build", str(self.source), "-o", str(self.scratch / place), "-q", *options]
        return Command(arguments=arguments, environment={})

    def paths(self) -> list[str]:
        """Of all indexed files."""
        with open_bundle(self.bundle) as searcher:
            return [file.path for file in searcher.bundle.files]


def full_build(tree: Tree) -> Section:
    """A whole build beside semble, Tantivy alone, and raw parsing by as many processes."""
    with open_bundle(tree.bundle) as searcher:
        corpus = tree.scratch / "corpus"
        corpus.write_bytes(pickle.dumps(parsed_files(searcher.bundle)))
    listed = tree.scratch / "paths"
    listed.write_text("".join(f"{tree.source / path}\n" for path in tree.paths()), encoding="utf-8")
    jobs = str(len(os.sched_getaffinity(0)))
    raw = Command(arguments=[sys.executable, "-c", RAW_PARSING, str(corpus), jobs], environment={})
    alone = Command(arguments=[sys.executable, str(HERE / "tantivy_alone.py"), str(listed)], environment={})
    runs: dict[str, Callable[[], float]] = {
        "hardtack build": lambda: spend(tree.build("full", "--base", "none")).seconds,
        "semble index": lambda: semble_index(tree),
        "Tantivy alone": lambda: spend(alone).seconds,
        "raw parsing": lambda: spend(raw).seconds,
    }
    if not tree.semble:
        del runs["semble index"]
    return Section(title="Full build", unit="s", values=in_turns(runs, tree.rounds), against=("semble index", "raw parsing"))


def semble_index(tree: Tree) -> float:
    """Seconds that semble says it took to index the tree."""
    arguments = [tree.semble, str(HERE / "semble_adapter.py"), str(tree.source)]
    ready = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return float(json.loads(ready.stdout)["index_ms"]) / 1000


def increments(tree: Tree) -> Section:
    """A push that changes nothing, and one that touches ten files, beside the whole build of the same commit."""
    spend(tree.build("kept", "--base", "none"))
    draws = random.Random(7)
    values: dict[str, list[float]] = {"hardtack, all of it": [], "hardtack, ten files changed": [], "hardtack, nothing changed": []}
    for _ in range(tree.rounds):
        edit(tree, draws)
        commands = (tree.build("full", "--base", "none"), tree.build("kept"), tree.build("kept"))
        for label, command in zip(values, commands, strict=True):
            values[label].append(spend(command).seconds)
    return Section(title="Increments", unit="s", values=values, against=("hardtack, all of it",))


def edit(tree: Tree, draws: random.Random) -> None:
    """Double a line somewhere in ten files, and commit."""
    candidates = [path for path in tree.paths() if (tree.source / path).stat().st_size > 500]
    for path in draws.sample(candidates, min(EDITED, len(candidates))):
        file = tree.source / path
        lines = file.read_bytes().splitlines(keepends=True)
        place = draws.randrange(len(lines))
        lines.insert(place, lines[place])
        file.write_bytes(b"".join(lines))
    subprocess.run([*GIT, "-C", str(tree.source), "commit", "-qam", "ten files"], check=True)


def warm_search(tree: Tree) -> Section:
    """Each query once, never asked before, in a process that has answered fifty others; beside reading every vector once."""
    with open_bundle(tree.bundle) as searcher:
        warm_up = queries_of(searcher.bundle, WARM_UP, seed=1)
        queries = queries_of(searcher.bundle, QUERIES, seed=2)
    values: dict[str, list[float]] = {"hardtack, hybrid": []}
    peer = Process(f"{tree.semble} {HERE / 'semble_adapter.py'} {{root}}", str(tree.source)) if tree.semble else None
    if peer:
        values["semble, hybrid"] = []
    with Searcher(open_bundle(tree.bundle).bundle, kept_answers=0) as searcher:
        for query in warm_up:
            whole(searcher.search(query, limit=30))
            if peer:
                peer.ask(query)
        for query in queries:
            start = time.perf_counter()
            whole(searcher.search(query, limit=30))
            values["hardtack, hybrid"].append(1000 * (time.perf_counter() - start))
            if peer:
                values["semble, hybrid"].append(peer.ask(query)["ms"])
    if peer:
        peer.__exit__()
    values["reading all vectors"] = [*read_vectors(tree)]
    return Section(title="Warm search, 30 hits", unit="ms", values=values, against=("semble, hybrid",), digits=3)


def read_vectors(tree: Tree) -> Iterator[float]:
    """Milliseconds to read the bytes of all vectors once: what an exact scan cannot do without."""
    vectors = np.memmap(tree.bundle / layout.VECTORS, dtype=np.uint8, mode="r")
    whole = vectors[: len(vectors) // 8 * 8].view(np.uint64)
    for _ in range(QUERIES):
        start = time.perf_counter()
        whole.max()
        yield 1000 * (time.perf_counter() - start)


def memory(tree: Tree) -> Section:
    """Peaks of resident memory, whole processes."""
    own, worker = peak_memory(tree.build("full", "--base", "none"))
    values = {"hardtack build, its own process": own, "hardtack build, largest worker": worker}
    search = Command(arguments=[SCRIPT, "search", "-b", str(tree.bundle), "--", "open"], environment=ONE_THREAD, exit_codes=(0, 1))
    values["hardtack search, hybrid"], _ = peak_memory(search)
    if tree.semble:
        arguments = [tree.semble, str(HERE / "semble_adapter.py"), str(tree.source)]
        values["semble index and search"], _ = peak_memory(Command(arguments=arguments, environment={}))
    megabytes = {label: [peak / 1e6] for label, peak in values.items()}
    return Section(title="Peak memory", unit="MB", values=megabytes, against=("semble index and search",), digits=0)


def bundle_bytes(tree: Tree) -> Section:
    """Bytes of the members, those of the lexical index and of the encoder, which is the same in every bundle, together."""
    with open_bundle(tree.bundle) as searcher:
        manifest = searcher.bundle.manifest
    values: dict[str, list[float]] = {"text indexed": [manifest.counts.text_bytes / 1e6]}
    sizes: dict[str, int] = {}
    for member in manifest.members:
        name = next((f"{part}*" for part in (f"{layout.LEXICAL}/", "encoder.") if member.name.startswith(part)), member.name)
        sizes[name] = sizes.get(name, 0) + member.size
    for name, size in sorted(sizes.items(), key=lambda pair: -pair[1]):
        values[name] = [size / 1e6]
    return Section(title="Bundle", unit="MB", values=values, against=("text indexed",), digits=3)


SECTIONS: dict[str, Callable[[Tree], Section]] = {
    "build": full_build,
    "warm": warm_search,
    "memory": memory,
    "bytes": bundle_bytes,
    "increments": increments,  # last, since it edits the tree
}


def prepared(name: str, directory: Path, scratch: Path, asked: argparse.Namespace) -> Tree:
    """A tree of our own to measure: a clone, or a copy made a repository, and its bundle."""
    source, installed = scratch / name, scratch / "installed" / name
    if (directory / ".git").exists():
        subprocess.run([*GIT, "clone", "-q", str(directory), str(source)], check=True)
        head = subprocess.run([*GIT, "-C", str(directory), "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
        subprocess.run([*GIT, "-C", str(source), "checkout", "-q", "--detach", head.stdout.strip()], check=True)
    else:
        subprocess.run(["cp", "-r", str(directory), str(source)], check=True)
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
            subprocess.run([*GIT, "-C", str(source), *command], check=True)
    build_bundle(source, installed, BuildOptions())
    work = scratch / f"{name}-work"
    work.mkdir()
    return Tree(name=name, source=source, bundle=installed, scratch=work, rounds=asked.rounds, semble=asked.semble)


def described(tree: Tree) -> list[str]:
    """A row on what a tree is."""
    with open_bundle(tree.bundle) as searcher:
        counts, languages = searcher.bundle.manifest.counts, searcher.bundle.manifest.languages
    lines = sum(language.lines for language in languages)
    main = max(languages, key=lambda language: language.lines).name
    return [tree.name, main, f"{counts.files:,}", f"{lines:,}", f"{counts.text_bytes / 1e6:.1f}", f"{counts.chunks:,}"]


def main() -> int:
    """Measure, print, and write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="NAME=DIR")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--semble", default="", metavar="PYTHON")
    parser.add_argument("--only", action="append", choices=[*SECTIONS])
    asked = parser.parse_args()
    for name, _, directory in (each.partition("=") for each in asked.trees):
        with tempfile.TemporaryDirectory() as scratch:
            tree = prepared(name, Path(directory).resolve(), Path(scratch), asked)
            print(table(["tree", "mostly", "files", "lines", "MB", "chunks"], [described(tree)]))
            for key, section in SECTIONS.items():
                if not asked.only or key in asked.only:
                    print(f"{name}: {section(tree).markdown()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
