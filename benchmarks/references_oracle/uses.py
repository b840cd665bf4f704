"""Prints the definition of each name in a repository's Python files, as pyright gives it, as lines of JSON.

    python uses.py REPOSITORY [--step N]    # with basedpyright (PyPI) installed beside this interpreter; every N-th file

Asks the language server for the definition of every name; prints where it is, when that is in the repository and not local to a
function. Dependencies need not be at hand; what hangs on them stays unresolved. ``others`` are further places, for a name that is
declared several times. The keyword of an argument, which the server takes to the function, is left out.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import keyword
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlparse

LEFT_OUT = {".git", "node_modules", "__pycache__", ".tox", ".venv"}
SETTINGS = {f"{tool}.analysis": {"diagnosticMode": "openFilesOnly", "ignore": ["*"]} for tool in ("python", "basedpyright")}
"""Nothing is to be checked; that takes most of the time."""
AHEAD = 200
"""Questions that are asked before the first is answered."""


class Server:
    """A language server that speaks on its standard input and output."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self._last = 0

    def tell(self, method: str, params: object, *, number: int | None = None) -> None:
        """Send a notice, or a question that has a number."""
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number is not None else {})
        self._send(message)

    def ask(self, method: str, questions: list[object]) -> list[Any]:
        """The answers, in order."""
        numbers = range(self._last + 1, self._last + 1 + len(questions))
        self._last += len(questions)
        answers: dict[int, Any] = {}
        waiting = iter(zip(numbers, questions, strict=True))
        for number, params in islice(waiting, AHEAD):
            self.tell(method, params, number=number)
        while len(answers) < len(questions):
            message = self._read()
            if "method" in message:
                self._reply(message)
                continue
            answers[message["id"]] = message.get("result")
            if (following := next(waiting, None)) is not None:
                self.tell(method, following[1], number=following[0])
        return [answers[number] for number in numbers]

    def wait(self, method: str) -> None:
        """Wait until the server sends a notice."""
        while (message := self._read()).get("method") != method:
            self._reply(message)

    def _reply(self, message: Mapping[str, Any]) -> None:
        """Answer what the server asks: it has no settings but these."""
        if "id" in message:
            items = (message.get("params") or {}).get("items", []) if message["method"] == "workspace/configuration" else None
            result = [SETTINGS.get(item.get("section"), {}) for item in items] if items is not None else None
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _send(self, message: object) -> None:
        data = json.dumps(message).encode()
        self._into.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._into.flush()

    def _read(self) -> dict[str, Any]:
        size = 0
        while line := self._out.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self._out.read(size))
        return message

    def end(self) -> None:
        """Stop it."""
        self._process.kill()
        self._process.wait()


@dataclass(slots=True)
class Source:
    """One file: its lines, and the places in it where names are declared that are not local to a function."""

    lines: list[str]
    outer: dict[tuple[int, int], str] = field(default_factory=dict)
    """(line from 1, column in characters) -> name."""
    aliases: set[str] = field(default_factory=set)
    """What its imports call things that have another name."""


def asked_of(description: str | None) -> argparse.Namespace:
    """The arguments of a script that asks a language server: ``repository`` and ``step``."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--step", type=int, default=1, metavar="N", help="look at every N-th file")
    return parser.parse_args()


def main() -> None:
    """Print everything."""
    asked = asked_of(__doc__)
    root = asked.repository.resolve()
    command = shutil.which("basedpyright-langserver") or str(Path(sys.executable).with_name("basedpyright-langserver"))
    sources = dict(sources_of(root))
    server = Server([command, "--stdio"])
    folder = {"uri": root.as_uri(), "name": root.name}
    server.ask("initialize", [{"processId": None, "rootUri": root.as_uri(), "capabilities": {}, "workspaceFolders": [folder]}])
    server.tell("initialized", {})
    for path, source in sources.items():
        document = {"uri": (root / path).as_uri(), "languageId": "python", "version": 1, "text": "".join(source.lines)}
        server.tell("textDocument/didOpen", {"textDocument": document})
    known = {name for source in sources.values() for name in (*source.outer.values(), *source.aliases)}
    for path, source in list(sources.items())[:: asked.step]:
        uri = (root / path).as_uri()
        names = [each for each in names_of(source) if each[2] in known]
        questions: list[object] = [
            {"textDocument": {"uri": uri}, "position": {"line": row, "character": at}} for row, at, _ in names
        ]
        answers = server.ask("textDocument/definition", questions)
        starts = starts_of(source)
        for (row, at, name), answer in zip(names, answers, strict=True):
            places = [place for each in answer or () if (place := place_of(root, sources, each)) is not None]
            places = [place for place in places if place[2] == name or name in source.aliases]
            if places and (path, row + 1, name) not in places:
                record = {"path": path, "at": row + 1, "start": starts[row] + column(source, row, at), "name": name}
                record |= {"to": places[0][0], "line": places[0][1], "declared": places[0][2], "others": places[1:]}
                print(json.dumps(record))
    server.end()


def column(source: Source, row: int, at: int) -> int:
    """Bytes before a UTF-16 column of a line."""
    return len(source.lines[row].encode("utf-16-le")[: 2 * at].decode("utf-16-le").encode())


def starts_of(source: Source) -> list[int]:
    """The first byte of each line."""
    starts = [0]
    for line in source.lines:
        starts.append(starts[-1] + len(line.encode()))
    return starts


def sources_of(root: Path) -> Iterator[tuple[str, Source]]:
    """Every file that Python can parse, by path."""
    for file in sorted([*root.rglob("*.py"), *root.rglob("*.pyi")]):
        path = file.relative_to(root)
        if LEFT_OUT.intersection(path.parts):
            continue
        try:
            text = file.read_bytes().decode("utf-8")
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        source = Source(text.splitlines(keepends=True))
        declare(source, tree.body)
        source.aliases = {node.asname for node in ast.walk(tree) if isinstance(node, ast.alias) and node.asname}
        yield path.as_posix(), source


def declare(source: Source, body: list[Any]) -> None:
    """Note what the statements of a module or class declare, and the attributes that methods give their instances."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            row = statement.lineno - 1
            at = source.lines[row].find(statement.name, statement.col_offset)
            source.outer[row + 1, at] = statement.name
            if isinstance(statement, ast.ClassDef):
                declare(source, statement.body)
            for node in ast.walk(statement):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    line = source.lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode() if node.end_lineno else ""
                    source.outer[node.end_lineno or 0, len(line) - len(node.attr)] = node.attr
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                line = source.lines[node.lineno - 1].encode()[: node.col_offset].decode()
                source.outer[node.lineno, len(line)] = node.id
        for field_name in ("body", "orelse", "finalbody"):
            declare(source, getattr(statement, field_name, []))
        for handler in getattr(statement, "handlers", []):
            declare(source, handler.body)


def names_of(source: Source) -> Iterator[tuple[int, int, str]]:
    """(row from 0, UTF-16 column, name) of every name in the code."""
    text = "".join(source.lines)
    before = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_bound, before = before == "as", token.string
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string) and not is_bound:
            row, at = token.start
            units = len(source.lines[row - 1][:at].encode("utf-16-le")) // 2
            yield row - 1, units, token.string


def place_of(root: Path, sources: Mapping[str, Source], answer: Mapping[str, Any]) -> tuple[str, int, str] | None:
    """(path, line, name) of a declaration; None for one outside or local to a function."""
    target = Path(unquote(urlparse(answer.get("uri") or answer["targetUri"]).path))
    start = (answer.get("range") or answer["targetSelectionRange"])["start"]
    try:
        path = target.relative_to(root).as_posix()
    except ValueError:
        return None
    source = sources.get(path)
    if source is None or start["line"] >= len(source.lines):
        return None
    units = source.lines[start["line"]].encode("utf-16-le")[: 2 * start["character"]]
    name = source.outer.get((start["line"] + 1, len(units.decode("utf-16-le"))))
    return (path, start["line"] + 1, name) if name is not None else None


if __name__ == "__main__":
    main()
