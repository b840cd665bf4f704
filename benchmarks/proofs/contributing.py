"""Follows CONTRIBUTING.md in a fresh clone: adds a language, a filter, a tool and a verb, and lists the files that each touched.

    python benchmarks/proofs/contributing.py             adds them and tries each once
    python benchmarks/proofs/contributing.py --test      then runs `make test` in the clone, with an environment of its own

The clone is of the last commit of this checkout. Each addition is a small real one: the types and functions of Elm; ``--longer N``
for files of at least N lines; ``count_lines`` for agents and ``hardtack wc`` for people.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from proof import Proof, scratch

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src/hardtack")
MOST_FILES = {"language": 4, "filter": 3, "tool": 5, "verb": 3}

LANGUAGE = '''id = "elm"
name = "Elm"
content = "code"
extensions = [".elm"]
grammar = "elm"
line_comment = "--"
tags = """
(type_alias_declaration name: (_) @name) @definition.type
(type_declaration name: (_) @name) @definition.type
(value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name) body: (_) @body)
  @definition.function
(line_comment) @comment
"""
'''
ELM = """module Shelf exposing (..)


type alias Jar =
    { name : String, weight : Int }


type State
    = Empty
    | Full


-- The weight of a jar that is full.
full : Int
full =
    12
""" + "".join(f'\n\njar{number} : Jar\njar{number} =\n    {{ name = "jam", weight = {number} }}\n' for number in range(5))
LANGUAGE_ROW = "| Elm | `elm` | | |"

FILTER_ROW = """    Filter(
        name="longer",
        flag="--longer",
        metavar="N",
        help="Only files of at least N lines.",
        parameter=Parameter("longer", "Only files of at least so many lines, as in '200'.", is_many=False),
        kept_out_by="lengths",
        section="longer_filter",
        parse=_one_text,
        is_many=False,
        file_test=lambda counts: lambda file: file.line_count >= int(counts[0]),
    ),
"""
FILTER_LINE = "- `--longer` takes a number of lines that a file must have at least.\n"

TOOL = '''"""``count_lines``: the path of a file in, how many lines it has out."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from hardtack.tools.tool import Call, IndexName, Parameters, Tool, ToolReply


class Arguments(Parameters, kw_only=True, frozen=True):
    """Which file."""

    path: Annotated[str, Meta(description="Path from the top of the repository, as other tools give it.")]
    index_name: IndexName = None


class LineCount(TypedDict):
    """How long a file is."""

    path: str
    lines: int


def _call(call: Call, arguments: Arguments) -> ToolReply:
    with call.catalog.searcher(arguments.index_name) as searcher:
        excerpt = searcher.files.read(arguments.path)
    return ToolReply(value=LineCount(path=excerpt.path, lines=excerpt.text.count(b"\\n")))


TOOL = Tool(
    name="count_lines",
    toolset="files",
    title="Count the lines of a file",
    description="Says how many lines a file has. Use it before open_file, when the file may be long; get_snippet gives some lines.",
    parameters=Arguments,
    result=LineCount,
    call=_call,
)
'''
QUESTIONS = """

def _line_counts(searcher: Searcher, draw: _Drawn) -> Iterator[Question]:
    files = StoredFiles(searcher.bundle)
    for path in (draw.one_of(draw.files), draw.one_of(draw.files)):
        yield Question(
            tool="count_lines",
            arguments={"path": path},
            argv=["wc", "--json", path],
            library=partial(lambda path: (path, files.read(path).text.count(b"\\n")), path),
            of_tool=lambda structured: (structured["path"], structured["lines"]),
            of_verb=lambda document: (document["path"], document["lines"]),
        )
"""
VERB = '''"""``hardtack wc``: how many lines a stored file has."""

from __future__ import annotations

import click

from hardtack.cli import environment, options
from hardtack.query.files.stored_files import StoredFiles
from hardtack.render.style import inert_json


@click.command("wc")
@click.argument("path", shell_complete=options.completions.paths)
@options.bundle_option
@options.digest_option
@options.json_option
def command(*, path: str, bundle: str | None, digest: str | None, as_json: bool) -> int:
    """Print how many lines a file of the bundle has.

    \\b
    hardtack wc README.md
    """  # noqa: D301  (\\b is click's mark for lines not to be wrapped)
    with environment.opened_bundle(bundle, digest) as opened:
        lines = StoredFiles(opened).read(path).text.count(b"\\n")
    click.echo(inert_json({"schema": "hardtack.wc/1", "path": path, "lines": lines}) if as_json else lines)
    return 0
'''
VERB_ROW = "| `hardtack wc PATH` | prints how many lines a file of the bundle has; `hardtack.wc/1` has `path` and `lines` |"


def main(argv: Sequence[str] | None = None) -> None:
    """Add all four, commit by commit, and hold the number of files against the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--test", action="store_true", help="run `make test` in the clone; takes as long as the test suite")
    options = parser.parse_args(argv)
    proof = Proof("CONTRIBUTING.md, followed in a fresh clone")
    with scratch() as place:
        clone = place / "hardtack"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        steps: dict[str, Callable[[Path], None]] = {"language": _language, "filter": _filter, "verb": _verb, "tool": _tool}
        for what, add in steps.items():
            add(clone)
            touched = _commit(clone, what)
            proof.claim(f"a {what} touches at most {MOST_FILES[what]} files", len(touched) <= MOST_FILES[what], ", ".join(touched))
        _try(proof, clone, place)
        if options.test:
            done = subprocess.run(["make", "test"], cwd=clone, check=False)
            proof.claim("make test is green", done.returncode == 0)
    proof.leave()


def _language(clone: Path) -> None:
    folder = clone / PACKAGE / "build/languages/elm"
    folder.mkdir()
    (folder / "language.toml").write_text(LANGUAGE, "utf-8")
    case = clone / "fixtures/languages/elm/definitions"
    case.mkdir(parents=True)
    (case / "input.elm").write_text(ELM, "utf-8")
    _python(clone, "-m", "pytest", "-q", "tests/languages", "--update-golden", "-k", "elm")
    _add_row(clone / "docs/languages.md", LANGUAGE_ROW)


def _filter(clone: Path) -> None:
    filters = clone / PACKAGE / "query/request/filters.py"
    _append(filters, "FILTERS", FILTER_ROW)
    _append(filters, "FilterOptions", "    longer: str\n")
    search = clone / "docs/search.md"
    anchor = "- `--name` takes a glob"
    search.write_text(search.read_text("utf-8").replace(anchor, FILTER_LINE + anchor, 1), "utf-8")
    _python(clone, "docs/make_tools.py")


def _verb(clone: Path) -> None:
    (clone / PACKAGE / "cli/wc.py").write_text(VERB, "utf-8")
    _append(clone / PACKAGE / "cli/main.py", "VERBS", '    "wc",\n')
    _add_row(clone / "docs/verbs.md", VERB_ROW, after="| `hardtack ls ")


def _tool(clone: Path) -> None:
    (clone / PACKAGE / "tools/count_lines.py").write_text(TOOL, "utf-8")
    table = clone / PACKAGE / "tools/__init__.py"
    table.write_text(table.read_text("utf-8").replace('"list_dir")', '"list_dir", "count_lines")', 1), "utf-8")
    _python(clone, "docs/make_tools.py")
    questions = clone / "tests/contract/questions.py"
    text = questions.read_text("utf-8")
    text = text.replace(
        "        *_files(searcher, draw),\n", "        *_files(searcher, draw),\n        *_line_counts(searcher, draw),\n", 1
    )
    questions.write_text(text.rstrip() + "\n" + QUESTIONS, "utf-8")
    _append(clone / "tests/doubles/mcp_servers.py", "CALLS", '    "count_lines": {"path": "src/pantry/shelf.py"},\n')


def _append(path: Path, name: str, lines: str) -> None:
    """Add lines at the end of the tuple, or of the class, that ``name`` stands for in a module."""
    text = path.read_text("utf-8")
    for node in ast.parse(text).body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        is_class = isinstance(node, ast.ClassDef) and node.name == name
        if is_class or any(isinstance(target, ast.Name) and target.id == name for target in targets):
            rows = text.splitlines(keepends=True)
            end = (node.end_lineno or 0) - (0 if is_class else 1)
            path.write_text("".join([*rows[:end], lines, *rows[end:]]), "utf-8")
            return
    sys.exit(f"contributing: {path} has no {name}; CONTRIBUTING.md and this script name it")


def _add_row(page: Path, row: str, after: str = "") -> None:
    """Add a row to the first table of a page: behind the row that begins so, or in alphabetical order."""
    lines = page.read_text("utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("|---")) + 1
    last = next((number for number in range(first, len(lines)) if not lines[number].startswith("|")), len(lines))
    if after:
        place = next(number for number in range(first, last) if lines[number].startswith(after)) + 1
    else:
        place = next((number for number in range(first, last) if lines[number].casefold() > row.casefold()), last)
    page.write_text("\n".join([*lines[:place], row, *lines[place:]]) + "\n", "utf-8")


def _commit(clone: Path, what: str) -> list[str]:
    """Commit what was added; the files that it touched."""
    identity = ("-c", "user.name=Contributor", "-c", "user.email=contributor@example.org")
    subprocess.run(["git", "add", "--all"], cwd=clone, check=True)
    subprocess.run(["git", *identity, "commit", "--quiet", "-m", f"Add a {what}"], cwd=clone, check=True)
    listed = ["git", "show", "--name-only", "--format=", "HEAD"]
    return subprocess.run(listed, cwd=clone, check=True, capture_output=True, text=True).stdout.split()


def _try(proof: Proof, clone: Path, place: Path) -> None:
    """Use each addition once: on a directory with one Elm file and one that is longer."""
    tree, bundle = place / "tree", place / "bundle"
    tree.mkdir()
    (tree / "Shelf.elm").write_text(ELM, "utf-8")
    (tree / "notes.md").write_text("# Jars\n\nA jar is full.\n", "utf-8")
    _python(clone, "-m", "hardtack", "build", str(tree), "-o", str(bundle), "--quiet")
    named = ("-m", "hardtack", "search", "-b", str(bundle), "full jar")
    proof.claim(
        "the language gives symbols", "function full" in _python(clone, "-m", "hardtack", "search", "-b", str(bundle), "full")
    )
    found = _python(clone, *named, "--longer", "20")
    proof.claim("the filter narrows", "Shelf.elm" in found and "notes.md" not in found and "notes.md" in _python(clone, *named))
    proof.claim("the verb answers", _python(clone, "-m", "hardtack", "wc", "-b", str(bundle), "notes.md").strip() == "3")
    call = ("-m", "hardtack", "tool", "count_lines", "-b", str(bundle), "--json", '{"path": "notes.md"}')
    proof.claim("the tool answers", '"lines":3' in _python(clone, *call).replace(" ", ""))


def _python(clone: Path, *arguments: str) -> str:
    """Run this interpreter over the clone's own source; what it prints."""
    environment = {"PYTHONPATH": str(clone / "src"), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"contributing: {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
