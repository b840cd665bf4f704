"""Do the references in a bundle lead where the language's own tools say they lead?

    python benchmarks/references_oracle.py {go,typescript,python} REPO [REPO ...] [--misses FILE]

For every identifier in a repository's files of the language, the language's own tool says which declaration of the repository it
means: go/types (needs a Go SDK; what does not type-check for want of a dependency is left out), the TypeScript compiler (node and
typescript; NODE_PATH says where), jedi (PyPI) for Python. Uses of what is local to a function are left out. Asked are

    found     of the tool's uses, those that lead to the same declaration here: exact, likely, possible, one of several
    right     of the uses that we resolve and the tool resolves too, those that lead to the same declaration, by certainty
    pairs     for Go, of the pairs (type, interface) that types.Implements finds, those that the bundle has, and the other way round

Exit status 1 when fewer than 99 % of what we call exact is right, or fewer than 80 % is found.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardtack import build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.relations import Reference, RelationKind

HERE = Path(__file__).parent
RIGHT_MARK, FOUND_MARK = 0.99, 0.80
TOOLS = {
    "go": ["go", "run", str(HERE / "references_oracle" / "uses.go")],
    "typescript": ["node", str(HERE / "references_oracle" / "uses.js")],
    "python": [sys.executable, str(HERE / "references_oracle" / "uses.py")],
}


@dataclass(slots=True)
class Tally:
    """What one repository came to."""

    found: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(TOOLS))
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--misses", type=Path)
    arguments = parser.parse_args()
    failed = False
    misses: list[str] = []
    for repository in arguments.repositories:
        tally = tally_of(arguments.language, repository.resolve())
        failed |= not report(repository, tally)
        misses += tally.misses
    if arguments.misses:
        arguments.misses.write_text("".join(f"{line}\n" for line in misses), encoding="utf-8")
    return int(failed)


def report(repository: Path, tally: Tally) -> bool:
    """Print what a repository came to; whether it holds the marks."""
    uses = sum(tally.found.values())
    found = uses - tally.found["not found"] - tally.found["elsewhere"]
    print(f"{repository.name}: {found} of {uses} uses found ({found / max(uses, 1):.2%}): {dict(tally.found.most_common())}")
    exact = 1.0
    for certainty in ("exact", "likely", "possible"):
        right, wrong = tally.right[certainty], tally.wrong[certainty]
        share = right / max(right + wrong, 1)
        exact = share if certainty == "exact" else exact
        print(f"  {certainty}: {right} of {right + wrong} right ({share:.2%})")
    if tally.pairs:
        print(f"  types and interfaces: {dict(tally.pairs.most_common())}")
    return exact >= RIGHT_MARK and found / max(uses, 1) >= FOUND_MARK


def tally_of(language: str, repository: Path) -> Tally:
    """Build the repository's bundle and hold it against the tool."""
    told = subprocess.run([*TOOLS[language], str(repository)], check=True, capture_output=True, text=True)
    records = [json.loads(line) for line in told.stdout.splitlines()]
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        build_bundle(repository, Path(folder, "bundle"))
        with open_bundle(Path(folder, "bundle")) as bundle:
            _compare_uses(bundle, [record for record in records if "name" in record], tally)
            if language == "go":
                checked = {record["path"] for record in records}
                _compare_pairs(bundle, [record for record in records if "type" in record], checked, tally)
    return tally


def _compare_uses(bundle: Bundle, records: list[dict[str, Any]], tally: Tally) -> None:
    ours = _references(bundle)
    paths = {file.path for file in bundle.files}
    for record in records:
        if record["path"] not in paths or record["to"] not in paths:
            continue
        wanted = (record["to"], record["line"])
        reference = ours.get((record["path"], record["start"]))
        where = f"{record['path']}:{record['at']}\t{record['name']}\t{wanted[0]}:{wanted[1]}"
        if reference is None:
            tally.found["not found"] += 1
            tally.misses.append(f"not found\t{where}")
        elif reference.target < 0:
            tally.found["one of several"] += 1
        else:
            symbol = bundle.symbol(reference.target)
            places = {(bundle.file(each.file).path, each.selection.start_line) for each in _group(bundle, reference.target)}
            certainty = reference.certainty.value
            if wanted in places:
                tally.found[certainty] += 1
                tally.right[certainty] += 1
            else:
                tally.found["elsewhere"] += 1
                tally.wrong[certainty] += 1
                tally.misses.append(f"{certainty}, wrong\t{where}\t{bundle.file(symbol.file).path}:{symbol.selection.start_line}")


def _group(bundle: Bundle, ordinal: int) -> Iterator[Any]:
    """A symbol and the others of its file with its qualified name."""
    symbol = bundle.symbol(ordinal)
    file = bundle.file(symbol.file)
    for each in range(file.first_symbol, file.first_symbol + file.symbol_count):
        if bundle.symbol_name(each).qualified_name == symbol.qualified_name:
            yield bundle.symbol(each)


def _references(bundle: Bundle) -> dict[tuple[str, int], Reference]:
    """Every reference by path and first byte."""
    names = {bundle.symbol_name(ordinal).name for ordinal in range(bundle.manifest.counts.symbols)}
    found: dict[tuple[str, int], Reference] = {}
    for name in sorted(names):
        for reference in bundle.references_of(name):
            found[bundle.file(reference.file).path, reference.start] = reference
    return found


def _compare_pairs(bundle: Bundle, records: list[dict[str, Any]], checked: set[str], tally: Tally) -> None:
    """Pairs of one package, in the files that the tool looked at; it checks each package by itself."""
    paths = {file.path for file in bundle.files}
    theirs = {(record["path"], record["line"], record["to"], record["to_line"]) for record in records}
    theirs = {pair for pair in theirs if pair[0] in paths and pair[2] in paths}
    ours = set()
    lines: dict[int, tuple[str, int]] = defaultdict(tuple)  # type: ignore[arg-type]
    for ordinal in range(bundle.manifest.counts.symbols):
        for relation in bundle.relations_from(ordinal):
            if relation.kind is RelationKind.IMPLEMENTS and relation.target >= 0:
                for each in (ordinal, relation.target):
                    symbol = bundle.symbol(each)
                    lines[each] = (bundle.file(symbol.file).path, symbol.selection.start_line)
                pair = (*lines[ordinal], *lines[relation.target])
                if checked >= {pair[0], pair[2]} and Path(pair[0]).parent == Path(pair[2]).parent:
                    ours.add(pair)
    tally.pairs.update({"both": len(ours & theirs), "theirs only": len(theirs - ours), "ours only": len(ours - theirs)})
    tally.misses += [f"pair theirs only\t{pair}" for pair in sorted(theirs - ours)]
    tally.misses += [f"pair ours only\t{pair}" for pair in sorted(ours - theirs)]


if __name__ == "__main__":
    sys.exit(main())
