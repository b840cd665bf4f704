"""Compares the references of a bundle with what the language's own tools say: go/types, the TypeScript compiler, pyright.

    python benchmarks/references_oracle.py {go,typescript,python} REPO [REPO ...] [--misses FILE]

For every identifier in a repository's files of the language, the language's own tool says which declaration of the repository it
means: go/types (needs a Go SDK; what does not type-check for want of a dependency is left out), the TypeScript compiler (node and
typescript; NODE_PATH says where), pyright for Python (basedpyright, PyPI; --step N asks it about every N-th file, for it takes its
time). Uses of what is local to a function are left out; those of what is declared in the repository and is no symbol of the bundle
(an attribute that a method sets, a key of an object) are counted apart. Asked are

    found     of the tool's uses, those that lead to the same declaration here: exact, likely, possible
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
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardtack import build_bundle
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.relations import Reference, RelationKind

HERE = Path(__file__).parent
RIGHT_MARK, FOUND_MARK = 0.99, 0.80
CERTAINTIES = ("exact", "likely", "possible")
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
    parser.add_argument("--step", type=int, default=1)
    arguments = parser.parse_args()
    failed = False
    misses: list[str] = []
    for repository in arguments.repositories:
        tally = tally_of(arguments.language, repository.resolve(), arguments.step)
        failed |= not report(repository, tally)
        misses += tally.misses
    if arguments.misses:
        arguments.misses.write_text("".join(f"{line}\n" for line in misses), encoding="utf-8")
    return int(failed)


def report(repository: Path, tally: Tally) -> bool:
    """Print what a repository came to; whether it holds the marks."""
    uses = sum(tally.found.values()) - tally.found["not a symbol here"]
    found = sum(tally.found[certainty] for certainty in CERTAINTIES)
    print(f"{repository.name}: {found} of {uses} uses found ({found / max(uses, 1):.2%}): {dict(tally.found.most_common())}")
    shares = {}
    for certainty in CERTAINTIES:
        right, wrong = tally.right[certainty], tally.wrong[certainty]
        share = shares[certainty] = right / max(right + wrong, 1)
        print(f"  {certainty}: {right} of {right + wrong} right ({share:.2%})")
    if tally.pairs:
        print(f"  types and interfaces: {dict(tally.pairs.most_common())}")
    return shares["exact"] >= RIGHT_MARK and found / max(uses, 1) >= FOUND_MARK


def tally_of(language: str, repository: Path, step: int) -> Tally:
    """Build the repository's bundle and hold it against the tool."""
    command = [*TOOLS[language], str(repository), *(["--step", str(step)] if language == "python" else [])]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
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
    ours, declared, alike = _references(bundle), _declared(bundle), _alike(bundle)
    for record in records:
        wanted = {(to, line): name for to, line, name in _places(record) if to in declared}
        if record["path"] not in declared or not wanted:
            continue
        is_symbol = any(_names(declared[to].get(line, ()), name) for (to, line), name in wanted.items())
        reference = ours.get((record["path"], record["start"]))
        where = f"{record['path']}:{record['at']}\t{record['name']}\t{record['to']}:{record['line']}"
        if reference is None or reference.target < 0:
            outcome = "not found" if reference is None else "one of several"
            tally.found[outcome if is_symbol else "not a symbol here"] += 1
            tally.misses += [f"{outcome}\t{where}"] if is_symbol else []
            continue
        certainty = reference.certainty.value
        if alike[reference.target] & wanted.keys():
            tally.found[certainty] += 1
            tally.right[certainty] += 1
        else:
            tally.found["elsewhere" if is_symbol else "not a symbol here"] += 1
            tally.wrong[certainty] += 1
            tally.misses.append(f"{certainty}, wrong\t{where}\t{sorted(alike[reference.target])[0]}")


def _places(record: dict[str, Any]) -> list[tuple[str, int, str]]:
    """(path, line, name, empty when the tool does not say) of all declarations of what a use means."""
    return [(record["to"], record["line"], record.get("declared", "")), *(tuple(each) for each in record.get("others", ()))]


def _names(names: Iterable[str], wanted: str) -> bool:
    """Whether one of a line's symbols has the wanted name; a name that cannot be written (``default``) is any."""
    return any(not wanted.isidentifier() or wanted in (name, "default") for name in names)


def _declared(bundle: Bundle) -> dict[str, dict[int, list[str]]]:
    """By path and line the names of the symbols that are declared there."""
    found: dict[str, dict[int, list[str]]] = {file.path: defaultdict(list) for file in bundle.files}
    for ordinal in range(bundle.manifest.counts.symbols):
        symbol = bundle.symbol(ordinal)
        found[bundle.file(symbol.file).path][symbol.selection.start_line].append(bundle.symbol_name(ordinal).name)
    return found


def _alike(bundle: Bundle) -> dict[int, set[tuple[str, int]]]:
    """By ordinal (path, line) of all symbols that the same symbol stands for: of one file, or for Go of one package, and name."""
    groups: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    keys = {}
    for ordinal in range(bundle.manifest.counts.symbols):
        symbol = bundle.symbol(ordinal)
        path = bundle.file(symbol.file).path
        home = str(Path(path).parent) if path.endswith(".go") else path
        keys[ordinal] = (f"{home} {symbol.package}", bundle.symbol_name(ordinal).qualified_name)
        groups[keys[ordinal]].add((path, symbol.selection.start_line))
    return {ordinal: groups[key] for ordinal, key in keys.items()}


def _references(bundle: Bundle) -> dict[tuple[str, int], Reference]:
    """Every reference by path and first byte."""
    names = {bundle.symbol_name(ordinal).name for ordinal in range(bundle.manifest.counts.symbols)}
    found: dict[tuple[str, int], Reference] = {}
    for name in sorted(names):
        for reference in bundle.related.references_of(name):
            found[bundle.file(reference.file).path, reference.start] = reference
    return found


def _compare_pairs(bundle: Bundle, records: list[dict[str, Any]], checked: set[str], tally: Tally) -> None:
    """Pairs of one package, in the files that the tool looked at; it checks each package by itself."""
    paths = {file.path for file in bundle.files}
    theirs = {(record["path"], record["line"], record["to"], record["to_line"]) for record in records}
    theirs = {pair for pair in theirs if pair[0] in paths and pair[2] in paths}
    ours = set()
    lines: dict[int, tuple[str, int]] = {}
    for ordinal in range(bundle.manifest.counts.symbols):
        for relation in bundle.related.relations_from(ordinal):
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
