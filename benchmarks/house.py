"""Counts rooms, arrows, shared names, citations and lines of this project's source, which is read and never imported.

    python benchmarks/house.py [CHECKOUT ...] [--json]          [this checkout; of several, a column each: before and after]

A *room* of a package is a module or a package in it. An *arrow* leads from a room to another that any of its modules imports,
wherever in the file, unless for types alone; it leads *upward* when the import contract of the package puts that other room on a
higher floor, or beside it on the same one. Where no contract lists the rooms, every arrow of a circle counts as one that leads
upward. Which modules a search loads is told by ``cold.py``.
"""

from __future__ import annotations

import argparse
import ast
import configparser
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measure import table

PACKAGE = "hardtack"
HALVES = ("query", "build")
COUNTED = ("src", "tests", "benchmarks")
ABSENT = ("CONTRACTS", "DISTRIBUTION", "ENGINES", "FIELD", "HOUSE", "PEERS", "REDESIGN", "SECURITY", "STYLE")
"""Documents that were cited by chapter and have never been in the repository; one that is there by now may be cited."""

Floors = Sequence[Sequence[str]]
"""The layers of an import contract, highest first: the rooms of each."""


class Checkout:
    """What is tracked of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout.decode()
        self.paths = sorted(path for path in listed.split("\0") if path and (root / path).is_file())
        named = ((_module_name(path), path) for path in self.paths)
        self.modules = {name: ast.parse(self.text(path)) for name, path in named if name}

    def text(self, path: str) -> str:
        """What a file holds; empty when it is no text."""
        data = (self.root / path).read_bytes()
        return "" if b"\0" in data else data.decode("utf-8", "replace")

    def words(self, path: str) -> int:
        """How many words a document has; 0 when it is not there."""
        return len(self.text(path).split()) if path in self.paths else 0

    def lines(self, folder: str, ending: str = "") -> int:
        """How many lines the text files of a folder have."""
        return sum(self.text(path).count("\n") for path in self.paths if path.startswith(f"{folder}/") and path.endswith(ending))

    def contracts(self) -> dict[str, list[Floors]]:
        """The floors of every import contract that has some, by the package whose rooms they are; from either file."""
        found: dict[str, list[Floors]] = defaultdict(list)
        for contract in self._contracts():
            if contract.get("type") == "layers":
                for container in contract.get("containers", []):
                    found[container].append([re.findall(r"\w+", layer) for layer in contract["layers"]])
        return found

    def _contracts(self) -> Iterator[dict[str, Any]]:
        if ".importlinter" in self.paths:
            parser = configparser.ConfigParser()
            parser.read_string(self.text(".importlinter"))
            for name in parser.sections():
                section = dict(parser[name])
                yield {**section, **{key: section.get(key, "").strip().splitlines() for key in ("containers", "layers")}}
        settings = tomllib.loads(self.text("pyproject.toml")) if "pyproject.toml" in self.paths else {}
        yield from settings.get("tool", {}).get("importlinter", {}).get("contracts", [])


def _module_name(path: str) -> str | None:
    """The dotted name of a module of the package; None for any other file."""
    if not path.startswith(f"src/{PACKAGE}/") or not path.endswith(".py"):
        return None
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports_of(name: str, module: ast.Module, modules: Mapping[str, object]) -> Iterator[str]:
    """Every module of the package that one imports, but for its types alone; wherever the statement stands."""
    for_types = {
        id(inner)
        for node in ast.walk(module)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(module):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            above = name.split(".")[: -node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                if inner in modules:
                    yield inner
                elif source in modules:
                    yield source


def arrows_of(checkout: Checkout, package: str) -> tuple[set[str], set[tuple[str, str]]]:
    """The rooms of a package, and the arrows between them."""
    prefix = f"{PACKAGE}.{package}."

    def room_of(module: str) -> str:
        return module.removeprefix(prefix).partition(".")[0] if module.startswith(prefix) else ""

    rooms = {room_of(name) for name in checkout.modules} - {""}
    arrows = {
        (room_of(name), room_of(target))
        for name, module in checkout.modules.items()
        if room_of(name)
        for target in imports_of(name, module, checkout.modules)
    }
    return rooms, {(room, other) for room, other in arrows if other and room != other}


def upward(arrows: set[tuple[str, str]], rooms: set[str], contracts: Sequence[Floors]) -> set[tuple[str, str]]:
    """The arrows against the order of the floors; without a contract that lists every room, those of circles."""
    for floors in contracts:
        floor = {room: number for number, of_floor in enumerate(floors) for room in of_floor}
        if rooms <= floor.keys():
            return {(room, other) for room, other in arrows if floor[other] <= floor[room]}
    reached = {room: {other for one, other in arrows if one == room} for room in rooms}
    for _ in rooms:
        for others in reached.values():
            others |= {far for other in others for far in reached[other]}
    return {(room, other) for room, other in arrows if room in reached[other]}


def shared_class_names(checkout: Checkout) -> dict[str, list[str]]:
    """Each name that classes of two modules or more have, with those modules."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, module in checkout.modules.items():
        for each in sorted({node.name for node in ast.walk(module) if isinstance(node, ast.ClassDef)}):
            found[each].append(name)
    return {name: places for name, places in sorted(found.items()) if len(places) > 1}


def citations(checkout: Checkout) -> list[str]:
    """The path, line and words of every citation of a document that is not in the tree."""
    there = {Path(path).stem for path in checkout.paths if path.endswith(".md")}
    names = "|".join(name for name in ABSENT if name not in there)
    cited = re.compile(rf"\b(?:{names})(?:\.md\b| \d[\w.]*)|(?<![-\w])seeds? \d\b|\bthe seed(?:'s| calls| has)\b")
    return [
        f"{path}:{number}: {match[0]}"
        for path in checkout.paths
        if not path.startswith("fixtures/")
        for number, line in enumerate(checkout.text(path).splitlines(), 1)
        for match in cited.finditer(line)
    ]


def counted(checkout: Checkout) -> dict[str, Any]:
    """Everything that is told of one checkout."""
    told: dict[str, Any] = {}
    contracts = checkout.contracts()
    for half in HALVES:
        rooms, arrows = arrows_of(checkout, half)
        told[f"{half}: rooms"] = len(rooms)
        told[f"{half}: arrows"] = len(arrows)
        told[f"{half}: arrows upward"] = len(upward(arrows, rooms, contracts.get(f"{PACKAGE}.{half}", [])))
    loose = re.compile(rf"src/{PACKAGE}/\w+\.py")
    told["loose modules at the top"] = sum(bool(loose.fullmatch(path)) for path in checkout.paths) - 1  # less __init__
    shared, cited = shared_class_names(checkout), citations(checkout)
    told["class names in several modules"] = len(shared)
    told["import contracts with layers"] = sum(map(len, contracts.values()))
    told["their layers"] = sum(len(floors) for several in contracts.values() for floors in several)
    told["citations of absent documents"] = len(cited)
    for document in ("README.md", "ARCHITECTURE.md"):
        told[f"words of {document}"] = checkout.words(document)
    for folder in COUNTED:
        told[f"lines of Python in {folder}"] = checkout.lines(folder, ".py")
    told["lines of Python in all three"] = sum(checkout.lines(folder, ".py") for folder in COUNTED)
    told["lines of text in all three"] = sum(checkout.lines(folder) for folder in COUNTED)
    told["shared class names"] = shared
    told["citations"] = cited
    return told


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="*", metavar="CHECKOUT", default=[Path(__file__).parents[1]])
    parser.add_argument("--json", action="store_true", help="everything, with every shared name and every citation")
    asked = parser.parse_args()
    for root in asked.checkouts:
        if not (root / "src" / PACKAGE).is_dir():
            parser.error(f"{root} is no checkout of this project: it has no src/{PACKAGE}.")
    told = {str(root): counted(Checkout(root)) for root in asked.checkouts}
    if asked.json:
        print(json.dumps(told, indent=2))
        return 0
    last = [*told.values()][-1]
    rows = [[name, *(each[name] for each in told.values())] for name, value in last.items() if isinstance(value, int)]
    print(table(["", *(Path(root).resolve().name for root in told)], rows))
    for name, places in last["shared class names"].items():
        print(f"{name}: {', '.join(place.removeprefix(f'{PACKAGE}.') for place in places)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
