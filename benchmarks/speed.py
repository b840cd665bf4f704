"""Measures where the time of builds and of warm searches goes, and their memory.

    python benchmarks/speed.py REPO [--runs 5] [--only build --only warm ...]

REPO is any directory or git checkout. Prints Markdown tables. Every figure that matters is a ratio to something that ran right
beside it (``measure.py`` says how). ``--runs`` is the number of pairs of builds and of passes over the warm queries.

- *Build*: a whole ``hardtack build`` against the least it could cost: the files that have a grammar, parsed by the same grammars in
  as many forked processes that hold the text already, and nothing else. MB and lines count all indexed files for the
  build, the parsed ones for the oracle.
- *The building process by the clock*: from fresh interpreters. *Wait for workers* is what is left when it has nothing else to do;
  at the start that is the start of the workers themselves.
- *What the workers do*: CPU with every file in one fresh process, and of the start of one worker. *Messages* are packed and
  unpacked at both ends, so half of them is the building process's.
- *Warm search*: ``Searcher.search`` over 200 queries drawn from the bundle with a fixed seed: names, qualified names and words of
  documentation, 2 : 1 : 2. Each pass opens the bundle anew and asks 50 other queries first. The parts are mean CPU, from passes of
  their own.
- *Memory*: peaks of a build (``VmHWM``); of a reader, after each step, what is resident, what it wrote itself and cannot share, and
  file pages that only it maps now (``smaps_rollup``), which the system can drop at any time.

Cold starts are ``cold.py``'s, bytes and other tools ``bench.py``'s.
"""

from __future__ import annotations

import argparse
import io
import os
import pickle
import random
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from hardtack import BuildOptions, build_bundle, open_bundle
from hardtack.build import encoding, pipeline
from hardtack.build.languages.registry import languages
from hardtack.build.outline import symbols
from hardtack.build.relations.relate import Relater
from hardtack.build.source.tree import SourceTree, open_tree
from hardtack.build.workers import analyse as analysing
from hardtack.build.workers import worker
from hardtack.build.workers.executors import WorkerPool
from hardtack.bundle import writer
from hardtack.bundle.engines.lexical import LexicalIndex, LexicalWriter
from hardtack.bundle.engines.vectors import VectorIndex
from hardtack.bundle.format.text import TextWriter
from hardtack.bundle.reader import Bundle
from hardtack.encoders.static import StaticEncoder, default_encoder
from hardtack.nouns.model import Mode
from hardtack.nouns.outline import Skip, SourceFile
from hardtack.query import searcher as searching
from hardtack.query.hits.snippet import SnippetCutter
from measure import (
    ONE_THREAD,
    Command,
    Stopwatch,
    in_new_process,
    part,
    peak_memory,
    ratios,
    share_table,
    spread,
    table,
    take_turns,
)
from retrieval_adapter import whole

SCRIPT = str(Path(sysconfig.get_path("scripts"), "hardtack"))
QUERIES = 200
WARM_UP = 50

BUILDING = (
    part("map", WorkerPool, "map"),
    part("source", SourceTree, "files_beside"),
    part("open", pipeline, "open_tree"),
    part("encoder", encoding, "load_encoder"),
    part("add", writer.BundleWriter, "add"),
    part("lexical", LexicalWriter, "add"),
    part("text", TextWriter, "add"),
    part("take", Relater, "add"),
    part("relate", Relater, "relate"),
    part("finish", writer.BundleWriter, "finish"),
    part("commit", LexicalWriter, "move_to"),
    part("vectors", writer.BundleWriter, "end_files"),
    part("fsync", os, "fsync"),
    part("hash", writer, "digest_of_descriptor"),
    part("place", pipeline, "put_in_place"),
)
"""What the building process does or waits for."""

WORKING = (
    part("outline", analysing, "outline_of"),
    part("parse", symbols, "parse"),
    part("match", symbols, "parsed_file"),
    part("details", symbols, "details_of"),
    part("usages", symbols, "usages_of"),
    part("chunks", analysing, "chunks_of"),
    part("terms", analysing, "document_of"),
    part("encode", StaticEncoder, "encode"),
)
"""What a worker does; the middle four are within the first."""

SEARCHING = (
    part("keyword engine", LexicalIndex, "search"),
    part("vector engine", VectorIndex, "search"),
    part("encoder", StaticEncoder, "encode"),
    part("ranking", searching, "rank"),
    part("snippets", SnippetCutter, "cut"),
)
"""What a search does; the first three are the engines."""

RAW_PARSING = """
import pickle, sys
from multiprocessing import get_context
from pathlib import Path
from tree_sitter import Parser
from tree_sitter_language_pack import get_language

files = pickle.loads(Path(sys.argv[1]).read_bytes())
parsers = {}

def parse(number):
    grammar, text = files[number]
    if grammar not in parsers:
        parsers[grammar] = Parser(get_language(grammar))
    parsers[grammar].parse(text)

with get_context("fork").Pool(int(sys.argv[2])) as pool:
    for _ in pool.imap_unordered(parse, range(len(files)), chunksize=8):
        pass
    pool.close()
    pool.join()
"""
"""The oracle of a build: the same files through the same grammars in forked processes that hold the text already; nothing else."""

ONE_WORKER = """
from hardtack.build.workers.processes import Workers

with Workers(with_vectors=True, with_synopses=True, with_readings=True) as workers:
    workers.end(workers.start())
"""

READER = """
import sys
from pathlib import Path

def memory():
    fields = dict(line.split()[:2] for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:])
    print(*(fields[name + ":"] for name in ("Rss", "Private_Dirty", "Private_Clean")), flush=True)

if sys.argv[1] == "-":
    import numpy, faiss, tantivy
    memory()
else:
    import hardtack
    searcher = hardtack.open_bundle(sys.argv[1])
    memory()
    for mode in ("keyword", "hybrid"):
        searcher.search(sys.argv[2], mode=Mode(mode))
        memory()
"""
"""Prints kB of resident set, private dirty and private clean pages after each step."""


def parsed_files(bundle: Bundle) -> list[tuple[str, bytes]]:
    """(grammar, text) of every file that the build parsed with a grammar, in path order."""
    known = languages()
    return [(known[f.language].grammar, bundle.text_of(f)) for f in bundle.files if known[f.language].has_query and f.text_length]


def queries_of(bundle: Bundle, count: int, seed: int) -> list[str]:
    """Names, qualified names and runs of words of documentation, as 2 : 1 : 2; paths where there are no symbols."""
    chooser = random.Random(seed)
    if not bundle.manifest.counts.symbols:
        return [chooser.choice(bundle.files).path for _ in range(count)]
    queries: list[str] = []
    for number in range(count):
        for _ in range(100):  # by far most bundles have some documentation
            symbol = bundle.symbol(chooser.randrange(bundle.manifest.counts.symbols))
            words = re.findall(r"[^\W\d_]{2,}", symbol.doc)
            if number % 5 < 3 or len(words) >= 2:
                break
        start = chooser.randrange(max(1, len(words) - 1))
        some_words = " ".join(words[start : start + chooser.randint(2, 6)]) or symbol.name
        queries.append((symbol.name, symbol.name, symbol.qualified_name, some_words, some_words)[number % 5])
    return queries


def build_command(repository: Path, bundle: Path, jobs: int) -> Command:
    """A whole ``hardtack build`` that takes nothing over."""
    arguments = [SCRIPT, "build", str(repository), "-o", str(bundle), "--base", "none", "--jobs", str(jobs), "--quiet"]
    return Command(arguments=arguments, environment={})


def build(repository: Path, scratch: Path, bundle: Bundle, jobs: int, runs: int) -> None:
    """Pairs of a whole build and the oracle over the same files; then where one build's time goes."""
    files = parsed_files(bundle)
    corpus = scratch / "corpus"
    corpus.write_bytes(pickle.dumps(files))
    spent = take_turns(
        {
            "hardtack build": build_command(repository, scratch / "again", jobs),
            "raw parsing": Command(arguments=[sys.executable, "-c", RAW_PARSING, str(corpus), str(jobs)], environment={}),
        },
        runs,
    )
    counts = bundle.manifest.counts
    lines = sum(language.lines for language in bundle.manifest.languages)
    amounts = [(counts.text_bytes, lines), (sum(len(text) for _, text in files), sum(text.count(b"\n") for _, text in files))]
    walls = [[one.seconds for one in found] for found in spent.values()]
    cpus = [[one.cpu_seconds for one in found] for found in spent.values()]
    rows = []
    for name, wall, cpu, (size, line_count) in zip(spent, walls, cpus, amounts, strict=True):
        seconds = statistics.median(wall)
        rows.append([name, spread(wall, 1, 2), spread(cpu, 1, 2), f"{size / seconds / 1e6:.2f}", f"{line_count / seconds:,.0f}"])
    rows.append(["ratio, pair by pair", spread(ratios(*walls), 1, 2), spread(ratios(*cpus), 1, 2), "", ""])
    print(f"### Build, {jobs} processes: {counts.files} files, {len(files)} of them with a grammar; {runs} pairs\n")
    print(table(["", "wall s", "CPU s", "MB/s", "lines/s"], rows))
    stages(repository, scratch, jobs, runs)


def stages(repository: Path, scratch: Path, jobs: int, runs: int) -> None:
    """Where a build's time goes: the building process by the clock, and one worker's CPU over all files."""
    starts = {
        "parent": Command(arguments=[sys.executable, "-c", "import hardtack.cli.build, hardtack.build.pipeline"], environment={}),
        "worker": Command(arguments=[sys.executable, "-c", ONE_WORKER], environment={}),
    }
    starting = take_turns(starts, runs)
    laps = [
        {"process start, imports": start.seconds, **in_new_process(parent_stages, repository, scratch / "again", jobs)}
        for start in starting["parent"]
    ]
    print(f"### The building process by the clock, {runs} builds\n")
    print(share_table({label: [lap[label] for lap in laps] for label in laps[0]}))
    started = [start.cpu_seconds for start in starting["worker"]]  # with what starts and ends it, which takes next to nothing
    spent = in_new_process(worker_stages, repository, environment=ONE_THREAD)  # as workers have it
    print("### What the workers do, CPU: the start of each of them, and one of them over all files\n")
    print(share_table({"process start, imports": started, **{label: [seconds] for label, seconds in spent.items()}}))


def parent_stages(repository: Path, place: Path, jobs: int) -> dict[str, float]:
    """Wall seconds of each thing the building process does or waits for, in one build."""
    with Stopwatch() as watch:
        for one in BUILDING:
            watch.watch(one)
        watch.time("all", build_bundle, repository, place, BuildOptions(jobs=jobs, base="none"))
        spent = watch.lap()
    outer = ("map", "open", "encoder", "add", "take", "vectors", "relate", "finish", "place")
    return {
        "open the source, load the encoder": spent["open"] + spent["encoder"],
        "read the source": spent["source"],
        "wait for workers": spent["map"] - spent["source"],
        "hand documents to Tantivy": spent["lexical"],
        "deflate text": spent["text"],
        "pack rows": spent["add"] - spent["lexical"] - spent["text"],
        "codes of vectors": spent["vectors"],
        "relate: take declarations and uses": spent["take"],
        "relate: resolve names": spent["relate"],
        "finish: Tantivy's commit": spent["commit"],
        "finish: fsync": spent["fsync"],
        "finish: hash members": spent["hash"],
        "finish: the rest": spent["finish"] - sum(spent[part] for part in ("commit", "fsync", "hash")),
        "put in place": spent["place"],
        "the rest: end of workers, scratch": spent["all"] - sum(spent[part] for part in outer),
    }


def worker_stages(repository: Path) -> dict[str, float]:
    """CPU seconds of each thing a worker does, with every file in this one process."""
    files = [file for file in open_tree(repository).files() if not isinstance(file, Skip)]
    with Stopwatch(time.process_time) as watch:
        encoder = watch.time("load", default_encoder)
        for one in WORKING:
            watch.watch(one)
        for file in files:
            indexed = watch.time("analyse", analysing.analyse, file, encoder)
            watch.time("messages", _both_ways, file, indexed)
        spent = watch.lap()
    parts = ("outline", "chunks", "terms", "encode")
    return {
        "load the encoder": spent["load"],
        "outline: parse (tree-sitter)": spent["parse"],
        "outline: match the tags query": spent["match"],
        "outline: details": spent["details"],
        "outline: imports, uses, bindings": spent["usages"],
        "outline: symbols from matches": spent["outline"] - sum(spent[part] for part in ("parse", "match", "details", "usages")),
        "chunks": spent["chunks"],
        "terms of documents": spent["terms"],
        "encode": spent["encode"],
        "the rest of analyse": spent["analyse"] - sum(spent[part] for part in parts),
        "messages, both ways, both ends": spent["messages"],
    }


def _both_ways(file: SourceFile, indexed: writer.IndexedFile) -> None:
    """What carrying one file to a worker and its result back costs both processes, pipes apart."""
    there, back = io.BytesIO(), io.BytesIO()
    worker.write_message(there, worker.pack_file(file))
    there.seek(0)
    worker.unpack_file(worker.read_message(there) or b"")
    worker.write_message(back, worker.pack_indexed(indexed))
    back.seek(0)
    worker.unpack_indexed(worker.read_message(back) or b"")


def warm(bundle: Bundle, runs: int) -> None:
    """Latency of ``Searcher.search`` in a process that has been searching, and where it goes."""
    labels = [label for label, _, _ in SEARCHING]
    rows = []
    for mode in ("keyword", "vector", "hybrid"):
        figures, laps = [], []
        for _ in range(runs):
            wall_and_cpu = one_pass(bundle, mode, Stopwatch())
            figures.append([cut for times in wall_and_cpu for cut in statistics.quantiles(times, n=20)[9::9]])
            with Stopwatch(time.process_time) as watch:
                for one in SEARCHING:
                    watch.watch(one)
                _, cpu = one_pass(bundle, mode, watch)
                lap = watch.lap()
            laps.append({**{label: lap.get(label, 0.0) for label in labels}, "the rest": sum(cpu) - sum(lap.values())})
        means = [statistics.median(lap[label] for lap in laps) / QUERIES for label in laps[0]]
        latencies = [spread(column, 1000, 2) for column in zip(*figures, strict=True)]
        engines = sum(means[:3])
        rows.append([mode, *latencies, *(f"{1000 * mean:.2f}" for mean in means), f"{(sum(means) - engines) / engines:.1f}"])
    print(f"### Warm search, ms: {QUERIES} queries, {runs} passes; p50 and p95 of a pass, then the mean CPU of each part\n")
    print(table(["mode", "p50", "p95", "p50 CPU", "p95 CPU", *labels, "the rest", "ours to engines"], rows))


def one_pass(bundle: Bundle, mode: str, watch: Stopwatch) -> tuple[list[float], list[float]]:
    """Wall and CPU seconds of each query, through a bundle newly opened and warmed up; ``watch`` begins after the warm-up."""
    walls, cpus = [], []
    with open_bundle(bundle.path) as searcher:
        for query in queries_of(bundle, WARM_UP, seed=1):
            whole(searcher.search(query, mode=Mode(mode)))
        watch.lap()
        for query in queries_of(bundle, QUERIES, seed=2):
            wall, cpu = time.perf_counter(), time.process_time()
            whole(searcher.search(query, mode=Mode(mode)))
            cpus.append(time.process_time() - cpu)
            walls.append(time.perf_counter() - wall)
    return walls, cpus


def memory(repository: Path, scratch: Path, bundle: Bundle, jobs: int) -> None:
    """Peaks of a build, and what a searching process holds."""
    peaks = zip(("its own process", "largest worker"), peak_memory(build_command(repository, scratch / "again", jobs)), strict=True)
    rows = [[f"build, {which}, peak", f"{peak / 1e6:.0f}", "", ""] for which, peak in peaks]
    query = queries_of(bundle, 1, seed=3)[0]
    search_steps = ("search, opened", "after the first keyword query", "after the first hybrid query")
    for labels, arguments, environment in (
        (search_steps, [str(bundle.path), query], ONE_THREAD),
        (("import numpy, faiss, tantivy",), ["-"], {}),
        (("the same, one thread",), ["-"], ONE_THREAD),
    ):
        reader = Command(arguments=[sys.executable, "-c", READER, *arguments], environment=environment)
        process = reader.start(stdout=subprocess.PIPE)
        output, _ = process.communicate()
        reader.check(process.returncode)
        for label, line in zip(labels, output.decode().splitlines(), strict=True):
            rows.append([label, *(f"{int(kilobytes) * 1024 / 1e6:.0f}" for kilobytes in line.split())])
    print("### Memory, MB\n")
    print(table(["process", "RSS", "private, written", "private, from files"], rows))


def main() -> None:
    """Read the arguments, build once, and print the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", action="append", choices=["build", "warm", "memory"])
    arguments = parser.parse_args()
    repository, jobs, runs = arguments.repository.resolve(), arguments.jobs, arguments.runs
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        build_bundle(repository, scratch / "installed" / "bundle", BuildOptions(jobs=jobs))
        print(f"## {repository.name}\n")
        with open_bundle(scratch / "installed" / "bundle") as searcher:
            tables = {
                "build": lambda: build(repository, scratch, searcher.bundle, jobs, runs),
                "warm": lambda: warm(searcher.bundle, runs),
                "memory": lambda: memory(repository, scratch, searcher.bundle, jobs),
            }
            for wanted in arguments.only or tables:
                tables[wanted]()


if __name__ == "__main__":
    main()
