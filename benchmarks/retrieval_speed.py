r"""Measures two search tools over the same repositories, in turns: time to index, and to answer each query for the first time.

    RETRIEVAL_DIR=... RETRIEVAL_REPOS=... python benchmarks/retrieval_speed.py \
      --tool hardtack='python benchmarks/retrieval_adapter.py {root}' \
      --tool semble='SEMBLE/bin/python benchmarks/semble_adapter.py {root}' --core 1

Everything runs on one core, with one thread. In each repository both tools index ROOT, then both answer 50 queries that belong to
other repositories, which warms what they have loaded; then each query of the repository is put to both, one right after the other
and in changing order, once. So no query has been asked before, and a busy neighbour meets both. A time is that of the search
alone, taken inside the tool's process (``retrieval_protocol.py``); CPU time holds still where the clock does not. What a tool
keeps from run to run has to be switched off by its adapter. Writes every single time to ``--out`` when asked.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from measure import ratios, table
from retrieval import harness
from retrieval_process import Process

WARM_UP = 50


@dataclass
class Times:
    """What one tool took, all repositories together; milliseconds."""

    index: list[float] = field(default_factory=list)
    index_cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def measure(tools: dict[str, str], root: str, warm_up: list[str], queries: list[str], times: dict[str, Times]) -> None:
    """Add what ``tools`` take over one repository to ``times``."""
    open_tools: dict[str, Process] = {}
    try:
        for name, command in tools.items():
            open_tools[name] = Process(command, root)
            times[name].index.append(open_tools[name].ready.get("index_ms", 0.0))  # nothing where it was kept from before
            times[name].index_cpu.append(open_tools[name].ready.get("index_cpu_ms", 0.0))
        for query in warm_up:
            for tool in open_tools.values():
                tool.ask(query)
        for number, query in enumerate(queries):
            for name in list(open_tools)[:: 1 if number % 2 else -1]:
                answer = open_tools[name].ask(query)
                times[name].clock.append(answer["ms"])
                times[name].cpu.append(answer["cpu_ms"])
    finally:
        for tool in open_tools.values():
            tool.__exit__()


def others(tasks: dict[str, list[dict[str, Any]]], repository: str) -> list[str]:
    """The first :data:`WARM_UP` queries that belong to other repositories, each repository in turn."""
    mine = {task["query"] for task in tasks[repository]}
    turns = zip_longest(*([task["query"] for task in tasks[name]] for name in tasks if name != repository))
    return [query for query in chain.from_iterable(turns) if query is not None and query not in mine][:WARM_UP]


def report(times: dict[str, Times]) -> str:
    """A table of the tools: all indexing, queries, and the median of their ratios to the last tool's, query by query."""
    rows = []
    for name, spent in times.items():
        last = list(times.values())[-1]
        row = [name, *(f"{sum(values) / 1000:.0f}" for values in (spent.index, spent.index_cpu))]
        for mine, other in ((spent.clock, last.clock), (spent.cpu, last.cpu)):
            pairs = statistics.median(ratios(mine, other))
            row += [f"{statistics.median(mine):.2f}", f"{statistics.quantiles(mine, n=20)[-1]:.2f}", f"{pairs:.2f}"]
        rows.append(row)
    head = ["tool", "index, s", "CPU s", "p50 ms", "p95 ms", "ratio", "p50 CPU ms", "p95 CPU ms", "ratio"]
    return table(head, rows)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", action="append", required=True, metavar="NAME=COMMAND", help="{root} stands for the directory")
    parser.add_argument("--core", type=int, help="the core that everything runs on")
    parser.add_argument("--set", default="semble", choices=["semble", "commits"], dest="which")
    parser.add_argument("--repo", action="append", default=[])
    parser.add_argument("--out", type=Path, help="where every single time goes, as JSON")
    asked = parser.parse_args()
    if asked.core is not None:
        os.sched_setaffinity(0, {asked.core})
    bench = harness()
    specs = bench.load_specs()
    tasks = bench.load_tasks(asked.which, [name for name in sorted(specs) if Path(bench.root_of(specs[name])).is_dir()])
    tools = dict(each.split("=", 1) for each in asked.tool)
    times = {name: Times() for name in tools}
    for name in asked.repo or tasks:
        measure(tools, bench.root_of(specs[name]), others(tasks, name), [task["query"] for task in tasks[name]], times)
        spent = ", ".join(f"{tool} {statistics.median(each.clock):.2f} ms" for tool, each in times.items())
        print(f"{name}: so far p50 {spent}", file=sys.stderr, flush=True)
    if asked.out:
        asked.out.write_text(json.dumps({name: vars(each) for name, each in times.items()}), encoding="utf-8")
    count = len(next(iter(times.values())).clock)
    print(f"{count} queries, each asked once.\n\n{report(times)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
