"""Measures the ranking: runs the retrieval harness over its repositories and both sets of queries, through retrieval_adapter.py.

    RETRIEVAL_DIR=HARNESS RETRIEVAL_REPOS=CHECKOUTS python benchmarks/retrieval.py [--mode hybrid ...] [-- ADAPTER OPTIONS]

RETRIEVAL_DIR holds the harness (``bench.py`` and its queries), RETRIEVAL_REPOS one checkout a repository; without them this says
so and exits 2. Prints ``ndcg10`` and ``recall10`` over all queries and by language; the harness' own results, query by query, stay
in ``--out`` when given. Each repository is indexed once, whatever the number of modes and sets. What follows ``--`` goes to the
adapter.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import ONE_THREAD, table

ADAPTER = Path(__file__).parent / "retrieval_adapter.py"
SETS = {"semble": "queries", "commits": "commits"}
"""The harness' name of each set, and ours."""


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


def run(bench: Any, which: str, name: str, command: str, out: Path) -> dict[str, Any]:
    """The harness' results for one set, asked of one command.

    Raises:
        SystemExit: the harness failed, or the tool did over some repository: an average without it would mean nothing.
    """
    arguments = [sys.executable, bench.__file__, "--exec", command, "--name", name, "--set", which, "--out", str(out)]
    environment = {**os.environ, **ONE_THREAD}
    subprocess.run([*arguments, "--lat-runs", "1"], check=True, env=environment, stdout=sys.stderr)
    results: dict[str, Any] = json.loads((out / f"{which}-{name}.json").read_text(encoding="utf-8"))
    failed = [repository for repository, told in results["repos"].items() if "error" in told]
    if failed:
        raise SystemExit(f"No answers over {', '.join(failed)}.")
    return results


def summary(results: dict[tuple[str, str], dict[str, Any]]) -> str:
    """A table of all modes and sets, then one by language."""
    rows = []
    for (mode, which), told in results.items():
        overall = told["summary"]["all"]["overall"]
        rows.append([mode, SETS[which], overall["n"], f"{overall['ndcg10']:.4f}", f"{overall['recall10']:.4f}"])
    text = table(["mode", "set", "queries", "ndcg10", "recall10"], rows)
    by_language = {key: told["summary"]["all"]["by_language"] for key, told in results.items()}
    languages = sorted({language for told in by_language.values() for language in told})
    head = ["language", *(f"{mode}, {SETS[which]}" for mode, which in results)]
    lines = []
    for language in languages:
        cells = [told.get(language) for told in by_language.values()]
        lines.append([language, *(f"{cell['ndcg10']:.3f} / {cell['recall10']:.3f}" if cell else "" for cell in cells)])
    return f"{text}\n`ndcg10` / `recall10` by language:\n\n{table(head, lines)}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mode", action="append", choices=["hybrid", "vector", "keyword"], help="[hybrid]")
    parser.add_argument("--set", action="append", choices=list(SETS), dest="sets", help="[both]")
    parser.add_argument("--bundles", type=Path, help="where bundles are kept from run to run")
    parser.add_argument("--out", type=Path, help="where the harness' results are kept")
    parser.add_argument("--name", default="hardtack", help="what this run is called there")
    parser.add_argument("--check", action="store_true", help="only see whether everything is there")
    parser.add_argument("adapter", nargs="*", help="options of the adapter, after --")
    asked = parser.parse_args()
    bench = harness()
    if asked.check:
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        bundles, out = asked.bundles or Path(scratch, "bundles"), asked.out or Path(scratch, "results")
        bundles.mkdir(parents=True, exist_ok=True)
        results = {}
        for mode in asked.mode or ["hybrid"]:
            for which in asked.sets or SETS:
                words = [sys.executable, str(ADAPTER), "{root}", "--bundles", str(bundles), "--mode", mode, *asked.adapter]
                results[mode, which] = run(bench, which, f"{asked.name}-{mode}", " ".join(words), out)
    print(summary(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
