"""Builds, increments, searches, memory and bytes over several trees, beside other tools and the limits of the machine.

    make bench TREES="small=DIR medium=DIR large=DIR" ARGS="--semble PYTHON --rg rg"
    python benchmarks/bench.py NAME=DIR ... [--rounds 5] [--semble PYTHON] [--rg PROGRAM] [--only build ...] [--write]

Prints a table for each tree and section. With ``--write`` the tables take the place of the last ones in ``RESULTS.md``, between its
two marks, and their pictures are drawn into ``plots/``. PYTHON is that of an environment with semble 0.7.0, which wants
``SEMBLE_MODEL_NAME``, a folder with a Model2Vec model; what is not given is left out.

Everything that is compared takes turns on the same files in one run (``measure.py``). semble's index time is what it says itself,
imports and model loaded before; ours is that of the whole process. Both may use every core.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench_sections import Section, draw
from hardtack import BuildOptions, Searcher, build_bundle, open_bundle
from hardtack.bundle import layout
from measure import ONE_THREAD, Command, peak_memory, spend, table
from retrieval_speed import Tool
from speed import IMPORTS, QUERIES, RAW_PARSING, SCRIPT, WARM_UP, parsed_files, queries_of

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
MARKS = "<!-- bench: begin -->\n", "<!-- bench: end -->\n"
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
class Tree:
    """One source tree and its bundle, installed so that a search checks sizes alone."""

    name: str
    source: Path
    """A checkout of our own, which may be edited."""
    bundle: Path
    scratch: Path
    rounds: int
    semble: str
    rg: str

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


def cold_search(tree: Tree) -> Section:
    """Whole search processes beside one that only imports the engines, and ripgrep over the same files."""
    with open_bundle(tree.bundle) as searcher:
        query = queries_of(searcher.bundle, 1, seed=3)[0]
    installed = {"HARDTACK_BUNDLE_PATH": str(tree.bundle.parent)}
    commands = {}
    for mode in ("keyword", "hybrid"):
        arguments = [SCRIPT, "search", "-b", str(tree.bundle), "--mode", mode, "--", query]
        commands[f"hardtack search, {mode}"] = Command(arguments=arguments, environment=installed, exit_codes=(0, 1))
    commands["import numpy, faiss, tantivy"] = Command(arguments=IMPORTS, environment={})
    if tree.rg:
        arguments = [tree.rg, "-F", "-n", "--", query.split()[0], str(tree.source)]
        commands["rg -F -n of a word"] = Command(arguments=arguments, environment={}, exit_codes=(0, 1))
    runs = {label: lambda command=command: 1000 * spend(command).seconds for label, command in commands.items()}
    values = in_turns(runs, 3 * tree.rounds)  # type: ignore[arg-type]
    return Section(title="Cold search", unit="ms", values=values, against=("import numpy, faiss, tantivy",), digits=0)


def warm_search(tree: Tree) -> Section:
    """Each query once, never asked before, in a process that has answered fifty others; beside reading every vector once."""
    with open_bundle(tree.bundle) as searcher:
        warm_up = queries_of(searcher.bundle, WARM_UP, seed=1)
        queries = queries_of(searcher.bundle, QUERIES, seed=2)
    values: dict[str, list[float]] = {"hardtack, hybrid": []}
    peer = Tool(f"{tree.semble} {HERE / 'semble_adapter.py'} {{root}}", str(tree.source)) if tree.semble else None
    if peer:
        values["semble, hybrid"] = []
    with Searcher(open_bundle(tree.bundle).bundle, kept_answers=0) as searcher:
        for query in warm_up:
            searcher.search(query, limit=30)
            if peer:
                peer.ask(query)
        for query in queries:
            start = time.perf_counter()
            searcher.search(query, limit=30)
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
    "cold": cold_search,
    "warm": warm_search,
    "memory": memory,
    "bytes": bundle_bytes,
    "increments": increments,  # last, since it edits the tree
}


def in_turns(runs: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """What each gives, once a round, every other round backwards, after one round that is thrown away."""
    values: dict[str, list[float]] = {label: [] for label in runs}
    for turn in range(rounds + 1):
        for label in list(runs)[:: 1 if turn % 2 else -1]:
            value = runs[label]()
            if turn:
                values[label].append(value)
    return values


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
    return Tree(name=name, source=source, bundle=installed, scratch=work, rounds=asked.rounds, semble=asked.semble, rg=asked.rg)


def described(tree: Tree) -> list[str]:
    """A row on what a tree is."""
    with open_bundle(tree.bundle) as searcher:
        counts, languages = searcher.bundle.manifest.counts, searcher.bundle.manifest.languages
    lines = sum(language.lines for language in languages)
    main = max(languages, key=lambda language: language.lines).name
    return [tree.name, main, f"{counts.files:,}", f"{lines:,}", f"{counts.text_bytes / 1e6:.1f}", f"{counts.chunks:,}"]


def report(trees: list[list[str]], found: dict[str, dict[str, Section]], command: str) -> str:
    """All tables, by section, each with its picture's place."""
    parts = [table(["tree", "mostly", "files", "lines", "MB", "chunks"], trees), f"    {command}\n"]
    for key, sections in found.items():
        parts.append(f"![{next(iter(sections.values())).title}](plots/{key}.svg)\n")
        parts += [f"{name}: {section.markdown()}" for name, section in sections.items()]
    return "\n".join(parts)


def write(text: str, found: dict[str, dict[str, Section]]) -> None:
    """Put the tables between the marks of ``RESULTS.md`` and the pictures beside it."""
    (HERE / "plots").mkdir(exist_ok=True)
    for key, sections in found.items():
        draw(next(iter(sections.values())).title, sections, HERE / "plots" / f"{key}.svg")
    before, _, rest = RESULTS.read_text(encoding="utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    RESULTS.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", encoding="utf-8")


def main() -> int:
    """Measure, print, and write what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="NAME=DIR")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--semble", default="", metavar="PYTHON")
    parser.add_argument("--rg", default="", metavar="PROGRAM")
    parser.add_argument("--only", action="append", choices=[*SECTIONS])
    parser.add_argument("--write", action="store_true", help="into RESULTS.md and plots/")
    asked = parser.parse_args()
    rows: list[list[str]] = []
    found: dict[str, dict[str, Section]] = {key: {} for key in SECTIONS if not asked.only or key in asked.only}
    for name, _, directory in (each.partition("=") for each in asked.trees):
        with tempfile.TemporaryDirectory() as scratch:
            tree = prepared(name, Path(directory).resolve(), Path(scratch), asked)
            rows.append(described(tree))
            for key in found:
                found[key][name] = SECTIONS[key](tree)
                print(f"{name}: {found[key][name].markdown()}", flush=True)
    names = " ".join(f"{each.partition('=')[0]}=DIR" for each in asked.trees)
    command = f'make bench TREES="{names}" ARGS="--rounds {asked.rounds}{" --semble PYTHON" if asked.semble else ""}"'
    if asked.write:
        write(report(rows, found, command), found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
