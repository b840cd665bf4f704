"""Breaking changes as ``hardtack diff`` finds them, against those that a tool finds which others wrote.

    python benchmarks/api_changes.py JUDGE PROGRAM --work DIR REPOSITORY:PACKAGE:OLD:NEW...

Each argument names a git repository on this machine, a path in it, and two tags. Both are checked out and built below DIR. JUDGE is

    griffe                   Python; PROGRAM is an interpreter that has it, PACKAGE the package's path (``src/attr``)
    apidiff                  Go; PROGRAM is ``api_judges/modules.go``, compiled; PACKAGE is the path of the module
    typescript               PROGRAM is the folder of the package ``typescript``, PACKAGE the entry file (``src/index.ts``)
    japi-compliance-checker  Java; PROGRAM is that, PACKAGE the folder of the sources, which javac compiles without dependencies

A breakage counts as found where ``hardtack diff`` has a breakage of the same object, of one that holds it or of one in it; and one
of ours, of those that break for certain, as confirmed where the judge has one likewise. What only one of the two looks for does not
count: griffe compares neither types nor modifiers, says of a class that it lost ``object``, and looks into tests; TypeScript looks
at what one entry offers; and javac's classes do not say what a type parameter stands for.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from api_judges import JUDGES, Found, folder_of_go, place_of_java
from hardtack.bundle.reader import open_bundle
from hardtack.diff.comparison import compare
from hardtack.diff.surface import address_of_module
from hardtack.nouns.changes import Comparison, SymbolChange, Verdict

_UNKNOWN: Final = {
    "griffe": {"parameter-type-changed", "field-type-changed", "return-type-changed", "supertype-removed", "async-changed"}
    | {"static-changed", "made-abstract", "made-final", "required-member-added"},
    "japi-compliance-checker": {"type-parameters-changed"},
}
"""Judge -> rules that it does not have."""
_SUFFIXES: Final = {"griffe": ".py", "apidiff": ".go", "typescript": ".ts", "japi-compliance-checker": ".java"}


def main() -> None:
    """Print a table, and each disagreement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", choices=list(JUDGES))
    parser.add_argument("program", type=Path)
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print each disagreement")
    given = parser.parse_args()
    totals = [0, 0, 0, 0]
    print(f"{'pair':48} {'judge':>7} {'found':>7} {'ours':>7} {'agreed':>7}")
    for pair in given.pairs:
        repository, package, old, new = pair.rsplit(":", 3)
        trees = [_checkout(Path(repository), tag, given.work) for tag in (old, new)]
        shown = f"{trees[0].name.partition('@')[0]} {old} {new}"
        try:
            theirs = JUDGES[given.judge](given.program, trees, package)
        except subprocess.CalledProcessError as error:
            print(f"{shown:48} {given.judge} fails: {(str(error.stderr).strip() or str(error)).splitlines()[-1][:80]}")
            continue
        ours, judged = _ours(trees, package, given.judge)
        if given.judge == "typescript":  # what the entry does not offer, it is not asked about
            tops = {".".join(each.split(".")[:2]) for each in theirs}
            judged = {each: said for each, said in judged.items() if ".".join(each.split(".")[:2]) in tops}
            theirs = {each: what for each, what in theirs.items() if what}
        missed = {each for each in theirs if not _has(ours, each)}
        alone = {each for each in judged if not _has(theirs, each)}
        row = [len(theirs), len(theirs) - len(missed), len(judged), len(judged) - len(alone)]
        totals = [one + other for one, other in zip(totals, row, strict=True)]
        print(f"{shown:48}" + "".join(f" {each:7}" for each in row), flush=True)
        if given.show:
            _show("missed", missed, theirs)
            _show("alone", alone, judged)
    print(f"{'all':48}" + "".join(f" {each:7}" for each in totals))
    print(f"found {totals[1] / max(1, totals[0]):.1%}, not confirmed {1 - totals[3] / max(1, totals[2]):.1%}")


def _show(title: str, names: set[str], of: dict[str, str]) -> None:
    for each in sorted(names):
        print(f"    {title}: {each}: {of[each]}")


def _has(found: dict[str, str], name: str) -> bool:
    """Whether a name, or one that holds it or is held by it, is among those found."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in found for count in range(2, len(parts) + 1)) or any(
        each.startswith(f"{name}.") for each in found
    )


def _checkout(repository: Path, tag: str, work: Path) -> Path:
    name = repository.parent.name if repository.name in ("repo", ".git") else repository.name
    tree = work / f"{name}@{tag.replace('/', '_')}"
    if not tree.exists():
        subprocess.run(["git", "clone", "-q", "-n", "--no-hardlinks", repository, tree], check=True, capture_output=True)
        git: list[str | Path] = ["git", "-C", tree]
        commit = subprocess.run([*git, "rev-parse", f"{tag}^{{commit}}"], check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run([*git, "update-ref", "--no-deref", "HEAD", commit], check=True, capture_output=True)
        subprocess.run([*git, "checkout", "-q", "HEAD", "--", "."], check=False, capture_output=True)
    return tree


def _ours(trees: list[Path], package: str, judge: str) -> tuple[Found, Found]:
    """What ``hardtack diff`` finds: all, and what breaks for certain by a rule that the judge has, too."""
    bundles = [_built(tree) for tree in trees]
    with open_bundle(bundles[0]) as old, open_bundle(bundles[1]) as new:
        comparison: Comparison = compare(old, new, any_repository=True, breaking=True)
    found: Found = {}
    judged: Found = {}
    for change in comparison.symbols:
        address = _address(change, package, judge, trees)
        for each in change.breakages if address else ():
            exact = f"{address}.{each.sentence.split('`')[1]}" if each.sentence.startswith("attribute `") else address
            said = f"{each.verdict.value} {each.rule}: {each.sentence};"
            found[exact] = f"{found.get(exact, '')} {said}".strip()
            if each.verdict is Verdict.BREAKS and each.rule not in _UNKNOWN.get(judge, ()):
                judged[exact] = f"{judged.get(exact, '')} {said}".strip()
    return found, judged


def _address(change: SymbolChange, package: str, judge: str, trees: list[Path]) -> str:
    """The address of what changed, as the judge gives it; empty if it is none of the package's."""
    state: Any = change.old or change.new
    if not state.path.endswith(_SUFFIXES[judge]):
        return ""
    folder = state.path.rpartition("/")[0]
    if judge == "apidiff":
        return f"{folder_of_go(folder)}.{state.name}"
    if judge == "typescript":
        return f"@.{state.name}"
    if judge == "japi-compliance-checker":
        if package != "." and not folder.startswith(package):
            return ""
        tree = next((each for each in reversed(trees) if (each / state.path).exists()), trees[0])
        declared = re.search(r"^package ([\w.]+)", (tree / state.path).read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        return f"{place_of_java(declared[1] if declared else '')}.{state.name}"
    root = package.removeprefix("src/").replace("/", ".")
    module = address_of_module(state.path)
    address = module if state.kind == "module" and state.name == module else f"{module}.{state.name}"
    name = root.rpartition(".")[0]
    return (address.removeprefix(f"{name}.") if name else address) if f"{address}.".startswith(f"{root}.") else ""


def _built(tree: Path) -> Path:
    place = tree.with_name(f"{tree.name}.bundle")
    if not place.exists():
        command: list[str | Path] = [sys.executable, "-m", "hardtack", "build", tree, "-o", place, "--profile", "keyword", "-q"]
        subprocess.run(command, check=True, capture_output=True)
    return place


if __name__ == "__main__":
    main()
