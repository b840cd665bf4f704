"""How the code is laid out and what it keeps away from (ARCHITECTURE.md), held by reading it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

import hardtack

PACKAGE = Path(hardtack.__file__).parent
ROOT = Path(__file__).parents[2]
MODULES = sorted(PACKAGE.rglob("*.py"))

MODULE_LINES, FUNCTION_LINES = 400, 60
LONGER_MODULES: dict[str, str] = {}
"""Path to the reason why it may be longer."""
LONGER_FUNCTIONS: dict[str, str] = {}
READ_THE_ENVIRONMENT = {
    "__main__.py": "thread counts, before numpy is loaded",
    "cli/environment.py": "the one place that reads settings from it",
    "build/workers/processes.py": "handed on to worker processes",
    "git.py": "handed on to git, without git's own variables",
}
BROAD_EXCEPTS = {
    "cli/exits.py": "the edge",
    "tools/run.py": "the edge of the tools, for the server and the command line alike",
    "mcp/server.py": "the edge beside it, for what is no tool",
    "doctor/examination.py": "one failed check must not hide the others",
    "store/sources/objects.py": "drivers raise what the libraries raise that they are made of",
    "bundle/engines/lexical.py": "Tantivy's panics are no Exception",
}
DRAWERS = {"utils", "util", "helpers", "common", "base", "core", "manager", "service", "misc"}


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def test_no_module_is_longer_than_one_can_read() -> None:
    lengths = {_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert set(LONGER_MODULES) == {name for name, length in lengths.items() if length > MODULE_LINES}


def test_no_function_is_longer_than_a_page() -> None:
    longer = {
        f"{_name(path)} {node.name}"
        for path in MODULES
        for node in _nodes(path)
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    }
    assert set(LONGER_FUNCTIONS) == longer


def test_nothing_is_called_after_a_drawer() -> None:
    assert [] == [_name(path) for path in PACKAGE.rglob("*") if path.stem.lower() in DRAWERS]
    names = [node.name for path in MODULES for node in _nodes(path) if isinstance(node, ast.ClassDef)]
    assert [] == [name for name in names if re.search("(Utils?|Helpers?|Base|Core|Manager|Service)$", name)]


def test_only_the_edge_reads_the_environment() -> None:
    readers = {
        _name(path)
        for path in MODULES
        for node in _nodes(path)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv", "getenvb")
    }
    assert set(READ_THE_ENVIRONMENT) == readers


def test_no_pattern_repeats_a_group_possessively() -> None:
    """CPython 3.11.0 to 3.11.4 go on from where the last, failed try of such a repeat stopped (gh-106052): write (?>(...)*)."""
    patterns = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+(?!=)")
    sources = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml"), *PACKAGE.rglob("*.scm")]
    assert [] == [str(path) for path in sources if patterns.search(path.read_text(encoding="utf-8"))]


def test_the_library_prints_nothing() -> None:
    printers = {
        _name(path)
        for path in MODULES
        for node in _nodes(path)
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr") and getattr(node.value, "id", "") == "sys")
    }
    assert set() == {name for name in printers if not name.startswith("cli/")}


def test_everything_is_caught_only_at_the_edge_and_where_an_engine_panics() -> None:
    broad = {
        _name(path)
        for path in MODULES
        for node in _nodes(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
    }
    assert set(BROAD_EXCEPTS) == broad


def test_every_module_begins_by_saying_what_goes_in_and_what_comes_out() -> None:
    first_lines = {_name(path): (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "") for path in MODULES}
    assert [] == [name for name, docstring in first_lines.items() if not docstring]


def test_imports_point_in_the_direction_of_the_architecture() -> None:
    done = subprocess.run([Path(sys.executable).parent / "lint-imports"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, True) == (done.returncode, " 0 broken" in done.stdout), done.stdout


PARSERS = {"tomllib", "json", "configparser", "plistlib", "xml", "yaml", "ruamel", "orjson", "pickle", "marshal", "shelve", "csv"}
PARSE_WITHOUT_THE_GUARD = {
    "notations.py": "the guard itself",
    "build/languages/registry.py": "tables of this package",
    "build/relations/method_sets.py": "tables of this package",
    "build/source/secret_rules.py": "tables of this package",
    "query/ranking/model.py": "weights of this package",
    "bundle/engines/lexical.py": "members of a bundle, each bounded where it is opened",
    "bundle/format/manifest.py": "a manifest, bounded where it is read, and strictly",
    "bundle/placing.py": "what lies where a bundle is to be put, only to see whether it is one",
    "cli/building.py": "lines of this program's own process",
    "cli/tool.py": "what the user types",
    "clients/json_places.py": "scalars, cut out by a scanner with limits of its own",
    "encoders/http.py": "answers of a service that the user set up, bounded where they are read",
    "encoders/over_http.py": "answers of a service that the user set up, bounded where they are read",
    "encoders/model_files.py": "a model that the user named",
    "mcp/resources.py": "a cursor, cut to a length first",
    "tools/arguments.py": "an argument of a call, bounded with the call",
}
"""Module to whose text it parses; everything that a stranger wrote goes through the guard."""


def test_what_strangers_wrote_is_parsed_by_the_guard_alone() -> None:
    readers = {
        _name(path)
        for path in MODULES
        for node in _nodes(path)
        if (
            isinstance(node, ast.Attribute)
            and node.attr
            in ("load", "loads", "read_string", "read_file", "fromstring", "parse", "literal_eval", "ParserCreate", "reader")
            and isinstance(node.value, ast.Name)
            and node.value.id in PARSERS | {"ast", "expat", "ElementTree"}
        )
        or (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PARSERS and node.module != "json")
        or (isinstance(node, ast.Import) and any(name.name.partition(".")[0] in PARSERS - {"json"} for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "json" and {name.name for name in node.names} & {"load", "loads"})
    }
    assert set(PARSE_WITHOUT_THE_GUARD) == readers


def test_no_directory_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getini("norecursedirs")
    directories = {part for path in (ROOT / "tests").rglob("test_*.py") for part in path.relative_to(ROOT).parts[:-1]}
    assert [] == [(each, pattern) for each in sorted(directories) for pattern in patterns if fnmatch(each, pattern)]
