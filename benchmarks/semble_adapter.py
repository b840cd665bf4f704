"""Lets a retrieval harness ask semble: run it with the Python of semble's own environment.

    SEMBLE_MODEL_NAME=FOLDER python benchmarks/semble_adapter.py ROOT

Tried with semble 0.7.0. The model is loaded before the clock starts, as in semble's own benchmark; what semble keeps between runs
goes to a new empty folder, so that every run indexes.
"""

from __future__ import annotations

import argparse
import os
import tempfile

from retrieval_protocol import Hits, Indexing, serve


def main() -> None:
    """Index, then answer until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root")
    parser.add_argument("--limit", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["SEMBLE_CACHE_LOCATION"] = cache
        from semble import SembleIndex
        from semble.index.dense import load_model

        load_model(None)
        indexing = Indexing()
        index = SembleIndex.from_path(asked.root)
        ready = {**indexing.took(), "files": index.stats.indexed_files, "chunks": index.stats.total_chunks}

        def search(query: str) -> Hits:
            found = [(each.chunk, each.chunk.content, each.score) for each in index.search(query, top_k=asked.limit)]
            return [(chunk.file_path, chunk.start_line, chunk.end_line) for chunk, *_ in found]

        serve(ready, search)


if __name__ == "__main__":
    main()
