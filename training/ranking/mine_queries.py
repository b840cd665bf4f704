"""Training queries for the learned ranking: commit subjects, names, documentation and handbook headings of the pinned repositories.

    python mine_queries.py --mirrors DIR --work DIR [--only NAME ...]

Reads one git directory for each repository of repositories.toml, ``<mirrors>/<owner>+<name>/repo``, and writes under ``--work``:

- ``repos/<name>``: the checkout of the pinned revision; ``blanked/<name>``: its indexed directory without the documentation that
  queries were taken from, line for line the same otherwise;
- ``queries/<name>.json``: objects with ``query``, ``kind`` (commit, symbol, doc or heading), ``relevant`` (paths relative to the
  repository) and ``tree``: ``plain`` or ``blanked``, the tree that the query is to be asked of;
- ``index.json``: where each repository's trees lie. mine_bundles.py builds them.

Everything is decided by the pinned content, so a second run writes the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from pathlib import Path

from mine_commits import mine_commits
from mine_definitions import definitions_of
from mine_docs import mine_docs
from mine_headings import mine_headings
from mine_repositories import Repository, check_out, files_of, listed_repositories
from mine_symbols import mine_symbols

MOST = {"commit": 60, "symbol": 24, "doc": 40, "heading": 20}
"""Queries of each kind that one repository gives at most."""


def main() -> int:
    """Mines what is asked for and prints the counts by language and kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", type=Path, required=True, help="the folder of git directories")
    parser.add_argument("--work", type=Path, required=True, help="the folder that everything is written to")
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories; all by default")
    arguments = parser.parse_args()
    repositories = listed_repositories()
    work = arguments.work
    for folder in ("repos", "blanked", "queries"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    counts: Counter[tuple[str, str]] = Counter()
    for repository in repositories:
        if arguments.only and repository.name not in arguments.only:
            continue
        queries = mine(repository, mirrors=arguments.mirrors, work=work)
        counts.update((repository.language, str(query["kind"])) for query in queries)
        print(repository.name, dict(Counter(str(query["kind"]) for query in queries)), flush=True)
    rows = [_row(repository, work) for repository in repositories if (work / "queries" / f"{repository.name}.json").exists()]
    _write_json(work / "index.json", rows)
    for language in sorted({language for language, _ in counts}):
        print(f"{language:12}", *(f"{kind} {counts[language, kind]:5}" for kind in MOST))
    return 0


def mine(repository: Repository, *, mirrors: Path, work: Path) -> list[dict[str, object]]:
    """The queries of one repository; its query file and both trees are written."""
    checkout = check_out(repository, mirrors=mirrors, repos=work / "repos")
    paths = [path for path in files_of(repository, checkout) if (checkout / path).is_file()]
    # Bytes that are no UTF-8 come back as they were when a text is written again.
    texts = {path: (checkout / path).read_bytes().decode("utf-8", "surrogateescape") for path in paths}
    definitions = definitions_of(checkout, paths, repository.language)
    doc_queries, blanked = mine_docs(definitions, texts, most=MOST["doc"])
    queries = [
        *mine_commits(repository, checkout, most=MOST["commit"]),
        *mine_symbols(definitions, texts, repository.language, most=MOST["symbol"]),
        *doc_queries,
        *mine_headings(repository, checkout, definitions, texts, most=MOST["heading"]),
    ]
    write_blanked(checkout, work / "blanked" / repository.name, repository.root, blanked)
    _write_json(work / "queries" / f"{repository.name}.json", queries)
    return queries


def write_blanked(checkout: Path, tree: Path, root: str, blanked: dict[str, str]) -> None:
    """A copy of the checkout's indexed directory, with the texts of ``blanked`` (by repository-relative path) in place of its own.

    Nothing is written when no text was blanked.
    """
    shutil.rmtree(tree, ignore_errors=True)
    if blanked:
        leave_out = shutil.ignore_patterns(".git") if not root else None
        shutil.copytree(checkout / root, tree / root, symlinks=True, ignore=leave_out)
        for path, text in blanked.items():
            (tree / path).write_bytes(text.encode("utf-8", "surrogateescape"))


def _row(repository: Repository, work: Path) -> dict[str, object]:
    tree = work / "blanked" / repository.name
    return {
        "name": repository.name,
        "language": repository.language,
        "plain": str(work / "repos" / repository.name),
        "blanked": str(tree) if tree.exists() else None,
        "benchmark_root": repository.root,
    }


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
