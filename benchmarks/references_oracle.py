"""Compares the references of a bundle with what the language's own compiler says, or with the best resolver there is.

    python benchmarks/references_oracle.py LANGUAGE REPO [REPO ...] [--misses FILE] [--keep FOLDER]

For every identifier in a repository's files of the language, the tool says which declaration of the repository it means:

    go          go/types (a Go SDK)
    typescript  the TypeScript compiler (node and typescript; NODE_PATH says where)
    python      basedpyright (PyPI); --step N asks it about every N-th file, for it takes its time
    java        javac's tree API (a JDK)
    c, cpp      libclang (PyPI); flags from compile_commands.json if there is one, else each folder of headers; more by --flag
    php         Intelephense (node and intelephense; INTELEPHENSE says where); --step N
    rust        rustc, by the links of rustdoc's pages (nightly), for the crates that compile without any from elsewhere

Dependencies need not be at hand. What hangs on them no tool resolves, nor values without types, calls by reflection or through a
macro, and what another platform's branch holds; such names are left out, and counted where the tool counts them. Uses of what is
local to a function are left out too; those of what is declared in the repository and is no symbol of the bundle (an attribute that
a method sets, a key of an object) are counted apart. Asked are

    calls     of the tool's uses that are calls, those that we resolve to the same declaration as exact or likely
    found     of all its uses, those that lead to the same declaration here: exact, likely, possible
    right     of the uses that we resolve and the tool resolves too, those that lead to the same declaration, by certainty; what is
              exact about one of several overloads has to be that one
    judged    of what we call exact, the part that the tool resolves too
    pairs     for Go, of the pairs (type, interface) that types.Implements finds, those that the bundle has, and the other way round

Exit status 1 when more than 0.3 % of what we call exact is wrong, or fewer calls are found than CALLS_MARK says.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardtack import BuildOptions, build_bundle
from hardtack.build.languages.registry import languages
from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.model import CALLABLES
from hardtack.nouns.relations import Reference, RelationKind

HERE = Path(__file__).parent
RIGHT_MARK = 0.997
CALLS_MARK = {"go": 0.97, "java": 0.95, "typescript": 0.92, "python": 0.90, "c": 0.95, "cpp": 0.85, "rust": 0.85, "php": 0.90}
OPEN = "ALL-UNNAMED"
CERTAINTIES = ("exact", "likely", "possible")
TOOLS = {
    "go": ["go", "run", str(HERE / "references_oracle" / "uses.go")],
    "typescript": ["node", str(HERE / "references_oracle" / "uses.js")],
    "python": [sys.executable, str(HERE / "references_oracle" / "uses.py")],
    "java": ["java", f"--add-exports=jdk.compiler/com.sun.tools.javac.tree={OPEN}", str(HERE / "references_oracle" / "Uses.java")],
    "c": [sys.executable, str(HERE / "references_oracle" / "uses_c.py"), "c"],
    "cpp": [sys.executable, str(HERE / "references_oracle" / "uses_c.py"), "cpp"],
    "php": [sys.executable, str(HERE / "references_oracle" / "uses_php.py")],
    "rust": [sys.executable, str(HERE / "references_oracle" / "uses_rust.py")],
}
FAMILIES = {"typescript": {"typescript", "tsx", "javascript"}, "cpp": {"cpp", "c"}, "c": {"c", "cpp"}}
"""The languages of the files that a tool reads, where they are not just its own; a header may be of either."""
CALLED = re.compile(rb"(?:\?\.|!|(?:::)?<[\w\s,.<>?*&:\[\]|']{1,200}>)?[ \t]*[(`]")
"""What follows the name of what is called."""


@dataclass(slots=True)
class Tally:
    """What one repository came to."""

    calls: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    exact: int = 0
    """What we call exact, in files that the tool knows."""
    remarks: list[str] = field(default_factory=list)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(TOOLS))
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--misses", type=Path)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--flag", action="append", default=[], help="one more flag for the tool of C and C++")
    parser.add_argument("--keep", type=Path, help="a folder that keeps what the tool says, for the next run")
    arguments = parser.parse_args()
    failed = False
    misses: list[str] = []
    for repository in arguments.repositories:
        tally = tally_of(arguments.language, repository.resolve(), arguments)
        failed |= not report(arguments.language, repository, tally)
        misses += tally.misses
    if arguments.misses:
        arguments.misses.write_text("".join(f"{line}\n" for line in misses), encoding="utf-8")
    return int(failed)


def report(language: str, repository: Path, tally: Tally) -> bool:
    """Print what a repository came to; whether it holds the marks."""
    shares = {}
    for what, found in (("calls", tally.calls), ("uses", tally.found)):
        total = sum(found.values()) - found["not a symbol here"]
        sure = found["exact"] + found["likely"]
        shares[what] = sure / max(total, 1)
        print(f"{repository.name}: {sure} of {total} {what} exact or likely ({shares[what]:.2%}): {dict(found.most_common())}")
    for certainty in CERTAINTIES:
        right, wrong = tally.right[certainty], tally.wrong[certainty]
        share = shares[certainty] = right / max(right + wrong, 1)
        print(f"  {certainty}: {right} of {right + wrong} right ({share:.2%})")
    judged = tally.right["exact"] + tally.wrong["exact"]
    print(f"  judged: {judged} of {tally.exact} exact ({judged / max(tally.exact, 1):.2%}); {', '.join(tally.remarks)}")
    if tally.pairs:
        print(f"  types and interfaces: {dict(tally.pairs.most_common())}")
    return shares["exact"] >= RIGHT_MARK and shares["calls"] >= CALLS_MARK[language]


def tally_of(language: str, repository: Path, arguments: argparse.Namespace) -> Tally:
    """Build the repository's bundle and hold it against the tool."""
    tally = Tally()
    records = [json.loads(line) for line in told_of(language, repository, arguments).splitlines()]
    tally.remarks = [f"{what}: {count}" for each in records if "path" not in each for what, count in each.items()]
    records = [record for record in records if "path" in record]
    with tempfile.TemporaryDirectory() as folder:
        build_bundle(repository, Path(folder, "bundle"), BuildOptions(profile="keyword", jobs=1))
        with open_bundle(Path(folder, "bundle")) as bundle:
            uses = {(record["path"], record["start"]): record for record in records if "name" in record}
            _compare_uses(bundle, language, list(uses.values()), tally)
            if language == "go":
                checked = {record["path"] for record in records}
                _compare_pairs(bundle, [record for record in records if "type" in record], checked, tally)
    return tally


def told_of(language: str, repository: Path, arguments: argparse.Namespace) -> str:
    """What the tool says, as lines of JSON; it is asked once if that is kept."""
    kept = arguments.keep / f"{repository.name}.{language}.jsonl" if arguments.keep else None
    if kept is not None and kept.is_file():
        return str(kept.read_text(encoding="utf-8"))
    steps = ["--step", str(arguments.step)] if language in ("python", "php") else []
    command = [*TOOLS[language], str(repository), *steps, *arguments.flag]
    told: str = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if kept is not None:
        kept.write_text(told, encoding="utf-8")
    return told


def _compare_uses(bundle: Bundle, language: str, records: list[dict[str, Any]], tally: Tally) -> None:
    ours, declared = _references(bundle), _declared(bundle)
    alike, same = _alike(bundle, by_parameters=False), _alike(bundle, by_parameters=True)
    known = {record["path"] for record in records}
    read = {
        ordinal: file
        for ordinal, file in enumerate(bundle.files)
        if file.path in known and file.language in FAMILIES.get(language, {language})
    }
    tally.exact = sum(each.certainty.value == "exact" and each.file in read for each in ours.values())
    texts = {file.path: bundle.text_of(file) for file in read.values()}
    for record in records:
        wanted = {(to, line): name for to, line, name in _places(record) if to in declared}
        if record["path"] not in texts or not wanted:
            continue
        is_symbol = any(_names(declared[to].get(line, ()), name) for (to, line), name in wanted.items())
        reference = ours.get((record["path"], record["start"]))
        where = f"{record['path']}:{record['at']}\t{record['name']}\t{record['to']}:{record['line']}"
        is_call = CALLED.match(texts[record["path"]], record["start"] + len(record["name"].encode())) is not None
        counts = (tally.found, tally.calls) if is_call else (tally.found,)
        if reference is None or reference.target < 0:
            outcome = "not found" if reference is None else "one of several"
            tally.misses += [f"{outcome}\t{'call' if is_call else 'use'}\t{where}"] if is_symbol else []
        else:
            certainty = reference.certainty.value
            places = (same if certainty == "exact" else alike)[reference.target]
            is_right = bool(places & wanted.keys())
            (tally.right if is_right else tally.wrong)[certainty] += 1
            outcome = certainty if is_right else "elsewhere"
            if outcome != "exact" and (is_symbol or not is_right):
                kind = "right" if is_right else "wrong"
                at = ":".join(map(str, min(places)))
                tally.misses.append(f"{certainty} {kind}\t{'call' if is_call else 'use'}\t{where}\t{at}")
        for count in counts:
            count[outcome if is_symbol or outcome in CERTAINTIES else "not a symbol here"] += 1


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


def _alike(bundle: Bundle, *, by_parameters: bool) -> dict[int, set[tuple[str, int]]]:
    """By ordinal (path, line) of all symbols that the same symbol stands for: of one file, or for Go of one package, and name.

    With ``by_parameters`` those of a language with overloads have parameters of the same types, too.
    """
    groups: dict[tuple[str, ...], set[tuple[str, int]]] = defaultdict(set)
    keys = {}
    for ordinal in range(bundle.manifest.counts.symbols):
        symbol = bundle.symbol(ordinal)
        file = bundle.file(symbol.file)
        home = str(Path(file.path).parent) if file.path.endswith(".go") else file.path
        types: tuple[str, ...] = ()
        if by_parameters and "overloads" in languages()[file.language].scoping and symbol.kind in CALLABLES:
            types = tuple(each.type.replace(" ", "") for each in bundle.detail(ordinal).parameters)
        keys[ordinal] = (f"{home} {symbol.package}", bundle.symbol_name(ordinal).qualified_name, *types)
        groups[keys[ordinal]].add((file.path, symbol.selection.start_line))
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
