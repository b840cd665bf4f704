"""Measures what is lost when several bundles are searched as one, over the queries of the retrieval harness.

    RETRIEVAL_DIR=HARNESS python benchmarks/several_bundles.py BUNDLES

BUNDLES holds the bundle of each repository's ``benchmark_root`` by name. Each query is asked of its own repository's bundle alone,
of the bundles of all repositories in its language, and of all bundles: merged by ``search_all``, by the scores that each bundle
gives by itself, and by ranks in turn. Printed is the mean ndcg@10 over files, of the queries that their own bundle answers at all,
and how often the first hit is of that bundle. A file of another repository may answer as well and counts as wrong, so even a
perfect merge would not reach what the right bundle reaches alone.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hardtack import Searcher, open_bundle
from hardtack.query.several import search_all

LIMIT = 10
DEPTH = 10

Ranked = Sequence[tuple[str, str]]
"""Index name and path of each hit, best first."""


def ndcg(ranked: Ranked, name: str, relevant: Sequence[str]) -> float:
    """Of the first files; labels are relative to the repository, paths to what was indexed of it."""
    files = [*dict.fromkeys(ranked)][:DEPTH]
    gains = [of == name and any(each == path or each.endswith(f"/{path}") for each in relevant) for of, path in files]
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(relevant), DEPTH)))
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains)) / ideal


def merged(searchers: Mapping[str, Searcher], query: str) -> Iterator[tuple[str, Ranked]]:
    """The hits of several bundles, merged in three ways."""
    yield "search_all", [(hit.index_name, hit.path) for hit in search_all(searchers, query, limit=LIMIT).hits]
    found = [
        (number, name, hit)
        for number, (name, searcher) in enumerate(searchers.items())
        for hit in searcher.search(query, limit=LIMIT).hits
    ]
    by_score = sorted(found, key=lambda each: (-each[2].score, each[0], each[2].rank))
    yield "by own scores", [(name, hit.path) for _, name, hit in by_score[:LIMIT]]
    by_rank = sorted(found, key=lambda each: (each[2].rank, each[0]))
    yield "by rank", [(name, hit.path) for _, name, hit in by_rank[:LIMIT]]


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=Path)
    bundles = parser.parse_args().bundles
    harness = Path(os.environ["RETRIEVAL_DIR"])
    languages = {each["name"]: each["language"] for each in json.loads((harness / "repos.json").read_text())}
    searchers = {name: open_bundle(bundles / name) for name in languages}
    told: dict[tuple[str, str], list[tuple[float, bool]]] = defaultdict(list)
    for own, language in languages.items():
        like = {name: searcher for name, searcher in searchers.items() if languages[name] == language}
        for annotation in json.loads((harness / "annotations" / f"{own}.json").read_text()):
            query = annotation["query"]
            relevant = [each["path"] if isinstance(each, dict) else each for each in annotation["relevant"]]
            alone = ndcg([(own, hit.path) for hit in searchers[own].search(query, limit=LIMIT).hits], own, relevant)
            for among, asked in (("its language", like), ("all", searchers)):
                if alone and len(asked) > 1:
                    told[among, "alone"].append((alone, True))
                    for how, ranked in merged(asked, query):
                        told[among, how].append((ndcg(ranked, own, relevant), bool(ranked) and ranked[0][0] == own))
    print("| bundles | merged | queries | ndcg@10 | first hit of the right bundle |\n| --- | --- | ---: | ---: | ---: |")
    for (among, how), scores in told.items():
        mean, first = (sum(column) / len(scores) for column in zip(*scores, strict=True))
        print(f"| {among} | {how} | {len(scores)} | {mean:.3f} | {first:.3f} |")


if __name__ == "__main__":
    main()
