"""Compares the callers that a bundle lists with lists of calls that compilers or people made.

    python benchmarks/callers_truth.py TRUTH.jsonl REPO=DIR [REPO=DIR ...] [--misses FILE]

Each line of TRUTH is a JSON object about one function: ``repo``, ``name``, ``cls`` (its owner, may be empty), ``file`` and ``line``
of its definition, and ``calls``, the [path, line] of every call. A keyword bundle of each DIR is built. A call is found if
``callers`` lists its line for a symbol of that name in ``file``, of overloads the one at ``line``, or for no symbol in particular.
Printed are, for each repository, the part of the calls found as ``exact``, with ``likely`` and with ``possible``, and the part of
the lines listed that are calls, by certainty.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from hardtack import BuildOptions, build_bundle
from hardtack.build.languages.registry import languages
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.relations import Certainty, RelationKind
from hardtack.query.lookup.references import callers
from measure import table

CERTAINTIES = tuple(Certainty)


def listed(bundle: Bundle, wanted: dict[str, Any]) -> dict[tuple[str, int], Certainty]:
    """(path, line) -> the best certainty, of the calls that may be of the function."""
    found: dict[tuple[str, int], Certainty] = {}
    for site in callers(bundle, wanted["name"], owner=wanted["cls"] or "").sites:
        if site.relation is not RelationKind.CALLS:
            continue
        if site.target >= 0:
            target = bundle.symbol(site.target)
            file = bundle.file(target.file)
            is_sure = site.certainty is Certainty.EXACT and "overloads" in languages()[file.language].scoping
            if file.path != wanted["file"] or (is_sure and target.selection_line != wanted["line"]):
                continue
        key = bundle.file(site.file).path, site.line
        found[key] = min(found.get(key, site.certainty), site.certainty, key=CERTAINTIES.index)
    return found


def main() -> int:
    """Build, ask, compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("truth", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="REPO=DIR")
    parser.add_argument("--misses", type=Path)
    asked = parser.parse_args()
    truth = [json.loads(line) for line in asked.truth.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows, misses = [], []
    for name, _, directory in (each.partition("=") for each in asked.repositories):
        counts: defaultdict[str, int] = defaultdict(int)
        with tempfile.TemporaryDirectory() as scratch:
            build_bundle(directory, Path(scratch, "bundle"), BuildOptions(profile="keyword"))
            bundle = open_bundle(Path(scratch, "bundle"))
            for wanted in (each for each in truth if each["repo"] == name):
                calls = {(path, line) for path, line in wanted["calls"]}
                found = listed(bundle, wanted)
                counts["calls"] += len(calls)
                for place in calls:
                    counts[f"found {found[place]}" if place in found else "missed"] += 1
                for place, certainty in found.items():
                    counts[f"listed {certainty}"] += 1
                    counts[f"right {certainty}"] += place in calls
                misses += [f"{name} {wanted['name']} missed {path}:{line}" for path, line in sorted(calls - found.keys())]
                misses += [
                    f"{name} {wanted['name']} wrong {found[each]} {each[0]}:{each[1]}" for each in sorted(found.keys() - calls)
                ]
        sums = [sum(counts[f"found {each}"] for each in CERTAINTIES[: last + 1]) for last in range(len(CERTAINTIES))]
        right = [f"{counts[f'right {each}']}/{counts[f'listed {each}']}" for each in CERTAINTIES]
        rows.append([name, counts["calls"], *(f"{part / max(counts['calls'], 1):.3f}" for part in sums), *right])
    head = ["repository", "calls", "exact", "+ likely", "+ possible", *(f"{each} right" for each in CERTAINTIES)]
    print(table(head, rows))
    if asked.misses:
        asked.misses.write_text("".join(f"{each}\n" for each in misses), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
