"""Lets a retrieval harness ask Hardtack: indexes a source tree, then answers queries in lines of JSON.

    python bench.py --exec 'python benchmarks/retrieval_adapter.py {root}' --name hardtack

Builds a bundle of ROOT in a temporary directory, or with ``--bundles DIR`` or ``--bundle PLACE`` once for every later run over the
same tree. What is spoken is in ``retrieval_protocol.py``. ``--models DIR`` ranks the repository NAME, the folder of ROOT below
``$RETRIEVAL_REPOS``, by the weights in DIR/NAME.json, which were trained without it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
from pathlib import Path

from hardtack import Answer, BuildOptions, Searcher, build_bundle, open_bundle
from hardtack.query.ranking.model import read_models
from retrieval_protocol import Hits, Indexing, serve


def opened(bundle: Path, model: Path | None) -> Searcher:
    """The searcher that answers, each query anew; the weights in ``model`` take the place of those that come with the library."""
    return Searcher(open_bundle(bundle).bundle, kept_answers=0, ranking=read_models(model) if model else None)


def whole(answer: Answer) -> list[tuple[str, int, int, str, tuple[str, ...]]]:
    """All that a reader of hits looks at; the time of a search is that of a whole answer, some of which is made when it is read."""
    return [(hit.path, hit.start_line, hit.end_line, hit.snippet, hit.reasons) for hit in answer.hits]


def model_of(root: Path, models: Path | None) -> Path | None:
    """The weights for the repository that ``root`` is in, or None for those that come with the library."""
    if models is None:
        return None
    if "RETRIEVAL_REPOS" not in os.environ:
        raise SystemExit("--models needs RETRIEVAL_REPOS, the folder of the checkouts.")
    repository = root.resolve().relative_to(Path(os.environ["RETRIEVAL_REPOS"]).resolve()).parts[0]
    return models / f"{repository}.json"


def bundle_of(root: Path, shelf: Path, jobs: int) -> tuple[Path, dict[str, object]]:
    """The bundle of ``root`` on ``shelf``, built if it is not there yet, and what is said of it once it is ready."""
    return bundle_at(shelf / hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16], root, jobs)


def bundle_at(place: Path, root: Path, jobs: int) -> tuple[Path, dict[str, object]]:
    """The bundle of ``root`` in ``place``, likewise."""
    if place.exists():
        return place, {}
    indexing = Indexing()
    report = build_bundle(root, place, BuildOptions(jobs=jobs))
    assert report.manifest is not None
    counts = report.manifest.counts
    return place, {**indexing.took(), "files": counts.files, "chunks": counts.chunks}


def main() -> None:
    """Index, then answer until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--bundles", type=Path, help="where bundles are kept from run to run")
    parser.add_argument("--bundle", type=Path, help="where this tree's bundle is kept")
    parser.add_argument("--models", type=Path, help="a folder of NAME.json, each trained without the repository NAME")
    parser.add_argument("--mode", default="hybrid", choices=["hybrid", "vector", "keyword"])
    parser.add_argument("--limit", type=int, default=30, help="hits given; the harness de-duplicates files")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes of a build")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if asked.bundle:
            bundle, ready = bundle_at(asked.bundle, asked.root, asked.jobs)
        else:
            bundle, ready = bundle_of(asked.root, asked.bundles or Path(scratch), asked.jobs)
        with opened(bundle, model_of(asked.root, asked.models)) as searcher:

            def search(query: str) -> Hits:
                return [
                    (path, start, end) for path, start, end, *_ in whole(searcher.search(query, mode=asked.mode, limit=asked.limit))
                ]

            serve(ready, search)


if __name__ == "__main__":
    main()
