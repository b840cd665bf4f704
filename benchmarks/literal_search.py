"""Measures a literal search beside ripgrep over the checkout: thirty words of three frequencies, in turns.

    python benchmarks/literal_search.py CHECKOUT BUNDLE [--rg rg] [--runs 7] [--seed 1] [--served]

BUNDLE is CHECKOUT's, built with its text. The words are drawn from it, ten of each class by the lines that have them in any place:
rare (1 to 10), medium (100 to 1,000) and frequent (1,000 and more); ten of 10,000 lines and more are shown besides, and count for
nothing. ``rg -F -n WORD CHECKOUT`` runs as a process whose output is read to its end. Our call is what the tools ``search`` and
``smart_search`` do in their process, documentation first, and ends with the JSON of its lines; with ``--served`` it is a call of
``search`` by the SDK's client, which starts a server, talks to it over pipes and holds its answer against the schema.

Both take turns in changing order, after one round that does not count, so that every file is in the page cache and a busy neighbour
meets both. Prints the median and the ninth decile of each class, and the median and quartiles of the ratios of two that ran one
after the other. Exits 1 when the median of a class is not lower than ripgrep's.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.query.files.grep import grep
from hardtack.query.files.stored_files import StoredFiles
from measure import table

CLASSES = {"rare": (1, 10), "medium": (100, 1000), "frequent": (1000, sys.maxsize), "(most frequent)": (10_000, sys.maxsize)}
COUNTED = ("rare", "medium", "frequent")
EACH = 10
LIMITS = (200, 10_000)

Search = Callable[[str, int], Callable[[], object]]
"""Takes a word and a limit; gives the call that is timed."""


def words_by_class(bundle: Bundle, rng: random.Random) -> dict[str, list[str]]:
    """Ten words of three characters or more for each class."""
    texts = [bundle.text_of(file) for file in bundle.files]
    lines = Counter(word for text in texts for line in text.split(b"\n") for word in set(re.findall(rb"[A-Za-z_]{3,}", line)))
    chosen = {}
    for name, (least, most) in CLASSES.items():
        fitting = sorted(word.decode() for word, count in lines.items() if least <= count <= most)
        rng.shuffle(fitting)
        # A word can be a part of others: what counts is the lines that have it in any place.
        found = (word for word in fitting if least <= len(grep(bundle, word, limit=200_000).matches) <= most)
        chosen[name] = list(islice(found, EACH))
    return chosen


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ours(files: StoredFiles, word: str, limit: int) -> Callable[[], object]:
    """A search, and its answer as text."""
    return lambda: json.dumps(
        [{"path": match.path, "line": match.line, "preview": match.text} for match in files.search(word, limit=limit).matches]
    )


@contextmanager
def served(bundle: Path) -> Iterator[Search]:
    """The same, asked of a server by a client."""
    from anyio.from_thread import start_blocking_portal
    from mcp import Client, StdioServerParameters

    arguments = ["-m", "hardtack", "serve", "--toolsets", "contract", "-b", str(bundle), "--log-level", "error"]
    client = Client(StdioServerParameters(command=sys.executable, args=arguments))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield lambda word, limit: lambda: portal.call(client.call_tool, "search", {"query": word, "limit": limit})


def times_of(words: list[str], limit: int, search: Search, ripgrep: list[str], runs: int) -> list[tuple[float, float]]:
    """Milliseconds of ours and of ripgrep, turn by turn."""
    times = []
    for run in range(runs + 1):
        for word in words:
            command = [part.replace("WORD", word) for part in ripgrep]
            calls = (search(word, limit), lambda command=command: subprocess.run(command, stdout=subprocess.PIPE, check=True))
            taken = {side: seconds(calls[side]) * 1e3 for side in ((0, 1) if run % 2 else (1, 0))}
            if run:
                times.append((taken[0], taken[1]))
    return times


def main() -> int:
    """Measure, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--rg", default="rg")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--served", action="store_true")
    arguments = parser.parse_args()
    ripgrep = [arguments.rg, "-F", "-n", "WORD", str(arguments.checkout)]
    rows, is_faster = [], True
    with ExitStack() as stack:
        bundle = stack.enter_context(open_bundle(arguments.bundle))
        counts = bundle.manifest.counts
        print(f"{counts.files} files, {counts.text_bytes / 1e6:.1f} MB of text")
        search = stack.enter_context(served(arguments.bundle)) if arguments.served else partial(ours, StoredFiles(bundle))
        for name, words in words_by_class(bundle, random.Random(arguments.seed)).items():
            print(f"{name}: {' '.join(words)}")
            for limit in LIMITS:
                times = times_of(words, limit, search, ripgrep, arguments.runs)
                own, other = ([pair[side] for pair in times] for side in (0, 1))
                ratios = statistics.quantiles((mine / theirs for mine, theirs in times), n=4)
                is_faster = is_faster and (name not in COUNTED or statistics.median(own) < statistics.median(other))
                cells = [f"{number:.1f}" for side in (own, other) for number in (statistics.median(side), ninth_decile(side))]
                rows.append([name, str(limit), *cells, f"{ratios[1]:.2f} ({ratios[0]:.2f} to {ratios[2]:.2f})"])
    print(table(["words", "limit", "ours, ms", "ninth decile", "rg, ms", "ninth decile", "ratio"], rows))
    return int(not is_faster)


def ninth_decile(times: list[float]) -> float:
    """The ninth decile."""
    return statistics.quantiles(times, n=10)[-1]


if __name__ == "__main__":
    sys.exit(main())
