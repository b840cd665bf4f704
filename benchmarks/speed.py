"""How fast, how large? Builds against raw parsing, cold searches against bare imports, warm searches, memory, bytes.

    python benchmarks/speed.py REPO [--runs 5] [--only build --only cold ...]

REPO is any directory or git checkout. Prints Markdown tables. Every figure that matters is a ratio to something that ran right
beside it (``measure.py`` says how). ``--runs`` is the number of pairs of builds and of passes over the warm queries; cold starts
take three times as many. README.md beside this file says what each table means.
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
from collections import defaultdict
from pathlib import Path

from hardtack import BuildOptions, build_bundle, open_bundle
from hardtack.build import analyse as analysing
from hardtack.build import encoding, pipeline, symbols, worker
from hardtack.build.executors import WorkerPool
from hardtack.build.languages.registry import languages
from hardtack.build.relations.relate import Relater
from hardtack.build.source.tree import SourceTree, open_tree
from hardtack.bundle import writer
from hardtack.bundle.lexical import LexicalIndex, LexicalWriter
from hardtack.bundle.reader import Bundle
from hardtack.bundle.text import TextWriter
from hardtack.bundle.vectors import VectorIndex
from hardtack.encoders.static import StaticEncoder, default_encoder
from hardtack.outline import Skip, SourceFile
from hardtack.query import searcher as searching
from measure import ONE_THREAD, Command, Stopwatch, in_new_process, peak_memory, ratios, share_table, spread, table, take_turns

SCRIPT = str(Path(sysconfig.get_path("scripts"), "hardtack"))
IMPORTS = [sys.executable, "-c", "import numpy, faiss, tantivy"]
QUERIES = 200
WARM_UP = 50

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
from hardtack.build.processes import Workers

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
        searcher.search(sys.argv[2], mode=mode)
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
    spent = in_new_process(worker_stages, repository)
    print("### What the workers do, CPU: the start of each of them, and one of them over all files\n")
    print(share_table({"process start, imports": started, **{label: [seconds] for label, seconds in spent.items()}}))


def parent_stages(repository: Path, place: Path, jobs: int) -> dict[str, float]:
    """Wall seconds of each thing the building process does or waits for, in one build."""
    with Stopwatch() as watch:
        watch.watch("map", WorkerPool, "map")
        watch.watch("source", SourceTree, "files_beside")
        watch.watch("open", pipeline, "open_tree")
        watch.watch("encoder", encoding, "load_encoder")
        watch.watch("add", writer.BundleWriter, "add")
        watch.watch("lexical", LexicalWriter, "add")
        watch.watch("text", TextWriter, "add")
        watch.watch("take", Relater, "add")
        watch.watch("relate", Relater, "relate")
        watch.watch("finish", writer.BundleWriter, "finish")
        watch.watch("commit", LexicalWriter, "move_to")
        watch.watch("vectors", writer.BundleWriter, "end_files")
        watch.watch("fsync", os, "fsync")
        watch.watch("hash", writer, "digest_of_descriptor")
        watch.watch("place", pipeline, "put_in_place")
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
        for label, owner, name in (
            ("outline", analysing, "outline_of"),
            ("parse", symbols, "parse"),
            ("match", symbols, "page_of"),
            ("details", symbols, "details_of"),
            ("mentions", symbols, "mentions_of"),
            ("chunks", analysing, "chunks_of"),
            ("terms", analysing, "document_of"),
            ("encode", StaticEncoder, "encode"),
        ):
            watch.watch(label, owner, name)
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
        "outline: imports, uses, bindings": spent["mentions"],
        "outline: symbols from matches": spent["outline"] - sum(spent[part] for part in ("parse", "match", "details", "mentions")),
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


def cold(bundle: Bundle, runs: int) -> None:
    """Whole search processes in turns with processes that only import the engines."""
    query = queries_of(bundle, 1, seed=3)[0]
    commands = {}
    for mode in ("keyword", "hybrid"):
        arguments = [SCRIPT, "search", "-b", str(bundle.path), "--mode", mode, "--", query]
        installed = {"HARDTACK_BUNDLE_PATH": str(bundle.path.parent)}
        commands[f"{mode}, installed"] = Command(arguments=arguments, environment=installed, exit_codes=(0, 1))
        commands[f"{mode}, by path (hashed)"] = Command(arguments=arguments, environment={}, exit_codes=(0, 1))
    commands["import numpy, faiss, tantivy"] = Command(arguments=IMPORTS, environment={})
    commands["the same, one thread"] = Command(arguments=IMPORTS, environment=ONE_THREAD)
    commands["bare python"] = Command(arguments=[sys.executable, "-c", ""], environment={})
    spent = take_turns(commands, 3 * runs)
    walls = {name: [one.seconds for one in found] for name, found in spent.items()}
    cpus = {name: [one.cpu_seconds for one in found] for name, found in spent.items()}
    rows = []
    for name in commands:
        against = [(walls, "import numpy, faiss, tantivy"), (walls, "the same, one thread"), (cpus, "the same, one thread")]
        relative = [spread(ratios(times[name], times[other]), 1, 2) for times, other in against]
        rows.append([name, spread(walls[name], 1000), spread(cpus[name], 1000), *relative])
    print(f"### Cold `hardtack search`, {3 * runs} turns\n")
    print(table(["process", "wall ms", "CPU ms", "wall, to the imports", "wall, to one thread", "CPU, to one thread"], rows))
    costliest_imports({mode: commands[f"{mode}, installed"] for mode in ("keyword", "hybrid")}, runs)


def costliest_imports(commands: dict[str, Command], runs: int) -> None:
    """``-X importtime`` of each command, summed over each top-level package's own modules."""
    for mode, command in commands.items():
        found: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(runs):
            spent: defaultdict[str, float] = defaultdict(float)
            traced = Command(arguments=[sys.executable, "-X", "importtime", *command.arguments], environment=command.environment)
            process = traced.start(stderr=subprocess.PIPE)
            _, messages = process.communicate()
            command.check(process.returncode)
            for own, module in re.findall(r"import time: +(\d+) \| +\d+ \| +(\S+)", messages.decode()):
                spent[module.partition(".")[0]] += int(own) / 1000
            for package, milliseconds in spent.items():
                found[package].append(milliseconds)
        costly = sorted(found.items(), key=lambda pair: -statistics.median(pair[1]))
        total = sum(statistics.median(values) for values in found.values())
        rows = [[package, spread(values, 1, 1)] for package, values in costly[:10]]
        print(f"### Costliest imports of a {mode} search, {total:.0f} ms in all, by package, its own modules only\n")
        print(table(["package", "ms"], rows))


def warm(bundle: Bundle, runs: int) -> None:
    """Latency of ``Searcher.search`` in a process that has been searching, and where it goes."""
    parts = {
        "keyword engine": (LexicalIndex, "search"),
        "vector engine": (VectorIndex, "search"),
        "encoder": (StaticEncoder, "encode"),
        "ranking": (searching, "rank"),
        "snippets": (searching, "cut"),
    }
    rows = []
    for mode in ("keyword", "vector", "hybrid"):
        figures, laps = [], []
        for _ in range(runs):
            wall_and_cpu = one_pass(bundle, mode, Stopwatch())
            figures.append([cut for times in wall_and_cpu for cut in statistics.quantiles(times, n=20)[9::9]])
            with Stopwatch(time.process_time) as watch:
                for label, (owner, name) in parts.items():
                    watch.watch(label, owner, name)
                _, cpu = one_pass(bundle, mode, watch)
                lap = watch.lap()
            laps.append({**{label: lap.get(label, 0.0) for label in parts}, "the rest": sum(cpu) - sum(lap.values())})
        means = [statistics.median(lap[label] for lap in laps) / QUERIES for label in laps[0]]
        latencies = [spread(column, 1000, 2) for column in zip(*figures, strict=True)]
        engines = sum(means[:3])
        rows.append([mode, *latencies, *(f"{1000 * mean:.2f}" for mean in means), f"{(sum(means) - engines) / engines:.1f}"])
    print(f"### Warm search, ms: {QUERIES} queries, {runs} passes; p50 and p95 of a pass, then the mean CPU of each part\n")
    print(table(["mode", "p50", "p95", "p50 CPU", "p95 CPU", *parts, "the rest", "ours to engines"], rows))


def one_pass(bundle: Bundle, mode: str, watch: Stopwatch) -> tuple[list[float], list[float]]:
    """Wall and CPU seconds of each query, through a bundle newly opened and warmed up; ``watch`` begins after the warm-up."""
    walls, cpus = [], []
    with open_bundle(bundle.path) as searcher:
        for query in queries_of(bundle, WARM_UP, seed=1):
            searcher.search(query, mode=mode)
        watch.lap()
        for query in queries_of(bundle, QUERIES, seed=2):
            wall, cpu = time.perf_counter(), time.process_time()
            searcher.search(query, mode=mode)
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


def size(bundle: Bundle) -> None:
    """Bytes of each member, largest first."""
    text = bundle.manifest.counts.text_bytes
    members = [("manifest.json", (bundle.path / "manifest.json").stat().st_size)]
    members += [(member.name, member.size) for member in bundle.manifest.members]
    members.sort(key=lambda member: -member[1])
    members.append(("all", sum(size for _, size in members)))
    encoder = sum(size for name, size in members if name.startswith("encoder."))
    members.append(("all but the encoder, which is the same in every bundle", members[-1][1] - encoder))
    rows = [[re.sub(r"[0-9a-f]{32}", "*", name), f"{size:,}", f"{size / text:.3f}"] for name, size in members]
    print(f"### Bundle: {text:,} bytes of text in {bundle.manifest.counts.chunks} chunks\n")
    print(table(["member", "bytes", "for each byte of text"], rows))


def main() -> None:
    """Read the arguments, build once, and print the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", action="append", choices=["build", "cold", "warm", "memory", "size"])
    arguments = parser.parse_args()
    repository, jobs, runs = arguments.repository.resolve(), arguments.jobs, arguments.runs
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        build_bundle(repository, scratch / "installed" / "bundle", BuildOptions(jobs=jobs))
        print(f"## {repository.name}\n")
        with open_bundle(scratch / "installed" / "bundle") as searcher:
            tables = {
                "build": lambda: build(repository, scratch, searcher.bundle, jobs, runs),
                "cold": lambda: cold(searcher.bundle, runs),
                "warm": lambda: warm(searcher.bundle, runs),
                "memory": lambda: memory(repository, scratch, searcher.bundle, jobs),
                "size": lambda: size(searcher.bundle),
            }
            for wanted in arguments.only or tables:
                tables[wanted]()


if __name__ == "__main__":
    main()
