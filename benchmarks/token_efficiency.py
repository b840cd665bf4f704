"""Measures how many tokens of ``search --format markdown`` must be read before the relevant files are known.

    RETRIEVAL_DIR=HARNESS RETRIEVAL_REPOS=CHECKOUTS python benchmarks/token_efficiency.py [--set semble] [--bundles DIR] [--grep]

A token is four characters. A relevant file counts at N tokens when its whole path stands in the first 4 N characters. Rows:

- *printed by default*: what the command prints when nothing but the query is said; it ends by itself, so later columns stand still;
- *asked for*: as it is printed with ``--max-tokens N``;
- *grep and read* (``--grep``): files by how many of the query's words they contain, then by how often, each read whole.

Answers are rendered in this process; the first of each repository is compared with what the command itself prints. RETRIEVAL_DIR
and RETRIEVAL_REPOS are those of ``retrieval.py``; without them this says so and exits 2. Exits 1 when the queries' recall in the
first 2,000 tokens of what is printed by default is below 0.97.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from hardtack import Searcher
from hardtack.cli.main import commands
from hardtack.render import RENDERERS, Style
from hardtack.render.style import MARKDOWN_FURTHER
from measure import table
from retrieval import SETS, harness
from retrieval_adapter import bundle_of, model_of, opened

TOKEN = 4
BUDGETS = (500, 1000, 2000, 4000, 8000, 16_000)
JUDGED, LEAST = 2000, 0.97
Reads = Sequence[tuple[str, int]]
"""Paths, and the characters read when each is known, ascending."""


def printed(searcher: Searcher, query: str, tokens: int = 0) -> str:
    """What the command prints for ``query``."""
    return RENDERERS["markdown"](searcher.search(query, further=MARKDOWN_FURTHER), Style(max_tokens=tokens))


def recall(wanted: Sequence[str], known: Iterable[str]) -> float:
    """Share of the wanted files that are known."""
    return len({*wanted} & {*known}) / len(wanted)


def named(text: str, wanted: Sequence[str], tokens: int) -> list[str]:
    """Which of the wanted paths stand in the first ``tokens`` of ``text``: whole, and not as the end of a longer one."""
    read = text[: TOKEN * tokens]
    return [path for path in wanted if re.search(rf"(?<![^\s`]){re.escape(path)}(?=:)", read)]


def grepped(texts: dict[str, str], words: Sequence[str]) -> Reads:
    """The files that contain any of the words, in the order they are read, and how much has been read by then."""
    counts = {path: [text.count(word) for word in words] for path, text in texts.items()}
    found = [path for path, each in counts.items() if any(each)]
    order = sorted(found, key=lambda path: (-sum(count > 0 for count in counts[path]), -sum(counts[path]), path))
    reads, read = [], 0
    for path in order:
        read += len(path)
        reads.append((path, read))
        read += len(texts[path])
    return reads


def targets(bench: Any, spec: dict[str, Any], task: dict[str, Any]) -> list[str]:
    """The relevant paths, as the indexed root sees them (annotations give them from there, or from the repository's top)."""
    top = (spec.get("benchmark_root") or "").strip("/") + "/"
    root = Path(bench.root_of(spec))
    paths = [target["path"] for target in task["targets"]]
    return list(dict.fromkeys(path.removeprefix(top) if not (root / path).exists() else path for path in paths))


def is_what_the_command_prints(bundle: Path, query: str, text: str) -> bool:
    """Whether the command, given nothing but the query, prints ``text``."""
    told = CliRunner().invoke(commands, ["search", "-b", str(bundle), "--format", "markdown", "--", query])
    return told.stdout == text


def measured(bench: Any, which: str, asked: argparse.Namespace, shelf: Path) -> tuple[dict[str, list[dict[int, float]]], list[str]]:
    """Recall by budget of every query, for each row, and the language of each query."""
    rows: dict[str, list[dict[int, float]]] = defaultdict(list)
    languages: list[str] = []
    specs = bench.load_specs()
    tasks = bench.load_tasks(which, list(specs))
    for name, spec in specs.items():
        root = Path(bench.root_of(spec))
        bundle, _ = bundle_of(root, shelf, jobs=1)
        texts = {path: text.lower() for path, text in bench.iter_files(str(root))} if asked.grep else {}
        with opened(bundle, model_of(root, asked.models)) as searcher:
            for number, task in enumerate(tasks.get(name, [])):
                query, wanted = task["query"], targets(bench, spec, task)
                text = printed(searcher, query)
                if not number and asked.models is None and not is_what_the_command_prints(bundle, query, text):
                    raise SystemExit(f"{name}: the command prints something else for {query!r}.")
                languages.append(spec["language"])
                rows["printed by default"].append({n: recall(wanted, named(text, wanted, n)) for n in BUDGETS})
                rows["asked for"].append({n: recall(wanted, named(printed(searcher, query, n), wanted, n)) for n in BUDGETS})
                rows["tokens printed"].append({0: len(text) / TOKEN})
                if asked.grep:
                    words = [word for word in dict.fromkeys(re.findall(r"\w{3,}", query.lower())) if word not in bench.STOP]
                    reads = grepped(texts, words)
                    within = {n: [path for path, read in reads if read <= TOKEN * n] for n in BUDGETS}
                    rows["grep and read"].append({n: recall(wanted, within[n]) for n in BUDGETS})
    return rows, languages


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", action="append", choices=list(SETS), dest="sets", help="[both]")
    parser.add_argument("--bundles", type=Path, help="where bundles are kept from run to run")
    parser.add_argument("--models", type=Path, help="a folder of NAME.json, each trained without the repository NAME")
    parser.add_argument("--grep", action="store_true", help="also what an agent finds that greps for the words and reads")
    asked = parser.parse_args()
    bench = harness()
    is_enough = True
    with tempfile.TemporaryDirectory() as scratch:
        shelf = asked.bundles or Path(scratch)
        for which in asked.sets or SETS:
            rows, languages = measured(bench, which, asked, shelf)
            sizes = [row[0] for row in rows.pop("tokens printed")]
            print(f"{SETS[which]}: {len(sizes)} searches; printed by default: {statistics.mean(sizes):.0f} tokens\n")
            means = {row: {n: statistics.mean(each[n] for each in told) for n in BUDGETS} for row, told in rows.items()}
            head = ["recall at tokens", *map(str, BUDGETS)]
            print(table(head, [[row, *(f"{each[n]:.3f}" for n in BUDGETS)] for row, each in means.items()]))
            by_language: dict[str, list[float]] = defaultdict(list)
            for language, row in zip(languages, rows["printed by default"], strict=True):
                by_language[language].append(row[JUDGED])
            worst = sorted((statistics.mean(each), language) for language, each in by_language.items())[:5]
            print(f"lowest at {JUDGED}: {', '.join(f'{language} {mean:.3f}' for mean, language in worst)}\n")
            is_enough &= which != "semble" or means["printed by default"][JUDGED] >= LEAST
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
