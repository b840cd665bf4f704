"""Is every Eloquent model described, and is what we say of it what Laravel itself says?

    python benchmarks/eloquent_oracle.py CHECKOUT [--below tests] [--misses FILE]

CHECKOUT is one of laravel/framework. Needs ``php`` with the ``ast`` extension, and ``php-doctrine-inflector``. Three questions:

1. *Models.* php-ast lists every class below ``--below`` and what it extends; those that lead to Eloquent's ``Model`` are the
   models. Each file that declares one is also loaded by PHP, classes from elsewhere stood in for by empty ones, and reflection has
   its say; what does not load is listed. Anonymous classes have no name to be described by; they are counted.
2. *Relations.* php-ast lists every call ``$this->hasMany(...)`` and the like inside a model, or a trait that a model uses; a call
   in a method that takes arguments makes relations rather than being one, and one that is a statement by itself makes none; both
   are listed.
3. *What is said.* Each model that loads is instantiated and asked for its table, keys, fillable, guarded, hidden, visible, appends,
   casts; each of its relations is called, on a connection that leads nowhere, and asked for its keys.

Exit status 1 when a model or a relation is missing, or when less than 99 % of any answer is equal.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hardtack.build.frameworks import laravel
from hardtack.build.languages.registry import languages
from hardtack.build.relations.names import Declared, File
from hardtack.build.symbols import outline_of
from hardtack.model import Kind
from hardtack.relations import Fact

MARK = 0.99
BASE = "Illuminate\\Database\\Eloquent\\Model"
HERE = Path(__file__).parent
SECONDS = 60
LISTS = ("fillable", "guarded", "hidden", "visible", "appends", "touches")

Record = dict[str, Any]
Place = tuple[str, str]
"""Path of a file and full name of a class in it."""


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--below", default="tests", help="the directory, within CHECKOUT, whose models count")
    parser.add_argument("--misses", type=Path, help="write what is missing or differs there")
    arguments = parser.parse_args()
    checkout = arguments.checkout.resolve()
    oracle = Oracle(checkout, checkout / arguments.below)
    ours = Ours(checkout)
    misses: list[str] = []
    tally: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    _compare_models(oracle, ours, tally, equal, misses)
    _compare_relations(oracle, ours, tally, equal, misses)
    for place, record in oracle.loaded.items():
        _compare_answers(place, record, ours, tally, equal, misses)
    print(f"{checkout.name}/{arguments.below}: {oracle.summary()}")
    for name in tally:
        print(f"  {name:<42}{equal[name]:>6} of {tally[name]:>6}  {equal[name] / tally[name]:8.2%}")
    if arguments.misses:
        arguments.misses.write_text("".join(f"{miss}\n" for miss in misses), encoding="utf-8")
    whole = all(equal[name] == tally[name] for name in ("models (php-ast)", "models (reflection)", "relation calls"))
    return 0 if whole and all(equal[name] >= MARK * tally[name] for name in tally) else 1


class Oracle:
    """What PHP says: the models and calls that php-ast sees, and what the models that load answer."""

    def __init__(self, checkout: Path, below: Path) -> None:
        self.checkout = checkout
        self.records: list[Record] = []
        command = ["php", str(HERE / "eloquent_survey.php"), str(checkout)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
            assert process.stdout is not None
            self.records = sorted(map(json.loads, process.stdout), key=lambda record: (record["path"], record.get("line", 0)))
        self._classes: dict[str, list[Record]] = defaultdict(list)
        for record in self.records:
            if record["is"] in ("class", "trait", "interface", "enum") and record["name"]:
                self._classes[record["name"].lower()].append(record)
        inside = [record for record in self.records if Path(record["path"]).is_relative_to(below)]
        classes = [record for record in inside if record["is"] == "class"]
        self.models = {(r["path"], r["name"]): r for r in classes if r["name"] and self.is_model(r["parent"], r["path"])}
        self.unnamed = [r for r in classes if not r["name"] and self.is_model(r["parent"], r["path"])]
        self.calls = [record for record in inside if record["is"] == "call"]
        self.faults: list[str] = []
        self.loaded: dict[Place, Record] = {}
        self._load()

    def find(self, name: str, path: str) -> Record | None:
        """The class of this name as a file means it: in the same file, the same directory, anywhere."""
        known = self._classes.get(name.lower(), [])
        same = [record for record in known if record["path"] == path]
        near = [record for record in known if Path(record["path"]).parent == Path(path).parent]
        return next(iter(same or near or known), None)

    def is_model(self, parent: str, path: str) -> bool:
        """Whether a class that extends ``parent`` is a model."""
        for _ in range(100):
            if parent.lower() == BASE.lower():
                return True
            record = self.find(parent, path) if parent else None
            if record is None:
                return False
            parent, path = record["parent"], record["path"]
        return False

    def traits_of(self, record: Record) -> Iterator[Record]:
        """The traits that a class or trait uses, and those that these use."""
        for name in record["traits"]:
            if (trait := self.find(name, record["path"])) is not None:
                yield trait
                yield from self.traits_of(trait)

    def _load(self) -> None:
        names = {record["name"]: record["as"] for record in self.records if record["is"] == "name"}
        sources = self.checkout / "src/Illuminate"
        functions = [*sorted(sources.glob("*/functions.php")), *sorted(sources.glob("*/helpers.php"))]
        beyond = {
            name: how for name, how in names.items() if name.lower() not in self._classes and not name.startswith("Doctrine\\")
        }
        first = {known[0]["name"]: known[0]["path"] for known in self._classes.values()}
        call_methods = sorted({record["method"] for record in self.calls if record["method"]})
        content = {"classes": first, "elsewhere": beyond, "functions": list(map(str, functions)), "methods": call_methods}
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as map_file:
            json.dump(content, map_file)
            map_file.flush()
            for path in sorted({path for path, _ in self.models}):
                self._load_file(path, map_file.name)

    def _load_file(self, path: str, map_path: str) -> None:
        command = ["php", str(HERE / "eloquent_reflection.php"), map_path, path]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.faults.append(f"{path}\ttook more than {SECONDS} s")
            return
        records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"class"')]
        if done.returncode or not records:
            self.faults.append(f"{path}\t{' '.join((done.stderr or done.stdout).split())[:300]}")
        self.loaded |= {(path, record["class"]): record for record in records}

    def summary(self) -> str:
        """One line."""
        whole = f"{len(self.models)} models in {len({path for path, _ in self.models})} files"
        loaded = f"{len(self.loaded)} of them loaded, {sum('says' in record for record in self.loaded.values())} instantiated"
        return f"{whole}, {loaded}, {len(self.unnamed)} anonymous, {len(self.faults)} files that do not load"


class Ours:
    """What Hardtack says of the checkout, by file and full name."""

    def __init__(self, checkout: Path) -> None:
        declared, files, facts = _read(checkout)
        confirmed, tags = laravel.confirm(declared, files, facts)
        self.models: dict[Place, dict[str, list[tuple[str, ...]]]] = {}
        self.relation_methods: set[tuple[str, int]] = set()
        ordinals: dict[int, Place] = {}
        for ordinal, found in tags.items():
            if "laravel:model" in found:
                symbol = declared[ordinal]
                name = f"{symbol.package}\\{symbol.name}".lstrip("\\")
                ordinals[ordinal] = (str(checkout / files[symbol.file].path), name)
                self.models[ordinals[ordinal]] = defaultdict(list)
        for fact in confirmed:
            if fact.symbol in ordinals:
                self.models[ordinals[fact.symbol]][fact.key].append(fact.values)
        raw = Counter(fact.symbol for fact in facts if fact.key == "laravel.relation")
        said = {fact.symbol for fact in confirmed if fact.key == "kind" and fact.values == ("relation",)}
        self.calls: Counter[tuple[str, str, str]] = Counter()
        for ordinal in said:
            symbol = declared[ordinal]
            owner = declared[symbol.parent]
            is_named = owner.kind in (Kind.CLASS, Kind.TRAIT)
            owner_name = f"{owner.package}\\{owner.name}".lstrip("\\") if is_named else ""
            self.calls[str(checkout / files[symbol.file].path), owner_name, symbol.name] += raw[ordinal]


def _read(checkout: Path) -> tuple[list[Declared], list[File], list[Fact]]:
    """Every PHP file as the build reads it, one after another."""
    php = languages()["php"]
    declared: list[Declared] = []
    files: list[File] = []
    facts: list[Fact] = []
    for path in sorted(checkout.rglob("*.php")):
        outline, first = outline_of(path.read_bytes(), php), len(declared)
        facts += [fact._replace(symbol=fact.symbol + first) for fact in outline.facts]
        files.append(File(str(path.relative_to(checkout)), "php", outline.package, first, len(outline.symbols)))
        for index, each in enumerate(outline.symbols):
            declared.append(
                Declared(
                    file=len(files) - 1,
                    kind=each.kind,
                    name=each.name,
                    qualified_name=each.qualified_name,
                    package=each.package,
                    parent=each.parent + first if each.parent >= 0 else -1,
                    line=each.selection.start_line,
                    detail=outline.details.get(index),
                )
            )
    return declared, files, facts


def _compare_models(oracle: Oracle, ours: Ours, tally: Counter[str], equal: Counter[str], misses: list[str]) -> None:
    for title, places in (("models (php-ast)", oracle.models), ("models (reflection)", oracle.loaded)):
        for place in places:
            tally[title] += 1
            equal[title] += place in ours.models
            if place not in ours.models:
                misses.append(f"{title}\t{place[0]}\t{place[1]}")
    below = {path for path, _ in oracle.models}
    surplus = [place for place in ours.models if place[0] in below and place not in oracle.models]
    tally["models of ours that PHP has too"] = len(oracle.models) + len(surplus)
    equal["models of ours that PHP has too"] = len(oracle.models)
    misses += [f"not a model\t{path}\t{name}" for path, name in surplus]
    misses += [f"does not load\t{fault}" for fault in oracle.faults]


def _compare_relations(oracle: Oracle, ours: Ours, tally: Counter[str], equal: Counter[str], misses: list[str]) -> None:
    """Every relation call inside a model, or a trait that one uses, against our count for the same method."""
    used = {(t["path"], t["name"]) for model in oracle.models.values() for t in oracle.traits_of(model)}
    wanted: Counter[tuple[str, str, str]] = Counter()
    lines: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for call in oracle.calls:
        place = (call["path"], call["class"])
        if (
            place not in oracle.models
            and place not in used
            and (call["class"] or not oracle.is_model(call["parent"], call["path"]))
        ):
            misses.append(f"call outside of models\t{call['path']}:{call['line']}\t{call['kind']}")
        elif call["needs_arguments"] or call["is_discarded"]:
            why = "in a method with arguments" if call["needs_arguments"] else "of which nothing is done with the result"
            misses.append(f"call {why}\t{call['path']}:{call['line']}\t{call['kind']}")
        else:
            key = (call["path"], call["class"], call["method"])
            wanted[key] += 1
            lines[key].append(call["line"])
    for key, count in wanted.items():
        tally["relation calls"] += count
        equal["relation calls"] += min(count, ours.calls[key])
        if ours.calls[key] != count:
            misses.append(f"relation calls\t{key[0]}:{lines[key]}\t{key[1]}::{key[2]}\ttheirs {count}, ours {ours.calls[key]}")


def _compare_answers(place: Place, record: Record, ours: Ours, tally: Counter[str], equal: Counter[str], misses: list[str]) -> None:
    """What an instance of a model says of itself and of its relations."""
    facts = ours.models.get(place, {})
    said = record.get("says", {})
    for key, theirs, mine in _answers(said, facts):
        tally[key] += 1
        equal[key] += theirs == mine
        if theirs != mine:
            misses.append(f"{key}\t{place[0]}\t{place[1]}\ttheirs {theirs!r}\tours {mine!r}")
    stated = {values[0]: values for values in facts.get("relation", [])}
    for method, theirs in record.get("relations", {}).items() or ():
        mine_of = _relation_of(stated.get(method))
        tally["relations called"] += 1
        is_equal = True
        for key, wanted in theirs.items():
            tally[f"  relation {key}"] += 1
            if mine_of.get(key, "") == (wanted or ""):
                equal[f"  relation {key}"] += 1
            else:
                is_equal = False
                misses.append(f"relation {key}\t{place[0]}\t{place[1]}::{method}\ttheirs {wanted!r}\tours {mine_of.get(key)!r}")
        equal["relations called"] += is_equal
    misses += [f"answers nothing\t{place[0]}\t{place[1]}\t{key}: {fault}" for key, fault in (record.get("faults") or {}).items()]
    if "fault" in record:
        misses.append(f"not instantiated\t{place[0]}\t{place[1]}\t{record['fault']}")


def _answers(said: Mapping[str, Any], facts: Mapping[str, Sequence[tuple[str, ...]]]) -> Iterator[tuple[str, object, object]]:
    """Each thing that was asked: what it is, their answer, and ours, Laravel's defaults filled in where we say nothing."""

    def one(key: str, default: str) -> str:
        return facts[key][0][0] if facts.get(key) else default

    if not said:
        return
    if "table" in said:
        how = f"table, {facts['table'][0][1]}" if facts.get("table") else "table, not said"
        yield how, said["table"], one("table", "")
    for key in LISTS:
        if key in said:
            default = ["*"] if key == "guarded" else []
            yield key, list(said[key]), list(facts[key][0]) if facts.get(key) else default
    casts = dict(said.get("cast") or {})
    if said.get("incrementing") and casts.get(said.get("primary_key")) == said.get("key_type"):
        casts.pop(said["primary_key"], None)
    mine: dict[str, str] = dict(facts.get("cast", []))  # type: ignore[arg-type]
    if said.get("incrementing") and mine.get(said.get("primary_key", "")) == said.get("key_type"):
        mine.pop(said["primary_key"], None)
    yield "cast", casts, mine
    yield "primary_key", said.get("primary_key"), one("primary_key", "id")
    yield "connection", said.get("connection") or "", one("connection", "")
    yield "timestamps", said.get("timestamps"), one("timestamps", "true") == "true"
    yield "soft_deletes", said.get("soft_deletes"), one("soft_deletes", "false") == "true"


def _relation_of(values: tuple[str, ...] | None) -> Mapping[str, str]:
    """A relation fact as a map, its type as Laravel's class is called."""
    if values is None:
        return {}
    _, kind, related, foreign_key, local_key, pivot_table, *extras = values
    type_ = "MorphToMany" if kind == "morphedByMany" else kind[:1].upper() + kind[1:]
    keys = {"type": type_, "related": related, "foreign_key": foreign_key, "local_key": local_key, "pivot_table": pivot_table}
    return keys | dict(extra.split("=", 1) for extra in extras)


if __name__ == "__main__":
    sys.exit(main())
