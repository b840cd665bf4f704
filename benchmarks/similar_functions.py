"""Measures whether ``similar`` finds functions that other files define under the same name.

    python benchmarks/similar_functions.py BUNDLE...

Of each bundle 60 functions are drawn, tests left out, whose name two to twelve files define; what is wanted are the places of the
others, and what is in the same file is left out. Printed is where the first of them stands (mean reciprocal rank) and how many are
among the first ten, of what ``similar`` gives, and of the same hits in order of their vectors and of their words alone.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from hardtack import open_bundle
from hardtack.bundle.reader import Bundle
from hardtack.nouns.model import FUNCTIONS, Hit
from hardtack.query.similar import similar

DRAWN = 60
FILES = range(2, 13)
DEPTH = 10

ORDERS = {
    "similar": lambda hit: -hit.score,
    "vectors": lambda hit: -(hit.vector_score or 0.0),
    "words": lambda hit: -(hit.keyword_score or 0.0),
}


def definitions(bundle: Bundle) -> dict[str, list[tuple[str, int]]]:
    """The path and line of every function outside tests, by name."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for file in bundle.files:
        for ordinal in range(file.first_symbol, file.first_symbol + file.symbol_count):
            named = bundle.symbol_name(ordinal)
            if named.kind in FUNCTIONS and not file.is_test:
                found[named.name].append((file.path, bundle.symbol(ordinal).selection_line))
    return found


def drawn(bundle: Bundle) -> Iterator[tuple[str, int, set[tuple[str, int]]]]:
    """Path and line of a function, and those of its namesakes in other files."""
    named = sorted(definitions(bundle).items())
    several = [places for name, places in named if len(name) > 3 and len({path for path, _ in places}) in FILES]
    places = [(place, of_name) for of_name in several for place in of_name]
    random.Random(1).shuffle(places)  # drawn alike every time
    for (path, line), of_name in places[:DRAWN]:
        yield path, line, {place for place in of_name if place[0] != path}


def holds(hit: Hit, place: tuple[str, int]) -> bool:
    """Whether a hit, or what it stands for, is at a place."""
    path, line = place
    return (hit.path == path and hit.start_line <= line <= hit.end_line) or any(
        (twin.path, twin.line) == place for twin in hit.also
    )


def told(hits: Sequence[Hit], wanted: set[tuple[str, int]]) -> tuple[float, float]:
    """Reciprocal rank of the first that is wanted, and the share of what is wanted that is among the first."""
    first = next((1 / rank for rank, hit in enumerate(hits[:DEPTH], 1) if any(holds(hit, place) for place in wanted)), 0.0)
    found = sum(any(holds(hit, place) for hit in hits[:DEPTH]) for place in wanted)
    return first, found / min(len(wanted), DEPTH)


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=Path, nargs="+")
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for place in parser.parse_args().bundles:
        with open_bundle(place) as searcher:
            for path, line, wanted in drawn(searcher.bundle):
                hits = similar(searcher.bundle, path, line, limit=100, exclude_same_file=True).hits
                for order, key in ORDERS.items():
                    scores[order].append(told(sorted(hits, key=key), wanted))
    print("| order | functions | reciprocal rank | recall of ten |\n| --- | ---: | ---: | ---: |")
    for order, of_order in scores.items():
        first, recall = (sum(column) / len(of_order) for column in zip(*of_order, strict=True))
        print(f"| {order} | {len(of_order)} | {first:.3f} | {recall:.3f} |")


if __name__ == "__main__":
    main()
