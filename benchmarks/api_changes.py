"""Breaking changes of Python packages, as ``hardtack diff`` finds them, against those that griffe finds.

    python benchmarks/api_changes.py --griffe PYTHON --work DIR REPOSITORY:PACKAGE:OLD:NEW...

Each argument names a git repository on this machine, the path of the package in it (``src/attr``), and two tags. Both are checked
out and built below DIR; griffe runs under PYTHON, the interpreter of an environment that has it. It tells the public objects whose
use breaks. A breakage counts as found where ``hardtack diff`` has a breakage of the same object, or of what it is a member of; and
one of ours, of those that break for certain, as confirmed where griffe has one likewise. What only one of the two looks for does
not count: griffe compares neither types nor modifiers; it says of a class that it lost ``object``; and it looks into tests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from hardtack.bundle.reader import open_bundle
from hardtack.diff.comparison import compare
from hardtack.diff.surface import address_of_module
from hardtack.nouns.changes import Comparison, SymbolChange, Verdict

_ORACLE: Final = """
import json, sys, logging
import griffe
logging.disable(logging.CRITICAL)
old_root, new_root, package = sys.argv[1:]
name = package.rpartition("/")[2]
def loaded(root):
    above = root + "/" + package.rpartition("/")[0]
    return griffe.load(name, search_paths=[above], allow_inspection=False, resolve_aliases=True, force_inspection=False)
for each in griffe.find_breaking_changes(loaded(old_root), loaded(new_root)):
    if each.kind.name == "CLASS_REMOVED_BASE" and [str(base) for base in each.old_value] == ["object"]:
        continue
    if ".tests." in f"{each.obj.canonical_path}.":
        continue
    old = getattr(each.old_value, "name", str(each.old_value))
    print(json.dumps([each.obj.canonical_path, each.kind.name, old, str(each.obj.path)]))
"""
_UNKNOWN_TO_GRIFFE: Final = frozenset(
    {"parameter-type-changed", "field-type-changed", "return-type-changed", "supertype-removed", "async-changed", "static-changed"}
    | {"made-abstract", "made-final", "required-member-added"}
)


def main() -> None:
    """Print a table, and each disagreement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--griffe", type=Path, required=True, help="an interpreter whose environment has griffe")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print each disagreement")
    given = parser.parse_args()
    totals = [0, 0, 0, 0]
    print(f"{'pair':44} {'griffe':>7} {'found':>7} {'ours':>7} {'agreed':>7}")
    for pair in given.pairs:
        repository, package, old, new = pair.rsplit(":", 3)
        trees = [_checkout(Path(repository), tag, given.work) for tag in (old, new)]
        try:
            theirs = _griffe(given.griffe, trees, package)
        except subprocess.CalledProcessError as error:
            print(f"{f'{package} {old} {new}':44} griffe fails: {error.stderr.strip().splitlines()[-1][:80]}")
            continue
        ours, judged = _ours(trees, package)
        missed = {each for each in theirs if not _has(ours, each)}
        alone = {each for each in judged if not _has(theirs, each)}
        row = [len(theirs), len(theirs) - len(missed), len(judged), len(judged) - len(alone)]
        totals = [one + other for one, other in zip(totals, row, strict=True)]
        print(f"{f'{package} {old} {new}':44}" + "".join(f" {each:7}" for each in row))
        if given.show:
            _show("missed", missed, theirs)
            _show("alone", alone, judged)
    print(f"{'all':44}" + "".join(f" {each:7}" for each in totals))
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
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", repository, tree], check=True, capture_output=True)
        subprocess.run(["git", "-C", tree, "checkout", "-q", tag], check=True, capture_output=True)
    return tree


def _griffe(python: Path, trees: list[Path], package: str) -> dict[str, str]:
    """Address of each object that griffe says breaks -> how."""
    done = subprocess.run([python, "-c", _ORACLE, *trees, package], check=True, capture_output=True, text=True)
    found: dict[str, str] = {}
    for line in done.stdout.splitlines():
        canonical, kind, old, path = json.loads(line)
        found[canonical] = f"{found.get(canonical, '')} {kind}({old}) {path if path != canonical else ''}".strip()
    return found


def _ours(trees: list[Path], package: str) -> tuple[dict[str, str], dict[str, str]]:
    """The same of ours: all, and those that break for certain by a rule that griffe has, too."""
    bundles = [_built(tree) for tree in trees]
    with open_bundle(bundles[0]) as old, open_bundle(bundles[1]) as new:
        comparison: Comparison = compare(old, new, any_repository=True, breaking=True)
    found: dict[str, str] = {}
    judged: dict[str, str] = {}
    root = package.removeprefix("src/").replace("/", ".")
    name = root.rpartition(".")[0]
    for change in comparison.symbols:
        address = _address(change)
        if not f"{address}.".startswith(f"{root}."):
            continue
        shown = address.removeprefix(f"{name}.") if name else address
        for each in change.breakages:
            exact = f"{shown}.{each.sentence.split('`')[1]}" if each.sentence.startswith("attribute `") else shown
            said = f"{each.verdict.value} {each.rule}: {each.sentence};"
            found[exact] = f"{found.get(exact, '')} {said}".strip()
            if each.verdict is Verdict.BREAKS and each.rule not in _UNKNOWN_TO_GRIFFE:
                judged[exact] = f"{judged.get(exact, '')} {said}".strip()
    return found, judged


def _address(change: SymbolChange) -> str:
    state: Any = change.old or change.new
    module = address_of_module(state.path)
    return module if state.kind == "module" and state.name == module else f"{module}.{state.name}"


def _built(tree: Path) -> Path:
    place = tree.with_name(f"{tree.name}.bundle")
    if not place.exists():
        command: list[str | Path] = [sys.executable, "-m", "hardtack", "build", tree, "-o", place, "--profile", "keyword", "-q"]
        subprocess.run(command, check=True, capture_output=True)
    return place


if __name__ == "__main__":
    main()
