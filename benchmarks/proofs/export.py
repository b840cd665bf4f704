"""Proves that an export says what the bundle says: ten questions in SQL, answered by DuckDB as the look-ups answer them.

    python benchmarks/proofs/export.py REPO... [--names N]

Each repository is built and exported. DuckDB reads the tables through the views and the macro of docs/export.md, and
each question of that page is asked of N names, spread evenly over all that it can be asked of; the answer must be that of the
look-up, place by place. The export is made twice, and must have the same bytes. Tells seconds, peak memory and bytes of the
export, beside the bundle's. Exits 1 on any failure.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from proof import HARDTACK, Proof, build, content_of, scratch, spread

from hardtack.bundle.reader import Bundle, open_bundle
from hardtack.nouns.model import FUNCTIONS, TYPES, Content, Kind
from hardtack.nouns.relations import RelationKind
from hardtack.query.explore.repository_map import repository_map
from hardtack.query.files.stored_files import StoredFiles
from hardtack.query.files.tree import Tree
from hardtack.query.lookup.describe import describe_class
from hardtack.query.lookup.disambiguate import group_symbols
from hardtack.query.lookup.lookups import LookUps
from hardtack.query.lookup.members import MemberFinder
from hardtack.query.lookup.symbols import home_of, look_up

PAGE = Path(__file__).resolve().parents[2] / "docs" / "export.md"
Rows = set[tuple[Any, ...]]
_EVERY = 1 << 30


class Question(NamedTuple):
    """A question of the page."""

    heading: str
    asked: Callable[[Bundle], Sequence[dict[str, Any]]]
    """Gives all parameters that it can be asked with."""
    answer: Callable[[Bundle, dict[str, Any]], Rows]
    """Gives what the look-up says."""
    columns: slice = slice(None)
    """Those of the SQL answer that are compared."""


def sql_of(page: str) -> tuple[str, Mapping[str, str]]:
    """The statements that make the views, and heading -> query of each question."""
    setup, questions = page.split("## Ten questions\n")
    blocks = re.compile(r"^### (.+)\n(?:(?!^#).*\n)*?```sql\n((?:.*\n)*?)```", re.MULTILINE)
    (views,) = re.findall(r"^## DuckDB\n(?:.*\n)*?```sql\n((?:.*\n)*?)```", setup, re.MULTILINE)
    return views, dict(blocks.findall(questions.split("\n## ")[0]))


def loaded(export: Path, views: str) -> duckdb.DuckDBPyConnection:
    """A connection with the views over the tables of an export."""
    connection = duckdb.connect()
    connection.execute("SET file_search_path = ?", [str(export)])
    connection.execute(views)
    return connection


# -- what can be asked ------------------------------------------------------------------------------------------------------------


def _names(bundle: Bundle, kinds: Iterable[Kind]) -> list[dict[str, Any]]:
    """Every simple name of symbols of these kinds, with no dot or blank in it."""
    wanted = frozenset(kinds)
    symbols = (bundle.symbol_name(each) for each in range(bundle.manifest.counts.symbols))
    return [{"name": name} for name in sorted({each.name for each in symbols if each.kind in wanted and each.name.isidentifier()})]


def _supertypes(bundle: Bundle) -> list[dict[str, Any]]:
    """Every name of a type that another inherits, implements, embeds or uses."""
    targets = {each.target for each in bundle.related.relations() if each.target >= 0 and each.kind is not RelationKind.IMPORTS}
    symbols = map(bundle.symbol_name, targets)
    return [{"name": name} for name in sorted({each.name for each in symbols if each.kind in TYPES})]


def _packages(bundle: Bundle) -> list[dict[str, Any]]:
    homes = {
        home_of(bundle, bundle.symbol(file.first_symbol))
        for file in bundle.files
        if file.symbol_count and not file.is_test and file.content == Content.CODE.value
    }
    return [{"package": home} for home in sorted(homes) if home]


def _directories(bundle: Bundle) -> list[dict[str, Any]]:
    folders = {file.path.rpartition("/")[0] for file in bundle.files}
    return [{"directory": folder} for folder in sorted(folders) if folder]


def _lines(bundle: Bundle) -> list[dict[str, Any]]:
    """One place in each chunk."""
    chunks = map(bundle.chunk, range(bundle.manifest.counts.chunks))
    return [{"path": bundle.file(each.file).path, "line": each.start_line} for each in chunks]


# -- what the look-ups answer -----------------------------------------------------------------------------------------------------


def _defined(kinds: frozenset[Kind], bundle: Bundle, asked: dict[str, Any]) -> Rows:
    """The definition of each group of symbols that has the name; ``define`` and ``function`` choose among these."""
    groups = group_symbols(bundle, look_up(bundle, asked["name"], kinds).ordinals)
    found = [bundle.symbol(group.symbol) for group in groups]
    return {(bundle.file(each.file).path, each.start_line, each.kind.value, each.qualified_name, each.signature) for each in found}


def _members(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    """The fields and methods of all types that have the name."""
    groups, finder = group_symbols(bundle, look_up(bundle, asked["name"], TYPES).ordinals), MemberFinder(bundle)
    types = [describe_class(bundle, group.symbol, finder) for group in groups]
    return {(each.name,) for one in types for each in one.fields} | {(each.name,) for one in types for each in one.methods}


def _references(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    found = LookUps(bundle).references(asked["name"]).results
    return {(each.path, each.line, each.relation.value, each.within or None) for each in found}


def _callers(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    found = LookUps(bundle).callers(asked["name"]).results
    return {(each.path, call.line, each.within or None) for each in found for call in each.calls}


def _implementations(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    found = LookUps(bundle).implementations(asked["name"]).results
    return {(each.path, each.line, each.within) for each in found if each.target}


def _exports(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    found = [each for each in LookUps(bundle).exports(asked["package"]).results if each.location]
    return {
        (each.location.file_path, each.location.start_line, each.metadata.get("kind", each.kind), each.name)
        for each in found
        if each.location
    }


def _listed(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    return {(each.path, each.type == "directory") for each in Tree(bundle).entries(asked["directory"])}


def _read(bundle: Bundle, asked: dict[str, Any]) -> Rows:
    """The chunks at a line, with their lines as ``cat`` prints them; of a line that chunks share, what each has of it."""
    file = bundle.file_at(asked["path"])
    assert file is not None
    rows: Rows = set()
    for chunk in map(bundle.chunk, range(file.first_chunk, file.first_chunk + file.chunk_count)):
        if chunk.start_line <= asked["line"] <= chunk.end_line:
            text = "\n".join(StoredFiles(bundle).read(file.path, chunk.start_line, chunk.end_line).lines)
            own = bundle.text_of(file, chunk.start, chunk.end).decode("utf-8", "replace")
            is_there = own.replace("\r\n", "\n").removesuffix("\n") in text
            rows.add((chunk.start_line, chunk.end_line, own if is_there else text))
    return rows


_ANY_NAME = (*FUNCTIONS, *TYPES, Kind.FIELD, Kind.CONSTANT, Kind.VARIABLE, Kind.PROPERTY)
QUESTIONS = (
    Question("Which types have a name", partial(_names, kinds=TYPES), partial(_defined, TYPES)),
    Question("Which functions have a name", partial(_names, kinds=FUNCTIONS), partial(_defined, FUNCTIONS), slice(0, 5)),
    Question("What belongs to a type", partial(_names, kinds=TYPES), _members, slice(0, 1)),
    Question("Where is it used", partial(_names, kinds=_ANY_NAME), _references, slice(0, 4)),
    Question("Who calls it", partial(_names, kinds=FUNCTIONS | TYPES), _callers),
    Question("What implements a type", _supertypes, _implementations),
    Question("What does a package export", _packages, _exports),
    Question("What is in a directory", _directories, _listed),
    Question("What stands at a line", _lines, _read),
)


def ask(proof: Proof, bundle: Bundle, connection: duckdb.DuckDBPyConnection, queries: Mapping[str, str], names: int) -> None:
    """Ask every question both ways."""
    for question in QUESTIONS:
        possible = question.asked(bundle)
        asked = [possible[place] for place in sorted(set(spread(names, len(possible))))] if possible else []
        wrong, rows, spent = [], 0, [0.0, 0.0]
        for each in asked:
            started = time.perf_counter()
            answer = connection.execute(queries[question.heading], each).fetchall()
            spent[0] += time.perf_counter() - started
            started = time.perf_counter()
            expected = question.answer(bundle, each)
            spent[1] += time.perf_counter() - started
            found = {tuple(row[question.columns]) for row in answer}
            rows += len(expected)
            if found != expected:
                more, less = (sorted(rows, key=str)[:3] for rows in (found - expected, expected - found))
                wrong.append(f"{[*each.values()]}: more {more}, less {less}")
        times = ", ".join(f"{1000 * each / max(1, len(asked)):.1f} ms" for each in spent)
        detail = f"{len(asked) - len(wrong)} of {len(asked)} names, {rows} rows; a question {times}"
        proof.claim(question.heading, not wrong, "\n        ".join([detail, *wrong[:8]]))
    _claim_most_used(proof, bundle, connection, queries)


def _claim_most_used(proof: Proof, bundle: Bundle, connection: duckdb.DuckDBPyConnection, queries: Mapping[str, str]) -> None:
    heading = "What do other files use most"
    answer = connection.execute(queries[heading], {"most": _EVERY}).fetchall()
    counted = {(path, line, name): uses for path, line, name, uses in answer}
    expected = [(part, each, count) for part in repository_map(bundle).parts for each, count in part.symbols if count]
    wrong = [each for _, each, count in expected if counted.get((each.path, each.line, each.name)) != count]
    columns = bundle.columns.of_symbols("references")
    sums = (sum(counted.values()), sum(columns))
    proof.claim(
        heading, not wrong and sums[0] == sums[1], f"{len(expected)} symbols of the map, {sums[0]} uses of all; {wrong[:3]}"
    )


# -- the export itself ------------------------------------------------------------------------------------------------------------


def exported(bundle: Path, place: Path) -> tuple[float, float, float]:
    """Export with the command line; seconds, CPU seconds and the peak memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen([*HARDTACK, "export", "-b", str(bundle), "--to", str(place)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"hardtack export left with {process.returncode}")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def prove(proof: Proof, repository: Path, names: int) -> None:
    """Everything about one repository."""
    views, queries = sql_of(PAGE.read_text(encoding="utf-8"))
    with scratch() as root:
        build(repository, root / "bundle")
        seconds, cpu, memory = exported(root / "bundle", root / "export")
        exported(root / "bundle", root / "again")
        same = {name: data for name, (_, _, data) in content_of(root / "export").items()}
        proof.claim(
            "two exports have the same bytes", same == {name: data for name, (_, _, data) in content_of(root / "again").items()}
        )
        sizes = {place: sum(path.stat().st_size for path in place.rglob("*") if path.is_file()) / 1e6 for place in root.iterdir()}
        with open_bundle(root / "bundle") as bundle:
            counts = bundle.manifest.counts
            lines = sum(file.line_count for file in bundle.files if file.content == Content.CODE.value and file.language != "text")
            print(
                f"  {repository.resolve().name}: {lines} lines of code, {counts.files} files, {counts.symbols} symbols,"
                f" {counts.chunks} chunks;\n  exported in {seconds:.1f} s, {cpu:.1f} CPU s, {memory:.0f} MB at most;"
                f" {sizes[root / 'export']:.1f} MB beside {sizes[root / 'bundle']:.1f} MB of the bundle"
            )
            with loaded(root / "export", views) as connection:
                ask(proof, bundle, connection, queries, names)


def main() -> None:
    """Prove it of each repository."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPO")
    parser.add_argument("--names", type=int, default=100, help="names that each question is asked of")
    arguments = parser.parse_args()
    proof = Proof("An export says what the bundle says")
    for repository in arguments.repositories:
        prove(proof, repository, arguments.names)
    proof.leave()


if __name__ == "__main__":
    main()
