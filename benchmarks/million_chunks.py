"""Measures how long a bundle of a million chunks takes to open and to answer, beside one of a thousand.

    python benchmarks/million_chunks.py REPO [--chunks 1000000] [--runs 9] [--keep DIR]

Both are made of REPO's files: each is analysed once and written as often as it takes, below ``copy_N``, by what writes every
bundle. Vectors of copies are moved half their length in a random direction, so that they cluster as real ones do; nothing refers
from one copy to another. Neither is hashed when it is opened, as nothing is that was installed. Each measurement is a fresh
process, in turns, the page cache warm. *Opened*: from the call of ``open_bundle`` to its end. *First answer*: of a search in words,
from the same call; FAISS, which a smaller bundle does without, is imported in that time. Exits with 1 when opening takes more than
twice as long, or a first answer 150 ms. A million chunks of ten megabytes of source take five minutes and 6 GB of memory to write.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np

from hardtack import BuildOptions, build_bundle
from hardtack.build.encoding import members_of
from hardtack.build.reuse.tool_fingerprint import tool_fingerprint
from hardtack.build.source.tree import open_tree
from hardtack.build.workers.analyse import analyse
from hardtack.bundle.format.manifest import Manifest
from hardtack.bundle.reader import open_bundle
from hardtack.bundle.writer import BundleWriter, IndexedFile
from hardtack.encoders.static import default_encoder
from hardtack.nouns.model import Mode
from hardtack.nouns.outline import Skip, SourceFile
from hardtack.nouns.roles import Role
from measure import ONE_THREAD, in_new_process, ratios, spread, table
from vectors_at_scale import NOISE, unit

SMALL = 1_000
MOST_TIMES = 2.0
MOST_MILLISECONDS = 150.0
QUERIES = (
    "where is the connection pool closed",
    "parse a header into fields",
    "retry after a timeout",
    "read the configuration file",
)


def analysed(repository: Path) -> list[tuple[SourceFile, IndexedFile]]:
    """Every file of the repository with all that a build derives from it."""
    encoder = default_encoder()
    files = (file for file in open_tree(repository).files() if not isinstance(file, Skip))
    return [(file, analyse(file, encoder)) for file in files]


def copies(files: list[tuple[SourceFile, IndexedFile]], chunks: int) -> Iterator[tuple[SourceFile, IndexedFile]]:
    """So many chunks of those files, again and again, in order of path."""
    random, left = np.random.default_rng(chunks), chunks
    for number in count():
        for file, indexed in files:
            if number and indexed.chunks:
                rows = np.frombuffer(indexed.vectors, dtype=np.float32).reshape(len(indexed.chunks), -1)
                rows = unit(rows + NOISE * unit(random.standard_normal(rows.shape).astype(np.float32)))
                indexed = replace(indexed, vectors=rows.astype(np.float32).tobytes())
            yield replace(file, path=f"copy_{number:04}/{file.path}"), indexed
            left -= len(indexed.chunks)
            if left <= 0:
                return


def write(files: list[tuple[SourceFile, IndexedFile]], chunks: int, manifest: Manifest, place: Path) -> None:
    """A bundle of so many chunks of those files at ``place``."""
    encoder = default_encoder()
    place.mkdir(parents=True)
    with (
        tempfile.TemporaryDirectory(dir=place.parent) as scratch,
        BundleWriter(
            place,
            Path(scratch),
            keep_text=True,
            dimension=encoder.dimension,
            tool_fingerprint=tool_fingerprint(),
            step=lambda _: None,
        ) as writer,
    ):
        for file, indexed in copies(files, chunks):
            writer.add(file, indexed)
        writer.assign_roles([Role.SOURCE] * writer.counts.files)
        writer.end_files()
        writer.relate((), (), (), {})
        writer.finish(manifest._replace(counts=writer.counts), members_of(encoder))


def opened(place: Path, mode: str, query: str) -> tuple[float, float]:
    """Milliseconds until the bundle is open, and until the answer is there; both in a process of its own."""
    from hardtack.query.searcher import Searcher

    start = time.perf_counter()
    bundle = open_bundle(place, check="sizes")
    is_open = time.perf_counter()
    with Searcher(bundle) as searcher:
        assert searcher.search(query, mode=Mode(mode), limit=10).hits
        answered = time.perf_counter()
    return (is_open - start) * 1e3, (answered - start) * 1e3


def main() -> int:
    """Make both, open them in turns, and say whether the one is as quick as the other."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="where both bundles stay, to be opened again by the next run")
    arguments = parser.parse_args()
    os.environ.update(ONE_THREAD)
    with ExitStack() as stack:
        shelf = arguments.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places = {chunks: shelf / str(chunks) for chunks in (SMALL, arguments.chunks)}
        if not all(place.exists() for place in places.values()):
            manifest = build_bundle(arguments.repository, shelf / "real", BuildOptions()).manifest
            assert manifest
            files = analysed(arguments.repository)
            for chunks, place in places.items():
                start = time.perf_counter()
                write(files, chunks, manifest, place)
                print(f"{chunks} chunks written in {time.perf_counter() - start:.0f} s", flush=True)
        rows, is_kept = [], True
        for mode in ("hybrid", "keyword"):
            spent: dict[int, list[tuple[float, float]]] = {chunks: [] for chunks in places}
            for turn in range(arguments.runs + 1):
                for chunks in list(places)[:: 1 if turn % 2 else -1]:
                    one = in_new_process(opened, places[chunks], mode, QUERIES[turn % len(QUERIES)])
                    if turn:
                        spent[chunks].append(one)
            for chunks, place in places.items():
                with open_bundle(place, check="sizes") as bundle:
                    counts, size = bundle.manifest.counts, sum(member.size for member in bundle.manifest.members)
                opening, answer = (list(column) for column in zip(*spent[chunks], strict=True))
                rows.append(
                    [mode, f"{counts.chunks:,}", f"{counts.files:,}", f"{size / 1e6:,.0f}", spread(opening, 1), spread(answer, 1)]
                )
            small, large = ([one for one, _ in spent[chunks]] for chunks in places)
            times, answers = ratios(large, small), sorted(answer for _, answer in spent[arguments.chunks])
            rows.append([mode, "ratio", "", "", spread(times, 1, 2), ""])
            is_kept = is_kept and sorted(times)[len(times) // 2] <= MOST_TIMES and answers[len(answers) // 2] <= MOST_MILLISECONDS
    print(table(["", "chunks", "files", "MB", "opened, ms", "first answer, ms"], rows))
    return int(not is_kept)


if __name__ == "__main__":
    sys.exit(main())
