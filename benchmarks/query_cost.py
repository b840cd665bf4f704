"""What a warm hybrid query costs: the engines' part, and what our own Python adds to it; and what grep takes over the same files.

    python benchmarks/query_cost.py DIR [DIR ...] [--queries FILE] [--limit 1 --limit 10 --limit 30] [--profile 20]
    python benchmarks/query_cost.py --bundle BUNDLE [--queries FILE] [--limit N ...]

Builds one bundle of the directories (some that come to 10,000 chunks are what the figures in RESULTS.md are of). Queries are the
lines of FILE, else names and words of the bundle's own documentation. Each is asked once for every limit, of a searcher that keeps
no answers and was opened for it, after 50 others. *Engines* are FAISS' search and Tantivy's, timed at the call that leaves Python;
*encoder* is the whole of ``encode``, most of it Python too; *ours* is all the rest. All of it is CPU time of a thread, which
neighbours disturb least. Stages are told by the clock, as ``explain`` tells them. grep, or ripgrep where there is one, looks for
the longest word of each query, as fixed text, in the same directories, in a process of its own.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hardtack import BuildOptions, Searcher, build_bundle, open_bundle
from hardtack.encoders.static import StaticEncoder
from hardtack.query.request import parse_request
from hardtack.query.trace import Trace
from measure import ONE_THREAD, Command, Stopwatch, spend, table
from speed import queries_of

WARM_UP = 50
QUERIES = 500
GREPPED = 20


class Timed:
    """An engine's object, whose method ``search`` is timed: those that come from native code cannot be changed in place."""

    def __init__(self, engine: Any, label: str, watch: Stopwatch) -> None:
        self._engine, self._label, self._watch = engine, label, watch

    def search(self, *arguments: Any, **options: Any) -> Any:
        """The engine's own, timed."""
        return self._watch.time(self._label, self._engine.search, *arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def costs(searcher: Searcher, queries: Sequence[str], limit: int) -> dict[str, list[float]]:
    """Milliseconds of CPU that each query takes with that limit: in all, in each engine, and in what is ours."""
    spent: defaultdict[str, list[float]] = defaultdict(list)
    bundle = searcher.bundle
    with Stopwatch(time.thread_time) as watch:
        watch.watch("encoder", StaticEncoder, "encode")
        for owner, name, label in ((bundle.lexical, "_searcher", "Tantivy"), (bundle.vectors, "_index", "FAISS")):
            setattr(owner, name, Timed(getattr(owner, name), label, watch))
        for number, query in enumerate(queries):
            watch.lap()
            start = time.thread_time()
            searcher.search(query, limit=limit)
            total = time.thread_time() - start
            lap = watch.lap()
            if number < WARM_UP:
                continue
            parts = {label: lap[label] for label in ("Tantivy", "FAISS", "encoder")}
            for label, seconds in {"all": total, **parts, "ours": total - sum(parts.values())}.items():
                spent[label].append(1000 * seconds)
    return spent


def stages(searcher: Searcher, queries: Sequence[str], limit: int) -> dict[str, float]:
    """Stage of a search with that limit to the median of its milliseconds."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    for number, query in enumerate(queries):
        trace = Trace()
        searcher.answer(parse_request(searcher.bundle, query, limit=limit), trace)
        if number >= WARM_UP:
            for stage, seconds in trace.times.items():
                times[stage].append(1000 * seconds)
    return {stage: statistics.median(values) for stage, values in times.items()}


def uncached(bundle: Path) -> Searcher:
    """A searcher that makes every answer anew, and has not been asked anything."""
    return Searcher(open_bundle(bundle).bundle, kept_answers=0)


def grepped(directories: Sequence[Path], queries: Sequence[str]) -> tuple[str, list[float]]:
    """What searches text here, and the milliseconds of CPU it takes for each of some queries; nothing without directories."""
    tool = next((name for name in ("rg", "grep") if shutil.which(name)), "")
    if not tool or not directories:
        return "", []
    flags = ["--no-ignore", "-l", "-i", "-F"] if tool == "rg" else ["-r", "-I", "-l", "-i", "-F"]
    words = [max(re.findall(r"\w+", query), key=len, default=query) for query in queries]
    commands = [
        Command(arguments=[tool, *flags, "-e", word, *map(str, directories)], environment={}, exit_codes=(0, 1)) for word in words
    ]
    spend(commands[0])
    return tool, [1000 * spend(command).cpu_seconds for command in commands]


def report(bundle: Path, directories: Sequence[Path], queries: Sequence[str] | None, limits: Sequence[int], profile: int) -> None:
    """Measure one bundle and print."""
    with uncached(bundle) as searcher:
        chunks = searcher.bundle.manifest.counts.chunks
        asked = list(queries or queries_of(searcher.bundle, WARM_UP + QUERIES, seed=1))[: WARM_UP + QUERIES]
    for limit in limits:
        print(f"{chunks:,} chunks, {len(asked) - WARM_UP} warm hybrid queries, {limit} hits asked for, ms of CPU\n")
        whole = report_limit(bundle, asked, limit)
    tool, times = grepped(directories, asked[WARM_UP : WARM_UP + GREPPED])
    if times:
        print(f"{tool} over the same directories: {statistics.median(times):.0f} ms of CPU a query, ours to it as 1 to ", end="")
        print(f"{statistics.median(times) / whole:.0f}.")
    if profile:
        with uncached(bundle) as searcher, cProfile.Profile() as profiler:
            for query in asked:
                searcher.search(query, limit=limits[-1])
        pstats.Stats(profiler).sort_stats("tottime").print_stats(profile)


def report_limit(bundle: Path, asked: Sequence[str], limit: int) -> float:
    """Measure and print one limit; the median of all that a query takes, in milliseconds."""
    with uncached(bundle) as searcher:
        spent = costs(searcher, asked, limit)
    with uncached(bundle) as searcher:
        by_stage = stages(searcher, asked, limit)
    medians = {label: statistics.median(values) for label, values in spent.items()}
    rows = [
        [label, f"{medians[label]:.3f}", f"{statistics.quantiles(values, n=20)[-1]:.3f}", f"{medians[label] / medians['all']:.0%}"]
        for label, values in spent.items()
    ]
    print(table(["part", "p50", "p95", "of all"], rows))
    engines = medians["Tantivy"] + medians["FAISS"]
    print(f"Ours to the engines: {medians['ours'] / engines:.1f}; with the encoder {(medians['all'] - engines) / engines:.1f}.\n")
    print(table(["stage", "p50 ms by the clock"], [[stage, f"{median:.3f}"] for stage, median in by_stage.items()]))
    return medians["all"]


def main() -> int:
    """Build what is to be searched, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", type=Path, nargs="*")
    parser.add_argument("--bundle", type=Path, help="search this one, and build none")
    parser.add_argument("--queries", type=Path, help="a text file, a query a line")
    parser.add_argument(
        "--limit", type=int, action="append", metavar="N", help="hits asked for; any number of times, 10 unless told"
    )
    parser.add_argument("--profile", type=int, default=0, metavar="N", help="print the N costliest functions")
    asked = parser.parse_args()
    if not asked.directories and not asked.bundle:
        parser.error("name directories, or a bundle")
    queries = asked.queries.read_text(encoding="utf-8").splitlines() if asked.queries else None
    with tempfile.TemporaryDirectory() as scratch:
        bundle = asked.bundle or Path(scratch, "bundle")
        if not asked.bundle:
            roots = tuple((f"{number}-{each.name}", each) for number, each in enumerate(asked.directories))
            build_bundle(asked.directories[0], bundle, BuildOptions(roots=roots))
        report(bundle, asked.directories, queries, asked.limit or [10], asked.profile)
    return 0


if __name__ == "__main__":
    os.environ.update(ONE_THREAD)
    sys.exit(main())
