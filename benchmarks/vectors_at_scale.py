"""Measures vectors in bundles of any number of chunks: building, memory, opening, searching and recall.

    python benchmarks/vectors_at_scale.py BUNDLE [BUNDLE ...] [--count 200000 --count 1000000 ...] [--queries FILE]

The vectors are those of the bundles' chunks, each used as often as it takes and moved half its length in a random direction, so
that they cluster as real ones do. Queries are the lines of FILE through the default encoder (any text that people search for), else
mixtures of three vectors. For each count the member is written as a build does it, in a process of its own; then it is opened and
searched with and without its lists, in turns, after 50 other queries. Recall is of the 50 best of the exact scan. One thread.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import faiss
import numpy as np
from numpy.typing import NDArray

from hardtack.bundle.engines.vectors import VectorIndex, render_vectors
from hardtack.bundle.format.layout import VECTORS
from hardtack.bundle.format.members import MemberFile
from hardtack.encoders.static import default_encoder
from measure import ONE_THREAD, in_new_process, table

NOISE = 0.5
WARM_UP, QUERIES, WANTED = 50, 200, 50
PIECE = 8
"""Vectors of one file."""

Search = Callable[[NDArray[np.float32]], tuple[NDArray[np.int64], NDArray[np.float64]]]
"""A query in, ordinals and scores out."""


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same directions, at length 1."""
    lengths: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, np.maximum(lengths, np.float32(1e-9)), dtype=np.float32)


def stored(bundles: list[Path]) -> NDArray[np.float32]:
    """Every different vector of these bundles that is not zero."""
    every = []
    for path in bundles:
        index = faiss.read_index(str(path / VECTORS))
        every.append(index.reconstruct_n(0, index.ntotal))
    rows = np.unique(np.concatenate(every), axis=0)
    return unit(rows[np.linalg.norm(rows, axis=1) > 0.5])


def moved(real: NDArray[np.float32], count: int) -> Iterator[NDArray[np.float32]]:
    """``count`` vectors like the real ones, some thousands at a time."""
    random = np.random.default_rng(count)
    for start in range(0, count, 8192):
        rows = real[random.integers(0, len(real), min(8192, count - start))]
        yield unit(rows + NOISE * unit(random.standard_normal(rows.shape).astype(np.float32)))


def built(real: NDArray[np.float32], count: int, place: Path) -> dict[str, float]:
    """Write the member of so many vectors; seconds, CPU seconds, bytes, and peaks of memory before and during it."""
    size = real.shape[1] * 4 * PIECE
    blocks = (block.tobytes() for block in moved(real, count))
    pieces = [block[at : at + size] for block in blocks for at in range(0, len(block), size)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    with place.open("wb") as file:
        file.writelines(render_vectors(pieces, real.shape[1]))
    return {
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - cpu,
        "megabytes": place.stat().st_size / 1e6,
        "before": before * 1024 / 1e6,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
    }


def timed(searches: Mapping[str, Search], queries: NDArray[np.float32]) -> dict[str, list[float]]:
    """Milliseconds of CPU of each search of each query, in turns, after the first queries warmed everything up."""
    taken: dict[str, list[float]] = {name: [] for name in searches}
    for number, query in enumerate(queries):
        for name in list(searches)[:: 1 if number % 2 else -1]:
            start = time.process_time()
            searches[name](query)
            if number >= WARM_UP:
                taken[name].append((time.process_time() - start) * 1000)
    return taken


def searched(place: Path, count: int, queries: NDArray[np.float32]) -> dict[str, float]:
    """Open the member, search it both ways, and compare what is found."""
    member = MemberFile(place.parent, place.name)
    member.digest()
    start = time.process_time()
    index = VectorIndex(member, count=count, dimension=queries.shape[1])
    opened = (time.process_time() - start) * 1000
    every = np.ones(count, dtype=np.bool_)
    searches: dict[str, Search] = {
        "lists": lambda query: index.search(query, WANTED),
        "exact": lambda query: index.search(query, WANTED, every),
    }
    taken = timed(searches, queries)
    found = [[set(search(query)[0].tolist()) for search in searches.values()] for query in queries[:QUERIES]]
    shared = [len(lists & exact) for lists, exact in found]
    medians = {name: statistics.median(values) for name, values in taken.items()}
    return {"open": opened, **medians, "measured": index.recall, "recall": sum(shared) / (WANTED * len(shared))}


def queries_of(lines: Sequence[str], real: NDArray[np.float32]) -> NDArray[np.float32]:
    """The queries that are searched for."""
    if lines:
        return default_encoder().encode(list(lines)[: WARM_UP + QUERIES])
    rows = np.random.default_rng(0).integers(0, len(real), (3, WARM_UP + QUERIES))
    return unit(real[rows].sum(axis=0))


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bundles", type=Path, nargs="+")
    parser.add_argument("--count", type=int, action="append", help="[200,000, 500,000 and 1,000,000]")
    parser.add_argument("--queries", type=Path, help="a text file, a query a line")
    asked = parser.parse_args()
    real = stored(asked.bundles)
    queries = queries_of(asked.queries.read_text(encoding="utf-8").splitlines() if asked.queries else [], real)
    rows = []
    for count in asked.count or [200_000, 500_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as scratch:
            place = Path(scratch, VECTORS)
            cost = in_new_process(built, real, count, place)
            found = in_new_process(searched, place, count, queries)
        print(f"{count}: {cost} {found}", file=sys.stderr, flush=True)
        build = [f"{cost['cpu']:.0f} s", f"{cost['megabytes']:.0f} MB", f"{cost['before']:.0f} to {cost['peak']:.0f} MB"]
        search = [f"{found[name]:.1f}" for name in ("open", "lists", "exact")]
        rows.append([f"{count:,}", *build, *search, f"{found['measured']:.3f}", f"{found['recall']:.3f}"])
    head = [
        "chunks",
        "build CPU",
        "member",
        "memory",
        "open, ms",
        "search, ms",
        "exact, ms",
        "recall measured by the build",
        "recall here",
    ]
    print(f"{len(real):,} different vectors of {len(asked.bundles)} bundles.\n\n{table(head, rows)}")
    return 0


if __name__ == "__main__":
    os.environ.update(ONE_THREAD)
    sys.exit(main())
