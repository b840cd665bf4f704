"""Measures the ranking over the repositories and both sets of queries of the retrieval harness, of whole checkouts.

    RETRIEVAL_DIR=HARNESS RETRIEVAL_REPOS=CHECKOUTS python benchmarks/retrieval.py [--semble PYTHON] [-- ADAPTER OPTIONS]

RETRIEVAL_DIR holds the harness (``bench.py`` and its queries), RETRIEVAL_REPOS one checkout a repository; without them this says
so and exits 2. People index whole repositories, so ``whole`` is the checkout, with its documentation, tests and examples;
``source`` is the one folder that the harness names, as semble's own benchmark has it. Labels are files of the whole checkout.

Prints ``ndcg10`` and ``recall10`` over all queries, by language and by repository, and which repositories lose more than 0.03 when
the whole checkout is indexed; questions with their labels as they are, and as ``retrieval_labels.toml`` corrects them. Every answer
stays in ``--out`` when given. What follows ``--`` goes to ``retrieval_adapter.py``.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from measure import table
from retrieval_labels import Corrections, corrected, read_corrections
from retrieval_process import Process

ADAPTER, SEMBLE = (Path(__file__).with_name(name) for name in ("retrieval_adapter.py", "semble_adapter.py"))
SETS = {"semble": "queries", "commits": "commits"}
"""The harness' name of each set, and ours."""
TREES = ("whole", "source")
LOST = 0.03


class Row(NamedTuple):
    """How one query went."""

    tool: str
    tree: str
    which: str
    """The harness' name of the set."""
    repository: str
    language: str
    query: str
    wanted: Sequence[str]
    files: Sequence[str]
    """Distinct paths of the whole checkout, best first."""
    ndcg10: float
    recall10: float
    corrected_ndcg10: float


def missing() -> str:
    """A sentence that says what is not there; empty when all is."""
    for variable, what in (("RETRIEVAL_DIR", "the retrieval harness"), ("RETRIEVAL_REPOS", "the checkouts it names")):
        if not os.environ.get(variable):
            return f"Set {variable} to the directory of {what}."
        if not Path(os.environ[variable]).is_dir():
            return f"{variable} is {os.environ[variable]}, which is no directory."
    return "" if _bench().is_file() else f"There is no {_bench()}: RETRIEVAL_DIR is not the directory of the retrieval harness."


def _bench() -> Path:
    return Path(os.environ["RETRIEVAL_DIR"], "bench.py")


def harness() -> Any:
    """The harness as a module. Ends the program with 2 and a sentence where there is none."""
    if fault := missing():
        print(fault, file=sys.stderr)
        raise SystemExit(2)
    found = importlib.util.spec_from_file_location("bench", _bench())
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


class Trees:
    """The directories of one repository that are indexed, and its labels."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.name: str = spec["name"]
        self.checkout = Path(os.environ["RETRIEVAL_REPOS"], self.name)
        self._folder = (spec.get("benchmark_root") or "").strip("/")

    def root(self, tree: str) -> Path:
        """The directory to index."""
        return self.checkout / self._folder if tree == "source" else self.checkout

    def path(self, tree: str, hit: str) -> str:
        """The path in the whole checkout of what a tool calls ``hit``."""
        root = self.root(tree)
        hit = hit.removeprefix(f"{root.resolve()}/").removeprefix(f"{root}/")
        return f"{self._folder}/{hit}" if tree == "source" and self._folder else hit

    def wanted(self, task: Mapping[str, Any]) -> list[str]:
        """The labelled paths, in the whole checkout; the annotations give some from the source folder."""
        paths = []
        for target in task["targets"]:
            path = target["path"]
            inside = f"{self._folder}/{path}"
            is_inside = self._folder and not path.startswith(f"{self._folder}/") and (self.checkout / inside).exists()
            paths.append(inside if is_inside else path)
        return list(dict.fromkeys(paths))


def judged(bench: Any, wanted: Sequence[str], files: Sequence[str]) -> tuple[float, float]:
    """``ndcg10`` and ``recall10``, by the harness' own formula."""
    ranks = [files.index(path) + 1 for path in wanted if path in files]
    return bench.ndcg(ranks, len(wanted)), sum(rank <= bench.K for rank in ranks) / len(wanted) if wanted else 0.0


def asked_of(
    bench: Any, name: str, words: Sequence[str], trees: Trees, tree: str, tasks: Mapping[str, Any], fixes: Corrections
) -> Iterator[Row]:
    """The rows of one tool over one tree: all queries of all sets, asked of one process."""
    spec = bench.load_specs()[trees.name]
    with Process(words, str(trees.root(tree))) as process:
        for which, of_set in tasks.items():
            for task in of_set.get(trees.name, ()):
                query, wanted = task["query"], trees.wanted(task)
                files = list(dict.fromkeys(trees.path(tree, path) for path, *_ in process.ask(query)["hits"]))
                figures = judged(bench, wanted, files)
                fixed = corrected(wanted, files, fixes.get((trees.name, query), ()) if which == "semble" else ())
                again = judged(bench, *fixed)[0]
                yield Row(name, tree, which, trees.name, spec["language"], query, wanted, files, *figures, again)


def cells(rows: Iterable[Row], columns: Sequence[tuple[str, str, str]], key: Callable[[Row], str]) -> dict[str, list[list[Row]]]:
    """The rows of each column (tool, tree, set), for each key."""
    found: dict[str, dict[tuple[str, str, str], list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[key(row)][row[:3]].append(row)
    return {each: [found[each][column] for column in columns] for each in sorted(found)}


def summary(rows: Sequence[Row]) -> str:
    """All tables."""
    columns = list(dict.fromkeys(row[:3] for row in rows))
    lines = []
    for column, own in zip(columns, cells(rows, columns, lambda _: "")[""], strict=True):
        again = f"{statistics.mean(row.corrected_ndcg10 for row in own):.4f}" if column[2] == "semble" else ""
        means = [f"{statistics.mean(each):.4f}" for each in ([row.ndcg10 for row in own], [row.recall10 for row in own])]
        lines.append([*column[:2], SETS[column[2]], len(own), *means, again])
    texts = [table(["tool", "tree", "set", "queries", "ndcg10", "recall10", "ndcg10, labels corrected"], lines)]
    head = [f"{tool}, {tree}, {SETS[which]}" for tool, tree, which in columns]
    for title, key in (("language", lambda row: row.language), ("repository", lambda row: row.repository)):
        body = [
            [name, *(f"{statistics.mean(row.ndcg10 for row in own):.3f}" if own else "" for own in each)]
            for name, each in cells(rows, columns, key).items()
        ]
        texts.append(table([title, *head], body))
    return "\n".join([*texts, losses(rows)])


def losses(rows: Sequence[Row]) -> str:
    """The repositories whose whole checkout is answered worse than their source folder, by tool and set."""
    means: dict[tuple[str, str], dict[str, dict[str, list[float]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows:
        means[row.tool, row.which][row.repository][row.tree].append(row.ndcg10)
    lines = []
    for (tool, which), of in means.items():
        pairs = {name: [statistics.mean(each[tree]) for tree in TREES] for name, each in of.items() if len(each) == len(TREES)}
        lost = sorted((whole - source, name, whole, source) for name, (whole, source) in pairs.items() if whole < source - LOST)
        said = ", ".join(f"{name} {whole:.3f} of {source:.3f}" for _, name, whole, source in lost)
        if pairs:
            lines.append(
                f"{tool}, {SETS[which]}: whole more than {LOST} below source in {len(lost)} of {len(pairs)}: {said or 'none'}\n"
            )
    return "".join(lines)


def commands(asked: argparse.Namespace, bundles: Path, name: str, tree: str) -> dict[str, list[str]]:
    """The command of each tool, by its name."""
    ours = [sys.executable, str(ADAPTER), "{root}", "--bundle", str(bundles / tree / name)]
    modes = asked.mode or ["hybrid"]
    found = {"hardtack" if mode == "hybrid" else f"hardtack {mode}": [*ours, "--mode", mode, *asked.adapter] for mode in modes}
    return found | ({"semble": [asked.semble, str(SEMBLE), "{root}"]} if asked.semble else {})


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", default="both", choices=[*TREES, "both"], help="what is indexed [both]")
    parser.add_argument("--mode", action="append", choices=["hybrid", "vector", "keyword"], help="[hybrid]")
    parser.add_argument("--set", action="append", choices=list(SETS), dest="sets", help="[both]")
    parser.add_argument("--repo", action="append", metavar="NAME", help="[all]")
    parser.add_argument("--semble", metavar="PYTHON", help="also semble, by the Python of its environment")
    parser.add_argument("--bundles", type=Path, help="where bundles are kept from run to run: whole/NAME, source/NAME")
    parser.add_argument("--out", type=Path, help="a folder for every answer: SET.jsonl")
    parser.add_argument("--check", action="store_true", help="only see whether everything is there")
    parser.add_argument("adapter", nargs="*", help="options of the adapter, after --")
    asked = parser.parse_args()
    bench = harness()
    if asked.check:
        return 0
    names = asked.repo or sorted(bench.load_specs())
    tasks = {which: bench.load_tasks(which, names) for which in asked.sets or SETS}
    fixes, rows = read_corrections(), []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            trees = Trees(bench.load_specs()[name])
            for tree in TREES if asked.tree == "both" else (asked.tree,):
                for tool, words in commands(asked, asked.bundles or Path(scratch), name, tree).items():
                    some = list(asked_of(bench, tool, words, trees, tree, tasks, fixes))
                    mean = statistics.mean(row.ndcg10 for row in some)
                    print(f"{name}: {tool}, {tree}: {mean:.3f} over {len(some)} queries", file=sys.stderr, flush=True)
                    rows += some
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        for which in tasks:
            told = [json.dumps(row._asdict()) + "\n" for row in rows if row.which == which]
            (asked.out / f"{SETS[which]}.jsonl").write_text("".join(told), encoding="utf-8")
    print(summary(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
